import type { Draft } from '../../lowering/draft.ts'
import { placeOf } from '../../lowering/lowered.ts'
import type { Expression, Place } from '../../model/program.ts'
import type { SyntaxNode } from '../../model/syntax.ts'
import { keyOf } from './values.ts'

/** Binds the names of a destructuring pattern to members of a value. */
export function bindPattern(
  pattern: SyntaxNode,
  given: {
    readonly draft: Draft
    /** Undefined where only defaults tell anything. */
    readonly from: Expression | undefined
    readonly isExported: boolean
    readonly place: Place
  },
): void {
  for (const child of pattern.namedChildren) if (child) bindOne(child, given)
}

function bindOne(node: SyntaxNode, given: Parameters<typeof bindPattern>[1]): void {
  const { draft, from, isExported, place } = given
  const isPair = node.type === 'pair_pattern'
  const target = isPair ? node.childForFieldName('value') : node
  const isDefault =
    target?.type === 'object_assignment_pattern' || target?.type === 'assignment_pattern'
  const left = isDefault ? target.childForFieldName('left') : target
  if (!left) return
  const key = isPair ? keyOf(node.childForFieldName('key')) : left.text
  const member = from && memberOf(from, key)
  if (left.type === 'object_pattern') {
    bindPattern(left, { draft, from: member, isExported, place })
    return
  }
  if (!/identifier/.test(left.type)) return
  const fallback = isDefault ? [draft.lower(target.childForFieldName('right'))] : []
  const options = [...(member ? [member] : []), ...fallback]
  const [first] = options
  if (!first) return
  const value: Expression =
    options.length === 1 ? first : { kind: 'either', options, place: placeOf(left) }
  draft.bind({ name: left.text, value, kind: 'variable', isExported, place: placeOf(left) })
}

function memberOf(from: Expression, key: string): Expression | undefined {
  if (from.kind === 'name') return { kind: 'name', name: `${from.name}.${key}`, place: from.place }
  return from.kind === 'record' && Object.hasOwn(from.entries, key) ? from.entries[key] : undefined
}
