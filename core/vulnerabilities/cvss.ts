import type { CvssMetric } from './records.ts'

/** CVSS versions that a filter or field selects: `3` means 3.1, else 3.0. */
export type ScoringVersion = '2.0' | '3' | '4.0'

/**
 * Sorts the newest version first; within a version primary before secondary, else in input order.
 */
export function sortMetrics(metrics: readonly CvssMetric[]): readonly CvssMetric[] {
  return metrics.length < 2 ? metrics : metrics.toSorted((a, b) => rankMetric(a) - rankMetric(b))
}

/** Picks the metric of a version from sorted metrics; undefined if there is none. */
export function pickScore(
  metrics: readonly CvssMetric[],
  version: ScoringVersion,
): CvssMetric | undefined {
  return metrics.find((metric) =>
    version === '3' ? metric.version[0] === '3' : metric.version === version,
  )
}

const VERSION_RANKS = { '4.0': 0, '3.1': 2, '3.0': 4, '2.0': 6 } as const

function rankMetric(metric: CvssMetric): number {
  return VERSION_RANKS[metric.version] + (metric.isPrimary ? 0 : 1)
}
