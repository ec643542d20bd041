import { isObject, type JsonObject, member, toList, toObject, toText } from '../values.ts'
import type { Context } from './context.ts'

/** A schema with its `$ref`, `allOf` and alternatives laid together, one level deep. */
export interface SchemaView {
  /** JSON Schema type, inferred where it is not written; empty when any. */
  readonly type: string
  readonly format: string
  /** Top-level properties in order of appearance, as written. */
  readonly properties: ReadonlyMap<string, unknown>
  readonly required: ReadonlySet<string>
  /** Names beyond `properties` are allowed. */
  readonly allowsAdditional: boolean
  /** The schema's own annotations win over those that it refers to. */
  readonly own: JsonObject
}

/** Looks at schemas; each is looked at once. */
export interface SchemaReader {
  view(schema: unknown): SchemaView
  /** The schema itself, or the one that its `$ref` ends at. */
  target(schema: unknown): unknown
  /** Names of the properties within, nearest first, to a depth of 4; at most 200. */
  fieldNames(schema: unknown): readonly string[]
}

const MAX_FIELDS = 200
const MAX_FIELD_DEPTH = 4
const MAX_PARTS = 200
const MAX_PROPERTIES = 2000

/** Creates the reader of one description's schemas. */
export function createSchemaReader(context: Context): SchemaReader {
  const views = new Map<unknown, SchemaView>()
  const fields = new Map<unknown, readonly string[]>()
  return { view, target: follow, fieldNames }

  function view(schema: unknown): SchemaView {
    const target = follow(schema)
    const known = views.get(target)
    if (known && target === schema) return known
    const merged = known ?? merge(target)
    views.set(target, merged)
    if (target === schema) return merged
    return { ...merged, own: { ...merged.own, ...toObject(schema) } }
  }

  function follow(schema: unknown): unknown {
    if (!isObject(schema) || typeof schema.$ref !== 'string') return schema
    return context.resolve(schema, nowhere)?.node
  }

  function merge(schema: unknown): SchemaView {
    if (!isObject(schema)) return { ...EMPTY, allowsAdditional: schema !== false }
    if (isScalar(schema)) {
      return { ...EMPTY, type: typeOf(schema), format: toText(schema.format), own: schema }
    }
    const properties = new Map<string, unknown>()
    const required = new Set<string>()
    const seen = new Set<unknown>()
    let type = ''
    let format = ''
    let allowsAdditional = true
    let own: JsonObject = {}
    const add = (part: unknown, isAlternative: boolean): void => {
      const node = follow(part)
      if (!isObject(node) || seen.has(node) || seen.size >= MAX_PARTS) return
      seen.add(node)
      type ||= typeOf(node)
      format ||= toText(node.format)
      own = { ...node, ...own }
      for (const [name, property] of Object.entries(toObject(node.properties))) {
        if (properties.size >= MAX_PROPERTIES) break
        if (!properties.has(name)) properties.set(name, property)
      }
      if (!isAlternative) for (const name of toList(node.required)) required.add(toText(name))
      if (node.additionalProperties === false && !isAlternative) allowsAdditional = false
      for (const inner of toList(node.allOf)) add(inner, isAlternative)
      for (const inner of toList(node.oneOf)) add(inner, true)
      for (const inner of toList(node.anyOf)) add(inner, true)
    }
    add(schema, false)
    if (type === '' && properties.size > 0) type = 'object'
    return { type, format, properties, required, allowsAdditional, own }
  }

  function fieldNames(schema: unknown): readonly string[] {
    const known = fields.get(schema)
    if (known) return known
    const names = new Set<string>()
    const seen = new Set<unknown>()
    let level: unknown[] = [schema]
    for (let depth = 0; depth < MAX_FIELD_DEPTH && level.length > 0; depth += 1) {
      const next: unknown[] = []
      for (const item of level) collect(item, names, seen, next)
      if (names.size >= MAX_FIELDS) break
      level = next
    }
    const found = [...names].slice(0, MAX_FIELDS)
    fields.set(schema, found)
    return found
  }

  function collect(start: unknown, names: Set<string>, seen: Set<unknown>, next: unknown[]): void {
    const open = [start]
    for (let index = 0; index < open.length && index < MAX_PARTS; index += 1) {
      const node = follow(open[index])
      if (!isObject(node) || seen.has(node) || names.size >= MAX_FIELDS) continue
      seen.add(node)
      const properties = node.properties
      if (isObject(properties)) {
        for (const name in properties) {
          if (names.size >= MAX_FIELDS) return
          names.add(name)
          next.push(properties[name])
        }
      }
      for (const key of TRANSPARENT) if (node[key] !== undefined) open.push(...toParts(node[key]))
    }
  }
}

/** The first of a schema's types that is not null; inferred where none is written. */
export function typeOf(schema: JsonObject): string {
  const written = schema.type
  if (typeof written === 'string' && written !== 'null') return written
  const first = toList(written).find((type) => typeof type === 'string' && type !== 'null')
  if (typeof first === 'string') return first
  if (isObject(schema.properties) || isObject(schema.additionalProperties)) return 'object'
  if (schema.items !== undefined || schema.prefixItems !== undefined) return 'array'
  const sample = toList(schema.enum)[0] ?? schema.const
  return typeof sample === 'string' || typeof sample === 'number' || typeof sample === 'boolean'
    ? typeof sample
    : ''
}

/** The example a schema documents itself: `example`, or the first of 3.1's `examples`. */
export function exampleOf(schema: JsonObject): unknown {
  return member(schema, 'example') ?? toList(member(schema, 'examples'))[0]
}

const TRANSPARENT = ['allOf', 'oneOf', 'anyOf', 'items', 'prefixItems', 'additionalProperties']

const EMPTY: SchemaView = {
  type: '',
  format: '',
  properties: new Map(),
  required: new Set(),
  allowsAdditional: true,
  own: {},
}

/** True for what needs no laying together: the common case of parameters. */
function isScalar(schema: JsonObject): boolean {
  return (
    schema.properties === undefined &&
    schema.allOf === undefined &&
    schema.oneOf === undefined &&
    schema.anyOf === undefined &&
    schema.additionalProperties === undefined
  )
}

function toParts(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}

/** A schema's broken reference is reported with itself: the pointer is not tracked this deep. */
function nowhere(): string {
  return ''
}
