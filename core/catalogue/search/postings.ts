import type { SearchPosting } from '../../imports/store.ts'
import type { ApiDescription, EndpointDescription } from '../records.ts'
import { toMethodConcept } from './concepts.ts'
import { API_ITSELF, packEndpoints, toEndpointKey, toLevel } from './packing.ts'
import { createTermIndex, type TermIndex } from './terms.ts'

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
  const lists: number[][] = []
  const add = (term: number, id: number, weight: number) => {
    const level = Math.min(255, Math.max(1, Math.round(weight * LEVELS_PER_WEIGHT)))
    const list = lists[term]
    if (list) list.push(toEndpointKey(id, level))
    else lists[term] = [toEndpointKey(id, level)]
  }
  const gatherer = createGatherer(index)
  for (const { id, description } of input.endpoints) {
    addEndpointTexts(gatherer, description)
    const share = description.isDeprecated ? DEPRECATED_SHARE : 1
    gatherer.drain((term, weight) => add(term, id, weight * share))
  }
  const shares = lists.map((list) => toApiShare(list, input.endpoints.length))
  addApiTexts(gatherer, input)
  gatherer.drain((term, weight) => {
    add(term, API_ITSELF, weight)
    shares[term] = (shares[term] ?? 0) + weight
  })
  return index.terms
    .flatMap((term, number): readonly SearchPosting[] => {
      const list = lists[number]
      if (!list) return []
      const weight = Math.round((shares[number] ?? 0) * 100) / 100
      return [{ term, weight, endpoints: packEndpoints(list) }]
    })
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

/** What a stem counts beside the very word. */
const STEM_SHARE = 0.9
const DEPRECATED_SHARE = 0.8
/** So many words of an API's description count as its lead, and so many at all. */
const LEAD_WORDS = 25
const MAX_WORDS = 2000
const MAX_ENDPOINT_WORDS = 120
const MAX_RESPONSE_FIELDS = 100

function addApiTexts(gatherer: Gatherer, input: IndexedApi): void {
  const { name, tags, description } = input.api
  gatherer.addProse(name, API_WEIGHTS.name, { usual: 3 })
  gatherer.addProse(input.vendorName, API_WEIGHTS.vendor)
  gatherer.addProse(input.categoryName, API_WEIGHTS.category)
  gatherer.addProse(tags.join(' '), API_WEIGHTS.tag, { usual: 8 })
  gatherer.addProse(description, API_WEIGHTS.lead, { maxWords: LEAD_WORDS })
  gatherer.addProse(description, API_WEIGHTS.description, { maxWords: MAX_WORDS })
}

function addEndpointTexts(gatherer: Gatherer, endpoint: EndpointDescription): void {
  const weights = ENDPOINT_WEIGHTS
  addPath(gatherer, endpoint.path)
  gatherer.addProse(endpoint.summary, weights.summary, { usual: 5 })
  gatherer.add(endpoint.operationId, weights.operationId, { usual: 4 })
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
    gatherer.add(segment, weight * toNorm(segments.length, 3), { usual: 2 })
  }
}

/** Sums weights of one endpoint's terms by field, without an allocation for each word. */
interface Gatherer {
  /** Adds an identifier's words, each once. */
  add(text: string, weight: number, bounds?: TextBounds): void
  /** The same for sentences: whole camel-case words count too. */
  addProse(text: string, weight: number, bounds?: TextBounds): void
  addTerm(term: string, weight: number): void
  /** Hands over every term once and starts anew. */
  drain(visit: (term: number, weight: number) => void): void
}

interface TextBounds {
  /** Texts of more words than this count less, shorter ones more; undefined: length is no matter. */
  readonly usual?: number
  readonly maxWords?: number
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

  function addText(text: string, weight: number, more: TextBounds & { readonly isProse: boolean }) {
    if (text === '') return
    const { isProse, usual, maxWords = MAX_ENDPOINT_WORDS } = more
    const { codes, words } = index.analyse(text, { isProse, maxWords })
    const normed = usual === undefined ? weight : weight * toNorm(words, usual)
    field += 1
    for (const code of codes) {
      if (code >= 0) addTo(code, normed)
      else addTo(~code, normed * STEM_SHARE)
    }
  }

  return {
    add: (text, weight, bounds) => addText(text, weight, { ...bounds, isProse: false }),
    addProse: (text, weight, bounds) => addText(text, weight, { ...bounds, isProse: true }),
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

/** 1 for a field of the usual number of words, more for shorter ones, less for longer ones. */
function toNorm(words: number, usual: number): number {
  return Math.max(0.4, 1 / (0.6 + (0.4 * words) / usual))
}

/** What an API's endpoints say of its weight: the strongest one, and how many speak of the term. */
function toApiShare(keys: readonly number[], count: number): number {
  let best = Number.POSITIVE_INFINITY
  for (const key of keys) best = Math.min(best, key)
  return (toLevel(best) / LEVELS_PER_WEIGHT) * (1 + keys.length / (count + 4))
}
