import { stem } from '../../shared/stem.ts'
import { toTokens } from '../../shared/text.ts'
import { runSynchronously, type SteppedWork, sortInTimeSlices } from '../../shared/time-slices.ts'
import type { ApiDescription, EndpointDescription, SearchPosting } from '../records.ts'
import { isPlural, isReadingVerb, toCollectionTerm, toMethodConcept } from './concepts.ts'
import { API_ITSELF, getKeyLevel, packEndpoints, toEndpointKey } from './packing.ts'
import { createTermIndex } from './term-index.ts'
import { computeLengthNorm, createTermWeights, type TermWeights } from './term-weights.ts'

/** The indexed texts of one API. */
export interface IndexedApi {
  readonly vendorName: string
  /** Empty if the API has no category. */
  readonly categoryName: string
  readonly api: ApiDescription
  readonly endpoints: readonly {
    /** Numeric ID. */
    readonly id: number
    readonly description: EndpointDescription
  }[]
}

/**
 * Version of the rules that derive terms and weights from texts. Increase it with every change of
 * the rules, so that stored APIs are re-indexed.
 */
export const TERMS_VERSION = 2

/** An endpoint's level is its weight times this, rounded, at most 255. */
export const LEVELS_PER_WEIGHT = 10

/**
 * Builds one API's entries of the search index (contract 4.3), sorted by term. Every word, stem and
 * concept has its weight in the API and the endpoints that contain it. The API's own texts count as
 * an endpoint with ID `API_ITSELF`. Takes linear time.
 */
export function buildPostingsSync(input: IndexedApi): readonly SearchPosting[] {
  return runSynchronously(buildPostings(input))
}

/** Builds the same as `toPostings`, but in time slices: a large API takes a second. */
export function* buildPostings(input: IndexedApi): SteppedWork<readonly SearchPosting[]> {
  const index = createTermIndex()
  const gatherer = createTermWeights(index)
  const lists = createKeyLists()
  for (const { id, description } of input.endpoints) {
    addEndpointTexts(gatherer, description)
    const share = description.isDeprecated ? DEPRECATED_SHARE : 1
    gatherer.drain((term, weight) => lists.add(term, toWeightedKey(id, weight * share)))
    yield
  }
  const ofApi = new Map<number, number>()
  addApiTexts(gatherer, input)
  gatherer.drain((term, weight) => ofApi.set(term, weight))
  const postings: SearchPosting[] = []
  for (const [number, term] of index.terms.entries()) {
    const keys = lists.read(number)
    const own = ofApi.get(number)
    if (keys.length === 0 && own === undefined) continue
    const share = keys.length === 0 ? 0 : computeEndpointsShare(keys, input.endpoints.length)
    const weight = Math.round((share + (own ?? 0)) * 100) / 100
    const all = own === undefined ? keys : [...keys, toWeightedKey(API_ITSELF, own)]
    postings.push({ term, weight, endpoints: packEndpoints(all) })
    yield
  }
  return yield* sortInTimeSlices(postings, (a, b) => (a.term < b.term ? -1 : 1))
}

/** Fields of an API's own texts. The first words of the description count again in `lead`. */
const API_FIELDS = {
  name: { weight: 9, typicalWords: 3 },
  vendor: { weight: 7 },
  tags: { weight: 3, typicalWords: 8 },
  category: { weight: 3 },
  lead: { weight: 2.5, maxWords: 25 },
  description: { weight: 0.8, maxWords: 2000 },
}

const ENDPOINT_FIELDS = {
  lastSegment: { weight: 3.5, typicalWords: 2 },
  segment: { weight: 2, typicalWords: 2 },
  pathParameter: { weight: 0.8 },
  summary: { weight: 4, typicalWords: 5 },
  operationId: { weight: 3, typicalWords: 4 },
  tag: { weight: 1.5 },
  description: { weight: 1.2 },
  parameter: { weight: 1 },
  responseField: { weight: 0.6 },
}

const METHOD_WEIGHT = 1.5
const COLLECTION_WEIGHT = 25
const DEPRECATED_SHARE = 0.8
const USUAL_SEGMENTS = 3
const MAX_SEGMENTS = 100
const MAX_RESPONSE_FIELDS = 100

function addApiTexts(gatherer: TermWeights, input: IndexedApi): void {
  const { name, tags, description } = input.api
  gatherer.addProse(name, API_FIELDS.name)
  gatherer.addProse(input.vendorName, API_FIELDS.vendor)
  gatherer.addProse(input.categoryName, API_FIELDS.category)
  gatherer.addProse(tags.join(' '), API_FIELDS.tags)
  gatherer.addProse(description, API_FIELDS.lead)
  gatherer.addProse(description, API_FIELDS.description)
}

