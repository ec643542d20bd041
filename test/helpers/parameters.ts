import type { Parameter } from '../../core/catalogue/records.ts'

/** A parameter with all that a description may leave out. */
export function toParameter(
  given: Partial<Parameter> & Pick<Parameter, 'name' | 'placement'>,
): Parameter {
  return {
    isRequired: given.placement === 'path',
    type: 'string',
    format: '',
    description: '',
    defaultValue: undefined,
    exampleValue: undefined,
    enum: [],
    style: undefined,
    explode: undefined,
    collectionFormat: undefined,
    allowReserved: false,
    isDeprecated: false,
    contentType: undefined,
    ...given,
  }
}
