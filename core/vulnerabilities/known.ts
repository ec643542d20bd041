import { foldName } from '../shared/text.ts'
import type { CvssMetric } from './records.ts'
import type { CveFilters } from './search/query.ts'
import type { ExtendedRecord } from './search/results.ts'
import type { VulnerabilityReads } from './service.ts'

/** The API whose vulnerabilities are asked for. */
export interface NamedApi {
  readonly name: string
  readonly vendorName: string
}

/** A CVE of a product that goes by the names of an API and its vendor. */
export interface KnownVulnerability {
  readonly id: string
  /** English, or empty. */
  readonly description: string
  /** Milliseconds since the epoch. */
  readonly publishedAt: number
  readonly modifiedAt: number
  /** Newest CVSS version; undefined where the record has none. */
  readonly metric: CvssMetric | undefined
  /** As `CWE-79`. */
  readonly weaknesses: readonly string[]
  /** Known to be exploited (CISA KEV). */
  readonly isExploited: boolean
  /** The product as its CPE names it. */
  readonly vendor: string
  readonly product: string
}

/** What is known of an API's vendor and product. */
export interface KnownVulnerabilities {
  /** The exploited ones first, then the newest; at most `limit`. */
  readonly found: readonly KnownVulnerability[]
  /** How many there are; one that several products have counts for each, where not all were read. */
  readonly count: number
  /** How many of `count` are known to be exploited. */
  readonly exploited: number
}

/** Which CVEs are asked for. */
export interface KnownRequest {
  readonly api: NamedApi
  /** How many to name at most; the counts are of all. */
  readonly limit: number
  /** Only those whose score, of the newest CVSS version that the record has, is as high: 0 to 10. */
  readonly minScore?: number | undefined
}

/** Words of an API's name that name no product. */
const GENERIC = new Set(
  'api apis rest web http service services public open platform cloud v1 v2 v3 the for and'.split(
    ' ',
  ),
)

/** Stands in the id of every record: with it, filters alone decide. */
const EVERY = 'cve'
const MAX_PRODUCTS = 10

/**
 * Finds the CVEs of an API's vendor and product, by their names alone: a product counts when every
 * word of its CPE name stands in the name of the API or of its vendor. It says nothing of the
 * version that the vendor runs: what is found is unconfirmed.
 */
export async function findKnownVulnerabilities(
  vulnerabilities: Pick<VulnerabilityReads, 'listProducts' | 'search'>,
  request: KnownRequest,
): Promise<KnownVulnerabilities> {
  const { api, limit, minScore } = request
  const score = minScore === undefined ? undefined : ({ operator: '>=', value: minScore } as const)
  const found = new Map<string, KnownVulnerability>()
  let count = 0
  let exploited = 0
  let isWhole = true
  const names = toNames(api)
  for (const vendor of toCpeVendors(api.vendorName)) {
    const listed = await vulnerabilities.listProducts(vendor)
    const products = listed.filter((product) => isNamed(product, names)).slice(0, MAX_PRODUCTS)
    for (const product of products) {
      const filters = { vendor, product, score }
      const all = await read(filters)
      const isRead = all.hits.length === all.count
      // Where all were read, the exploited ones are among them.
      const known = all.hits.filter(({ isExploited }) => isExploited)
      const first = isRead
        ? { hits: known, count: known.length }
        : await read({ ...filters, isExploited: true })
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

  async function read(filters: CveFilters & { readonly vendor: string; readonly product: string }) {
    const page = { page: 1, size: Math.max(1, limit) }
    const results = await vulnerabilities.search({ term: EVERY, filters, page, isExtended: true })
    const hits: KnownVulnerability[] = []
    for await (const batch of results.hits) {
      for (const { extended } of batch) if (extended) hits.push(toKnown(extended, filters))
    }
    return { count: results.count, hits }
  }
}

/**
 * The APIs that go by the names of one of the products, as `findKnownVulnerabilities` sees it, in
 * their order. It says nothing of versions: what is found is unconfirmed.
 */
export function findNamedApis<T extends NamedApi>(
  apis: Iterable<T>,
  products: readonly { readonly vendor: string; readonly product: string }[],
): readonly T[] {
  const byVendor = new Map<string, string[]>()
  for (const { vendor, product } of products) {
    const known = byVendor.get(vendor)
    if (known) known.push(product)
    else byVendor.set(vendor, [product])
  }
  /** What a vendor's name may hold at all, without the work of spelling it. */
  const letters = [...byVendor.keys()].map((vendor) => vendor.replace(/[^a-z0-9]/g, ''))
  const spellings = new Map<string, readonly string[]>()
  function spell(name: string): readonly string[] {
    const known = spellings.get(name)
    if (known) return known
    const bare = foldName(name).replace(/[^\p{L}\p{N}]/gu, '')
    const isLikely = letters.some((each) => bare.includes(each))
    const spelled = isLikely ? toCpeVendors(name) : []
    spellings.set(name, spelled)
    return spelled
  }
  return [...apis].filter((api) =>
    spell(api.vendorName).some((vendor) => {
      const listed = byVendor.get(vendor)
      const names = listed && toNames(api)
      return names && listed.some((product) => isNamed(product, names))
    }),
  )
}

function toKnown(
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
    vendor,
    product,
  }
}

/** The spellings under which CPE names may have a vendor: `Acme Data, Inc.` is `acme_data`. */
function toCpeVendors(name: string): readonly string[] {
  const words = toWords(name.replace(/[.,]?\s*\b(?:inc|ltd|llc|gmbh|corp|co|ag|s\.?a)\b\.?/gi, ''))
  if (words.length === 0) return []
  const domain = /^(?:[\w-]+\.)*([\w-]+)\.[a-z]{2,}$/i.exec(name.trim())?.[1]?.toLowerCase()
  return [
    ...new Set([words.join('_'), words.join(''), words.join('-'), ...(domain ? [domain] : [])]),
  ]
}

/** Words that the product of an API may have. */
function toNames({ name, vendorName }: NamedApi): ReadonlySet<string> {
  const ofVendor = toWords(vendorName)
  return new Set([...toWords(name), ...ofVendor, ofVendor.join('')])
}

function isNamed(product: string, names: ReadonlySet<string>): boolean {
  const words = toWords(product)
  return words.some((word) => !GENERIC.has(word)) && words.every((word) => names.has(word))
}

function toWords(name: string): readonly string[] {
  return foldName(name).match(/[\p{L}\p{N}]+/gu) ?? []
}
