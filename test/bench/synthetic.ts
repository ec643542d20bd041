import type {
  ApiDescription,
  EndpointDescription,
  Parameter,
} from '../../core/catalogue/records.ts'
import { toParameter } from '../helpers/parameters.ts'
import { createNumberGenerator } from '../helpers/random.ts'

/** A generated API with its endpoints, in the form that an import extracts. */
export interface SyntheticApi {
  readonly vendorName: string
  readonly api: ApiDescription
  readonly endpoints: readonly EndpointDescription[]
}

/**
 * Generates a catalogue API by API, deterministic for the same sizes. Word frequencies follow
 * Zipf's law like in real descriptions, and APIs have 1 to some thousand endpoints. The most
 * frequent words are `words`, in order of frequency.
 */
export function* syntheticCatalogue(
  size: {
    readonly apis: number
    readonly endpoints: number
    readonly words?: readonly string[]
  } = { apis: 3000, endpoints: 100_000 },
): Generator<SyntheticApi> {
  const random = createNumberGenerator(7)
  const made = createVocabulary(random)
  const words = [...(size.words ?? []), ...made.slice(size.words?.length ?? 0)]
  let left = size.endpoints
  for (let number = 0; number < size.apis; number += 1) {
    const share = left / (size.apis - number)
    const skewed = Math.ceil(0.35 * share * random() ** -0.6)
    const isLast = number === size.apis - 1
    const count = isLast ? left : Math.min(skewed, left - (size.apis - number - 1), 4000)
    left -= count
    yield createApi({ number, count, random, words })
  }
}

/** Returns the nth most frequent word of the generated catalogue, starting at 0. */
export function syntheticWord(rank: number): string {
  return createVocabulary(createNumberGenerator(7))[rank] ?? ''
}

const VOCABULARY = 20_000
const SYLLABLES =
  'ba ce di fo gu la me ni po ru sa te vi xo za bre cli dra flo gre pla sto tri'.split(' ')
const VERBS = [
  ['get', 'list'],
  ['post', 'create'],
  ['put', 'update'],
  ['delete', 'delete'],
] as const

type Random = () => number

function createVocabulary(random: Random): readonly string[] {
  const words = new Set<string>()
  while (words.size < VOCABULARY) {
    let word = ''
    for (let count = 2 + Math.floor(3 * random()); count > 0; count -= 1) {
      word += SYLLABLES[Math.floor(SYLLABLES.length * random())] ?? ''
    }
    words.add(word)
  }
  return [...words]
}

/** Draws a rank: rank r has a probability proportional to about 1 / r. */
function pick(words: readonly string[], random: Random): string {
  return words[Math.floor(VOCABULARY ** random()) - 1] ?? ''
}

function toSentence(length: number, next: () => string): string {
  return Array.from({ length }, next).join(' ')
}

function createApi(input: {
  readonly number: number
  readonly count: number
  readonly random: Random
  readonly words: readonly string[]
}): SyntheticApi {
  const { number, count, random, words } = input
  const topics = Array.from({ length: 2 + Math.ceil(count / 6) }, () => pick(words, random))
  const common = () => pick(words, random)
  const topic = () => topics[Math.floor(topics.length * random())] ?? ''
  const name = `${common()} ${common()} ${number}`
  const endpoints = Array.from({ length: count }, (_, index) =>
    createEndpoint({ index, random, common, topic }),
  )
  return {
    vendorName: `${common()}${number}`,
    api: {
      kind: 'http',
      name,
      version: '1.0.0',
      majorVersion: '1',
      description: toSentence(30, common),
      homepage: '',
      authTypes: ['none'],
      licenses: [],
      servers: [{ url: `https://api${number}.example.com`, name: '', variables: [] }],
      tags: topics.slice(0, 5),
      contact: { name: '', url: '', email: '' },
      image: '',
    },
    endpoints,
  }
}

function createEndpoint(input: {
  readonly index: number
  readonly random: Random
  readonly common: () => string
  readonly topic: () => string
}): EndpointDescription {
  const { index, random, common, topic } = input
  const [method, verb] = VERBS[Math.floor(VERBS.length * random())] ?? VERBS[0]
  const noun = topic()
  const path = `/v1/${noun}/{${noun}Id}/${topic()}${index}`
  const names = Array.from({ length: 2 + Math.floor(5 * random()) }, common)
  return {
    method,
    path,
    key: `${method} /v1/${noun}/{}/${path.split('/').at(-1)}`,
    url: path,
    servers: [],
    summary: `${verb} ${toSentence(3, topic)}`,
    description: toSentence(12, common),
    operationId: `${verb}${noun.slice(0, 1).toUpperCase()}${noun.slice(1)}${index}`,
    tags: [noun],
    parameters: [`${noun}Id`, ...names].map(toNamedParameter),
    body: undefined,
    response: undefined,
    responseFields: Array.from({ length: Math.floor(16 * random()) }, common),
    security: [],
    authTypes: ['none'],
    isDeprecated: false,
    isInbound: false,
    declaredStatuses: ['200'],
  }
}

function toNamedParameter(name: string): Parameter {
  return toParameter({ name, placement: name.endsWith('Id') ? 'path' : 'query' })
}
