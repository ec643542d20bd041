import { asList, isObject, type JsonObject } from './values.ts'

/** Returns the first declared type of a schema other than null, else the inferred one. */
export function getSchemaType(schema: JsonObject): string {
  const written = schema.type
  if (typeof written === 'string' && written !== 'null') return written
  const first = asList(written).find((type) => typeof type === 'string' && type !== 'null')
  if (typeof first === 'string') return first
  if (isObject(schema.properties) || isObject(schema.additionalProperties)) return 'object'
  if (schema.items !== undefined || schema.prefixItems !== undefined) return 'array'
  const sample = asList(schema.enum)[0] ?? schema.const
  return typeof sample === 'string' || typeof sample === 'number' || typeof sample === 'boolean'
    ? typeof sample
    : ''
}

/** Returns all types that a schema itself declares, else the inferred one. */
export function getSchemaTypes(schema: JsonObject): readonly string[] {
  const written = typeof schema.type === 'string' ? [schema.type] : asList(schema.type)
  const types = written.filter((type) => typeof type === 'string')
  const inferred = types.length > 0 ? '' : getSchemaType(schema)
  return inferred === '' ? types : [inferred]
}
