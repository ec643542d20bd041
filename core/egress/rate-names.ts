import type { WaitUnit } from './rate-values.ts'

/** The meaning of a rate-limit header, derived from its name. */
export interface HeaderRole {
  readonly role: 'limit' | 'remaining' | 'reset' | 'retry' | 'window'
  /** Name of the limit; empty if a target has only one. */
  readonly quota: string
  readonly unit: WaitUnit
  /** False if the unit is tokens, bytes or similar. */
  readonly countsCalls: boolean
}

const MARKER = /^(?:[a-z0-9]+-)*?(?:ratelimit|rate-limit)(?:-|$)/

const ROLES = new Map<string, HeaderRole['role']>([
  ['remaining', 'remaining'],
  ['reset', 'reset'],
  ['resettime', 'reset'],
  ['next', 'reset'],
  ['interval', 'window'],
  ['window', 'window'],
])

/** Words that do not identify a limit. */
const FILLERS = new Set(['', 'after', 'at', 'date', 'in', 'time', 'seconds'])

const MS_WORDS = new Set(['ms', 'milliseconds'])

const NOT_CALLS = new Set(['bytes', 'complexity', 'cost', 'credits', 'points', 'token', 'tokens'])

const RETRY = new Map<string, WaitUnit>([
  ['retry-after', 'delay'],
  ['x-retry-after', 'delay'],
  ['retry-after-ms', 'ms'],
  ['x-ms-retry-after-ms', 'ms'],
])

const MAX_LENGTH = 80

/**
 * Interprets the name of a rate-limit header; undefined for other headers. Such a name contains the
 * word `ratelimit` or `rate-limit`. The other words have the same meaning in all spellings:
 *
 * | Header | Used by |
 * |---|---|
 * | `x-ratelimit-remaining`, `-reset` | GitHub, Okta, Vimeo (a date), Reddit (delay), Atlassian |
 * | `x-rate-limit-remaining`, `-reset` | X, Omnisend (delay), Prisjakt (milliseconds) |
 * | `ratelimit-remaining`, `-reset`, `-resettime` | GitLab (an instant, a date) |
 * | `x-ratelimit-reset-after` | Discord (delay with decimals) |
 * | `x-ratelimit-next` | Akamai (a date) |
 * | `x-ratelimit-retry-after` | MailerLite |
 * | `x-ratelimit-remaining-minute`, `x-ratelimit-remaining-hour` | Kong |
 * | `x-ratelimit-requests-remaining`, `-requests-reset` | Linear (milliseconds), RapidAPI (delay) |
 * | `x-ratelimit-remaining-tokens`, `-reset-tokens` | OpenAI (spans such as `6m0s`) |
 * | `anthropic-ratelimit-requests-remaining`, `-reset` | Anthropic (RFC 3339) |
 * | `x-hubspot-ratelimit-remaining`, `-interval-milliseconds`, `-daily-remaining` | HubSpot |
 * | `retry-after-ms`, `x-ms-retry-after-ms` | Azure |
 */
export function toHeaderRole(name: string): HeaderRole | undefined {
  if (name.length > MAX_LENGTH) return undefined
  const retryUnit = RETRY.get(name)
  if (retryUnit) return { role: 'retry', quota: '', unit: retryUnit, countsCalls: true }
  const marker = MARKER.exec(name)
  if (!marker) return undefined
  const words = name.slice(marker[0].length).split('-')
  const isRetry = words.includes('retry') && words.includes('after')
  const role = isRetry ? 'retry' : findRole(words)
  if (!role) return undefined
  const quota = words.filter(
    (word) => !ROLES.has(word) && !FILLERS.has(word) && !MS_WORDS.has(word) && word !== role,
  )
  return {
    role,
    quota: isRetry ? '' : quota.join('-'),
    unit: toUnit(role, words),
    countsCalls: !quota.some((word) => NOT_CALLS.has(word)),
  }
}

/** True for every name that `toHeaderRole` considers; expects lower case. */
export function isRateHeader(name: string): boolean {
  return name.length <= MAX_LENGTH && (RETRY.has(name) || MARKER.test(name))
}

function findRole(words: readonly string[]): HeaderRole['role'] | undefined {
  const role = words.map((word) => ROLES.get(word)).find(Boolean)
  return role ?? (words.includes('limit') ? 'limit' : undefined)
}

function toUnit(role: HeaderRole['role'], words: readonly string[]): WaitUnit {
  if (words.some((word) => MS_WORDS.has(word))) return 'ms'
  return role === 'reset' && !words.includes('after') ? 'guess' : 'delay'
}
