import type { Call, Expression, Place } from '../model/program.ts'
import type { SyntaxNode } from '../model/syntax.ts'
import type { Draft } from './draft.ts'

/** Where a node begins. */
export function placeOf(node: SyntaxNode): Place {
  const { row, column } = node.startPosition
  return { index: node.startIndex, line: row + 1, column: column + 1 }
}

/** The source at a place, which may be before the node. */
export function sourceAt({ index }: Place, node: SyntaxNode): string {
  let at = node
  while (at.parent && at.startIndex > index) at = at.parent
  return at.text.slice(index - at.startIndex)
}

/** What cannot be told, at a node. */
export function unknownAt(node: SyntaxNode): Expression {
  return { kind: 'unknown', place: placeOf(node) }
}

/** Whether a node is beside the syntax: a comment, or the text of a here-document. */
export function isExtra({ type }: SyntaxNode): boolean {
  return type.endsWith('comment') || type === 'heredoc_body'
}

/** A text at a node. */
export function textAt(text: string, node: SyntaxNode): Expression {
  return { kind: 'text', text, place: placeOf(node) }
}

/** Parts one after the other, at the first of them. */
export function joinOf(parts: readonly Expression[]): Expression | undefined {
  const [first] = parts
  if (!first || parts.length === 1) return first
  const flat = parts.flatMap((part) => (part.kind === 'join' ? part.parts : [part]))
  return { kind: 'join', parts: flat, place: first.place }
}

/** Operands of a chain of one operator, left to right, without recursion. */
export function operandsOf(node: SyntaxNode, operator: string): readonly SyntaxNode[] {
  const operands: SyntaxNode[] = []
  let left: SyntaxNode | null = node
  while (left?.type === node.type && left.childForFieldName('operator')?.text === operator) {
    const right = left.childForFieldName('right')
    if (right) operands.push(right)
    left = left.childForFieldName('left')
  }
  if (left) operands.push(left)
  return operands.reverse()
}

/** What a declared type gives: as a construction of it. */
export function typedValue(given: {
  readonly type: string
  readonly node: SyntaxNode
  readonly scope: number
}): Expression {
  const place = placeOf(given.node)
  const call: Call = {
    callee: `new ${given.type}`,
    receiver: undefined,
    args: [],
    named: {},
    place,
    scope: given.scope,
  }
  return { kind: 'call', call, place }
}

/** Whether a value is made of texts, those that calls give aside. */
export function holdsText(value: Expression): boolean {
  switch (value.kind) {
    case 'text':
      return value.text !== ''
    case 'join':
    case 'path':
      return value.parts.some(holdsText)
    case 'format':
      return holdsText(value.format) || value.values.some(holdsText)
    case 'either':
      return value.options.some(holdsText)
    case 'list':
      return value.items.some(holdsText)
    case 'record':
      return Object.values(value.entries).some(holdsText)
    default:
      return false
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  s: ' ',
  '0': '\0',
  '\n': '',
}

/** Undoes backslash escapes as C-like languages have them. */
export function unescapeText(text: string): string {
  if (!text.includes('\\')) return text
  return text.replaceAll(
    /\\(?:u\{([\da-fA-F]{1,6})\}|u+([\da-fA-F]{4})|U([\da-fA-F]{8})|x([\da-fA-F]{2})|([\s\S]))/g,
    (_, braced, four, eight, two, one: string | undefined) => {
      const digits: string | undefined = braced ?? four ?? eight ?? two
      if (digits === undefined) return ESCAPES[one ?? ''] ?? one ?? ''
      const code = Number.parseInt(digits, 16)
      return code <= 0x10ffff ? String.fromCodePoint(code) : ''
    },
  )
}

/**
 * Keeps `url.Path = "/v1"` and `url.Path += id` of a URL that was made before: it is below that path
 * from there on. False for what is no such assignment.
 */
export function setPath(
  given: { readonly name: string; readonly value: Expression; readonly target: SyntaxNode },
  draft: Draft,
): boolean {
  const { name, value, target } = given
  const whole = /^(\w+)\.(?:Path|RawPath)$/.exec(name)?.[1]
  const made = whole === undefined ? undefined : draft.localValue(whole)?.kind
  if (whole === undefined || !made || made === 'call' || made === 'unknown') return false
  const place = placeOf(target)
  draft.bind({
    name: whole,
    value: { kind: 'path', parts: [draft.name(whole, target), value], place },
    kind: 'variable',
    isExported: false,
    place,
  })
  return true
}

/** Lines of a text block without the indentation that all of them share. */
export function withoutIndentation(text: string): string {
  const lines = text.replace(/^[^\n]*\n/, '').split('\n')
  const indents = lines.filter((line) => line.trim()).map((line) => line.search(/\S/))
  const indent = indents.reduce((least, one) => Math.min(least, one), Infinity)
  return lines.map((line) => line.slice(indent)).join('\n')
}
