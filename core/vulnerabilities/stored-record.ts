import { type RecordProducts, toRecordProducts } from './affected-products.ts'
import { pickScore } from './cvss.ts'
import { joinRecords } from './join-records.ts'
import type { AffectedProduct, CveRecord, CvssMetric, VersionRange } from './records.ts'
import type { StoredRecord } from './store.ts'
import { packBounds, unpackBounds } from './stored/configurations.ts'
import {
  type PackedRecords,
  packRecord,
  packRecords,
  toRecordsByAuthority,
  unpackRecords,
} from './stored/parts.ts'
import { toVersionText } from './versions.ts'

/**
 * Converts a record to its stored form: the JSON of its fields of Specification 2.5 (about 500
 * bytes), its affected products, and all other data. The latter two are packed JSON. `products` is
 * for callers that already have them, `packed` for a record that joins those of authorities.
 */
export function toStoredRecord(
  record: CveRecord,
  products: RecordProducts = toRecordProducts(record),
  packed: PackedRecords = { nvd: packRecord(record) },
): StoredRecord {
  return {
    line: toRecordLine(record, products.listed[0]),
    products: packProducts(products),
    detail: packRecords(packed, record.descriptions[0]?.text ?? ''),
  }
}

/** Restores the record; needs all columns but `products`. */
export function fromStoredRecord(stored: Pick<StoredRecord, 'line' | 'detail'>): CveRecord {
  const { id, packed } = unpackStored(stored)
  return joinRecords(toRecordsByAuthority(packed, id))
}

/** Returns the ID and the packed record of each authority; needs all columns but `products`. */
export function unpackStored({ line, detail }: Pick<StoredRecord, 'line' | 'detail'>): {
  readonly id: string
  readonly packed: PackedRecords
} {
  // The cast is safe: only `toRecordLine` writes it.
  const { cve_id: id, cve_description: text } = JSON.parse(line) as {
    readonly cve_id: string
    readonly cve_description: string
  }
  return { id, packed: unpackRecords(detail, text) }
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

/** Vendor, product, versions, and the lists of exceptions if there are any. */
type PackedProduct = readonly [string, string, ...(string | PackedRange | PackedExceptions)[]]

/** The bounds, the scheme after `#`, and the index of a list of exceptions. */
type PackedRange = readonly (string | number)[]

interface PackedExceptions {
  readonly except: readonly (readonly PackedRange[])[]
}

/** The others follow after a 0. */
function packProducts({ listed, others }: RecordProducts): string {
  if (listed.length + others.length === 0) return ''
  const packed = [...listed.map(packProduct), ...(others.length > 0 ? [0] : [])]
  return JSON.stringify([...packed, ...others.map(packProduct)])
}

function packProduct({ vendor, product, versions }: AffectedProduct): PackedProduct {
  /** Versions of one statement share their list. */
  const lists = new Map<readonly VersionRange[], number>()
  const packed = versions.map((version) => {
    if (typeof version === 'string') return version
    const { except } = version
    if (!except) return packRange(version)
    const index = lists.get(except) ?? lists.size
    lists.set(except, index)
    return [...packRange(version), index]
  })
  const except = [...lists.keys()].map((list) => list.map(packRange))
  return [vendor, product, ...packed, ...(except.length > 0 ? [{ except }] : [])]
}

function unpackProduct([vendor, product, ...packed]: PackedProduct): AffectedProduct {
  const last = packed.at(-1)
  const except = typeof last === 'object' && 'except' in last ? last.except : []
  const lists = except.map((list) => list.map(unpackRange))
  const versions = packed.flatMap((each): readonly (string | VersionRange)[] => {
    if (typeof each === 'string') return [each]
    if ('except' in each) return []
    const list = lists[Number(each.find((part) => typeof part === 'number') ?? -1)]
    return [list ? { ...unpackRange(each), except: list } : unpackRange(each)]
  })
  return { vendor, product, versions }
}

function packRange(range: VersionRange): PackedRange {
  const { scheme } = range
  return [...packBounds(range), ...(scheme === undefined ? [] : [`#${scheme}`])]
}

function unpackRange(packed: PackedRange): VersionRange {
  const texts = packed.filter((each) => typeof each === 'string')
  const scheme = texts.find((text) => text.startsWith('#'))?.slice(1)
  return {
    ...unpackBounds(texts.filter((text) => !text.startsWith('#'))),
    ...(scheme !== undefined && { scheme }),
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
