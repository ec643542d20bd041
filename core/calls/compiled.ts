import type { ParameterPlacement } from '../catalogue/records.ts'
import type { Field } from './fields.ts'
import { plainShape, type Shape, type Writer } from './styles.ts'

/** A field and its serialiser. */
export interface CompiledField {
  readonly field: Field
  readonly write: Writer
}

/** Compiles the fields of one placement, without those that cannot be sent. */
export function compileFields(
  list: readonly Field[],
  placement: ParameterPlacement,
  createWriter: (shape: Shape) => Writer,
): readonly CompiledField[] {
  return list
    .filter((field) => field.placement === placement && field.refusal === undefined)
    .map((field) => ({ field, write: createWriter(field.parameter ?? plainShape(field.name)) }))
}
