import { ServiceError } from '../http/problems.ts'
import { isObject, toLink, toList, toObject, toText } from '../schemas/values.ts'
import { findAgreementKind } from '../shared/agreement-kinds.ts'
import { isHttpUrl } from '../shared/urls.ts'
import { readValue } from './read.ts'

/** What an APIs.json file says of one API. */
interface IndexedApi {
  readonly name: string
  /** Who offers the index, or empty. */
  readonly provider: string
  /** `baseURL`s, absolute. */
  readonly baseUrls: readonly string[]
  /** Pages for people, absolute. */
  readonly urls: readonly string[]
  readonly agreements: readonly {
    readonly name: string
    readonly link: string
    /** In APIs.json words. */
    readonly type: string
  }[]
}

/**
 * Reads an APIs.json file, JSON or YAML: the properties of each API that are agreements, then the common ones
 * of a kind that it has not. Versions differ in spelling alone (`TermsOfService`,
 * `x-terms-of-service`; `common`, `x-common`). Throws `invalid_description` for another document.
 */
export function readApisJson(bytes: Uint8Array): readonly IndexedApi[] {
  const index = readValue(bytes)
  if (!isObject(index) || !Array.isArray(index.apis)) {
    throw new ServiceError(
      'invalid_description',
      'Cannot read the index: it is no APIs.json: it has no list "apis"',
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

/** Types that are no agreements, though their words are: `SecurityScheme`, `RateLimitingSDK`. */
function findType(type: string): { readonly kind: string; readonly name: string } | undefined {
  const letters = type
    .replace(/^x-/i, '')
    .replace(/[^a-z]/gi, '')
    .toLowerCase()
  const kind = TYPES.get(letters)
  return kind === undefined ? undefined : findAgreementKind(kind)
}

/** Types by their letters in lower case, with the label of the kind that each is. */
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
