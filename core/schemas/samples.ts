import type { Parameter, ResponseShape } from '../catalogue/records.ts'
import { createYieldIfDue, yieldToEventLoop } from '../shared/time-slices.ts'
import { getRef, refToPointer } from './refs.ts'
import { getSchemaType } from './types.ts'
import { asList, asObject, getOwnMember, isObject, type JsonObject, toWireText } from './values.ts'

/** Position of a schema in the sample. */
interface SamplePosition {
  /** The enclosing schemas. */
  readonly path: readonly ReadonlySet<unknown>[]
  readonly depth: number
  /** Number of copies of the schema in the sample. */
  readonly copies: number
}

/** Maximum number of components loaded for one sample, and of rounds that follow references. */
const MAX_COMPONENTS = 300
const MAX_ROUNDS = 8
/** Total characters of these components: 300 real ones have 900,000. */
const MAX_CHARACTERS = 2 * 1024 * 1024
/** Number of components read at once: each may have half a million characters. */
const COMPONENTS_PER_BATCH = 20
/** Size in characters from which a schema's sample takes several milliseconds. */
const LARGE_SCHEMA_CHARACTERS = 32 * 1024

/**
 * Returns an example response as text (Specification 4.5): the documented one, else one sampled
 * from the schema, else empty. Structured values are JSON text. Components that the schema refers
 * to are loaded by JSON pointer (without `#`), in a bounded number of steps.
 */
export async function sampleResponse(input: {
  readonly response: ResponseShape | undefined
  readonly findComponents: (pointers: readonly string[]) => Promise<ReadonlyMap<string, string>>
}): Promise<string> {
  const { response, findComponents } = input
  if (response?.example !== undefined) return response.example
  if (response?.schema === undefined) return ''
  if (response.schema.length > LARGE_SCHEMA_CHARACTERS) await yieldToEventLoop()
  const schema: unknown = JSON.parse(response.schema)
  const { components, characters } = await loadComponents(schema, findComponents)
  if (response.schema.length + characters > LARGE_SCHEMA_CHARACTERS) await yieldToEventLoop()
  const tree = buildSampleTree(schema, (pointer) => components.get(pointer))
  const value = await sampleTree(tree)
  return value === null ? '' : (toWireText(value) ?? '')
}

/**
 * Returns a value for each required parameter, as text (Specification 2.4 `input_parameters`): the
 * documented example, else the default, else the first allowed value, else a sample of its type. If
 * a name occurs in two placements, its key is `placement.name` (contract 4.1).
 */
export async function sampleParameters(
  parameters: readonly Parameter[],
): Promise<Readonly<Record<string, string>>> {
  const counts = new Map<string, number>()
  for (const { name } of parameters) counts.set(name, (counts.get(name) ?? 0) + 1)
  const entries: [string, string][] = []
  const pause = createYieldIfDue()
  for (const parameter of parameters) {
    if (!parameter.isRequired) continue
    await pause()
    const { name, placement } = parameter
    const key = (counts.get(name) ?? 0) > 1 ? `${placement}.${name}` : name
    entries.push([key, await sampleParameter(parameter)])
  }
  return Object.fromEntries(entries)
}

/** Returns a sample value of one parameter, as text. */
async function sampleParameter(parameter: Parameter): Promise<string> {
  const { exampleValue, defaultValue, type, format } = parameter
  const known = exampleValue ?? defaultValue ?? parameter.enum[0]
  if (known !== undefined) return known
  const schema = { type: type === 'file' || type === '' ? 'string' : type, format }
  return toWireText(await sampleTree(buildSampleTree(schema, () => undefined))) ?? ''
}

/** Loads the components that a schema refers to, directly or indirectly, within the limits. */
async function loadComponents(
  schema: unknown,
  findComponents: (pointers: readonly string[]) => Promise<ReadonlyMap<string, string>>,
): Promise<{ readonly components: ReadonlyMap<string, unknown>; readonly characters: number }> {
  const components = new Map<string, unknown>()
  const pause = createYieldIfDue()
  let characters = 0
  let wanted = collectRefs(schema)
  for (let round = 0; round < MAX_ROUNDS && wanted.size > 0; round += 1) {
    const pointers = [...wanted].slice(0, MAX_COMPONENTS - components.size)
    const next = new Set<string>()
    for (let start = 0; start < pointers.length; start += COMPONENTS_PER_BATCH) {
      const batch = pointers.slice(start, start + COMPONENTS_PER_BATCH)
      const found = await findComponents(batch)
      for (const pointer of batch) {
        const text = found.get(pointer)
        characters += text?.length ?? 0
        if (characters > MAX_CHARACTERS) return { components, characters }
        await pause()
        const value: unknown = text === undefined ? undefined : JSON.parse(text)
        components.set(pointer, value)
        collectRefs(value, next)
      }
    }
    for (const pointer of components.keys()) next.delete(pointer)
    wanted = next
  }
  return { components, characters }
}

/** Returns the pointers of all local references in a value of bounded depth. */
function collectRefs(value: unknown, found = new Set<string>()): Set<string> {
  if (Array.isArray(value)) {
    for (const item of value) collectRefs(item, found)
  } else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      if (key === '$ref' && typeof item === 'string' && item.startsWith('#')) {
        found.add(refToPointer(item))
      } else {
        collectRefs(item, found)
      }
    }
  }
  return found
}

/** Imports the sampler lazily, as it includes an XML writer. */
async function sampleTree(tree: Record<string, unknown>): Promise<unknown> {
  const { sample } = await import('openapi-sampler')
  return sample(tree, { quiet: true })
}

