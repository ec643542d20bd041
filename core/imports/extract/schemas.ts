import { getSchemaType } from '../../schemas/types.ts'
import { asList, asObject, asText, isObject, type JsonObject } from '../../schemas/values.ts'
import { ENDPOINT_LIMITS } from '../limits.ts'
import type { ExtractionContext } from './context.ts'

/** Type, format and parts of a schema, with its `$ref`, `allOf` and alternatives merged. */
export interface SchemaSummary {
  /** JSON Schema type, inferred if not declared; empty for any. */
  readonly type: string
  readonly format: string
  /** The schema and the schemas it consists of, nearest first. */
  readonly parts: readonly JsonObject[]
  /** The `parts` that apply to every alternative (`oneOf`, `anyOf`). */
  readonly fixed: readonly JsonObject[]
  /** True if the schema has more parts than were visited. */
  readonly isCut: boolean
}

/** The top level of an object schema. */
export interface ObjectView {
  /** In order of appearance, unresolved. */
  readonly properties: ReadonlyMap<string, unknown>
  readonly required: ReadonlySet<string>
  /** True if names other than `properties` are allowed. */
  readonly allowsAdditional: boolean
}

/** Reads schemas; resolves references only as needed. */
export interface SchemaReader {
  /** The schema itself, or the final target of its `$ref`. */
  resolve(schema: unknown): unknown
  summarise(schema: unknown): SchemaSummary
  viewObject(schema: unknown): ObjectView
  /** Names of nested properties, nearest first, to a depth of 4; at most 48. */
  fieldNames(schema: unknown): readonly string[]
}

const MAX_FIELDS = 48
const MAX_FIELD_DEPTH = 4
const MAX_PARTS = 200
const MAX_SUMMARY_PARTS = 10
/** One more than is stored, so that `bounds.ts` cuts it and warns. */
const MAX_PROPERTIES = ENDPOINT_LIMITS.maxParameters + 1

/** Creates the reader of one description's schemas. Shared schemas are read once. */
export function createSchemaReader(context: ExtractionContext): SchemaReader {
  const fieldsOf = new Map<unknown, readonly string[]>()
  return { resolve: target, summarise, viewObject, fieldNames }

  function target(schema: unknown): unknown {
    if (!isObject(schema) || typeof schema.$ref !== 'string') return schema
    // A warning about a broken reference in a schema contains only its text, as its location is not
    // tracked.
    return context.resolve(schema, () => '')?.node
  }

  function summarise(schema: unknown): SchemaSummary {
    if (!isObject(schema)) return EMPTY_SUMMARY
    if (isSimpleSchema(schema)) {
      const parts = [schema]
      const format = asText(schema.format)
      return { type: getSchemaType(schema), format, parts, fixed: parts, isCut: false }
    }
    const parts: JsonObject[] = []
    const fixed: JsonObject[] = []
    let type = ''
    let format = ''
    visitParts(schema, MAX_SUMMARY_PARTS, (part, isAlternative) => {
      parts.push(part)
      if (!isAlternative) fixed.push(part)
      type ||= getSchemaType(part)
      format ||= asText(part.format)
    })
    return { type, format, parts, fixed, isCut: parts.length >= MAX_SUMMARY_PARTS }
  }

  function viewObject(schema: unknown): ObjectView {
    const properties = new Map<string, unknown>()
    const required = new Set<string>()
    let allowsAdditional = true
    visitParts(schema, MAX_PARTS, (part, isAlternative) => {
      const own = asObject(part.properties)
      for (const name in own) {
        if (properties.size >= MAX_PROPERTIES) break
        if (!properties.has(name)) properties.set(name, own[name])
      }
      if (isAlternative) return
      for (const name of asList(part.required)) required.add(asText(name))
      if (part.additionalProperties === false) allowsAdditional = false
    })
    return { properties, required, allowsAdditional }
  }

  /**
   * Visits the schema, the target of its `$ref`, then `allOf`, `oneOf` and `anyOf`, depth first,
   * each once.
   */
  function visitParts(
    schema: unknown,
    limit: number,
    visit: (part: JsonObject, isAlternative: boolean) => void,
  ): void {
    const seen = new Set<JsonObject>()
    const walk = (part: unknown, isAlternative: boolean): void => {
      if (!isObject(part) || seen.has(part) || seen.size >= limit) return
      seen.add(part)
      visit(part, isAlternative)
      if (typeof part.$ref === 'string') walk(target(part), isAlternative)
      for (const inner of asList(part.allOf)) walk(inner, isAlternative)
      for (const inner of asList(part.oneOf)) walk(inner, true)
      for (const inner of asList(part.anyOf)) walk(inner, true)
    }
    walk(schema, false)
  }

  function fieldNames(schema: unknown): readonly string[] {
    const start = target(schema)
    if (!isObject(start)) return []
    const known = fieldsOf.get(start)
    if (known) return known
    // Both lists are short: a linear search costs less than building sets.
    const names: string[] = []
    const seen: JsonObject[] = []
    let nodes: unknown[] = [start]
    for (let depth = 0; depth < MAX_FIELD_DEPTH && names.length < MAX_FIELDS; depth += 1) {
      const below: unknown[] = []
      for (let at = 0; at < nodes.length && names.length < MAX_FIELDS; at += 1) {
        const node = target(nodes[at])
        if (!isObject(node) || seen.includes(node) || seen.length >= MAX_PARTS) continue
        seen.push(node)
        addPropertyNames(node, names, below)
        addSubschemas(node, nodes)
      }
      nodes = below
    }
    fieldsOf.set(start, names)
    return names
  }
}

