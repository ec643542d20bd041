import type { SyntaxNode } from '../model/syntax.ts'

/**
 * A child of a node: its field, its index among the named children, or `<type>` or `<type|type>` for
 * its type. Slashes separate the steps to deeper nodes.
 */
export type Part = string | number

/**
 * Rule for the name of a node: its text, the own instance, the name of its first or last child, an
 * object with a member (two parts), or a function.
 */
export type NameRule =
  | 'text'
  | 'this'
  | 'inner'
  | 'last'
  | readonly [object: Part, member: Part]
  | ((node: SyntaxNode, nameOf: NameOf) => string | undefined)

export type NameOf = (node: SyntaxNode | null) => string | undefined

/** Longest chain of members that has a name. */
const MAX_NAMES = 50

/**
 * Reads the dotted name of an identifier or a chain of members; undefined for other nodes. The own
 * instance is `this`.
 */
export function readName(
  node: SyntaxNode | null,
  options: {
    readonly rules: ReadonlyMap<string, NameRule>
    readonly isOwn: (name: string) => boolean
    readonly depth?: number
  },
): string | undefined {
  const { rules, isOwn, depth = 0 } = options
  const rule = node ? rules.get(node.type) : undefined
  if (!node || rule === undefined || depth > MAX_NAMES) return undefined
  const nameOf: NameOf = (inner) => readName(inner, { rules, isOwn, depth: depth + 1 })
  if (rule === 'this') return 'this'
  if (rule === 'text') return isOwn(node.text) ? 'this' : node.text
  if (rule === 'inner') return nameOf(node.namedChild(0))
  if (rule === 'last') return nameOf(partOf(node, -1))
  if (typeof rule === 'function') return rule(node, nameOf)
  const object = nameOf(partOf(node, rule[0]))
  const member = object === undefined ? null : partOf(node, rule[1])
  const name = member ? (nameOf(member) ?? member.text) : undefined
  return name === undefined ? undefined : `${object}.${name}`
}

/** Names an element by its literal key: `urls["eu"]` is `urls.eu`. */
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

/** Returns a child of a node; see `Part`. */
export function partOf(node: SyntaxNode, part: Part): SyntaxNode | null {
  if (typeof part === 'number') {
    return node.namedChild(part < 0 ? node.namedChildCount + part : part)
  }
  const slash = part.indexOf('/')
  if (slash >= 0) {
    const inner = partOf(node, part.slice(0, slash))
    return inner && partOf(inner, part.slice(slash + 1))
  }
  if (/^-?\d+$/.test(part)) return partOf(node, Number(part))
  if (!part.startsWith('<')) return node.childForFieldName(part)
  const types = part.slice(1, -1).split('|')
  return node.namedChildren.find((child) => child && types.includes(child.type)) ?? null
}

/** Indexes rows by node type; a key lists types, separated by spaces. */
export function byNodeType<Value>(
  rows: Readonly<Record<string, Value>>,
): ReadonlyMap<string, Value> {
  return new Map(
    Object.entries(rows).flatMap(([types, value]) =>
      types.split(/\s+/).map((type) => [type, value] as const),
    ),
  )
}
