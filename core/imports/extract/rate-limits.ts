import type { DeclaredRateLimit, DeclaredRateLimits } from '../../catalogue/records.ts'
import { isRateHeader } from '../../egress/rate-names.ts'
import { getRef, refToPointer } from '../../schemas/refs.ts'
import { asList, asObject, asText, isObject, type JsonObject } from '../../schemas/values.ts'
import { truncateText } from '../../shared/text.ts'
import {
  type DeclaredLimit,
  parseLimitProse,
  uniqueLimits,
} from '../rate-limits/parse-limit-prose.ts'
import { readExtensionLimits } from '../rate-limits/read-extension-limits.ts'
import type { ExtractionContext } from './context.ts'

/** Reads the rate limits that a description declares for its operations. */
export interface RateLimitReader {
  /** Undefined if none are declared. `tags` are names, nearest first. */
  read(of: {
    readonly operation: JsonObject
    readonly item: JsonObject
    readonly tags: readonly string[]
  }): DeclaredRateLimits | undefined
}

const MAX_HEADERS = 16
const MAX_TAG = 60
const MAX_HOPS = 8
/** Shorter texts are parsed directly: that takes less time than a cache lookup. */
const UNCACHED_LENGTH = 60

/**
 * Statuses whose `Retry-After` concerns the rate of calls; with others, it is the time until a
 * started job ends.
 */
const THROTTLING_STATUS = /^(?:403|429|503|4xx|5xx|default)$/i

/** Limits that an operation itself declares, independent of its path and tags. */
interface OwnLimits {
  readonly headers: readonly string[]
  readonly extensions: readonly DeclaredRateLimit[]
  readonly words: readonly DeclaredRateLimit[]
}

/** Creates the reader of one description. Parts that several operations share are read once. */
export function createRateLimitReader(context: ExtractionContext): RateLimitReader {
  const { document } = context
  const info = asObject(document.info)
  const ownOf = new Map<JsonObject, OwnLimits>()
  const headersOf = new Map<string, readonly string[]>()
  const extensionsOf = new Map<JsonObject, readonly DeclaredRateLimit[]>()
  const wordsOf = new Map<string, readonly DeclaredLimit[]>()
  const tagWords = new Map<string, readonly DeclaredRateLimit[]>()
  const known = new Map<string, DeclaredRateLimits>()
  const resolveSilently = createSilentResolver(context)
  for (const tag of asList(document.tags).map(asObject)) {
    const name = asText(tag.name)
    const place = `words of the tag ${truncateText(name, MAX_TAG)}`
    const words = readWords(asText(tag.description), place)
    if (words.length > 0) tagWords.set(name, words)
  }
  const ofInfo = readWords(asText(info.description), 'words of the description')
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
      return deduplicate({ headers: own.headers, limits: uniqueLimits(limits) })
    },
  }

  function readOwn(operation: JsonObject): OwnLimits {
    const responses = asObject(operation.responses)
    const refusal = resolveSilently(responses['429'])
    return {
      headers: readHeaders(responses),
      extensions: readExtensions(operation, 'operation'),
      words: [
        ...readWords(asText(operation.description), 'words of the operation'),
        ...readWords(asText(operation.summary), 'words of the operation'),
        ...readShared(refusal?.description, 'words of the answer 429'),
      ],
    }
  }

  /** Returns the same object for equal limits, as each object is measured and serialised. */
  function deduplicate(limits: DeclaredRateLimits): DeclaredRateLimits {
    const name = JSON.stringify(limits)
    const same = known.get(name) ?? limits
    known.set(name, same)
    return same
  }

  /** Extensions of a path override those of the whole API. */
  function readPathExtensions(item: JsonObject): readonly DeclaredRateLimit[] {
    const ofPath = extensionsOf.get(item) ?? readExtensions(item, 'path')
    extensionsOf.set(item, ofPath)
    return ofPath.length > 0 ? ofPath : ofDocument
  }

  function readExtensions(owner: JsonObject, place: string): readonly DeclaredRateLimit[] {
    const found = readLimitExtensions(owner, resolveSilently)
    return found.map(({ name, ...limit }) => ({ ...limit, source: `${name} of the ${place}` }))
  }

  /** Reads a text that several operations may share. */
  function readShared(value: unknown, source: string): readonly DeclaredRateLimit[] {
    if (value === undefined) return []
    const text = asText(value)
    if (text.length < UNCACHED_LENGTH) return readWords(text, source)
    const words = wordsOf.get(text) ?? parseLimitProse(text)
    wordsOf.set(text, words)
    return words.map((limit) => ({ ...limit, source }))
  }

  function readHeaders(responses: JsonObject): readonly string[] {
    let names: Set<string> | undefined
    for (const status of Object.keys(responses)) {
      for (const name of readHeaderNames(responses[status])) {
        if (RETRY_HEADER.test(name) && !THROTTLING_STATUS.test(status)) continue
        names ??= new Set()
        names.add(name)
      }
    }
    return names ? [...names].slice(0, MAX_HEADERS) : []
  }

  /** Names of a response's rate-limit headers; a shared response is read once. */
  function readHeaderNames(value: unknown): readonly string[] {
    if (!isObject(value)) return []
    const ref = getRef(value)
    const known = ref === undefined ? undefined : headersOf.get(ref)
    if (known) return known
    const headers = (ref === undefined ? value : resolveSilently(value))?.headers
    const names = headers === undefined ? [] : Object.keys(asObject(headers))
    const found = names.map((name) => name.toLowerCase()).filter(isRateHeader)
    if (ref !== undefined) headersOf.set(ref, found)
    return found
  }
}

