import type { Binding, Call, Expression, Place } from '../model/program.ts'
import type { SyntaxNode } from '../model/syntax.ts'
import type { Draft } from './draft.ts'

/** A binding, of which `Draft.bind` completes the rest. */
export type NewBinding = Pick<Binding, 'name' | 'value'> & Partial<Binding>

/** A call, without arguments unless they are stated. */
export type NewCall = Pick<Call, 'callee' | 'place'> & Partial<Call>

/** The result of a call. */
export type CallResult = Expression & { readonly kind: 'call' }

/** Returns the position of a node. */
export function placeOf(node: SyntaxNode): Place {
  const { row, column } = node.startPosition
  return { index: node.startIndex, line: row + 1, column: column + 1 }
}

/** Returns the source from a position in the file, which may precede the node. */
export function sourceAt({ index }: Place, node: SyntaxNode): string {
  let at = node
  while (at.parent && at.startIndex > index) at = at.parent
  return at.text.slice(index - at.startIndex)
}

/** Creates an unknown value at a node. */
export function unknownAt(node: SyntaxNode): Expression {
  return { kind: 'unknown', place: placeOf(node) }
}

/** Creates a name from the text of a node. */
export function nameAt(node: SyntaxNode): Expression {
  return { kind: 'name', name: node.text, place: placeOf(node) }
}

/** Whether a node is outside of the syntax: a comment, or the body of a here-document. */
export function isExtra({ type }: SyntaxNode): boolean {
  return type.endsWith('comment') || type === 'heredoc_body'
}

/** Returns the nodes that are part of the syntax. */
export function withoutExtras(nodes: readonly SyntaxNode[]): readonly SyntaxNode[] {
  return nodes.some(isExtra) ? nodes.filter((node) => !isExtra(node)) : nodes
}

/** Creates a string at a node. */
export function textAt(text: string, node: SyntaxNode): Expression {
  return { kind: 'text', text, place: placeOf(node) }
}

/** Concatenates parts, at the position of the first. */
export function joinOf(parts: readonly Expression[]): Expression | undefined {
  const [first] = parts
  if (!first || parts.length === 1) return first
  const flat = parts.flatMap((part) => (part.kind === 'join' ? part.parts : [part]))
  return { kind: 'join', parts: flat, place: first.place }
}

/** Returns the operands of a chain of one operator, left to right, without recursion. */
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

/** Whether a value contains literal strings, outside of calls. */
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

/** Replaces the backslash escapes of C-like languages. */
export function unescapeText(text: string): string {
  if (!text.includes('\\')) return text
  return text.replaceAll(
    /\\(?:u\{([\da-fA-F]{1,6})\}|u+([\da-fA-F]{4})|U([\da-fA-F]{8})|x([\da-fA-F]{2})|([\s\S]))/g,
    (_, braced, four, eight, two, character: string | undefined) => {
      const digits: string | undefined = braced ?? four ?? eight ?? two
      if (digits === undefined) return ESCAPES[character ?? ''] ?? character ?? ''
      const code = Number.parseInt(digits, 16)
      return code <= 0x10ffff ? String.fromCodePoint(code) : ''
    },
  )
}

/**
 * Records `url.Path = "/v1"`, which replaces the path of a URL, and `url.Path += id` and
 * `url.Path = path.Join(url.Path, id)`, which append to it. Returns whether the assignment is one of
 * these.
 */
export function setPath(
  assignment: {
    readonly name: string
    readonly value: Expression
    readonly target: SyntaxNode
    readonly isAdded: boolean
  },
  draft: Draft,
): boolean {
  const { name, value, target, isAdded } = assignment
  const whole = /^(\w+)\.(?:Path|RawPath|pathname)$/.exec(name)?.[1]
  const made = whole === undefined ? undefined : draft.localValue(whole)
  if (whole === undefined || !made || made.kind === 'call' || made.kind === 'unknown') return false
  const place = placeOf(target)
  const parts = value.kind === 'path' || value.kind === 'join' ? value.parts : [value]
  const added = parts.filter((part) => part.kind !== 'name' || part.name !== name)
  const isLonger = isAdded || added.length < parts.length
  const base = (!isLonger && originOfUrl(made)) || draft.name(whole, target)
  const path = { kind: 'path', parts: [base, ...(isLonger && !isAdded ? added : [value])] } as const
  draft.bind({ name: whole, value: { ...path, place } })
  return true
}

/** The URL without its path; undefined if its host is elsewhere. */
function originOfUrl(url: Expression): Expression | undefined {
  if (url.kind === 'path') return url.parts[0]
  const origin = url.kind === 'text' ? /^\w+:\/\/[^/?#]+/.exec(url.text)?.[0] : undefined
  return origin === undefined ? undefined : { ...url, kind: 'text', text: origin }
}

/** Removes the indentation that all lines of a text block share. */
export function withoutIndentation(text: string): string {
  const lines = text.replace(/^[^\n]*\n/, '').split('\n')
  const indents = lines.filter((line) => line.trim()).map((line) => line.search(/\S/))
  const indent = Math.min(...indents)
  return lines.map((line) => line.slice(indent)).join('\n')
}

/** Joins the parts of a string at the position of the string. */
export function wholeText(parts: readonly Expression[], node: SyntaxNode): Expression {
  if (parts.every((part) => part.kind === 'text')) {
    return textAt(parts.map((part) => (part.kind === 'text' ? part.text : '')).join(''), node)
  }
  const [only] = parts
  return parts.length === 1 && only ? only : { kind: 'join', parts, place: placeOf(node) }
}
