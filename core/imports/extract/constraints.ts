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
 * What a schema forbids, as far as a value can be judged before it is sent. Where a schema has
 * alternatives (`oneOf`, `anyOf`) only what all of them forbid counts.
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

/** `file` for binary strings of forms, as Swagger 2.0 calls them. */
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

/** True for what is made of nothing else. */
function isLeaf(part: JsonObject): boolean {
  const { $ref, allOf, oneOf, anyOf } = part
  return $ref === undefined && allOf === undefined && oneOf === undefined && anyOf === undefined
}

/** Allowed values as text; null stands for absence and is left out. */
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
  // One more than is stored: `bounds.ts` cuts it and says so.
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
  // Of items with alternatives nothing is known that all of them share.
  const type = toOtherTypes(items).length > 0 ? '' : toType(items, placement)
  return type === '' && values.length === 0 ? undefined : { type, enum: values }
}

/** The nearest of each bound; 3.0 and 2.0 write exclusive ones as flags. */
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