function addEndpointTexts(gatherer: TermWeights, endpoint: EndpointDescription): void {
  const { summary, description, operationId, tags, parameters, responseFields } = endpoint
  addPathSegments(gatherer, endpoint.path)
  gatherer.addProse(summary, ENDPOINT_FIELDS.summary)
  if (description !== summary) gatherer.addProse(description, ENDPOINT_FIELDS.description)
  gatherer.addName(operationId, ENDPOINT_FIELDS.operationId)
  for (const tag of tags) gatherer.addName(tag, ENDPOINT_FIELDS.tag)
  for (const { name } of parameters) gatherer.addName(name, ENDPOINT_FIELDS.parameter)
  for (const name of responseFields.slice(0, MAX_RESPONSE_FIELDS)) {
    gatherer.addName(name, ENDPOINT_FIELDS.responseField)
  }
  const concept = toMethodConcept(endpoint.method)
  if (concept !== undefined) gatherer.addTerm(concept, METHOD_WEIGHT)
  if (concept !== '+get' && concept !== '+create') return
  const collection = findCollection(endpoint.path)
  if (collection === undefined) return
  gatherer.addTerm(toCollectionTerm(concept, stem(collection)), COLLECTION_WEIGHT)
}

/**
 * Returns the plural at the end of a path: `repos` for `/orgs/{org}/repos`, `orders` for
 * `/orders.json`.
 */
function findCollection(path: string): string | undefined {
  const segments = path.replace(QUERY_OR_EXTENSION, '').split('/').filter(Boolean)
  const last = segments.at(-1) ?? ''
  if (last.startsWith('{')) return undefined
  const words = toTokens(segments.slice(-2).join('/'))
  const word = words.at(-1) ?? ''
  const noun = isReadingVerb(stem(word)) ? (words.at(-2) ?? '') : word
  return isPlural(noun) ? noun : undefined
}

const QUERY_OR_EXTENSION = /(?:\.(?:json|xml))?\/?(?:[?#].*)?$/

/**
 * Weighs the last literal segment most, and segments of short paths more than those of long ones.
 */
function addPathSegments(gatherer: TermWeights, path: string): void {
  const segments = path.split('/', MAX_SEGMENTS).filter((segment) => segment !== '')
  const last = segments.findLastIndex((segment) => !segment.startsWith('{'))
  const norm = computeLengthNorm(segments.length, USUAL_SEGMENTS)
  for (const [index, segment] of segments.entries()) {
    if (segment.startsWith('{')) {
      gatherer.addName(segment, ENDPOINT_FIELDS.pathParameter)
      continue
    }
    const field = index === last ? ENDPOINT_FIELDS.lastSegment : ENDPOINT_FIELDS.segment
    gatherer.addName(segment, { ...field, weight: field.weight * norm })
  }
}

function toWeightedKey(id: number, weight: number): number {
  const level = Math.round(weight * LEVELS_PER_WEIGHT)
  return toEndpointKey(id, Math.min(255, Math.max(1, level)))
}

/**
 * Returns the endpoints' contribution to an API's weight: from the strongest one and the share of
 * endpoints with the term.
 */
function computeEndpointsShare(keys: Float64Array, count: number): number {
  let best = Number.POSITIVE_INFINITY
  for (const key of keys) best = Math.min(best, key)
  return (getKeyLevel(best) / LEVELS_PER_WEIGHT) * (1 + keys.length / (count + 4))
}

/**
 * Growing lists of numbers, one for each term, stored in a few large blocks. Separate arrays would
 * be copied as they grow, and leave garbage of several times their size.
 */
interface KeyLists {
  add(term: number, key: number): void
  /**
   * The keys of a term, unordered, empty if none were added. The next `read` overwrites the result.
   */
  read(term: number): Float64Array
}

export function createKeyLists(): KeyLists {
  const blocks: KeyBlock[] = []
  /** By term: number of keys, and position after the last one. */
  const counts: number[] = []
  const lasts: number[] = []
  let length = 0
  let scratch = new Float64Array(1024)

  return {
    add(term, key) {
      const position = length % BLOCK_KEYS
      if (position === 0) blocks.push(createKeyBlock())
      const block = blocks.at(-1)
      if (!block) return
      while (counts.length <= term) {
        counts.push(0)
        lasts.push(0)
      }
      block.keys[position] = key
      block.befores[position] = lasts[term] ?? 0
      length += 1
      counts[term] = (counts[term] ?? 0) + 1
      lasts[term] = length
    },
    read(term) {
      const count = counts[term] ?? 0
      if (count > scratch.length) scratch = new Float64Array(2 * count)
      const keys = scratch.subarray(0, count)
      let last = lasts[term] ?? 0
      for (let at = 0; last > 0; at += 1) {
        const block = blocks[Math.floor((last - 1) / BLOCK_KEYS)]
        const place = (last - 1) % BLOCK_KEYS
        keys[at] = block?.keys[place] ?? 0
        last = block?.befores[place] ?? 0
      }
      return keys
    },
  }
}

interface KeyBlock {
  readonly keys: Float64Array
  /** Position after the preceding key of the same term; 0 for the first. */
  readonly befores: Int32Array
}

const BLOCK_KEYS = 32 * 1024

function createKeyBlock(): KeyBlock {
  return { keys: new Float64Array(BLOCK_KEYS), befores: new Int32Array(BLOCK_KEYS) }
}
