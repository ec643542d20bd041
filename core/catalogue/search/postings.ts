import type { SearchPosting } from '../../imports/store.ts'
import type { ApiDescription, EndpointDescription } from '../records.ts'
import { toMethodConcept } from './concepts.ts'
import { API_ITSELF, packEndpoints, type WeightedEndpoint } from './packing.ts'
import { createTermIndex, type IndexTerm, type TermIndex } from './terms.ts'

/** What is indexed of one API. */
export interface IndexedApi {
  readonly vendorName: string
  /** Empty when the API has no category. */
  readonly categoryName: string
  readonly api: ApiDescription
  readonly endpoints: readonly {
    /** Numeric id. */
    readonly id: number
    readonly description: EndpointDescription
  }[]
}

/** One endpoint's levels are its weights times this, rounded, 255 at most. */
export const LEVELS_PER_WEIGHT = 10

/**
 * One API's part of the search index (contract 4.3), sorted by term: for every word, stem and
 * concept its weight in the API and the endpoints that hold it. The time is linear in the texts.
 */
export function toPostings(input: IndexedApi): readonly SearchPosting[] {
  const index = createTermIndex()
  const weights = addApiTexts(index, input)
  const lists: WeightedEndpoint[][] = []
  const gatherer = createGatherer(index)
  for (const { id, description } of input.endpoints) {
    addEndpointTexts(gatherer, description)
    const share = description.isDeprecated ? DEPRECATED_SHARE : 1
    gatherer.drain((term, weight) => {
      const list = lists[term]
      const level = toLevel(weight * share)
      if (list) list.push({ id, level })
      else lists[term] = [{ id, level }]
    })
  }
  const count = input.endpoints.length
  return index.terms
    .map((term, number): SearchPosting => {
      const list = lists[number] ?? []
      const own = weights.get(number) ?? 0
      const weight = Math.round((own + toApiShare(list, count)) * 100) / 100
      const all = own > 0 ? [{ id: API_ITSELF, level: toLevel(own) }, ...list] : list
      return { term, weight, endpoints: packEndpoints(all) }
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => (a.term < b.term ? -1 : 1))
}

const API_WEIGHTS = { name: 9, vendor: 7, tag: 3, category: 3, lead: 2.5, description: 0.8 }

const ENDPOINT_WEIGHTS = {
  lastSegment: 3.5,
  segment: 2,
  pathParameter: 0.8,
  summary: 4,
  operationId: 3,
  tag: 1.5,
  description: 1.2,
  parameter: 1,
  responseField: 0.6,
  method: 1.5,
}

const DEPRECATED_SHARE = 0.8
/** So many words of an API's description count as its lead, and so many at all. */
const LEAD_WORDS = 25
const MAX_WORDS = 2000
const MAX_ENDPOINT_WORDS = 120
const MAX_RESPONSE_FIELDS = 100

/** Weights of terms in the API's own texts, by term number. */
function addApiTexts(index: TermIndex, input: IndexedApi): ReadonlyMap<number, number> {
  const weights = new Map<number, number>()
  const add = (words: readonly (readonly IndexTerm[])[], weight: number) => {
    const field = new Map<number, number>()
    for (const word of words) {
      for (const { term, share } of word) {
        if (share > (field.get(term) ?? 0)) field.set(term, share)
      }
    }
    for (const [term, share] of field) {
      weights.set(term, (weights.get(term) ?? 0) + weight * share)
    }
  }
  const { name, tags, description } = input.api
  const nameWords = index.analyse(name, true)
  add(nameWords, API_WEIGHTS.name * toNorm(nameWords.length, 3))
  add(index.analyse(input.vendorName, true), API_WEIGHTS.vendor)
  add(index.analyse(input.categoryName, true), API_WEIGHTS.category)
  add(
    tags.flatMap((tag) => index.analyse(tag, true)),
    API_WEIGHTS.tag * toNorm(tags.length, 8),
  )
  const words = index.analyse(description, true)
  add(words.slice(0, LEAD_WORDS), API_WEIGHTS.lead)
  add(words.slice(0, MAX_WORDS), API_WEIGHTS.description)
  return weights
}

function addEndpointTexts(gatherer: Gatherer, endpoint: EndpointDescription): void {
  const weights = ENDPOINT_WEIGHTS
  addPath(gatherer, endpoint.path)
  gatherer.addProse(endpoint.summary, weights.summary, 5)
  if (endpoint.operationId !== '') gatherer.add(endpoint.operationId, weights.operationId, 4)
  for (const tag of endpoint.tags) gatherer.add(tag, weights.tag)
  if (endpoint.description !== endpoint.summary) {
    gatherer.addProse(endpoint.description, weights.description)
  }
  for (const { name } of endpoint.parameters) gatherer.add(name, weights.parameter)
  for (const name of endpoint.responseFields.slice(0, MAX_RESPONSE_FIELDS)) {
    gatherer.add(name, weights.responseField)
  }
  const concept = toMethodConcept(endpoint.method)
  if (concept !== undefined) gatherer.addTerm(concept, weights.method)
}

function addPath(gatherer: Gatherer, path: string): void {
  const segments = path.split('/').filter((segment) => segment !== '')
  const literals = segments.filter((segment) => !segment.startsWith('{'))
  const last = literals.length - 1
  for (const segment of segments) {
    if (segment.startsWith('{')) gatherer.add(segment, ENDPOINT_WEIGHTS.pathParameter)
  }
  for (const [index, segment] of literals.entries()) {
    const weight = index === last ? ENDPOINT_WEIGHTS.lastSegment : ENDPOINT_WEIGHTS.segment
    gatherer.add(segment, weight * toNorm(segments.length, 3), 2)
  }
}

/** Sums weights of one endpoint's terms by field, without an allocation for each word. */
interface Gatherer {
  /** Adds a text's words, each once; longer texts than `usual` words count less. */
  add(text: string, weight: number, usual?: number): void
  /** The same for sentences: whole camel-case words count too. */
  addProse(text: string, weight: number, usual?: number): void
  addTerm(term: string, weight: number): void
  /** Hands over every term once and starts anew. */
  drain(visit: (term: number, weight: number) => void): void
}

function createGatherer(index: TermIndex): Gatherer {
  const sums: number[] = []
  const fields: number[] = []
  const touched: number[] = []
  let field = 0

  function addTo(term: number, weight: number): void {
    if (fields[term] === field) return
    if (!sums[term]) {
      touched.push(term)
      sums[term] = 0
    }
    fields[term] = field
    sums[term] = (sums[term] ?? 0) + weight
  }

  function addWords(words: readonly (readonly IndexTerm[])[], weight: number, usual = 0): void {
    const normed = usual === 0 ? weight : weight * toNorm(words.length, usual)
    field += 1
    const count = Math.min(words.length, MAX_ENDPOINT_WORDS)
    for (let position = 0; position < count; position += 1) {
      for (const { term, share } of words[position] ?? []) addTo(term, normed * share)
    }
  }

  return {
    add: (text, weight, usual) => addWords(index.analyse(text, false), weight, usual),
    addProse: (text, weight, usual) => addWords(index.analyse(text, true), weight, usual),
    addTerm(term, weight) {
      field += 1
      addTo(index.numberOf(term), weight)
    },
    drain(visit) {
      for (const term of touched) {
        visit(term, sums[term] ?? 0)
        sums[term] = 0
      }
      touched.length = 0
    },
  }
}

function toLevel(weight: number): number {
  return Math.min(255, Math.max(1, Math.round(weight * LEVELS_PER_WEIGHT)))
}

/** 1 for a field of the usual number of words, more for shorter ones, less for longer ones. */
function toNorm(words: number, usual: number): number {
  return Math.max(0.4, 1 / (0.6 + (0.4 * words) / usual))
}

/** What an API's endpoints say of its weight: the strongest one, and how many speak of the term. */
function toApiShare(list: readonly WeightedEndpoint[], count: number): number {
  let best = 0
  for (const { level } of list) best = Math.max(best, level)
  return (best / LEVELS_PER_WEIGHT) * (1 + list.length / (count + 4))
}