/** Resolves references without warnings: rate limits are optional extra information. */
function createSilentResolver(
  context: ExtractionContext,
): (value: unknown) => JsonObject | undefined {
  const targets = new Map<string, unknown>()
  return (value) => {
    let node = value
    for (let hops = 0; hops <= MAX_HOPS && isObject(node); hops += 1) {
      const ref = getRef(node)
      if (ref === undefined) return node
      if (!ref.startsWith('#')) return undefined
      if (!targets.has(ref)) targets.set(ref, context.find(refToPointer(ref)))
      node = targets.get(ref)
    }
    return undefined
  }
}

function readWords(text: string, source: string): readonly DeclaredRateLimit[] {
  return text === '' ? [] : parseLimitProse(text).map((limit) => ({ ...limit, source }))
}

const RETRY_HEADER = /retry-after/

/** A limit and the extension that declares it. */
type ExtensionLimit = DeclaredLimit & { readonly name: string }

/**
 * Names of extensions that declare limits, in lower case without hyphens and underscores, and their
 * sources:
 *
 * | Extension | Source |
 * |---|---|
 * | `x-ratelimit`, `x-rate-limit`, `x-rateLimits`, `x-throttling`, `x-quota` | many, in every shape
 * |
 * | `x-<vendor>-rate-limit(s)` | Yandex API Gateway (`rps`, `rpm`), Roblox |
 * | `x-throttling-tier`, `x-wso2-throttling-tier` | WSO2 (`10KPerMin`) |
 * | `x-throttling-info` | Infobip (`numberOfRequests`, `numberOfTimeUnits`, `timeUnit`) |
 * | `x-kong-plugin-rate-limiting`, `…-advanced` | Kong (`minute`, or lists of limits and windows) |
 * | `x-apisix-plugins` | Apache APISIX (`limit-count`, `limit-req`) |
 * | `x-kuadrant` | Kuadrant (`rate_limit.rates`) |
 * | `x-tyk-api-gateway` | Tyk (`rate`, `per`) |
 *
 * AWS, Azure and Zuplo store limits outside descriptions.
 */
const LIMIT_EXTENSION =
  /^x(?:(?:[a-z0-9]{1,40})?ratelimit(?:s|ing|ingadvanced)?|throttl(?:e|ing|ings|inginfo|inglimits?)|quotas?|apisixplugins|kuadrant|tykapigateway)$/
/** Names of tiers: only those with a number and a duration are read. */
const TIER_EXTENSION = /^x(?:wso2)?throttlingtier$/
/** Flat members of one limit, such as `x-ratelimit-limit` with `x-ratelimit-window`. */
const FLAT_MEMBER = /^x-?rate-?limit[-_](.{1,40})$/i

const MAX_KEYS = 200

/**
 * Reads the limits that the extensions of an object declare: at most eight, in order. `resolve`
 * follows a local reference, as some of them are references.
 */
export function readLimitExtensions(
  owner: JsonObject,
  resolve: (value: unknown) => JsonObject | undefined,
): readonly ExtensionLimit[] {
  const found: ExtensionLimit[] = []
  const flat: [string, unknown][] = []
  for (const key of Object.keys(owner)) {
    if (!/^x-/i.test(key) || key.length > 80) continue
    const plain = key.toLowerCase().replace(/[-_]/g, '')
    const isTier = TIER_EXTENSION.test(plain)
    if (isTier || LIMIT_EXTENSION.test(plain)) {
      const value = isObject(owner[key]) ? (resolve(owner[key]) ?? {}) : owner[key]
      for (const limit of readExtensionLimits(value, isTier)) found.push({ ...limit, name: key })
    } else if (flat.length < MAX_KEYS) {
      const member = FLAT_MEMBER.exec(key)?.[1]
      if (member !== undefined) flat.push([member, owner[key]])
    }
  }
  if (flat.length > 0) {
    for (const limit of readExtensionLimits(Object.fromEntries(flat), false)) {
      found.push({ ...limit, name: 'x-ratelimit' })
    }
  }
  return uniqueLimits(found)
}
