import { type RecordProducts, toRecordProducts } from './affected-products.ts'
import { pickScore } from './cvss.ts'
import { joinRecords } from './join-records.ts'
import type { AffectedProduct, CveRecord, CvssMetric } from './records.ts'
import type { StoredRecord } from './store.ts'
import {
  type PackedRecords,
  packRecord,
  packRecords,
  toRecordsByAuthority,
  unpackRecords,
} from './stored/parts.ts'
import { packProducts } from './stored/products.ts'
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
