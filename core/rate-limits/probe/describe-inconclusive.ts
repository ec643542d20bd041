import { formatCount } from '../../shared/text.ts'
import type { Evidence } from '../records.ts'
import { findUntestedLimits, type findUntestedReason } from './declared-limit.ts'
import { DECISION_TEXTS, describeSlowdown } from './describe-stop.ts'
import { toRamp } from './find-limit.ts'
import { formatLimit } from './units.ts'

/** Why a test is inconclusive. */
export type InconclusiveReason =
  | keyof typeof DECISION_TEXTS
  | 'rejected'
  | 'unreachable'
  | 'slow'
  | 'refused_all'
  | 'interrupted'
  | 'weak_sign'
  | 'failing'
  | 'overloaded'
  | 'too_few'
  | UntestedReason

/** All requests were served, but there may be a limit that the run did not reach. */
export type UntestedReason = NonNullable<ReturnType<typeof findUntestedReason>>

/** Whether all requests were served and only an untested limit makes the test inconclusive. */
export function isUntestedReason(reason: InconclusiveReason): reason is UntestedReason {
  return reason in UNTESTED_TEXTS
}

/** Explains an inconclusive reason as a clause. */
export function describeInconclusiveReason(evidence: Evidence, reason: InconclusiveReason): string {
  switch (reason) {
    case 'cancelled':
    case 'consent_withdrawn':
    case 'daily_budget_used':
      return DECISION_TEXTS[reason]
    case 'announced':
      return describeAnnounced(evidence)
    case 'too_few':
      return `fewer than 20 requests were served, with a budget of ${evidence.budget.requests}`
    case 'rejected':
      return describeRejected(evidence)
    case 'failing':
      return describeFailing(evidence)
    case 'slow':
      return `${describeSlowdown(evidence)}, without the pattern of a rate limit: it may be an outage`
    case 'unreachable':
      return `the target could not be reached (${formatCount(toRamp(evidence).length, 'connection')} failed)`
    default:
      return isUntestedReason(reason) ? UNTESTED_TEXTS[reason] : REASON_TEXTS[reason]
  }
}

/**
 * Describes an untested limit: `Declared but not tested: 10,000 calls in 30 days (x-quota of the
 * operation).`
 */
export function describeUntested(
  evidence: Evidence,
  met: { readonly isFound: boolean },
): string | undefined {
  const limits = findUntestedLimits(evidence, met)
  if (limits.length === 0) return undefined
  const told = limits.slice(0, MAX_LISTED).map((limit) => `${formatLimit(limit)} (${limit.source})`)
  const more = limits.length - told.length
  return `Declared but not tested: ${told.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`
}

const MAX_LISTED = 3

function describeAnnounced({ records }: Evidence): string {
  const told = records.findLast(({ remaining, limit }) => (remaining ?? limit) !== undefined)
  const left = told?.remaining === undefined ? '' : ` (${told.remaining} left at the end)`
  const limit = told?.limit === undefined ? 'a limit' : `a limit of ${told.limit} calls`
  return `response headers announce ${limit}${left}, which the test did not reach`
}

function describeRejected({ records }: Evidence): string {
  const rejected = records.filter(({ outcome }) => outcome === 'rejected')
  const statuses = [...new Set(rejected.map(({ status }) => status))]
  const told = `status ${statuses.slice(0, 5).join(', ')}`
  return statuses.every((status) => status < 400)
    ? `the target responded with redirects (${told}), which the test does not follow`
    : `the target rejected every request (${told}), so no limit could be observed`
}

function describeFailing(evidence: Evidence): string {
  const failed = evidence.records.filter(({ outcome }) => outcome !== 'ok')
  const statuses = [...new Set(failed.map(({ status }) => status))].filter((status) => status > 0)
  const silent = failed.filter(({ outcome }) => outcome === 'timed_out').length
  const broken = failed.filter(({ status }) => status === 0).length - silent
  const ways = [
    ...(statuses.length === 0 ? [] : [`status ${statuses.slice(0, 5).join(', ')}`]),
    ...(silent === 0 ? [] : [`${silent} without a response`]),
    ...(broken === 0 ? [] : [`${broken} with a failed connection or an incomplete response`]),
  ]
  const why =
    statuses.every((status) => status === 503) && silent + broken === 0
      ? 'which may be a rate limit or an outage'
      : 'without the pattern of a rate limit'
  return `${formatCount(failed.length, 'request')} failed (${ways.join('; ')}), ${why}`
}

const REASON_TEXTS = {
  refused_all:
    'all requests were rejected, including the first one (earlier calls used up the limit, or the caller is blocked)',
  overloaded: 'the target was overloaded (after the pause, calls took far longer than before)',
  interrupted: 'the test was interrupted and resumed, and no limit was reached',
  weak_sign: 'only one response indicated a limit',
} as const satisfies Partial<Record<InconclusiveReason, string>>

const UNTESTED_TEXTS: Readonly<Record<UntestedReason, string>> = {
  declared: 'the test stayed within a limit that the description declares, bursts included',
  announced: 'response headers announce a limit, which the test did not reach',
  seen: 'earlier calls through the gateway reached a limit, which the test did not reach',
  declared_429: 'the description declares a limit of unknown size, which the test did not reach',
}