/** Maximum number of schema nodes in one sample. */
const MAX_NODES = 3000
/** Maximum number of visited schemas and properties, including those not in the sample. */
const MAX_STEPS = 30_000
const MAX_DEPTH = 12
const MAX_PARTS = 50
const CHARACTERS_PER_NODE = 100

/** Keywords that a sampler uses, besides structure. */
const SAMPLER_KEYWORDS = [
  'format',
  'default',
  'const',
  'minimum',
  'maximum',
  'maxLength',
  'x-example',
] as const

/** Keywords whose values may appear in a sample. */
const VALUE_KEYWORDS = ['example', 'x-example', 'default', 'const', 'enum'] as const

/**
 * Converts a schema to a finite tree that a sampler can walk safely, without `$ref` and `allOf`,
 * and with only the first of alternatives. Cuts off recursion and branches whose sample would grow
 * too large, as lists within lists multiply.
 */
export function buildSampleTree(
  schema: unknown,
  find: (pointer: string) => unknown,
): Record<string, unknown> {
  let room = MAX_NODES
  let steps = MAX_STEPS
  const sizes = new Map<unknown, number>()
  return buildNode(schema, { path: [], depth: 0, copies: 1 }) ?? {}

  function buildNode(start: unknown, at: SamplePosition): Record<string, unknown> | undefined {
    room -= at.copies
    if (room < 0 || steps < 0 || at.depth > MAX_DEPTH) return undefined
    const { parts, followed } = collectParts(start, at.path)
    if (!parts) return undefined
    const tree: Record<string, unknown> = {}
    const type = parts.map(getSchemaType).find((name) => name !== '')
    if (type !== undefined) tree.type = type
    for (const part of parts) copyKeywords(tree, part)
    for (const key of VALUE_KEYWORDS) if (!deductSize(tree[key], at.copies)) delete tree[key]
    if (tree.example !== undefined) return tree
    const below = { path: [...at.path, followed], depth: at.depth + 1, copies: at.copies }
    const properties = buildProperties(parts, below)
    if (properties.size > 0) tree.properties = Object.fromEntries(properties)
    const list = parts.find((part) => part.items !== undefined || part.prefixItems !== undefined)
    if (!list) return tree
    const items = list.items ?? asList(list.prefixItems)[0]
    const count = typeof tree.minItems === 'number' ? Math.max(1, tree.minItems) : 1
    const item = buildNode(Array.isArray(items) ? items[0] : items, {
      ...below,
      copies: at.copies * count,
    })
    if (item) tree.items = item
    return tree
  }

  function buildProperties(
    parts: readonly JsonObject[],
    below: SamplePosition,
  ): ReadonlyMap<string, unknown> {
    const properties = new Map<string, unknown>()
    for (const part of parts) {
      const entries = Object.entries(asObject(part.properties))
      steps -= entries.length
      for (const [name, property] of entries) {
        if (room < 0 || steps < 0) break
        if (properties.has(name) || asObject(property).writeOnly === true) continue
        if (!deductSize(name, below.copies)) continue
        const child = buildNode(property, below)
        if (child) properties.set(name, child)
      }
      if (isObject(part.additionalProperties) && properties.size === 0) {
        const child = buildNode(part.additionalProperties, below)
        if (child) properties.set('property', child)
      }
    }
    return properties
  }

  /** Collects the parts of a schema; undefined if it is only a recursive or unresolved reference. */
  function collectParts(start: unknown, path: SamplePosition['path']) {
    const parts: JsonObject[] = []
    const followed = new Set<unknown>()
    let isOpen = false
    const walk = (part: unknown): void => {
      steps -= 1
      if (!isObject(part) || parts.length >= MAX_PARTS || followed.has(part)) return
      if (path.some((outer) => outer.has(part))) {
        isOpen = true
        return
      }
      followed.add(part)
      parts.push(part)
      const ref = getRef(part)
      if (ref?.startsWith('#')) {
        const target = find(refToPointer(ref))
        if (target === undefined) isOpen = true
        else walk(target)
      }
      for (const inner of asList(part.allOf)) {
        if (steps < 0) break
        walk(inner)
      }
      walk(findAlternative(part.oneOf) ?? findAlternative(part.anyOf))
    }
    walk(start)
    return { parts: isOpen && parts.length < 2 ? undefined : parts, followed }
  }

  function findAlternative(list: unknown): unknown {
    return asList(list).find((inner) => {
      steps -= 1
      return asObject(inner).type !== 'null'
    })
  }

  /** Deducts the size of all copies of a value; false if the remaining size is insufficient. */
  function deductSize(value: unknown, copies: number): boolean {
    if (value === undefined) return true
    const size = (measureOnce(value) / CHARACTERS_PER_NODE) * copies
    if (size > room) return false
    room -= size
    return true
  }

  /**
   * Returns the size of a value as JSON, cached because a long value may occur a thousand times.
   */
  function measureOnce(value: unknown): number {
    const size = sizes.get(value) ?? JSON.stringify(value).length
    sizes.set(value, size)
    return size
  }
}

function copyKeywords(tree: Record<string, unknown>, part: JsonObject): void {
  for (const key of SAMPLER_KEYWORDS)
    if (tree[key] === undefined) tree[key] = part[key] ?? undefined
  tree.example ??= getOwnMember(part, 'example') ?? asList(part.examples)[0] ?? undefined
  const values = asList(part.enum)
  if (tree.enum === undefined && values.length > 0) tree.enum = values.slice(0, 1)
  if (typeof part.minItems === 'number') tree.minItems = Math.min(part.minItems, 3)
  const { minLength } = part
  if (typeof minLength === 'number' && tree.format === undefined) {
    tree.minLength = Math.min(minLength, 64)
  }
}
