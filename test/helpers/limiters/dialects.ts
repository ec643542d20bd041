import type { HeaderLine } from '../../../core/ports/egress.ts'

/** The state of a limit, for response headers. */
export interface LimitState {
  readonly limit: number
  readonly remaining: number
  /** Time until calls are available again. */
  readonly resetMs: number
  readonly windowMs: number
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly isRefused: boolean
}

/** A format of rate-limit headers. */
export interface Dialect {
  readonly name: string
  /** Whether it announces the limit, not only the wait. */
  readonly tellsLimit: boolean
  readonly write: (state: LimitState) => readonly HeaderLine[]
}

const seconds = (ms: number) => `${Math.max(1, Math.ceil(ms / 1000))}`

export const SILENT: Dialect = { name: 'none', tellsLimit: false, write: () => [] }

/** All dialects, including one without headers. */
export const DIALECTS: readonly [Dialect, ...Dialect[]] = [
  SILENT,
  {
    name: 'retry-after',
    tellsLimit: false,
    write: ({ isRefused, resetMs }) => (isRefused ? [['retry-after', seconds(resetMs)]] : []),
  },
  {
    name: 'retry-after as a date',
    tellsLimit: false,
    write: ({ isRefused, resetMs, now }) =>
      isRefused ? [['retry-after', new Date(now + resetMs + 999).toUTCString()]] : [],
  },
  {
    name: 'x-ratelimit with an instant',
    tellsLimit: true,
    write: ({ limit, remaining, resetMs, now }) => [
      ['x-ratelimit-limit', `${limit}`],
      ['x-ratelimit-remaining', `${remaining}`],
      ['x-ratelimit-reset', `${Math.ceil((now + resetMs) / 1000)}`],
    ],
  },
  {
    name: 'ratelimit of early drafts',
    tellsLimit: true,
    write: ({ limit, remaining, resetMs, windowMs }) => [
      ['ratelimit-limit', `${limit}, ${limit};w=${seconds(windowMs)}`],
      ['ratelimit-remaining', `${remaining}`],
      ['ratelimit-reset', seconds(resetMs)],
    ],
  },
  {
    name: 'ratelimit as a dictionary',
    tellsLimit: true,
    write: ({ limit, remaining, resetMs, windowMs }) => [
      ['ratelimit', `limit=${limit}, remaining=${remaining}, reset=${seconds(resetMs)}`],
      ['ratelimit-policy', `${limit};w=${seconds(windowMs)}`],
    ],
  },
  {
    name: 'ratelimit of late drafts',
    tellsLimit: true,
    write: ({ limit, remaining, resetMs, windowMs }) => [
      ['ratelimit', `"default";r=${remaining};t=${seconds(resetMs)}`],
      ['ratelimit-policy', `"default";q=${limit};w=${seconds(windowMs)}`],
    ],
  },
  {
    name: 'spans of time',
    tellsLimit: true,
    write: ({ limit, remaining, resetMs }) => [
      ['x-ratelimit-limit-requests', `${limit}`],
      ['x-ratelimit-remaining-requests', `${remaining}`],
      ['x-ratelimit-reset-requests', `${seconds(resetMs)}s`],
    ],
  },
]
