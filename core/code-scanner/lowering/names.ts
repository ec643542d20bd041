import type { SyntaxNode } from '../model/syntax.ts'

/** A child of a node: its field, its index among the named children, or `<type>` for its type. */
export type Part = string | number

/**
 * How the name of a node is read: its text, the own instance, that of its first child, an object
 * with a member (each a `Part`), or by a function.
 */
export type NameRule =
  | 'text'
  | 'this'
  | 'inner'
  | readonly [object: Part, member: Part]
  | ((node: SyntaxNode, nameOf: NameOf) => string | undefined)

export type NameOf = (node: SyntaxNode | null) => string | undefined

/** Most names between dots; longer chains have no name. */
const MAX_NAMES = 50

/**
 * Name with dots of an identifier or a chain of members; undefined for what has none. Names of the
 * own instance are `this`.
 */
export function readName(
  node: SyntaxNode | null,
  given: {
    readonly rules: ReadonlyMap<string, NameRule>
    readonly isOwn: (name: string) => boolean
    readonly depth?: number
  },
): string | undefined {
  const { rules, isOwn, depth = 0 } = given
  const rule = node ? rules.get(node.type) : undefined
  if (!node || rule === undefined || depth > MAX_NAMES) return undefined
  const nameOf: NameOf = (inner) => readName(inner, { rules, isOwn, depth: depth + 1 })
  if (rule === 'this') return 'this'
  if (rule === 'text') return isOwn(node.text) ? 'this' : node.text
  if (rule === 'inner') return nameOf(node.namedChild(0))
  if (typeof rule === 'function') return rule(node, nameOf)
  const object = nameOf(partOf(node, rule[0]))
  const member = object === undefined ? null : partOf(node, rule[1])
  const name = member ? (nameOf(member) ?? member.text) : undefined
  return name === undefined ? undefined : `${object}.${name}`
}

/** An element by a key that is known: `urls["eu"]` is `urls.eu`. */
export function keyed(how: {
  readonly object: Part
  readonly key: Part
  readonly keyOf: (node: SyntaxNode) => string | undefined
}): NameRule {
  return (node, nameOf) => {
    const key = partOf(node, how.key)
    const text = key ? how.keyOf(key) : undefined
    const object = text === undefined ? undefined : nameOf(partOf(node, how.object))
    return object === undefined ? undefined : `${object}.${text}`
  }
}

/** A child of a node; see `Part`. */
export function partOf(node: SyntaxNode, part: Part): SyntaxNode | null {
  if (typeof part === 'number') {
    return node.namedChild(part < 0 ? node.namedChildCount + part : part)
  }
  if (!part.startsWith('<')) return node.childForFieldName(part)
  const type = part.slice(1, -1)
  return node.namedChildren.find((child) => child?.type === type) ?? null
}

/** Rows by node type; one row may name several types with blanks between them. */
export function byNodeType<Value>(
  rows: Readonly<Record<string, Value>>,
): ReadonlyMap<string, Value> {
  return new Map(
    Object.entries(rows).flatMap(([types, value]) =>
      types.split(/\s+/).map((type) => [type, value] as const),
    ),
  )
}
