import type {
  Parameter,
  ParameterItems,
  ParameterPlacement,
  ValueRange,
} from '../../catalogue/records.ts'
import { getSchemaTypes } from '../../schemas/types.ts'
import { asList, type JsonObject, toWireText } from '../../schemas/values.ts'
import { ENDPOINT_LIMITS } from '../limits.ts'
import type { SchemaReader, SchemaSummary } from './schemas.ts'

/**
 * Returns the constraints of a schema that can be checked before a value is sent. For alternatives
 * (`oneOf`, `anyOf`), only constraints of all of them apply.
 */
export function readConstraints(
  summary: SchemaSummary,
  schemas: Pick<SchemaReader, 'summarise'>,
  placement: ParameterPlacement,
): Pick<Parameter, 'enum' | 'otherTypes' | 'items' | 'range'> {
  const otherTypes = findOtherTypes(summary)
  const range = readRange(summary.fixed)
  const items = summary.type === 'array' ? readItems(summary, schemas, placement) : undefined
  return {
    enum: readEnum(summary),
    ...(otherTypes.length > 0 ? { otherTypes } : {}),
    ...(items ? { items } : {}),
    ...(range ? { range } : {}),
  }
}

/** Returns the type of a value; `file` for binary strings in forms, as in Swagger 2.0. */
export function toType(summary: SchemaSummary, placement: ParameterPlacement): string {
  const { type, format } = summary
  return placement === 'formData' && type === 'string' && format === 'binary' ? 'file' : type
}

const JSON_TYPES = ['string', 'integer', 'number', 'boolean', 'array', 'object']

const BOUND_KEYWORDS = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
] as const

function findOtherTypes({ type, parts, fixed, isCut }: SchemaSummary): readonly string[] {
  if (type === '') return []
  const binding = fixed.map(getSchemaTypes).find((types) => types.length > 0)
  if (binding) return binding.filter((other) => other !== type && other !== 'null')
  const types = new Set<string>()
  for (const part of parts) {
    const own = isLeaf(part) ? getSchemaTypes(part) : ['']
    if (isLeaf(part) && own.length === 0 && !fixed.includes(part)) return otherJsonTypes(type)
    for (const other of own) types.add(other)
  }
  if (isCut) return otherJsonTypes(type)
  return [...types].filter((other) => other !== '' && other !== type && other !== 'null')
}

function otherJsonTypes(type: string): readonly string[] {
  return JSON_TYPES.filter((other) => other !== type)
}

/** True for schemas without `$ref`, `allOf` or alternatives. */
function isLeaf(part: JsonObject): boolean {
  const { $ref, allOf, oneOf, anyOf } = part
  return $ref === undefined && allOf === undefined && oneOf === undefined && anyOf === undefined
}

/** Returns the allowed values as text; omits null, which represents absence. */
function readEnum({ parts, fixed, isCut }: SchemaSummary): readonly string[] {
  for (const part of fixed) {
    const values = readOwnEnum(part)
    if (values) return values
  }
  if (isCut || parts.length === fixed.length) return []
  const all = new Set<string>()
  for (const part of parts) {
    if (fixed.includes(part) || !isLeaf(part) || part.type === 'null') continue
    const values = readOwnEnum(part)
    if (!values) return []
    for (const value of values) all.add(value)
  }
  return [...all]
}

function readOwnEnum(part: JsonObject): readonly string[] | undefined {
  // Reads one more than is stored, so that `bounds.ts` cuts it and warns.
  const listed = asList(part.enum).slice(0, ENDPOINT_LIMITS.maxEnum + 1)
  const values = listed.length === 0 && part.const !== undefined ? [part.const] : listed
  if (values.length === 0) return undefined
  return values.flatMap((item) =>
    item === null || item === undefined ? [] : [toWireText(item) ?? ''],
  )
}

function readItems(
  summary: SchemaSummary,
  schemas: Pick<SchemaReader, 'summarise'>,
  placement: ParameterPlacement,
): ParameterItems | undefined {
  const schema = summary.fixed.find((part) => part.items !== undefined)?.items
  const items = schemas.summarise(schema)
  const values = readEnum(items)
  // Alternatives of the items share no type.
  const type = findOtherTypes(items).length > 0 ? '' : toType(items, placement)
  return type === '' && values.length === 0 ? undefined : { type, enum: values }
}

/**
 * Returns the nearest value of each bound. OpenAPI 3.0 and Swagger 2.0 write exclusive bounds as
 * flags.
 */
function readRange(fixed: readonly JsonObject[]): ValueRange | undefined {
  let range: Record<string, number> | undefined
  for (const part of fixed) {
    for (const bound of BOUND_KEYWORDS) {
      const value = part[bound]
      if (typeof value !== 'number' || !Number.isFinite(value)) continue
      const isFlagged =
        (bound === 'minimum' && part.exclusiveMinimum === true) ||
        (bound === 'maximum' && part.exclusiveMaximum === true)
      const name = isFlagged ? (bound === 'minimum' ? BOUND_KEYWORDS[2] : BOUND_KEYWORDS[3]) : bound
      range ??= {}
      range[name] ??= value
    }
  }
  return range
}
