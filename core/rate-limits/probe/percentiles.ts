/** The value that so large a share of all is at most (nearest rank); undefined of none. */
export function toPercentile(values: readonly number[], share: number): number | undefined {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]
}
