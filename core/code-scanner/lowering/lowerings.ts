import type { Lowering } from './draft.ts'
import { joinOf, operandsOf, placeOf } from './lowered.ts'

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

/** A loop over a list, whose name stands for any of the items. */
export function loopOver(fields: { readonly name: string; readonly value: string }): Lowering {
  return (node, draft) => {
    const name = node.childForFieldName(fields.name)
    const value = draft.lower(node.childForFieldName(fields.value))
    if (name && value.kind === 'list') {
      draft.bind({
        name: name.text,
        value: { kind: 'either', options: value.items, place: value.place },
        kind: 'variable',
        isExported: false,
        place: placeOf(name),
      })
    }
    return draft.statement(node.childForFieldName('body'))
  }
}
