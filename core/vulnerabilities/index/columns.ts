import { copyBytes } from '../../shared/bytes.ts'

/** What the score columns hold where there is no score. */
export const NO_SCORE = 255

/** What the EPSS columns hold where there is no score. */
export const NO_EPSS = 0xffffffff

/** In `flags`. */
export const REJECTED = 1

/** In `overlayFlags`: in the catalogue of known exploited vulnerabilities. */
export const EXPLOITED = 1

/** In `overlayFlags`: known to be used by ransomware. */
export const RANSOMWARE = 2

/** Steps of EPSS scores and percentiles: one is 1e-5. */
export const EPSS_STEPS = 100_000

/**
 * What the index tells of each document, by its number. Documents are numbered by publication; of
 * those of one instant the greater id (code points) comes first.
 */
export interface IndexColumns {
  readonly rowId: Uint32Array
  /** Year * 1e9 + sequence. */
  readonly cve: Float64Array
  /** Milliseconds since the epoch. */
  readonly publishedAt: Float64Array
  readonly modifiedAt: Float64Array
  /** Of the stored record. */
  readonly digest: Float64Array
  /** UTC year of publication. */
  readonly year: Uint16Array
  /** Scores in tenths, or `NO_SCORE`: CVSS 2, CVSS 3 (3.1, else 3.0), CVSS 4. */
  readonly score2: Uint8Array
  readonly score3: Uint8Array
  readonly score4: Uint8Array
  /** Days since the epoch that NVD tells of CISA's catalogue; 0 for none. */
  readonly exploitedDay: Uint16Array
  readonly flags: Uint8Array
}

/** What other sources tell of each document of the index: made anew with each of them. */
export interface OverlayColumns {
  /** In steps of 1e-5, or `NO_EPSS`. */
  readonly epss: Uint32Array
  readonly percentile: Uint32Array
  /** Days since the epoch of the entry in CISA's catalogue, else what NVD tells; 0 for none. */
  readonly kevDay: Uint16Array
  readonly overlayFlags: Uint8Array
}

/** Scores by CVE number, ascending: also those of records that are not loaded. */
export interface EpssColumns {
  readonly epssCve: Float64Array
  readonly epssScore: Uint32Array
  readonly epssRank: Uint32Array
}

/** All columns by name; each is a set of parts of that name. */
export type Columns = IndexColumns & OverlayColumns & EpssColumns
/** What a column is called. */
export type ColumnName = keyof Columns
/** Any column. */
export type Column = Columns[ColumnName]

/** Columns that an index has. */
export const INDEX_COLUMNS = [
  'rowId',
  'cve',
  'publishedAt',
  'modifiedAt',
  'digest',
  'year',
  'score2',
  'score3',
  'score4',
  'exploitedDay',
  'flags',
] as const satisfies readonly (keyof IndexColumns)[]

/** Columns that an overlay has. */
export const OVERLAY_COLUMNS = [
  'epss',
  'percentile',
  'kevDay',
  'overlayFlags',
] as const satisfies readonly (keyof OverlayColumns)[]

/** Columns that EPSS scores have. */
export const EPSS_COLUMNS = [
  'epssCve',
  'epssScore',
  'epssRank',
] as const satisfies readonly (keyof EpssColumns)[]

/** Most bytes of a part of a set. */
export const PART_BYTES = 512 * 1024

/** A column of zeros. */
export function createColumn<Name extends ColumnName>(name: Name, length: number): Columns[Name] {
  // Each maker makes the type that the interfaces give its column.
  return new MAKERS[name](length) as Columns[Name]
}

/** How many parts a column of that length takes. */
export function countColumnParts(name: ColumnName, length: number): number {
  return countParts(length * MAKERS[name].BYTES_PER_ELEMENT)
}

/** How many parts so many bytes take. */
export function countParts(bytes: number): number {
  return Math.ceil(bytes / PART_BYTES)
}

/** Bytes in parts; they share the memory of the bytes. */
export function toParts(bytes: Uint8Array): readonly Uint8Array[] {
  return Array.from({ length: countParts(bytes.length) }, (_, index) =>
    bytes.subarray(index * PART_BYTES, (index + 1) * PART_BYTES),
  )
}

/** A column's bytes, little endian as all of today's machines are; they share its memory. */
export function toColumnBytes(column: Column): Uint8Array {
  return new Uint8Array(column.buffer, column.byteOffset, column.byteLength)
}

/** A column out of the parts of its bytes. */
export function fromColumnParts<Name extends ColumnName>(
  name: Name,
  parts: readonly Uint8Array[],
): Columns[Name] {
  const { buffer } = copyBytes(parts)
  // As above.
  return new MAKERS[name](buffer) as Columns[Name]
}

/** The number of a CVE id: year * 1e9 + sequence. NaN for what is no such id. */
export function toCveNumber(id: string): number {
  const year = toDigits(id, 4, 8)
  const sequence = toDigits(id, 9, id.length)
  return id.length < 10 || id.length > 18 ? Number.NaN : year * 1e9 + sequence
}

/** The CVE id of its number. */
export function toCveId(number: number): string {
  const year = Math.floor(number / 1e9)
  return `CVE-${year}-${String(number - year * 1e9).padStart(4, '0')}`
}

const MAKERS = {
  rowId: Uint32Array,
  cve: Float64Array,
  publishedAt: Float64Array,
  modifiedAt: Float64Array,
  digest: Float64Array,
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

function toDigits(text: string, start: number, end: number): number {
  let value = 0
  for (let at = start; at < end; at += 1) {
    const digit = text.charCodeAt(at) - 48
    if (!(digit >= 0 && digit <= 9)) return Number.NaN
    value = value * 10 + digit
  }
  return value
}
