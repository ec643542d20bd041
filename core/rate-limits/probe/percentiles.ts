/**
 * Returns a percentile by the nearest-rank method; undefined without values. `share` is from 0 to
 * 1.
 */
export function toPercentile(values: readonly number[], share: number): number | undefined {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]
}
