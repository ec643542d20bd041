const DURATION = /^(\d{1,9})(s|m|h|d|w)$/
const UNITS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

/**
 * Parses a duration such as `90d`, `12h`, `30m`, `45s` or `2w` to milliseconds. A day is 24 hours.
 * Returns undefined for invalid text.
 *
 * @example
 * ```ts
 * import { parseDuration } from 'api-discovery/accounts'
 *
 * parseDuration('2h') // 7200000
 * parseDuration('2 hours') // undefined
 * ```
 */
export function parseDuration(text: string): number | undefined {
  const match = DURATION.exec(text)
  if (!match) return undefined
  // The pattern allows only the units of the table.
  return Number(match[1]) * UNITS[match[2] as keyof typeof UNITS]
}
