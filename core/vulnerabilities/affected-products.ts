import { splitCpe } from './cpe.ts'
import type {
  AffectedProduct,
  CpeMatch,
  CveConfiguration,
  CveNode,
  CveRecord,
  ReportedProduct,
  VersionRange,
} from './records.ts'
import { toReportedProducts } from './reported-products.ts'
import { toVersionText, withUpdate } from './versions.ts'

/**
 * Collects the products that configurations mark as vulnerable, without their platforms (contract
 * 4.10). Products are grouped by vendor and product in order of first appearance; the versions of a
 * product are distinct and in order, too. A CPE name for any vendor or any product is skipped.
 *
 * @example
 * ```ts
 * import { toAffectedProducts } from 'api-discovery/vulnerabilities'
 *
 * const cpe = 'cpe:2.3:a:apache:log4j:2.14.1:*:*:*:*:*:*:*'
 * const matches = [{ cpe, isVulnerable: true }]
 * const node = { operator: 'OR', isNegated: false, matches, children: [] } as const
 * const products = toAffectedProducts([{ operator: 'OR', isNegated: false, nodes: [node] }])
 * products // [{ vendor: 'apache', product: 'log4j', versions: ['2.14.1'] }]
 * ```
 */
export function toAffectedProducts(
  configurations: readonly CveConfiguration[],
): readonly AffectedProduct[] {
  if (configurations.length === 0) return []
  const found: CollectedProducts = { products: new Map(), last: undefined }
  for (const configuration of configurations) addNodes(found, configuration.nodes)
  return [...found.products.values()].map(({ vendor, product, versions }) => {
    return { vendor, product, versions: [...versions.values()] }
  })
}

/** The affected products of a record. */
export interface RecordProducts {
  /** As contract 4.10 lists them: those of the configurations if they name any, else the reported. */
  readonly listed: readonly AffectedProduct[]
  /** Reported products of a record whose configurations name some: only searches find them. */
  readonly others: readonly AffectedProduct[]
}

/**
 * Collects the affected products of a record.
 *
 * @example
 * ```ts
 * import { toRecordProducts } from 'api-discovery/vulnerabilities'
 *
 * const found = await app.vulnerabilities.findRecord('CVE-2021-44228')
 * const products = found ? toRecordProducts(found.record).listed : []
 * ```
 */
export function toRecordProducts({
  configurations,
  reported = [],
}: Pick<CveRecord, 'configurations' | 'reported'>): RecordProducts {
  const affected = toAffectedProducts(configurations)
  const stated = toReportedProducts(reported)
  return affected.length === 0
    ? { listed: stated, others: [] }
    : { listed: affected, others: stated }
}

/** An affected product by one source, with its versions in order. */
export interface StatedProduct extends AffectedProduct {
  /** `nvd@nist.gov` for the configurations. */
  readonly source: string
  /** The reporter's own statement; undefined for the configurations. */
  readonly reported?: ReportedProduct | undefined
}

/**
 * Lists the affected products by source: those of the configurations, then the reported ones.
 * `affected` is for callers that already have those of the configurations.
 *
 * @example
 * ```ts
 * import { listStatedProducts } from 'api-discovery/vulnerabilities'
 *
 * const found = await app.vulnerabilities.findRecord('CVE-2021-44228')
 * for (const { source, vendor, product } of found ? listStatedProducts(found.record) : [])
 *   console.log(source, vendor, product)
 * ```
 */
export function listStatedProducts(
  { configurations, reported = [] }: Pick<CveRecord, 'configurations' | 'reported'>,
  affected: readonly AffectedProduct[] = toAffectedProducts(configurations),
): readonly StatedProduct[] {
  return [
    ...affected.map((product) => ({ ...product, source: NVD_SOURCE })),
    ...reported.flatMap((one) =>
      toReportedProducts([one]).map((product) => {
        return { ...product, source: one.source, reported: one }
      }),
    ),
  ]
}

