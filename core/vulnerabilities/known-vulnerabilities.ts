import { foldName } from '../shared/text.ts'
import { toRecordProducts } from './affected-products.ts'
import { toVendorKey } from './names.ts'
import type { KnownVulnerability } from './records.ts'
import { selectProducts } from './search/product-filter.ts'
import type { CveFilters } from './search/query.ts'
import type { ExtendedRecord } from './search/results.ts'
import type { VulnerabilityReads } from './service.ts'

/** The API whose vulnerabilities are requested. */
export interface NamedApi {
  readonly name: string
  readonly vendorName: string
}

/** Vulnerabilities of the products that match an API. */
export interface KnownVulnerabilities {
  /** Exploited ones first, then newest first; at most `limit`. */
  readonly found: readonly KnownVulnerability[]
  /**
   * Total number. If not all CVEs of a product were read, a CVE of several products counts for
   * each.
   */
  readonly count: number
  /** How many of `count` are known to be exploited. */
  readonly exploited: number
}

/** Which CVEs to find. */
export interface KnownVulnerabilitiesRequest {
  readonly api: NamedApi
  /** Limit on the CVEs returned; the counts cover all. */
  readonly limit: number
  /** Minimum score, 0 to 10, of the newest CVSS version that a record has. */
  readonly minScore?: number | undefined
}

/** Words in the name of an API that identify no product. */
const GENERIC = new Set(
  'api apis rest web http service services public open platform cloud v1 v2 v3 the for and'.split(
    ' ',
  ),
)

/** Part of every CVE ID: a search for it lets the filters alone decide. */
const MATCH_ALL_TERM = 'cve'
const MAX_PRODUCTS = 10

/**
 * Finds the CVEs of an API's vendor and product by name only. A product matches if every word of
 * its name occurs in the name of the API or of its vendor. The vendor's actual version is
 * unknown, so the results are unconfirmed.
 *
 * @example
 * ```ts
 * import { findKnownVulnerabilities } from 'api-discovery/vulnerabilities'
 *
 * const api = { name: 'Confluence Cloud', vendorName: 'Atlassian' }
 * const request = { api, limit: 10, minScore: 7 }
 * const { found, count } = await findKnownVulnerabilities(app.vulnerabilities, request)
 * for (const { id, isExploited } of found) console.log(id, isExploited)
 * ```
 */
export async function findKnownVulnerabilities(
  vulnerabilities: Pick<VulnerabilityReads, 'listProducts' | 'search'>,
  request: KnownVulnerabilitiesRequest,
): Promise<KnownVulnerabilities> {
  const { api, limit, minScore } = request
  const score = minScore === undefined ? undefined : ({ operator: '>=', value: minScore } as const)
  const found = new Map<string, KnownVulnerability>()
  let count = 0
  let exploited = 0
  let isWhole = true
  const names = toProductWords(api)
  for (const vendor of toVendorKeys(api.vendorName)) {
    const listed = await vulnerabilities.listProducts(vendor)
    const products = listed.filter((product) => isNamed(product, names)).slice(0, MAX_PRODUCTS)
    for (const product of products) {
      const filters = { vendor, product, score }
      const all = await searchProduct(filters)
      const isRead = all.hits.length === all.count
      // If all were read, they include the exploited ones.
      const known = all.hits.filter(({ isExploited }) => isExploited)
      const first = isRead
        ? { hits: known, count: known.length }
        : await searchProduct({ ...filters, isExploited: true })
      exploited += first.count
      count += all.count
      isWhole &&= isRead
      for (const each of [...first.hits, ...all.hits]) {
        if (!found.has(each.id)) found.set(each.id, each)
      }
    }
    if (products.length > 0) break
  }
  const sorted = [...found.values()].sort(
    (a, b) =>
      Number(b.isExploited) - Number(a.isExploited) ||
      b.publishedAt - a.publishedAt ||
      (a.id < b.id ? -1 : 1),
  )
  if (isWhole) {
    count = sorted.length
    exploited = sorted.filter(({ isExploited }) => isExploited).length
  }
  return { found: sorted.slice(0, limit), count, exploited }

  async function searchProduct(
    filters: CveFilters & { readonly vendor: string; readonly product: string },
  ) {
    const page = { page: 1, size: Math.max(1, limit) }
    const results = await vulnerabilities.search({
      term: MATCH_ALL_TERM,
      filters,
      page,
      isExtended: true,
    })
    const hits: KnownVulnerability[] = []
    for await (const batch of results.hits) {
      for (const { extended } of batch)
        if (extended) hits.push(toKnownVulnerability(extended, filters))
    }
    return { count: results.count, hits }
  }
}

