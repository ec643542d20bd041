import type { RecordProducts } from '../affected-products.ts'
import { pickScore } from '../cvss.ts'
import type { CveAuthority, CveRecord } from '../records.ts'
import {
  type ColumnName,
  type Columns,
  createColumn,
  HAS_CONFIGURATIONS,
  HAS_PRODUCTS,
  INDEX_COLUMNS,
  type IndexColumns,
  NO_RECORD,
  NO_SCORE,
  REJECTED,
  toCveNumber,
} from './columns.ts'

/** Columns of added records, in the order of adding. */
export interface ColumnsBuilder {
  readonly count: number
  /** Longer than `count`. */
  readonly values: IndexColumns
  add(record: CveRecord, row: RecordRow): void
}

/** Data of a stored record besides the record itself. */
export interface RecordRow {
  readonly rowId: number
  /** Of the record of each authority. */
  readonly versions: RecordVersions
  readonly products: RecordProducts
}

/** Identifies the content of a record by authority. */
export type RecordVersions = Readonly<Partial<Record<CveAuthority, RecordVersion>>>

export interface RecordVersion {
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number
  readonly digest: number
}

/** Creates columns without records. */
export function createColumnsBuilder(): ColumnsBuilder {
  let capacity = 1024
  let count = 0
  let values = createIndexColumns(capacity)

  return {
    get count() {
      return count
    },
    get values() {
      return values
    },
    add(record, { rowId, versions, products }) {
      if (count === capacity) {
        capacity *= 2
        const grown = createIndexColumns(capacity)
        for (const name of INDEX_COLUMNS) grown[name].set(values[name])
        values = grown
      }
      const { metrics, publishedAt, modifiedAt, isRejected, exploited, configurations } = record
      values.rowId[count] = rowId
      values.cve[count] = toCveNumber(record.id)
      values.publishedAt[count] = publishedAt
      values.modifiedAt[count] = modifiedAt
      values.nvdModifiedAt[count] = versions.nvd?.modifiedAt ?? NO_RECORD
      values.nvdDigest[count] = versions.nvd?.digest ?? NO_RECORD
      values.cveModifiedAt[count] = versions.cve?.modifiedAt ?? NO_RECORD
      values.cveDigest[count] = versions.cve?.digest ?? NO_RECORD
      values.year[count] = new Date(publishedAt).getUTCFullYear()
      values.score2[count] = toTenths(pickScore(metrics, '2.0')?.score)
      values.score3[count] = toTenths(pickScore(metrics, '3')?.score)
      values.score4[count] = toTenths(pickScore(metrics, '4.0')?.score)
      values.exploitedDay[count] = exploited ? toEpochDay(exploited.addedOn) : 0
      values.flags[count] =
        (isRejected ? REJECTED : 0) |
        (products.listed.length > 0 ? HAS_PRODUCTS : 0) |
        (configurations.length > 0 ? HAS_CONFIGURATIONS : 0)
      count += 1
    },
  }
}

/** Creates all columns of an index, filled with zeros. */
export function createIndexColumns(length: number): IndexColumns {
  const columns = new Map<ColumnName, Columns[ColumnName]>()
  for (const name of INDEX_COLUMNS) columns.set(name, createColumn(name, length))
  // Contains every name, as built above.
  return Object.fromEntries(columns) as unknown as IndexColumns
}

/** Converts a `YYYY-MM-DD` to days since the epoch; 0 if invalid. */
export function toEpochDay(text: string): number {
  const day = Math.floor(Date.parse(`${text.slice(0, 10)}T00:00:00Z`) / 86_400_000)
  return day > 0 && day < 65_536 ? day : 0
}

function toTenths(score: number | undefined): number {
  return score === undefined ? NO_SCORE : Math.round(score * 10)
}
