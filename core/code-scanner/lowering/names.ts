import type { SyntaxNode } from '../model/syntax.ts'

/**
 * A child of a node: its field, its index among the named children that are no comments, or `<type>`
 * or `<type|type>` for its type. Slashes separate the steps to deeper nodes; `.` is the node itself.
 */
export type Part = string | number

/**
 * Rule for the name of a node: its text, the own instance, the name of its first or last child, an
 * object with a member (two parts; `same` matches members that are the object itself), or a function.
 */
export type NameRule =
  | 'text'
  | 'this'
  | 'inner'
  | 'last'
  | readonly [object: Part, member: Part, same?: RegExp]
  | ((node: SyntaxNode, nameOf: NameOf) => string | undefined)

export type NameOf = (node: SyntaxNode | null) => string | undefined

/** Longest chain of members that has a name. */
const MAX_NAMES = 50

/**
 * Creates the reader of dotted names of identifiers and chains of members; undefined for other nodes.
 * The own instance is `this`: a name in `own`, or the name that the method chose for it.
 */
export function nameReader({
  rules,
  own,
}: {
  readonly rules: ReadonlyMap<string, NameRule>
  readonly own: ReadonlySet<string>
}): (node: SyntaxNode | null, self: string | undefined) => string | undefined {
  let depth = 0
  let chosen: string | undefined
  /** The node that was read last, and its name. */
  let last: { readonly node: SyntaxNode; readonly name: string | undefined } | undefined

  function read(node: SyntaxNode, rule: NameRule): string | undefined {
    if (rule === 'this') return 'this'
    if (rule === 'inner') return nameOf(partOf(node, 0))
    if (rule === 'last') return nameOf(partOf(node, -1))
    if (rule === 'text') {
      const { text } = node
      return text === chosen || (own.size > 0 && own.has(text)) ? 'this' : text
    }
    if (typeof rule === 'function') return rule(node, nameOf)
    const object = nameOf(partOf(node, rule[0]))
    const member = object === undefined ? null : partOf(node, rule[1])
    const name = member ? (nameOf(member) ?? member.text) : undefined
    if (name === undefined) return undefined
    return rule[2]?.test(name) ? object : `${object}.${name}`
  }

  function nameOf(node: SyntaxNode | null): string | undefined {
    const rule = node ? rules.get(node.type) : undefined
    if (!node || rule === undefined || depth > MAX_NAMES) return undefined
    depth += 1
    const name = read(node, rule)
    depth -= 1
    return name
  }

  return (node, self) => {
    if (node && node === last?.node && chosen === self) return last.name
    chosen = self
    const name = nameOf(node)
    last = node ? { node, name } : undefined
    return name
  }
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
  if (typeof part === 'number') return childAt(node, part)
  // A field, in most cases: other parts begin with a digit or a sign.
  if (part >= 'a' && !part.includes('/')) return node.childForFieldName(part)
  if (part === '.') return node
  const slash = part.indexOf('/')
  if (slash >= 0) {
    const inner = partOf(node, part.slice(0, slash))
    return inner && partOf(inner, part.slice(slash + 1))
  }
  if (/^-?\d+$/.test(part)) return partOf(node, Number(part))
  if (!part.startsWith('<')) return node.childForFieldName(part)
  const types = part.slice(1, -1).split('|')
  return node.namedChildren.find((child) => types.includes(child.type)) ?? null
}

/** Returns a named child by its index, without comments; from the end if the index is negative. */
function childAt(node: SyntaxNode, index: number): SyntaxNode | null {
  const step = index < 0 ? -1 : 1
  let left = index < 0 ? -index : index + 1
  for (let at = index < 0 ? node.namedChildCount - 1 : 0; ; at += step) {
    const child = at < 0 ? null : node.namedChild(at)
    if (child && !child.type.endsWith('comment')) left -= 1
    if (!child || left === 0) return child
  }
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
