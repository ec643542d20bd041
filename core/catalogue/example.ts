import { sample } from 'openapi-sampler'
import type { Endpoint, Parameter } from './records.ts'
import type { CatalogueStore } from './store.ts'

/** Components loaded for one sample; what a schema refers to beyond is left open. */
const MAX_COMPONENTS = 300
/** Steps from reference to reference. */
const MAX_STEPS = 6
/** Levels of a sampled value. */
const MAX_DEPTH = 8
/** Characters of a sampled value. */
const MAX_CHARACTERS = 256 * 1024

type Json = Record<string, unknown>

/**
 * Example response and example input of an endpoint (Specification 2.4): the documented example,
 * else one sampled from the documented schema, else an empty text; for each required parameter its
 * example, else its default, else a sample, as text.
 */
export async function describeExample(
  endpoint: Endpoint,
  store: Pick<CatalogueStore, 'findComponents'>,
): Promise<{
  readonly output_response: string
  readonly endpoint_id: string
  readonly input_parameters: Record<string, string>
}> {
  return {
    output_response: await toExampleResponse(endpoint, store),
    endpoint_id: endpoint.shortId,
    input_parameters: Object.fromEntries(
      endpoint.parameters
        .filter((parameter) => parameter.isRequired)
        .map((parameter) => [parameter.name, toExampleValue(parameter)]),
    ),
  }
}

async function toExampleResponse(
  { apiId, response }: Endpoint,
  store: Pick<CatalogueStore, 'findComponents'>,
): Promise<string> {
  if (response?.example !== undefined) return response.example
  if (response?.schema === undefined) return ''
  const schema: unknown = JSON.parse(response.schema)
  const components = await loadComponents(apiId, schema, store)
  return sampleText(schema, toDocument(components))
}

/** The text of a sample; empty when the schema is beyond sampling. */
function sampleText(schema: unknown, document: Json): string {
  try {
    const value = sample(schema as never, { maxSampleDepth: MAX_DEPTH, quiet: true }, document)
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return text === undefined || text.length > MAX_CHARACTERS ? '' : text
  } catch {
    // Third-party schemas hold what no sampler expects; an example is a courtesy.
    return ''
  }
}

function toExampleValue(parameter: Parameter): string {
  const known = parameter.exampleValue ?? parameter.defaultValue ?? parameter.enum[0]
  if (known !== undefined) return known
  const { type, format } = parameter
  if (type === '' || type === 'file') return 'string'
  return sampleText({ type, ...(format === '' ? {} : { format }) }, {})
}

/** What a schema refers to, and what that refers to, step by step. */
async function loadComponents(
  apiId: number,
  schema: unknown,
  store: Pick<CatalogueStore, 'findComponents'>,
): Promise<ReadonlyMap<string, unknown>> {
  const found = new Map<string, unknown>()
  let wanted = listPointers(schema)
  for (let step = 0; step < MAX_STEPS && wanted.length > 0; step += 1) {
    const room = MAX_COMPONENTS - found.size
    const texts = await store.findComponents(apiId, wanted.slice(0, room))
    const next = new Set<string>()
    for (const pointer of wanted) {
      const text = texts.get(pointer)
      const value: unknown = text === undefined ? {} : JSON.parse(text)
      found.set(pointer, value)
      for (const further of listPointers(value)) if (!found.has(further)) next.add(further)
    }
    wanted = [...next]
  }
  for (const pointer of wanted) found.set(pointer, {})
  return found
}

/**
 * The local pointers (without `#`) of all references in a value. References that lead nowhere in
 * the document are dropped from it.
 */
function listPointers(value: unknown): string[] {
  const pointers = new Set<string>()
  const open: unknown[] = [value]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (typeof node !== 'object' || node === null) continue
    const ref = Array.isArray(node) ? undefined : (node as Json).$ref
    if (typeof ref === 'string') {
      if (ref.startsWith('#/')) pointers.add(toPointer(ref))
      else delete (node as Json).$ref
    }
    open.push(...Object.values(node).filter((member) => member !== null && member !== undefined))
  }
  return [...pointers]
}

/** A document in which every component stands at its pointer. */
function toDocument(components: ReadonlyMap<string, unknown>): Json {
  const document: Json = Object.create(null)
  // Shorter pointers first: a component may stand inside another one.
  const sorted = [...components].sort(([left], [right]) => left.length - right.length)
  for (const [pointer, value] of sorted) {
    const steps = pointer.slice(1).split('/').map(unescapeStep)
    const last = steps.pop()
    if (last === undefined) continue
    let node = document
    for (const step of steps) {
      const next = Object.hasOwn(node, step) ? node[step] : undefined
      const child = typeof next === 'object' && next !== null ? (next as Json) : Object.create(null)
      node[step] = child
      node = child
    }
    node[last] = value
  }
  return document
}

function unescapeStep(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~')
}

function toPointer(ref: string): string {
  try {
    return decodeURIComponent(ref.slice(1))
  } catch {
    return ref.slice(1)
  }
}
