import { NO_SCORE } from '../index/columns.ts'
import type { Severity, YearCount } from './query.ts'

/** How severe each document of an index is, by the newest version of CVSS that scores it. */
export interface Ratings {
  /** In tenths, or `NO_SCORE`. */
  readonly scores: Uint8Array
  /** Places in `SEVERITIES`. */
  readonly severities: Uint8Array
}

/** In the order of their places; `none`: without a score, or of 0. */
export const SEVERITIES = [
  'none',
  'low',
  'medium',
  'high',
  'critical',
] as const satisfies Severity[]

/** Rates documents by their scores of CVSS 4, 3 and 2: tenths, or `NO_SCORE`. */
export function toRatings(columns: {
  readonly score4: Uint8Array
  readonly score3: Uint8Array
  readonly score2: Uint8Array
}): Ratings {
  const { score4, score3, score2 } = columns
  const scores = new Uint8Array(score3.length)
  const severities = new Uint8Array(score3.length)
  for (let document = 0; document < scores.length; document += 1) {
    const four = score4[document] as number
    const three = score3[document] as number
    const newest = four !== NO_SCORE ? four : three
    const score = newest !== NO_SCORE ? newest : (score2[document] as number)
    const severity = toPlace(score)
    scores[document] = score
    // The guide of CVSS 2 knows nothing above high.
    severities[document] = newest === NO_SCORE ? Math.min(severity, HIGH) : severity
  }
  return { scores, severities }
}

/** The documents of these severities, ascending as they came. */
export function narrowToSeverities(
  documents: Uint32Array,
  by: { readonly ratings: Ratings; readonly severities: readonly Severity[] },
): Uint32Array {
  const wanted = new Uint8Array(SEVERITIES.length)
  for (const severity of by.severities) wanted[SEVERITIES.indexOf(severity)] = 1
  const column = by.ratings.severities
  const kept = new Uint32Array(documents.length)
  let count = 0
  for (const document of documents) {
    kept[count] = document
    count += wanted[column[document] as number] as number
  }
  return kept.subarray(0, count)
}

/** Counts documents by year and severity; years ascend, those without any are left out. */
export function countYears(
  documents: Uint32Array,
  by: { readonly ratings: Ratings; readonly years: Uint16Array },
): readonly YearCount[] {
  const { severities } = by.ratings
  const size = SEVERITIES.length
  const counts = new Map<number, number[]>()
  let year = -1
  let ofYear: number[] = []
  for (const document of documents) {
    const each = by.years[document] as number
    // Documents stand in the order of publication: a year comes once.
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

const HIGH = 3

/** Bands of CVSS 3 and 4, as their guides say. */
function toPlace(tenths: number): number {
  if (tenths === NO_SCORE || tenths === 0) return 0
  if (tenths < 40) return 1
  return tenths < 70 ? 2 : tenths < 90 ? HIGH : 4
}
