/** An object of a raw description. */
export type Raw = Readonly<Record<string, unknown>>

export function isRaw(value: unknown): value is Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Resolves the local references of a value; undefined if the result is not an object. */
export function resolve(document: Raw, value: unknown): Raw | undefined {
  let current = value
  for (let hop = 0; hop < 20; hop += 1) {
    if (!isRaw(current)) return undefined
    if (typeof current.$ref !== 'string') return current
    if (!current.$ref.startsWith('#/')) return undefined
    let found: unknown = document
    for (const step of current.$ref.slice(2).split('/')) {
      const key = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
      found = isRaw(found) || Array.isArray(found) ? Reflect.get(found, key) : undefined
    }
    current = found
  }
  return undefined
}

/**
 * Merges a schema with its references and `allOf` into one object. Returns undefined for
 * alternatives and unreadable schemas, which other tests cover.
 */
export function flatten(document: Raw, value: unknown, depth = 0): Raw | undefined {
  const schema = resolve(document, value)
  if (!schema || depth > 8 || schema.oneOf || schema.anyOf || schema.not) return undefined
  if (Array.isArray(schema.type)) return undefined
  let merged: Raw = {}
  for (const part of listOf(schema.allOf)) {
    const inner = flatten(document, part, depth + 1)
    if (!inner) return undefined
    merged = lay(inner, merged)
  }
  const { allOf: _, ...own } = schema
  return lay(own, merged)
}

function lay(nearer: Raw, farther: Raw): Raw {
  const properties = { ...toRaw(farther.properties), ...toRaw(nearer.properties) }
  const required = [...listOf(farther.required), ...listOf(nearer.required)]
  return {
    ...farther,
    ...nearer,
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(required.length > 0 ? { required } : {}),
  }
}

export function toRaw(value: unknown): Raw {
  return isRaw(value) ? value : {}
}

const MAX_DEPTH = 3

/** Returns a value that a schema allows, if one is known. Texts are unusual where possible. */
export function sample(document: Raw, value: unknown, depth = 0): unknown {
  const schema = flatten(document, value)
  if (!schema || depth > MAX_DEPTH || schema.const !== undefined) return undefined
  if (Array.isArray(schema.enum)) return schema.enum.find((item) => item !== null)
  if (schema.type === 'integer' || schema.type === 'number') return toNumber(schema)
  if (schema.type === 'boolean') return true
  if (schema.type === 'array') return toArray(document, schema, depth)
  if (schema.type === 'object' || isRaw(schema.properties)) {
    return toObject(document, schema, depth)
  }
  return schema.type === 'string' ? createSampleText(schema) : undefined
}

function toNumber({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Raw): unknown {
  const above = typeof exclusiveMinimum === 'number' ? exclusiveMinimum : undefined
  const below = typeof exclusiveMaximum === 'number' ? exclusiveMaximum : undefined
  let lowest = typeof minimum === 'number' ? minimum : -1e9
  if (exclusiveMinimum === true) lowest += 1
  if (above !== undefined) lowest = Math.max(lowest, above + 1)
  let highest = typeof maximum === 'number' ? maximum : 1e9
  if (exclusiveMaximum === true) highest -= 1
  if (below !== undefined) highest = Math.min(highest, below - 1)
  if (lowest > highest) return undefined
  return Math.min(Math.max(7, Math.ceil(lowest)), highest)
}

function createSampleText({ minLength, maxLength }: Raw): string {
  const longest = typeof maxLength === 'number' ? maxLength : 1000
  const text = [...'a b&c=é/d?+%41'].slice(0, longest).join('')
  return text.padEnd(typeof minLength === 'number' ? minLength : 0, 'x')
}

function toArray(document: Raw, schema: Raw, depth: number): unknown {
  const item = sample(document, schema.items, depth + 1)
  if (item === undefined || item === '') return undefined
  const fewest = typeof schema.minItems === 'number' ? schema.minItems : 0
  const most = typeof schema.maxItems === 'number' ? schema.maxItems : 10
  return new Array(Math.max(fewest, Math.min(2, most))).fill(item)
}

function toObject(document: Raw, schema: Raw, depth: number): unknown {
  const entries = Object.entries(toRaw(schema.properties)).map(([name, property]) => {
    return [name, sample(document, property, depth + 1)] as const
  })
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}
