import { getRef, refToPointer } from './refs.ts'
import { getSchemaType } from './types.ts'
import { asList, asObject, getOwnMember, isObject, type JsonObject } from './values.ts'

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

/** Position of a schema in the sample. */
interface SamplePosition {
  /** The enclosing schemas. */
  readonly path: readonly ReadonlySet<unknown>[]
  readonly depth: number
  /** Number of copies of the schema in the sample. */
  readonly copies: number
}
