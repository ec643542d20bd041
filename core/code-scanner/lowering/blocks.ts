import { matchNames } from '../model/name-patterns.ts'
import type { Expression } from '../model/program.ts'
import type { SyntaxNode } from '../model/syntax.ts'
import { anyOf, eitherOf } from './built-texts.ts'
import type { Draft, Lowering } from './draft.ts'
import { isExtra } from './lowered.ts'

/** Most branches within branches whose last values are looked for. */
const MAX_BRANCHES = 40

/** Lowers a body whose last value, or that of its last branches, is what the function gives. */
export function giveLast(
  node: SyntaxNode,
  how: {
    readonly draft: Draft
    /** Types of nodes that are statements. */
    readonly blocks: string
    /** Types of statements with branches. */
    readonly branches?: string
    readonly depth?: number
  },
): undefined {
  const { draft, blocks, branches, depth = 0 } = how
  const inner = { ...how, depth: depth + 1 }
  const isIn = (types: string | undefined) =>
    depth < MAX_BRANCHES && types?.split(' ').includes(node.type)
  if (isIn(branches)) {
    draft.statement(node.childForFieldName('condition'), 'error')
    for (const field of ['consequence', 'alternative']) {
      const branch = node.childForFieldName(field)
      if (branch) giveLast(branch, inner)
    }
    return undefined
  }
  if (!isIn(blocks)) {
    const value = draft.lower(node)
    return value.kind === 'unknown' ? undefined : draft.giveBack(value)
  }
  const statements = node.namedChildren.flatMap((one) => (one && !isExtra(one) ? [one] : []))
  const last = statements.findLast(({ type }) => type !== 'rescue' && type !== 'ensure')
  for (const one of statements) {
    if (one.id === last?.id) giveLast(one, inner)
    else draft.statement(one)
  }
  return undefined
}

/** Statements with a value: any of them for the types in `either`, else the last one. */
export function branches(how: { readonly either: string }): Lowering {
  const either = new Set(how.either.split(' '))
  return (node, draft) => {
    const compared = node.childForFieldName('value')
    const options: Expression[] = []
    for (const child of node.namedChildren) {
      if (!child || isExtra(child)) continue
      if (child.id === compared?.id || child.type === 'pattern') draft.statement(child, 'error')
      else options.push(draft.lower(child))
    }
    if (either.has(node.type)) return eitherOf(options)
    for (const option of options.slice(0, -1)) draft.loose(option, 'other')
    return options.at(-1)
  }
}

/** Lowers the block of a call, whose parameter stands for what the call gives it. */
export function blocks(how: {
  /** Methods whose block is given what they return, as name patterns. */
  readonly self: string
  /** Methods whose block is given each of what they are called on. */
  readonly each: string
}): (
  node: SyntaxNode,
  given: { readonly made: Expression | undefined; readonly draft: Draft },
) => undefined {
  const givesSelf = matchNames(how.self)
  const givesEach = matchNames(how.each)
  return (node, { made, draft }) => {
    const block = node.childForFieldName('block')
    const method = node.childForFieldName('method')?.text ?? ''
    const owner = made?.kind === 'call' ? made.call.receiver : undefined
    const each = givesEach(method) && owner ? anyOf(owner) : undefined
    const value = givesSelf(method) ? made : each
    const given = block?.childForFieldName('parameters')?.namedChildren ?? []
    const names = given.map((one) => one?.childForFieldName('name')?.text ?? one?.text ?? '')
    if (!block) return undefined
    return draft.within({ kind: 'function', name: '', parameters: value ? [] : names }, () => {
      if (names[0] !== undefined && value) {
        const { place } = value
        draft.bind({ name: names[0], value, kind: 'variable', isExported: false, place })
      }
      return draft.statement(block.childForFieldName('body'))
    })
  }
}

/** The path that a request is given in its block: `request.url '/x'`, `request.path = '/x'`. */
export function pathOfBlock(node: SyntaxNode): SyntaxNode | null {
  const block = node.childForFieldName('block')
  const own = block?.childForFieldName('parameters')?.namedChild(0)?.text
  if (own === undefined) return null
  for (const one of block?.childForFieldName('body')?.namedChildren ?? []) {
    const target = one?.childForFieldName('left') ?? one
    if (target?.childForFieldName('receiver')?.text !== own) continue
    if (!/^(?:url|path)$/.test(target.childForFieldName('method')?.text ?? '')) continue
    const given = target.childForFieldName('arguments')?.namedChild(0)
    return one?.childForFieldName('right') ?? given ?? null
  }
  return null
}
