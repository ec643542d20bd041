import type { Parameter } from '../../core/catalogue/records.ts'

/** Builds a parameter with defaults for all optional members. */
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
