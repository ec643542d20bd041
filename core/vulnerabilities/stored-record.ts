import { type RecordProducts, toRecordProducts } from './affected-products.ts'
import { pickScore } from './cvss.ts'
import type { AffectedProduct, CveRecord, CvssMetric, VersionRange } from './records.ts'
import type { StoredRecord } from './store.ts'
import { packBounds, unpackBounds } from './stored/configurations.ts'
import { packDetail, unpackDetail } from './stored/detail.ts'
import { toVersionText } from './versions.ts'

/**
 * Converts a record to its stored form: the JSON of its fields of Specification 2.5 (about 500
 * bytes), its affected products, and all other data. The latter two are packed JSON. `products` is
 * for callers that already have them.
 */
export function toStoredRecord(
  record: CveRecord,
  products: RecordProducts = toRecordProducts(record),
): StoredRecord {
  return {
    line: toRecordLine(record, products.listed[0]),
    products: packProducts(products),
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
export function unpackProducts(products: string): RecordProducts {
  if (products === '') return NO_PRODUCTS
  // The cast is safe: only `toStoredRecord` writes it.
  const packed = JSON.parse(products) as readonly (PackedProduct | 0)[]
  const end = packed.indexOf(0)
  const unpack = (list: readonly (PackedProduct | 0)[]) =>
    list.flatMap((each) => (each === 0 ? [] : [unpackProduct(each)]))
  return end < 0
    ? { listed: unpack(packed), others: [] }
    : { listed: unpack(packed.slice(0, end)), others: unpack(packed.slice(end)) }
}

const NO_PRODUCTS: RecordProducts = { listed: [], others: [] }

/** Vendor, product and versions. */
type PackedProduct = readonly [string, string, ...(string | PackedRange)[]]

/** The bounds, the scheme after `#`, and the exceptions. */
type PackedRange = readonly (string | PackedException)[]

// An interface, because a tuple type cannot refer to itself.
interface PackedException extends PackedRange {}

/** The others follow after a 0. */
function packProducts({ listed, others }: RecordProducts): string {
  if (listed.length + others.length === 0) return ''
  const packed = [...listed.map(packProduct), ...(others.length > 0 ? [0] : [])]
  return JSON.stringify([...packed, ...others.map(packProduct)])
}

function packProduct({ vendor, product, versions }: AffectedProduct): PackedProduct {
  return [vendor, product, ...versions.map(packVersion)]
}

function unpackProduct([vendor, product, ...versions]: PackedProduct): AffectedProduct {
  return { vendor, product, versions: versions.map(unpackVersion) }
}

function packVersion(version: string | VersionRange): string | PackedRange {
  if (typeof version === 'string') return version
  const { scheme, except = [] } = version
  return [
    ...packBounds(version),
    ...(scheme === undefined ? [] : [`#${scheme}`]),
    ...except.map((one) => packVersion(one)),
  ]
}

function unpackVersion(packed: string | PackedRange): string | VersionRange {
  return typeof packed === 'string' ? packed : unpackRange(packed)
}

function unpackRange(packed: PackedRange): VersionRange {
  const texts = packed.filter((each) => typeof each === 'string')
  const except = packed.flatMap((each) => (typeof each === 'string' ? [] : [unpackRange(each)]))
  const scheme = texts.find((text) => text.startsWith('#'))?.slice(1)
  return {
    ...unpackBounds(texts.filter((text) => !text.startsWith('#'))),
    ...(scheme !== undefined && { scheme }),
    ...(except.length > 0 && { except }),
  }
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
