import type { Parameter, ResponseShape } from '../catalogue/records.ts'
import { createYieldIfDue, yieldToEventLoop } from '../shared/time-slices.ts'
import { refToPointer } from './refs.ts'
import { buildSampleTree } from './sample-tree.ts'
import { isObject, toWireText } from './values.ts'

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