const NVD_SOURCE = 'nvd@nist.gov'

/**
 * Counts the versions and ranges that a record lists for one product. `affected` is for callers that
 * already have the products of the configurations.
 *
 * @example
 * ```ts
 * import { countVersions } from 'api-discovery/vulnerabilities'
 *
 * const found = await app.vulnerabilities.findRecord('CVE-2021-44228')
 * const name = { vendor: 'apache', product: 'log4j' }
 * const count = found ? countVersions(found.record, name) : 0
 * ```
 */
export function countVersions(
  { configurations, reported = [] }: Pick<CveRecord, 'configurations' | 'reported'>,
  name: Pick<AffectedProduct, 'vendor' | 'product'>,
  affected: readonly AffectedProduct[] = toAffectedProducts(configurations),
): number {
  const listed = affected.length === 0 ? toReportedProducts(reported) : affected
  const found = listed.find(
    ({ vendor, product }) => vendor === name.vendor && product === name.product,
  )
  // Ranges of several statements may have the same text.
  return new Set(
    found?.versions.map((each) => (typeof each === 'string' ? each : toVersionText(each))),
  ).size
}

/**
 * Formats each affected version as `<vendor> <product> <version>`, in the record's order (4.10).
 */
export function toProductLines(products: readonly AffectedProduct[]): readonly string[] {
  const lines = products.flatMap(({ vendor, product, versions }) =>
    versions.map((version) => `${vendor} ${product} ${toVersionText(version)}`),
  )
  return [...new Set(lines)]
}

interface CollectedProducts {
  readonly products: Map<string, ProductBuilder>
  /** The product of the previous match: most matches name the same product again. */
  last: ProductBuilder | undefined
}

interface ProductBuilder {
  readonly vendor: string
  readonly product: string
  /** The CPE up to the version, if it contains no escape; else empty. */
  readonly prefix: string
  /** Keyed by version text. */
  readonly versions: Map<string, string | VersionRange>
}

function addNodes(found: CollectedProducts, nodes: readonly CveNode[]): void {
  for (const node of nodes) {
    for (const match of node.matches) if (match.isVulnerable) addMatch(found, match)
    if (node.children.length > 0) addNodes(found, node.children)
  }
}

function addMatch(found: CollectedProducts, match: CpeMatch): void {
  const { cpe, range } = match
  const { last } = found
  if (last && last.prefix !== '' && cpe.startsWith(last.prefix)) {
    const rest = cpe.slice(last.prefix.length)
    if (!rest.includes('\\')) {
      const colon = rest.indexOf(':')
      const update = rest.slice(colon + 1, rest.indexOf(':', colon + 1))
      addVersion(last, range ?? withUpdate(rest.slice(0, colon), update))
      return
    }
  }
  const [, , part = '', vendor = '', product = '', version = '', update = ''] = splitCpe(cpe)
  if (!isProductName(vendor) || !isProductName(product)) return
  const prefix = cpe.includes('\\') ? '' : `cpe:2.3:${part}:${vendor}:${product}:`
  found.last = findOrAddProduct(found.products, { vendor, product, prefix })
  addVersion(found.last, range ?? withUpdate(version, update))
}

function findOrAddProduct(
  products: Map<string, ProductBuilder>,
  named: Omit<ProductBuilder, 'versions'>,
): ProductBuilder {
  const key = `${named.vendor}\n${named.product}`
  const known = products.get(key)
  if (known) return known
  const added: ProductBuilder = { ...named, versions: new Map() }
  products.set(key, added)
  return added
}

function addVersion(product: ProductBuilder, version: string | VersionRange): void {
  const text = typeof version === 'string' ? version : toVersionText(version)
  if (!product.versions.has(text)) product.versions.set(text, version)
}

function isProductName(value: string): boolean {
  return value !== '*' && value !== '-' && value !== ''
}
