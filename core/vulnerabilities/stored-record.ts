import { toAffectedProducts } from './affected-products.ts'
import { pickScore } from './cvss.ts'
import type { AffectedProduct, CveRecord, CvssMetric, VersionRange } from './records.ts'
import type { StoredRecord } from './store.ts'
import { packBounds, unpackBounds } from './stored/configurations.ts'
import { packDetail, unpackDetail } from './stored/detail.ts'
import { toVersionText } from './versions.ts'

/**
 * Converts a record to its stored form: the JSON of its fields of Specification 2.5 (about 500
 * bytes), its affected products, and all other data. The latter two are packed JSON. `products` are
 * those of the configurations, for callers that already have them.
 */
export function toStoredRecord(
  record: CveRecord,
  products: readonly AffectedProduct[] = toAffectedProducts(record.configurations),
): StoredRecord {
  return {
    line: toRecordLine(record, products[0]),
    products: products.length === 0 ? '' : JSON.stringify(products.map(packProduct)),
    detail: packDetail(record),
  }
}

/** Restores the record; needs all columns but `products`. */
export function fromStoredRecord(stored: Pick<StoredRecord, 'line' | 'detail'>): CveRecord {
  // The cast is safe: only `toRecordLine` writes it.
  const line = JSON.parse(stored.line) as {
    readonly cve_id: string
    readonly cve_description: string
  }
  return unpackDetail(stored.detail, { id: line.cve_id, description: line.cve_description })
}

/** Unpacks the affected products from the column `products`. */
export function unpackProducts(products: string): readonly AffectedProduct[] {
  if (products === '') return []
  // The cast is safe: only `toStoredRecord` writes it.
  return (JSON.parse(products) as readonly PackedProduct[]).map(
    ([vendor, product, ...versions]) => {
      return { vendor, product, versions: versions.map(unpackVersion) }
    },
  )
}

/** Vendor, product and versions; a range is an array of its bounds. */
type PackedProduct = readonly [string, string, ...(string | readonly string[])[]]

function packProduct({ vendor, product, versions }: AffectedProduct): PackedProduct {
  return [vendor, product, ...versions.map(packVersion)]
}

function packVersion(version: string | VersionRange): string | readonly string[] {
  return typeof version === 'string' ? version : packBounds(version)
}

function unpackVersion(packed: string | readonly string[]): string | VersionRange {
  return typeof packed === 'string' ? packed : unpackBounds(packed)
}

function toRecordLine(record: CveRecord, product: AffectedProduct | undefined): string {
  const two = pickScore(record.metrics, '2.0')
  const three = pickScore(record.metrics, '3')
  const version = product?.versions[0]
  return JSON.stringify({
    cve_id: record.id,
    cve_description: record.descriptions[0]?.text ?? '',
    vendor: product?.vendor ?? '-',
    product: product?.product ?? '-',
    version: version === undefined ? '-' : toVersionText(version),
    cvssv2_score: toScoreText(two),
    cvssv2_severity: two?.severity || '-',
    cvssv3_score: toScoreText(three),
    cvssv3_severity: three?.severity || '-',
    year_published: new Date(record.publishedAt).getUTCFullYear(),
  })
}

function toScoreText(metric: CvssMetric | undefined): string {
  return metric === undefined ? '-' : metric.score.toFixed(1)
}
