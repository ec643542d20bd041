import type { Lowering } from './draft.ts'
import { joinOf, operandsOf } from './lowered.ts'

/** Nodes without calls and URLs. */
export const nothing: Lowering = () => undefined

/** An operator; sums are concatenated. */
export const lowerBinary: Lowering = (node, draft) => {
  if (node.childForFieldName('operator')?.text === '+') {
    return joinOf(operandsOf(node, '+').map((operand) => draft.lower(operand)))
  }
  // Calls within comparisons count, compared strings do not.
  draft.lower(node.childForFieldName('left'))
  draft.lower(node.childForFieldName('right'))
  return undefined
}

/** A return whose value is its only child. */
export const lowerReturn: Lowering = (node, draft) => {
  const value = node.namedChild(0)
  return value ? draft.giveBack(draft.lower(value)) : undefined
}