/**
 * Returns the APIs whose names match one of the products, as in `findKnownVulnerabilities`, in
 * input order. Versions are not compared, so the results are unconfirmed.
 *
 * @example
 * ```ts
 * import { findNamedApis } from 'api-discovery/vulnerabilities'
 *
 * const apis = [
 *   { name: 'Confluence Cloud', vendorName: 'Atlassian' },
 *   { name: 'Skycast Weather', vendorName: 'Skycast' },
 * ]
 * const named = findNamedApis(apis, [{ vendor: 'atlassian', product: 'confluence' }])
 * named.map(({ name }) => name) // ['Confluence Cloud']
 * ```
 */
export function findNamedApis<T extends NamedApi>(
  apis: Iterable<T>,
  products: readonly { readonly vendor: string; readonly product: string }[],
): readonly T[] {
  const byVendor = new Map<string, string[]>()
  for (const { vendor, product } of products) {
    const key = toVendorKey(vendor)
    const known = byVendor.get(key)
    if (known) known.push(product)
    else byVendor.set(key, [product])
  }
  const keys = new Map<string, readonly string[]>()
  function toKeys(name: string): readonly string[] {
    const known = keys.get(name) ?? toVendorKeys(name)
    keys.set(name, known)
    return known
  }
  return [...apis].filter((api) =>
    toKeys(api.vendorName).some((vendor) => {
      const listed = byVendor.get(vendor)
      const names = listed && toProductWords(api)
      return names && listed.some((product) => isNamed(product, names))
    }),
  )
}

function toKnownVulnerability(
  extended: ExtendedRecord,
  filter: { readonly vendor: string; readonly product: string },
): KnownVulnerability {
  const { listed, others } = toRecordProducts(extended.record)
  const [product = filter] = selectProducts([...listed, ...others], filter)
  return toVulnerabilityFacts(extended, product)
}

/** Extracts the facts of a record that concern a product. */
export function toVulnerabilityFacts(
  { record, exploited }: ExtendedRecord,
  { vendor, product }: { readonly vendor: string; readonly product: string },
): KnownVulnerability {
  return {
    id: record.id,
    description: record.descriptions[0]?.text ?? '',
    publishedAt: record.publishedAt,
    modifiedAt: record.modifiedAt,
    metric: record.metrics[0],
    weaknesses: [...new Set(record.weaknesses.map(({ id }) => id))],
    isExploited: exploited !== undefined,
    authority: isOfNvd(record) ? 'nvd' : 'cve',
    vendor,
    product,
  }
}

/** A record without authorities is one of NVD alone. */
function isOfNvd({ authorities }: ExtendedRecord['record']): boolean {
  return authorities?.some(({ authority }) => authority === 'nvd') ?? true
}

/** Returns the keys of a vendor: `acmedata` for `Acme Data, Inc.`, and `acme` for `acme.com`. */
function toVendorKeys(name: string): readonly string[] {
  const folded = foldName(name)
  const [, domain] = /^(?:[\w-]+\.)*([\w-]+)\.[a-z]{2,}$/i.exec(folded.trim()) ?? []
  return [toVendorKey(folded), ...(domain === undefined ? [] : [toVendorKey(domain)])]
}

/** Returns the words that may occur in the name of a product of the API. */
function toProductWords({ name, vendorName }: NamedApi): ReadonlySet<string> {
  const ofVendor = splitNameWords(vendorName)
  return new Set([...splitNameWords(name), ...ofVendor, ofVendor.join('')])
}

function isNamed(product: string, names: ReadonlySet<string>): boolean {
  const words = splitNameWords(product)
  return words.some((word) => !GENERIC.has(word)) && words.every((word) => names.has(word))
}

function splitNameWords(name: string): readonly string[] {
  return foldName(name).match(/[\p{L}\p{N}]+/gu) ?? []
}
