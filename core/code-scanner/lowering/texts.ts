import { matchNames } from '../model/name-patterns.ts'
import type { SyntaxNode } from '../model/syntax.ts'
import { type TemplateShape, template } from './constructs.ts'
import type { Lowering } from './draft.ts'
import { joinOf } from './lowered.ts'
import { partOf } from './names.ts'

/** A chain of `+` of nodes of one type, without recursion. */
export function sum(type: string): Lowering {
  return (node, draft) => {
    const operands: (SyntaxNode | null)[] = []
    let at: SyntaxNode | null = node
    while (at?.type === type) {
      operands.unshift(partOf(at, -1))
      at = partOf(at, 0)
    }
    return joinOf([at, ...operands].map((operand) => draft.lower(operand)))
  }
}

/**
 * The start of a here-document, whose body follows the line. Starts in one line match the bodies in
 * order.
 */
export function hereDocument(begin: string, body: string, how: TemplateShape): Lowering {
  const lowerBody = template(how)
  return (node, draft) => {
    const isBody = ({ type, startIndex }: SyntaxNode) =>
      type === body && startIndex >= node.endIndex
    let at = node.parent
    while (at && !at.namedChildren.some(isBody)) at = at.parent
    const { row } = node.startPosition
    const before = at
      ?.descendantsOfType(begin)
      .filter((start) => start.startPosition.row === row && start.startIndex < node.startIndex)
    const found = at?.namedChildren.filter(isBody)[before?.length ?? 0]
    return found ? lowerBody(found, draft) : undefined
  }
}

/** Returns the code of a template between two marks; blanks the rest, which preserves positions. */
export function embeddedCode(text: string, [open, close]: readonly [string, string]): string {
  const [head = '', ...tags] = text.split(open)
  const parts = tags.map((tag) => {
    const end = tag.indexOf(close)
    if (end < 0 || tag.startsWith('#')) return blank(open + tag)
    const code = tag.slice(0, end).replaceAll(/^[=-]|-$/g, ' ')
    // A statement ends with its tag.
    return `${blank(open)}${code}${';'.padEnd(close.length)}${blank(tag.slice(end + close.length))}`
  })
  return blank(head) + parts.join('')
}

/**
 * Replaces the tags of a template by words in braces of the same length: unknown parts of strings,
 * and values in code.
 */
export function maskTags(text: string): string {
  return text.replaceAll(TAG, (tag) => `{${tag.slice(2).replaceAll(/[^\n\r]/g, '_')}}`)
}

/**
 * Creates a function that rewrites macros as plain syntax of the same length, by name patterns:
 * `name!(…)` as a call unless it is in `others`, `name![…]` as a list, `name! {…}` as a block.
 */
export function plainMacros(names: {
  readonly others: string
  readonly lists: string
  readonly blocks: string
}): (text: string) => string {
  const isOther = matchNames(names.others)
  const isList = matchNames(names.lists)
  const isBlock = matchNames(names.blocks)
  const plain = (whole: string, name: string, open: string): string => {
    if (open === '(') return isOther(name) ? whole : `${name} `
    return (open === '[' ? isList(name) : isBlock(name)) ? blank(whole) : whole
  }
  return (text) =>
    text.replaceAll(/\b(\w+)!(?=\s*([[({]))/g, plain).replaceAll(/\bstatic ref\b/g, 'static    ')
}

/** Tags of PHP, ERB and Blade; longer ones are code. */
const TAG = /<\?.*?(?:\?>|$)|<%.{0,2000}?%>|\{\{.{0,500}?\}\}|\{!!.{0,500}?!!\}/gs

/** Returns the scripts of a Vue, Svelte, Astro or HTML file; blanks the rest. */
export function scriptsOf(text: string): string {
  const head = /^---\r?\n/.exec(text)?.[0].length ?? 0
  const headEnd = head > 0 ? text.indexOf('\n---', head - 1) : -1
  let code = headEnd < 0 ? '' : blank(text.slice(0, head)) + text.slice(head, headEnd)
  let end = Math.max(headEnd, 0)
  const tag = /<script\b[^<>]{0,1000}>/gi
  tag.lastIndex = end
  for (let found = tag.exec(text); found; found = tag.exec(text)) {
    const start = found.index + found[0].length
    const stop = text.indexOf('</script', start)
    if (stop < 0) break
    if (!/\ssrc=/i.test(found[0])) {
      code += blank(text.slice(end, start)) + text.slice(start, stop)
      end = stop
    }
    tag.lastIndex = stop
  }
  return code + blank(text.slice(end))
}

function blank(text: string): string {
  return text.replaceAll(/[^\n\r]/g, ' ')
}
