import { ServiceError } from '../http/problems.ts'
import { isObject, toLink, toList, toObject, toText } from '../schemas/values.ts'
import { findAgreementKind } from '../shared/agreement-kinds.ts'
import { isHttpUrl } from '../shared/urls.ts'
import { readValue } from './read.ts'

/** An API listed in an APIs.json file. */
interface IndexedApi {
  readonly name: string
  /** Name of the index, or empty. */
  readonly provider: string
  /** `baseURL`s, absolute. */
  readonly baseUrls: readonly string[]
  /** Pages for humans, absolute. */
  readonly urls: readonly string[]
  readonly agreements: readonly {
    readonly name: string
    readonly link: string
    /** Agreement type, as spelled by APIs.json. */
    readonly type: string
  }[]
}

/**
 * Reads an APIs.json file in JSON or YAML. Agreements are an API's own properties, then common ones
 * of types that the API itself lacks. Accepts the spellings of all versions (`TermsOfService`,
 * `x-terms-of-service`; `common`, `x-common`). Throws `invalid_description` for other documents.
 */
export function readApisJson(bytes: Uint8Array): readonly IndexedApi[] {
  const index = readValue(bytes)
  if (!isObject(index) || !Array.isArray(index.apis)) {
    throw new ServiceError(
      'invalid_description',
      'Cannot import the index: it is not an APIs.json file, because it has no "apis" list',
    )
  }
  const provider = toText(index.name).trim()
  const common = toAgreements([...toList(index.common), ...toList(index['x-common'])])
  return index.apis.slice(0, MAX_APIS).flatMap((value) => {
    if (!isObject(value)) return []
    const own = toAgreements(toList(value.properties))
    const kinds = new Set(own.map(({ type }) => type))
    return {
      name: toText(value.name).trim().slice(0, MAX_NAME),
      provider: provider.slice(0, MAX_NAME),
      baseUrls: toLinks([value.baseURL, value.baseUrl]),
      urls: toLinks([value.humanURL, value.humanUrl, index.url]),
      agreements: [...own, ...common.filter(({ type }) => !kinds.has(type))].slice(
        0,
        MAX_AGREEMENTS,
      ),
    }
  })
}

const MAX_APIS = 10_000
const MAX_AGREEMENTS = 100
const MAX_NAME = 200
const MAX_LINK = 2000

function toAgreements(properties: readonly unknown[]): IndexedApi['agreements'] {
  const known = new Set<string>()
  return properties.flatMap((value) => {
    const property = toObject(value)
    const found = findType(toText(property.type))
    const link = toLinks([property.url])[0]
    if (!found || link === undefined || known.has(`${found.kind} ${link}`)) return []
    known.add(`${found.kind} ${link}`)
    const name = (toText(property.name) || toText(property.title)).replace(/\s+/g, ' ').trim()
    return { name: name.slice(0, 300) || found.name, link, type: found.kind }
  })
}

/**
 * Finds an agreement type. Looks up whole names only: `SecurityScheme` and `RateLimitingSDK` are
 * not agreements.
 */
function findType(type: string): { readonly kind: string; readonly name: string } | undefined {
  const letters = type
    .replace(/^x-/i, '')
    .replace(/[^a-z]/gi, '')
    .toLowerCase()
  const kind = TYPES.get(letters)
  return kind === undefined ? undefined : findAgreementKind(kind)
}

/** Type names (letters only, lower case) with the label of their agreement kind. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['termsofservice', 'terms'],
  ['termsofuse', 'terms'],
  ['terms', 'terms'],
  ['privacypolicy', 'privacy'],
  ['privacy', 'privacy'],
  ['interfacelicense', 'license'],
  ['license', 'license'],
  ['licensing', 'license'],
  ['servicelevelagreement', 'service level'],
  ['servicelevelagreements', 'service level'],
  ['sla', 'sla'],
  ['pricing', 'pricing'],
  ['plans', 'plans'],
  ['ratelimits', 'rate limits'],
  ['ratelimiting', 'rate limits'],
  ['ratelimit', 'rate limits'],
  ['deprecationpolicy', 'deprecation'],
  ['deprecation', 'deprecation'],
  ['statuspage', 'status'],
  ['status', 'status'],
  ['changelog', 'changelog'],
  ['changelogs', 'changelog'],
  ['releasenotes', 'release notes'],
  ['security', 'security'],
  ['support', 'support'],
  ['documentation', 'documentation'],
])

function toLinks(values: readonly unknown[]): readonly string[] {
  return values.map(toLink).filter((link) => link.length <= MAX_LINK && isHttpUrl(link))
}
