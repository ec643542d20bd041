import { ServiceError } from '../errors.ts'
import { asHttpUrl, asList, asObject, asText, isObject } from '../schemas/values.ts'
import { findAgreementKind } from '../shared/agreement-kinds.ts'
import { isHttpUrl } from '../shared/urls.ts'
import { readValue } from './read-description.ts'

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
  const provider = asText(index.name).trim()
  const common = readAgreements([...asList(index.common), ...asList(index['x-common'])])
  return index.apis.slice(0, MAX_APIS).flatMap((value) => {
    if (!isObject(value)) return []
    const own = readAgreements(asList(value.properties))
    const kinds = new Set(own.map(({ type }) => type))
    return {
      name: asText(value.name).trim().slice(0, MAX_NAME),
      provider: provider.slice(0, MAX_NAME),
      baseUrls: toHttpLinks([value.baseURL, value.baseUrl]),
      urls: toHttpLinks([value.humanURL, value.humanUrl, index.url]),
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

function readAgreements(properties: readonly unknown[]): IndexedApi['agreements'] {
  const known = new Set<string>()
  return properties.flatMap((value) => {
    const property = asObject(value)
    const found = findAgreementType(asText(property.type))
    const link = toHttpLinks([property.url])[0]
    if (!found || link === undefined || known.has(`${found.kind} ${link}`)) return []
    known.add(`${found.kind} ${link}`)
    const name = (asText(property.name) || asText(property.title)).replace(/\s+/g, ' ').trim()
    return { name: name.slice(0, 300) || found.name, link, type: found.kind }
  })
}

/**
 * Finds an agreement type. Looks up whole names only: `SecurityScheme` and `RateLimitingSDK` are
 * not agreements.
 */
function findAgreementType(
  type: string,
): { readonly kind: string; readonly name: string } | undefined {
  const normalisedType = type
    .replace(/^x-/i, '')
    .replace(/[^a-z]/gi, '')
    .toLowerCase()
  const kind = AGREEMENT_TYPES.get(normalisedType)
  return kind === undefined ? undefined : findAgreementKind(kind)
}

/** Type names (letters only, lower case) with the label of their agreement kind. */
const AGREEMENT_TYPES: ReadonlyMap<string, string> = new Map([
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

function toHttpLinks(values: readonly unknown[]): readonly string[] {
  return values.map(asHttpUrl).filter((link) => link.length <= MAX_LINK && isHttpUrl(link))
}
