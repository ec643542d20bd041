import { matchNames } from '../model/name-patterns.ts'
import type { Expression } from '../model/program.ts'
import type { SyntaxNode } from '../model/syntax.ts'
import { anyOf, eitherOf } from './built-texts.ts'
import type { Draft, Lowering } from './draft.ts'
import { placeOf, withoutExtras } from './lowered.ts'
import { partOf } from './names.ts'

/** Deepest nesting of branches whose last values are results. */
const MAX_BRANCHES = 40

/** Lowers a body whose last value, or that of each last branch, is the function's result. */
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
  const statements = withoutExtras(node.namedChildren)
  const last = statements.findLast(({ type }) => type !== 'rescue' && type !== 'ensure')
  for (const statement of statements) {
    if (statement.id === last?.id) giveLast(statement, inner)
    else draft.statement(statement)
  }
  return undefined
}

/** Statements with a value: any child's for the types in `either`, else the last child's. */
export function branches(how: { readonly either: string }): Lowering {
  const either = new Set(how.either.split(' '))
  return (node, draft) => {
    const compared = node.childForFieldName('value')
    const options: Expression[] = []
    for (const child of withoutExtras(node.namedChildren)) {
      if (child.id === compared?.id || child.type === 'pattern') draft.statement(child, 'error')
      else options.push(draft.lower(child))
    }
    if (either.has(node.type)) return eitherOf(options)
    for (const option of options.slice(0, -1)) draft.loose(option, 'other')
    return options.at(-1)
  }
}

/** Types of statements with branches, or of their bodies, in most languages. */
export const BRANCHED =
  'if_statement switch_body switch_block expression_switch_statement type_switch_statement'

const ARM = /^(?:\w+_case|switch_(?:section|block_statement_group)|case_statement|el\w*if_clause)$/

/** Lowers branches of which one runs: the later ones cannot read what the earlier ones bind. */
export const exclusive: Lowering = (node, draft) => {
  const first = node.childForFieldName('consequence') ?? node.childForFieldName('body')
  for (const child of node.namedChildren) {
    const isArm = child.id === first?.id || ARM.test(child.type)
    if (isArm) draft.branch([[child.endIndex, node.endIndex]], () => draft.statement(child))
    else draft.statement(child)
  }
  return undefined
}

/** Lowers the block of a call and binds its parameter. */
export function blocks(how: {
  /** Methods that pass their result to the block, as name patterns. */
  readonly self: string
  /** Methods that pass each item of their receiver to the block. */
  readonly each: string
}): (
  node: SyntaxNode,
  call: { readonly made: Expression | undefined; readonly draft: Draft },
) => undefined {
  const givesSelf = matchNames(how.self)
  const givesEach = matchNames(how.each)
  return (node, { made, draft }) => {
    const block = node.childForFieldName('block')
    const method = node.childForFieldName('method')?.text ?? ''
    const owner = made?.kind === 'call' ? made.call.receiver : undefined
    const each = givesEach(method) && owner ? anyOf(owner) : undefined
    const value = givesSelf(method) ? made : each
    const parameters = block?.childForFieldName('parameters')?.namedChildren ?? []
    const names = parameters.map((parameter) => (partOf(parameter, 'name') ?? parameter).text)
    if (!block) return undefined
    return draft.within({ kind: 'function', name: '', parameters: value ? [] : names }, () => {
      if (names[0] !== undefined && value) draft.bind({ name: names[0], value })
      return draft.statement(block.childForFieldName('body'))
    })
  }
}

/** Finds the path that a block sets on its request: `request.url '/x'`, `request.path = '/x'`. */
export function pathOfBlock(node: SyntaxNode): SyntaxNode | null {
  const block = node.childForFieldName('block')
  const own = block?.childForFieldName('parameters')?.namedChild(0)?.text
  if (own === undefined) return null
  for (const statement of block?.childForFieldName('body')?.namedChildren ?? []) {
    const target = statement.childForFieldName('left') ?? statement
    if (target.childForFieldName('receiver')?.text !== own) continue
    if (!/^(?:url|path)$/.test(target.childForFieldName('method')?.text ?? '')) continue
    return statement.childForFieldName('right') ?? partOf(target, 'arguments/0')
  }
  return null
}

/** Binds a name to any of the values. */
export function bindEach(
  name: SyntaxNode | null | undefined,
  { value, draft }: { readonly value: Expression; readonly draft: Draft },
): undefined {
  const item = anyOf(value)
  const full = draft.nameOf(name ?? null)
  if (!name || !item || full === undefined) return draft.loose(value, 'other')
  return draft.bind({ name: full, value: item, place: placeOf(name) })
}
