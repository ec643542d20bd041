import type { Lowering } from './draft.ts'
import { joinOf, operandsOf } from './lowered.ts'

/** Nodes that say nothing of calls. */
export const nothing: Lowering = () => undefined

/** Two operands of an operator: sums are joined. */
export const lowerBinary: Lowering = (node, draft) => {
  if (node.childForFieldName('operator')?.text === '+') {
    return joinOf(operandsOf(node, '+').map((operand) => draft.lower(operand)))
  }
  // Comparisons: what is called in them counts, what they compare to does not.
  draft.lower(node.childForFieldName('left'))
  draft.lower(node.childForFieldName('right'))
  return undefined
}

/** A return whose value is its only child. */
export const lowerReturn: Lowering = (node, draft) => {
  const value = node.namedChild(0)
  return value ? draft.giveBack(draft.lower(value)) : undefined
}
