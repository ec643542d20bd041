import type { HeaderLine } from '../../../core/egress/egress.ts'

/** What headers tell of a limit. */
export interface LimitState {
  readonly limit: number
  readonly remaining: number
  /** Until there are calls again. */
  readonly resetMs: number
  readonly windowMs: number
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly isRefused: boolean
}

/** A way to tell of limits in headers. */
export interface Dialect {
  readonly name: string
  /** It tells of limits at all, not just how long to wait. */
  readonly tellsLimit: boolean
  readonly write: (state: LimitState) => readonly HeaderLine[]
}

const seconds = (ms: number) => `${Math.max(1, Math.ceil(ms / 1000))}`

export const SILENT: Dialect = { name: 'none', tellsLimit: false, write: () => [] }

/** The dialects, that of saying nothing among them. */
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
