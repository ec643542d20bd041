import { HAS_CONFIGURATIONS, HAS_PRODUCTS, NO_SCORE, REJECTED } from '../index/columns.ts'
import type { YearCompleteness } from '../service.ts'
import type { Severity, YearCount } from './query.ts'

/** Severity of each document of an index, by the newest CVSS version of its scores. */
export interface DocumentSeverities {
  /** In tenths, or `NO_SCORE`. */
  readonly scores: Uint8Array
  /** Indexes in `SEVERITIES`. */
  readonly severities: Uint8Array
}

/** In ascending order; `none`: no score, or a score of 0. */
export const SEVERITIES = [
  'none',
  'low',
  'medium',
  'high',
  'critical',
] as const satisfies Severity[]

/** Rates documents by their CVSS 4, 3 and 2 scores, in tenths or `NO_SCORE`. */
export function rateDocuments(columns: {
  readonly score4: Uint8Array
  readonly score3: Uint8Array
  readonly score2: Uint8Array
}): DocumentSeverities {
  const { score4, score3, score2 } = columns
  const scores = new Uint8Array(score3.length)
  const severities = new Uint8Array(score3.length)
  for (let document = 0; document < scores.length; document += 1) {
    const four = score4[document] as number
    const three = score3[document] as number
    const newest = four !== NO_SCORE ? four : three
    const score = newest !== NO_SCORE ? newest : (score2[document] as number)
    const severity = toSeverityIndex(score)
    scores[document] = score
    // CVSS 2 has no severity above high.
    severities[document] = newest === NO_SCORE ? Math.min(severity, HIGH) : severity
  }
  return { scores, severities }
}

/** Returns the documents with these severities; their order stays ascending. */
export function narrowToSeverities(
  documents: Uint32Array,
  by: { readonly ratings: DocumentSeverities; readonly severities: readonly Severity[] },
): Uint32Array {
  const wanted = new Uint8Array(SEVERITIES.length)
  for (const severity of by.severities) wanted[SEVERITIES.indexOf(severity)] = 1
  const column = by.ratings.severities
  const matching = new Uint32Array(documents.length)
  let count = 0
  for (const document of documents) {
    matching[count] = document
    count += wanted[column[document] as number] as number
  }
  return matching.subarray(0, count)
}

/** Counts documents by year and severity. Years ascend; empty ones are omitted. */
export function countYears(
  documents: Uint32Array,
  by: { readonly ratings: DocumentSeverities; readonly years: Uint16Array },
): readonly YearCount[] {
  const { severities } = by.ratings
  const size = SEVERITIES.length
  const counts = new Map<number, number[]>()
  let year = -1
  let ofYear: number[] = []
  for (const document of documents) {
    const each = by.years[document] as number
    // Documents are in order of publication: those of a year are adjacent.
    if (each !== year) {
      year = each
      ofYear = counts.get(year) ?? new Array<number>(size).fill(0)
      counts.set(year, ofYear)
    }
    const place = severities[document] as number
    ofYear[place] = (ofYear[place] as number) + 1
  }
  return [...counts].map(([year, numbers]) => {
    const [none = 0, low = 0, medium = 0, high = 0, critical = 0] = numbers
    return { year, none, low, medium, high, critical }
  })
}

/** Counts the completeness of records by year, without rejected ones. Years ascend. */
export function countCompleteness(by: {
  readonly ratings: DocumentSeverities
  readonly years: Uint16Array
  readonly flags: Uint8Array
}): readonly YearCompleteness[] {
  const { scores } = by.ratings
  const counts = new Map<number, [number, number, number, number, number]>()
  for (let document = 0; document < by.years.length; document += 1) {
    const year = by.years[document] as number
    const flags = by.flags[document] as number
    if (flags >= REJECTED) continue
    const counted = counts.get(year) ?? [0, 0, 0, 0, 0]
    counts.set(year, counted)
    const hasProduct = (flags & HAS_PRODUCTS) > 0
    const hasScore = scores[document] !== NO_SCORE
    counted[0] += 1
    if (hasProduct) counted[1] += 1
    if ((flags & HAS_CONFIGURATIONS) > 0) counted[2] += 1
    if (hasScore) counted[3] += 1
    if (!hasProduct && !hasScore) counted[4] += 1
  }
  return [...counts].map(([year, numbers]) => {
    const [records, withProduct, withConfigurations, withScore, withNeither] = numbers
    return { year, records, withProduct, withConfigurations, withScore, withNeither }
  })
}

const HIGH = 3

/** Returns the severity of a CVSS 3 or 4 score as an index in `SEVERITIES`. */
function toSeverityIndex(tenths: number): number {
  if (tenths === NO_SCORE || tenths === 0) return 0
  if (tenths < 40) return 1
  return tenths < 70 ? 2 : tenths < 90 ? HIGH : 4
}
