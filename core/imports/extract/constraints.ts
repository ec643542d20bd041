import type {
  Parameter,
  ParameterItems,
  ParameterPlacement,
  ValueRange,
} from '../../catalogue/records.ts'
import { typesOf } from '../../schemas/types.ts'
import { type JsonObject, toList, toWireText } from '../../schemas/values.ts'
import { ENDPOINT_BOUNDS } from '../limits.ts'
import type { SchemaReader, SchemaSummary } from './schemas.ts'

/**
 * The constraints of a schema that can be checked before a value is sent. For alternatives
 * (`oneOf`, `anyOf`), only constraints of all of them apply.
 */
export function toConstraints(
  summary: SchemaSummary,
  schemas: Pick<SchemaReader, 'summarise'>,
  placement: ParameterPlacement,
): Pick<Parameter, 'enum' | 'otherTypes' | 'items' | 'range'> {
  const otherTypes = toOtherTypes(summary)
  const range = toRange(summary.fixed)
  const items = summary.type === 'array' ? toItems(summary, schemas, placement) : undefined
  return {
    enum: toEnum(summary),
    ...(otherTypes.length > 0 ? { otherTypes } : {}),
    ...(items ? { items } : {}),
    ...(range ? { range } : {}),
  }
}

/** The type of a value; `file` for binary strings in forms, as in Swagger 2.0. */
export function toType(summary: SchemaSummary, placement: ParameterPlacement): string {
  const { type, format } = summary
  return placement === 'formData' && type === 'string' && format === 'binary' ? 'file' : type
}

const TYPES = ['string', 'integer', 'number', 'boolean', 'array', 'object']

const BOUNDS = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
] as const

function toOtherTypes({ type, parts, fixed, isCut }: SchemaSummary): readonly string[] {
  if (type === '') return []
  const binding = fixed.map(typesOf).find((types) => types.length > 0)
  if (binding) return binding.filter((other) => other !== type && other !== 'null')
  const types = new Set<string>()
  for (const part of parts) {
    const own = isLeaf(part) ? typesOf(part) : ['']
    if (isLeaf(part) && own.length === 0 && !fixed.includes(part)) return without(type)
    for (const other of own) types.add(other)
  }
  if (isCut) return without(type)
  return [...types].filter((other) => other !== '' && other !== type && other !== 'null')
}

function without(type: string): readonly string[] {
  return TYPES.filter((other) => other !== type)
}

/** True for schemas without `$ref`, `allOf` or alternatives. */
function isLeaf(part: JsonObject): boolean {
  const { $ref, allOf, oneOf, anyOf } = part
  return $ref === undefined && allOf === undefined && oneOf === undefined && anyOf === undefined
}

/** Allowed values as text; omits null, which represents absence. */
function toEnum({ parts, fixed, isCut }: SchemaSummary): readonly string[] {
  for (const part of fixed) {
    const values = ownEnum(part)
    if (values) return values
  }
  if (isCut || parts.length === fixed.length) return []
  const all = new Set<string>()
  for (const part of parts) {
    if (fixed.includes(part) || !isLeaf(part) || part.type === 'null') continue
    const values = ownEnum(part)
    if (!values) return []
    for (const value of values) all.add(value)
  }
  return [...all]
}

function ownEnum(part: JsonObject): readonly string[] | undefined {
  // Reads one more than is stored, so that `bounds.ts` cuts it and warns.
  const listed = toList(part.enum).slice(0, ENDPOINT_BOUNDS.maxEnum + 1)
  const values = listed.length === 0 && part.const !== undefined ? [part.const] : listed
  if (values.length === 0) return undefined
  return values.flatMap((item) =>
    item === null || item === undefined ? [] : [toWireText(item) ?? ''],
  )
}

function toItems(
  summary: SchemaSummary,
  schemas: Pick<SchemaReader, 'summarise'>,
  placement: ParameterPlacement,
): ParameterItems | undefined {
  const schema = summary.fixed.find((part) => part.items !== undefined)?.items
  const items = schemas.summarise(schema)
  const values = toEnum(items)
  // Alternatives of the items share no type.
  const type = toOtherTypes(items).length > 0 ? '' : toType(items, placement)
  return type === '' && values.length === 0 ? undefined : { type, enum: values }
}

/** The nearest value of each bound. OpenAPI 3.0 and Swagger 2.0 write exclusive bounds as flags. */
function toRange(fixed: readonly JsonObject[]): ValueRange | undefined {
  let range: Record<string, number> | undefined
  for (const part of fixed) {
    for (const bound of BOUNDS) {
      const value = part[bound]
      if (typeof value !== 'number' || !Number.isFinite(value)) continue
      const isFlagged =
        (bound === 'minimum' && part.exclusiveMinimum === true) ||
        (bound === 'maximum' && part.exclusiveMaximum === true)
      const name = isFlagged ? (bound === 'minimum' ? BOUNDS[2] : BOUNDS[3]) : bound
      range ??= {}
      range[name] ??= value
    }
  }
  return range
}
