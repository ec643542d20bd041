import type { StatedRateLimit, StatedRateLimits } from '../../catalogue/records.ts'
import { isRateHeader } from '../../egress/rate-names.ts'
import { refOf, toPointer } from '../../schemas/refs.ts'
import { isObject, type JsonObject, toList, toObject, toText } from '../../schemas/values.ts'
import { readLimitExtensions } from '../rate-limits/extensions.ts'
import { type BareLimit, readLimitWords, uniqueLimits } from '../rate-limits/words.ts'
import type { Context } from './context.ts'

/** Reads the rate limits that a description declares for its operations. */
export interface RateLimitReader {
  /** Undefined if none are declared. `tags` are names, nearest first. */
  read(of: {
    readonly operation: JsonObject
    readonly item: JsonObject
    readonly tags: readonly string[]
  }): StatedRateLimits | undefined
}

const MAX_HEADERS = 16
const MAX_TAG = 60
const MAX_HOPS = 8
/** Shorter texts are parsed directly: that takes less time than a cache lookup. */
const SHORT_TEXT = 60

/**
 * Statuses whose `Retry-After` concerns the rate of calls; with others, it is the time until a
 * started job ends.
 */
const THROTTLING = /^(?:403|429|503|4xx|5xx|default)$/i

/** Limits that an operation itself declares, independent of its path and tags. */
interface OwnLimits {
  readonly headers: readonly string[]
  readonly extensions: readonly StatedRateLimit[]
  readonly words: readonly StatedRateLimit[]
}

/** Creates the reader of one description. Parts that several operations share are read once. */
export function createRateLimitReader(context: Context): RateLimitReader {
  const { document } = context
  const info = toObject(document.info)
  const ownOf = new Map<JsonObject, OwnLimits>()
  const headersOf = new Map<string, readonly string[]>()
  const extensionsOf = new Map<JsonObject, readonly StatedRateLimit[]>()
  const wordsOf = new Map<string, readonly BareLimit[]>()
  const tagWords = new Map<string, readonly StatedRateLimit[]>()
  const known = new Map<string, StatedRateLimits>()
  const targets = new Map<string, unknown>()
  for (const tag of toList(document.tags).map(toObject)) {
    const name = toText(tag.name)
    const place = `words of the tag ${name.slice(0, MAX_TAG).replace(/[\ud800-\udbff]$/, '')}`
    const words = readWords(toText(tag.description), place)
    if (words.length > 0) tagWords.set(name, words)
  }
  const ofInfo = readWords(toText(info.description), 'words of the description')
  const ofDocument = [
    ...readExtensions(document, 'description'),
    ...readExtensions(info, 'description'),
  ]

  return {
    read({ operation, item, tags }) {
      const own = ownOf.get(operation) ?? readOwn(operation)
      ownOf.set(operation, own)
      const limits = [
        ...(own.extensions.length > 0 ? own.extensions : readPathExtensions(item)),
        ...own.words,
        ...readShared(item.description, 'words of the path'),
        ...tags.flatMap((tag) => tagWords.get(tag) ?? []),
        ...ofInfo,
      ]
      if (own.headers.length === 0 && limits.length === 0) return undefined
      return share({ headers: own.headers, limits: uniqueLimits(limits) })
    },
  }

  function readOwn(operation: JsonObject): OwnLimits {
    const responses = toObject(operation.responses)
    const refusal = follow(responses['429'])
    return {
      headers: readHeaders(responses),
      extensions: readExtensions(operation, 'operation'),
      words: [
        ...readWords(toText(operation.description), 'words of the operation'),
        ...readWords(toText(operation.summary), 'words of the operation'),
        ...readShared(refusal?.description, 'words of the answer 429'),
      ],
    }
  }

  /** Returns the same object for equal limits, as each object is measured and serialised. */
  function share(limits: StatedRateLimits): StatedRateLimits {
    const name = JSON.stringify(limits)
    const same = known.get(name) ?? limits
    known.set(name, same)
    return same
  }

  /** Extensions of a path override those of the whole API. */
  function readPathExtensions(item: JsonObject): readonly StatedRateLimit[] {
    const ofPath = extensionsOf.get(item) ?? readExtensions(item, 'path')
    extensionsOf.set(item, ofPath)
    return ofPath.length > 0 ? ofPath : ofDocument
  }

  function readExtensions(owner: JsonObject, place: string): readonly StatedRateLimit[] {
    const found = readLimitExtensions(owner, follow)
    return found.map(({ name, ...limit }) => ({ ...limit, source: `${name} of the ${place}` }))
  }

  function readWords(text: string, source: string): readonly StatedRateLimit[] {
    return text === '' ? [] : readLimitWords(text).map((limit) => ({ ...limit, source }))
  }

  /** Reads a text that several operations may share. */
  function readShared(value: unknown, source: string): readonly StatedRateLimit[] {
    if (value === undefined) return []
    const text = toText(value)
    if (text.length < SHORT_TEXT) return readWords(text, source)
    const words = wordsOf.get(text) ?? readLimitWords(text)
    wordsOf.set(text, words)
    return words.map((limit) => ({ ...limit, source }))
  }

  function readHeaders(responses: JsonObject): readonly string[] {
    let names: Set<string> | undefined
    for (const status of Object.keys(responses)) {
      for (const name of readNames(responses[status])) {
        if (RETRY.test(name) && !THROTTLING.test(status)) continue
        names ??= new Set()
        names.add(name)
      }
    }
    return names ? [...names].slice(0, MAX_HEADERS) : []
  }

  /** Resolves references without warnings: rate limits are optional extra information. */
  function follow(value: unknown): JsonObject | undefined {
    let node = value
    for (let hops = 0; hops <= MAX_HOPS && isObject(node); hops += 1) {
      const ref = refOf(node)
      if (ref === undefined) return node
      if (!ref.startsWith('#')) return undefined
      if (!targets.has(ref)) targets.set(ref, context.find(toPointer(ref)))
      node = targets.get(ref)
    }
    return undefined
  }

  /** Names of a response's rate-limit headers; a shared response is read once. */
  function readNames(value: unknown): readonly string[] {
    if (!isObject(value)) return []
    const ref = refOf(value)
    const known = ref === undefined ? undefined : headersOf.get(ref)
    if (known) return known
    const headers = (ref === undefined ? value : follow(value))?.headers
    const names = headers === undefined ? [] : Object.keys(toObject(headers))
    const found = names.map((name) => name.toLowerCase()).filter(isRateHeader)
    if (ref !== undefined) headersOf.set(ref, found)
    return found
  }
}

const RETRY = /retry-after/