/** Adds a schema's own property names to `names`, and properties with nested fields to `below`. */
function addPropertyNames(node: JsonObject, names: string[], below: unknown[]): void {
  const { properties } = node
  if (!isObject(properties)) return
  for (const name in properties) {
    if (names.length >= MAX_FIELDS) return
    if (!names.includes(name)) names.push(name)
    const property = properties[name]
    if (isObject(property) && hasFields(property)) below.push(property)
  }
}

/**
 * Adds the parts of a schema and the item schemas of its lists and maps: fields of the same level.
 */
function addSubschemas(node: JsonObject, parts: unknown[]): void {
  if (node.allOf !== undefined) addEach(node.allOf, parts)
  if (node.oneOf !== undefined) addEach(node.oneOf, parts)
  if (node.anyOf !== undefined) addEach(node.anyOf, parts)
  if (node.items !== undefined) addEach(node.items, parts)
  if (node.prefixItems !== undefined) addEach(node.prefixItems, parts)
  if (node.additionalProperties !== undefined) addEach(node.additionalProperties, parts)
}

function addEach(value: unknown, parts: unknown[]): void {
  if (!Array.isArray(value)) parts.push(value)
  else for (let at = 0; at < value.length && at < MAX_PARTS; at += 1) parts.push(value[at])
}

/** Returns the value of an annotation in the nearest part of a schema. */
export function findAnnotation(summary: SchemaSummary, key: string): unknown {
  for (const part of summary.parts) {
    const value = part[key]
    if (value !== undefined && value !== null) return value
  }
  return undefined
}

/** Returns the nearest example among a schema's parts. */
export function findExample(summary: SchemaSummary): unknown {
  for (const part of summary.parts) {
    const example = getOwnExample(part)
    if (example !== undefined) return example
  }
  return undefined
}

/**
 * Returns the example that a schema itself documents: `example`, or the first of OpenAPI 3.1's
 * `examples`.
 */
export function getOwnExample(schema: unknown): unknown {
  if (!isObject(schema)) return undefined
  return schema.example ?? asList(schema.examples)[0]
}

const EMPTY_SUMMARY: SchemaSummary = {
  type: '',
  format: '',
  parts: [],
  fixed: [],
  isCut: false,
}

/** True for schemas without `$ref`, `allOf` or alternatives: the common case. */
function isSimpleSchema(schema: JsonObject): boolean {
  return (
    schema.$ref === undefined &&
    schema.allOf === undefined &&
    schema.oneOf === undefined &&
    schema.anyOf === undefined
  )
}

/** False for scalar types. */
function hasFields(schema: JsonObject): boolean {
  const { type } = schema
  return typeof type === 'string' ? type === 'object' || type === 'array' : true
}
