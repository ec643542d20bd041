import type { PackageReference } from '../../shared/package-urls.ts'
import { EPSS_STEPS, NO_EPSS, NO_SCORE, RANSOMWARE, REJECTED } from '../index/columns.ts'
import {
  MAX_VECTORS,
  toCweTerm,
  toHostTerm,
  toMetricTerm,
  toPackageTerm,
  toPairTerm,
  toProductTerm,
  toSsvcTerm,
  toTagTerm,
  toVendorTerm,
} from '../index/terms.ts'
import { toCpeName } from '../names.ts'
import type { CvssVersion } from '../records.ts'
import type { IndexReader } from './index-reader.ts'
import type { Comparison, Comparisons, CveFilters, CveQuery } from './query.ts'
import { narrowToSeverities } from './severities.ts'
import type { Snapshot } from './snapshot.ts'
import {
  type ColumnCheck,
  cutRange,
  findLowerBound,
  intersectAll,
  narrowByChecks,
  uniteAll,
} from './sorted-lists.ts'

/** Integers from `low` to `high`, inclusive; empty if `high` is less than `low`. */
interface WholeRange {
  readonly low: number
  readonly high: number
}

/**
 * Returns the index terms of the filters; a record must have one of each group. `vendors` are the
 * spellings of the vendor, and `wantedPackage` is the parsed `purl`.
 */
export function toFilterTerms(
  filters: CveFilters,
  named: {
    readonly vendors: readonly string[]
    readonly wantedPackage: PackageReference | undefined
  },
): readonly (readonly string[])[] {
  const { cweId, vendor, referenceHost, referenceTag, exploitation = [] } = filters
  const product = filters.product === undefined ? undefined : toCpeName(filters.product)
  const { vendors, wantedPackage } = named
  const groups: (readonly string[])[] = []
  if (wantedPackage) groups.push([toPackageTerm(wantedPackage.key)])
  if (cweId !== undefined) groups.push([toCweTerm(cweId)])
  if (vendor !== undefined) {
    const toTerm = (name: string) =>
      product === undefined ? toVendorTerm(name) : toPairTerm(name, product)
    groups.push(vendors.map(toTerm))
  } else if (product !== undefined) groups.push([toProductTerm(product)])
  if (referenceHost !== undefined) groups.push([toHostTerm(referenceHost)])
  if (referenceTag !== undefined) groups.push([toTagTerm(referenceTag)])
  if (exploitation.length > 0) groups.push(exploitation.map(toSsvcTerm))
  return groups
}

/** Finds documents with a CVSS vector that has all the metrics, ascending. */
export function findVectorMatches(
  index: IndexReader,
  metrics: readonly string[],
): Promise<Uint32Array> {
  const sorted = metrics.map((metric) => metric.toUpperCase()).sort()
  return index.cacheDocuments(`vector ${sorted.join('/')}`, () =>
    computeVectorMatches(index, sorted),
  )
}

/** Returns the documents that pass the comparisons of the filters; their order stays ascending. */
export async function narrowByColumns(
  documents: Uint32Array,
  by: {
    readonly snapshot: Snapshot
    readonly index: IndexReader
    readonly query: Pick<CveQuery, 'filters' | 'includesRejected'>
  },
): Promise<Uint32Array> {
  const { snapshot, index } = by
  const { filters = {}, includesRejected } = by.query
  const cutting: ColumnCheck[] = []
  const checks: ColumnCheck[] = []
  const { year, published, modified, exploitedSince } = filters
  // Documents are in order of publication.
  for (const each of toComparisonList(year)) {
    cutting.push({ column: await index.column('year'), ...toWholeRange(each, 1) })
  }
  for (const each of toComparisonList(published)) {
    cutting.push({ column: await index.column('publishedAt'), ...toTimeRange(each) })
  }
  for (const [name, comparison] of [
    ['score2', filters.cvss2],
    ['score3', filters.cvss3],
    ['score4', filters.cvss4],
  ] as const) {
    for (const each of toComparisonList(comparison)) {
      checks.push({ column: await index.column(name), ...toStepRange(each, TENTHS) })
    }
  }
  for (const each of toComparisonList(filters.score)) {
    checks.push({ column: (await index.ratings()).scores, ...toStepRange(each, TENTHS) })
  }
  for (const [name, comparison] of [
    ['epss', filters.epss],
    ['percentile', filters.epssPercentile],
  ] as const) {
    for (const each of toComparisonList(comparison)) {
      checks.push({ column: await snapshot.overlay(name), ...toStepRange(each, EPSS) })
    }
  }
  for (const each of toComparisonList(modified)) {
    checks.push({ column: await index.column('modifiedAt'), ...toTimeRange(each) })
  }
  if (filters.isExploited) {
    checks.push({ column: await snapshot.overlay('kevDay'), low: 1, high: Infinity })
  }
  for (const each of toComparisonList(exploitedSince)) {
    const { low, high } = toWholeRange({ ...each, value: each.value / DAY_MS }, 1)
    checks.push({ column: await snapshot.overlay('kevDay'), low: Math.max(1, low), high })
  }
  if (filters.isRansomware) {
    // The highest flag.
    checks.push({ column: await snapshot.overlay('overlayFlags'), low: RANSOMWARE, high: Infinity })
  }
  if (!includesRejected && index.manifest.rejected > 0) {
    checks.push({ column: await index.column('flags'), low: 0, high: REJECTED - 1 })
  }
  const narrowed = narrowByChecks(cutting.reduce(cutByColumn, documents), checks)
  const { severities = [] } = filters
  return severities.length === 0
    ? narrowed
    : narrowToSeverities(narrowed, { ratings: await index.ratings(), severities })
}

