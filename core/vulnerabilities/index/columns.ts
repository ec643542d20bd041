import { concatBytesCopy } from '../../shared/bytes.ts'

/** Value of a score column for a document without a score. */
export const NO_SCORE = 255

/** Value in the columns of an authority that has no record. */
export const NO_RECORD = -1

/** Value of an EPSS column for a document without a score. */
export const NO_EPSS = 0xffffffff

/** Bits of `flags`: the record names affected products; it has configurations. */
export const HAS_PRODUCTS = 1
export const HAS_CONFIGURATIONS = 2

/** Highest bit of `flags`: a rejected record. */
export const REJECTED = 128

/** Bit of `overlayFlags`: in the catalogue of known exploited vulnerabilities. */
export const EXPLOITED = 1

/** Bit of `overlayFlags`: use in ransomware campaigns is known. */
export const RANSOMWARE = 2

/** Resolution of EPSS scores and percentiles: one step is 1e-5. */
export const EPSS_STEPS = 100_000

/**
 * Columns of the index, with one value per document. Documents are numbered in order of
 * publication. Among those published at the same instant, the greater ID (by code points) comes
 * first.
 */
export interface IndexColumns {
  readonly rowId: Uint32Array
  /** Year * 1e9 + sequence. */
  readonly cve: Float64Array
  /** Milliseconds since the epoch. */
  readonly publishedAt: Float64Array
  readonly modifiedAt: Float64Array
  /** Times and digests of the record of each authority; `NO_RECORD` without one. */
  readonly nvdModifiedAt: Float64Array
  readonly nvdDigest: Float64Array
  readonly cveModifiedAt: Float64Array
  readonly cveDigest: Float64Array
  /** UTC year of publication. */
  readonly year: Uint16Array
  /** Scores in tenths, or `NO_SCORE`: CVSS 2, CVSS 3 (3.1, else 3.0), CVSS 4. */
  readonly score2: Uint8Array
  readonly score3: Uint8Array
  readonly score4: Uint8Array
  /**
   * Date of CISA's catalogue entry according to NVD, in days since the epoch; 0 if there is none.
   */
  readonly exploitedDay: Uint16Array
  readonly flags: Uint8Array
}

/**
 * EPSS and KEV data of each document. Rebuilt with every index and after every load of a source.
 */
export interface OverlayColumns {
  /** In steps of 1e-5, or `NO_EPSS`. */
  readonly epss: Uint32Array
  readonly percentile: Uint32Array
  /**
   * Date of the entry in CISA's catalogue, else according to NVD, in days since the epoch; 0 if
   * there is none.
   */
  readonly kevDay: Uint16Array
  readonly overlayFlags: Uint8Array
}

/** Scores by ascending CVE number, including CVEs whose records are not loaded. */
export interface EpssColumns {
  readonly epssCve: Float64Array
  readonly epssScore: Uint32Array
  readonly epssRank: Uint32Array
}

/** All columns by name. Each is stored as a set of parts with that name. */
export type Columns = IndexColumns & OverlayColumns & EpssColumns
export type ColumnName = keyof Columns
export type Column = Columns[ColumnName]

/** Columns of an index. */
export const INDEX_COLUMNS = [
  'rowId',
  'cve',
  'publishedAt',
  'modifiedAt',
  'nvdModifiedAt',
  'nvdDigest',
  'cveModifiedAt',
  'cveDigest',
  'year',
  'score2',
  'score3',
  'score4',
  'exploitedDay',
  'flags',
] as const satisfies readonly (keyof IndexColumns)[]

/** Columns of an overlay. */
export const OVERLAY_COLUMNS = [
  'epss',
  'percentile',
  'kevDay',
  'overlayFlags',
] as const satisfies readonly (keyof OverlayColumns)[]

/** Columns of EPSS scores. */
export const EPSS_COLUMNS = [
  'epssCve',
  'epssScore',
  'epssRank',
] as const satisfies readonly (keyof EpssColumns)[]

/** Maximum size of a part in bytes. */
export const PART_BYTES = 512 * 1024

/** Creates a column of zeros. */
export function createColumn<Name extends ColumnName>(name: Name, length: number): Columns[Name] {
  // Each constructor creates the type that the interfaces declare for its column.
  return new COLUMN_TYPES[name](length) as Columns[Name]
}

/** Returns the number of parts for a column of this length. */
export function countColumnParts(name: ColumnName, length: number): number {
  return countParts(length * COLUMN_TYPES[name].BYTES_PER_ELEMENT)
}

/** Returns the number of parts for this many bytes. */
export function countParts(bytes: number): number {
  return Math.ceil(bytes / PART_BYTES)
}

/** Splits bytes into parts, which share their memory. */
export function splitIntoParts(bytes: Uint8Array): readonly Uint8Array[] {
  return Array.from({ length: countParts(bytes.length) }, (_, index) =>
    bytes.subarray(index * PART_BYTES, (index + 1) * PART_BYTES),
  )
}

/**
 * Returns a column's bytes, which share its memory. They are little endian, as on all current
 * machines.
 */
export function toColumnBytes(column: Column): Uint8Array {
  return new Uint8Array(column.buffer, column.byteOffset, column.byteLength)
}

/** Restores a column from the parts of its bytes. */
export function fromColumnParts<Name extends ColumnName>(
  name: Name,
  parts: readonly Uint8Array[],
): Columns[Name] {
  const { buffer } = concatBytesCopy(parts)
  // The cast is safe for the reason in `createColumn`.
  return new COLUMN_TYPES[name](buffer) as Columns[Name]
}

/** Converts a CVE ID to a number: year * 1e9 + sequence. NaN if invalid. */
export function toCveNumber(id: string): number {
  const year = parseDigits(id, 4, 8)
  const sequence = parseDigits(id, 9, id.length)
  return id.length < 10 || id.length > 18 ? Number.NaN : year * 1e9 + sequence
}

/** Converts a number from `toCveNumber` back to a CVE ID. */
export function toCveId(number: number): string {
  const year = Math.floor(number / 1e9)
  return `CVE-${year}-${String(number - year * 1e9).padStart(4, '0')}`
}

const COLUMN_TYPES = {
  rowId: Uint32Array,
  cve: Float64Array,
  publishedAt: Float64Array,
  modifiedAt: Float64Array,
  nvdModifiedAt: Float64Array,
  nvdDigest: Float64Array,
  cveModifiedAt: Float64Array,
  cveDigest: Float64Array,
  year: Uint16Array,
  score2: Uint8Array,
  score3: Uint8Array,
  score4: Uint8Array,
  exploitedDay: Uint16Array,
  flags: Uint8Array,
  epss: Uint32Array,
  percentile: Uint32Array,
  kevDay: Uint16Array,
  overlayFlags: Uint8Array,
  epssCve: Float64Array,
  epssScore: Uint32Array,
  epssRank: Uint32Array,
} as const

function parseDigits(text: string, start: number, end: number): number {
  let value = 0
  for (let at = start; at < end; at += 1) {
    const digit = text.charCodeAt(at) - 48
    if (!(digit >= 0 && digit <= 9)) return Number.NaN
    value = value * 10 + digit
  }
  return value
}
