import type { Comparison } from './query.ts'

/** Integers from `low` to `high`, inclusive; empty if `high` is less than `low`. */
export interface WholeRange {
  readonly low: number
  readonly high: number
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

const DAY_MS = 86_400_000
const EMPTY_RANGE: WholeRange = { low: 1, high: 0 }
