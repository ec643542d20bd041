import { anyOf } from '../lowering/built-texts.ts'
import { bindNames } from '../lowering/destructuring.ts'
import type { Draft, Lowering } from '../lowering/draft.ts'
import { placeOf, unknownAt } from '../lowering/lowered.ts'
import { lastName, matchNames } from '../model/name-patterns.ts'
import type { Expression } from '../model/program.ts'
import type { SyntaxNode } from '../model/syntax.ts'
import { isPattern, namesOf } from './javascript-names.ts'

/** A loop over the items of a collection: `for (const { url } of MIRRORS)`. */
export const lowerLoop: Lowering = (node, draft) => {
  const right = node.childForFieldName('right')
  const item = node.childForFieldName('operator')?.text === 'of' ? itemOf(right, draft) : undefined
  const target = node.childForFieldName('left')
  draft.statement(right)
  if (target && item) bindTarget(target, item, { draft })
  return draft.statement(node.childForFieldName('body'))
}

/** Binds the first parameter of a callback to any item of the collection: `urls.map((url) => …)`. */
export function bindCallback(
  callback: SyntaxNode,
  { parameter, draft }: { readonly parameter: SyntaxNode | undefined; readonly draft: Draft },
): void {
  const call = callback.parent?.type === 'arguments' ? callback.parent.parent : null
  const callee = call?.childForFieldName('function')
  if (!parameter || callee?.type !== 'member_expression') return
  if (!isRun(callee.childForFieldName('property')?.text ?? '')) return
  const item = itemOf(callee.childForFieldName('object'), draft)
  if (item) bindTarget(parameter, item, { draft })
}

/** Methods that call a function for each item. */
const isRun = matchNames('forEach map flatMap find filter some every')
/** Methods that return some of the items. */
const isSelection = matchNames('filter slice sort reverse toSorted toReversed concat')

/** Any item of a collection; undefined if its name or its strings are not known. */
function itemOf(node: SyntaxNode | null, draft: Draft): Expression | undefined {
  if (node?.type === 'call_expression') {
    const callee = node.childForFieldName('function')
    const first = node.childForFieldName('arguments')?.namedChild(0) ?? null
    const [, kind] = /^Object\.(values|entries)$/.exec(callee?.text ?? '') ?? []
    if (kind === undefined) {
      const isPart = isSelection(lastName(callee?.text ?? ''))
      return isPart ? itemOf(callee?.childForFieldName('object') ?? null, draft) : undefined
    }
    const item = itemOf(first, draft)
    if (!item || kind === 'values') return item
    return { kind: 'list', items: [unknownAt(node), item], place: placeOf(node) }
  }
  if (node?.type === 'array') {
    // Other items would be recorded twice.
    const isPlain = node.namedChildren.every(({ type }) => type === 'string')
    return isPlain ? anyOf(draft.lower(node)) : undefined
  }
  const name = node ? draft.nameOf(node) : undefined
  return node && name !== undefined
    ? anyOf({ kind: 'name', name, place: placeOf(node) })
    : undefined
}

/** Binds a name, or the names of a pattern. */
export function bindTarget(
  target: SyntaxNode,
  value: Expression,
  { draft, isExported = false }: { readonly draft: Draft; readonly isExported?: boolean },
): undefined {
  if (isPattern(target)) return bindNames(namesOf(target), { value, draft, isExported })
  return draft.bind({ name: target.text, value, isExported, place: placeOf(target) })
}