const CVSS_VERSIONS: readonly CvssVersion[] = ['3.1', '4.0', '3.0', '2.0']
const DAY_MS = 86_400_000

async function computeVectorMatches(
  index: IndexReader,
  [first = '', ...others]: readonly string[],
): Promise<Uint32Array> {
  const vectors = CVSS_VERSIONS.flatMap((version) =>
    Array.from({ length: MAX_VECTORS }, (_, rank) => ({ version, rank })),
  )
  const firsts = await index.findPostings(
    vectors.map(({ version, rank }) => toMetricTerm(version, { metric: first, rank })),
  )
  const found: Uint32Array[] = []
  for (const [at, { version, rank }] of vectors.entries()) {
    const documents = firsts[at]?.documents
    if (!documents || documents.length === 0) continue
    const terms = others.map((metric) => toMetricTerm(version, { metric, rank }))
    const more = await index.findPostings(terms)
    found.push(intersectAll([documents, ...more.map((postings) => postings.documents)]))
  }
  return uniteAll(found)
}

/** Scale of a column: steps of 1 / unit, and the value for no score, which is above all others. */
interface Steps {
  readonly unit: number
  readonly none: number
}

const TENTHS: Steps = { unit: 10, none: NO_SCORE }
const EPSS: Steps = { unit: EPSS_STEPS, none: NO_EPSS }

function toComparisonList(comparisons: Comparisons | undefined): readonly Comparison[] {
  if (comparisons === undefined) return []
  return 'operator' in comparisons ? [comparisons] : comparisons
}

function toStepRange(comparison: Comparison, { unit, none }: Steps): WholeRange {
  const { low, high } = toWholeRange(comparison, unit)
  return { low, high: Math.min(high, none - 1) }
}

function cutByColumn(documents: Uint32Array, { column, low, high }: ColumnCheck): Uint32Array {
  return cutRange(documents, findLowerBound(column, low), findLowerBound(column, high + 1))
}

/**
 * Converts a comparison to the multiples of `1 / unit` that pass it, without rounding. For scores
 * in tenths (`unit` 10), `7` is the same as `7.0`, no score equals `7.05`, and 7.1 is greater.
 */
export function toWholeRange({ operator, value }: Comparison, unit: number): WholeRange {
  const nearest = Math.round(value * unit)
  const at = nearest / unit
  switch (operator) {
    case '=':
      return at === value ? { low: nearest, high: nearest } : EMPTY_RANGE
    case '>':
      return { low: at > value ? nearest : nearest + 1, high: Infinity }
    case '>=':
      return { low: at >= value ? nearest : nearest + 1, high: Infinity }
    case '<':
      return { low: -Infinity, high: at < value ? nearest : nearest - 1 }
    case '<=':
      return { low: -Infinity, high: at <= value ? nearest : nearest - 1 }
  }
}

/** Converts a comparison with a UTC day, identified by its first millisecond, to milliseconds. */
export function toTimeRange({ operator, value }: Comparison): WholeRange {
  const next = value + DAY_MS
  switch (operator) {
    case '=':
      return { low: value, high: next - 1 }
    case '>':
      return { low: next, high: Infinity }
    case '>=':
      return { low: value, high: Infinity }
    case '<':
      return { low: -Infinity, high: value - 1 }
    case '<=':
      return { low: -Infinity, high: next - 1 }
  }
}

const EMPTY_RANGE: WholeRange = { low: 1, high: 0 }
