import type { Evidence } from '../records.ts'
import { type findUntried, toUntried } from './declared-limit.ts'
import { toRamp } from './find-limit.ts'
import { tellSlow, WILLS } from './tell-stop.ts'
import { tellCount, tellLimit } from './units.ts'

/** Why a run says nothing of a target. */
export type Doubt =
  | keyof typeof WILLS
  | 'rejected'
  | 'unreachable'
  | 'slow'
  | 'refused_all'
  | 'interrupted'
  | 'weak_sign'
  | 'failing'
  | 'overloaded'
  | 'too_few'
  | Untried

/** Everything was served, and yet there may be a limit that the run did not reach. */
export type Untried = NonNullable<ReturnType<typeof findUntried>>

/** Whether a doubt is one of a run that met no trouble. */
export function isUntried(doubt: Doubt): doubt is Untried {
  return doubt in UNTRIED
}

/** Tells a doubt as a clause. */
export function tellDoubt(evidence: Evidence, doubt: Doubt): string {
  switch (doubt) {
    case 'cancelled':
    case 'consent_withdrawn':
    case 'daily_budget_used':
      return WILLS[doubt]
    case 'announced':
      return tellAnnounced(evidence)
    case 'too_few':
      return `fewer than 20 requests were served, of a budget of ${evidence.budget.requests}`
    case 'rejected':
      return tellRejected(evidence)
    case 'failing':
      return tellFailing(evidence)
    case 'slow':
      return `${tellSlow(evidence)}, in a way that no limit explains: it may be an outage`
    case 'unreachable':
      return `the target could not be reached: ${tellCount(toRamp(evidence).length, 'connection')} did not come about`
    default:
      return isUntried(doubt) ? UNTRIED[doubt] : DOUBTS[doubt]
  }
}

/** `Declared, not tried: 10,000 calls in 30 days (x-quota of the operation).` */
export function tellUntried(
  evidence: Evidence,
  met: { readonly isFound: boolean },
): string | undefined {
  const limits = toUntried(evidence, met)
  if (limits.length === 0) return undefined
  const told = limits.slice(0, MOST_TOLD).map((limit) => `${tellLimit(limit)} (${limit.source})`)
  const more = limits.length - told.length
  return `Declared, not tried: ${told.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`
}

const MOST_TOLD = 3

function tellAnnounced({ records }: Evidence): string {
  const told = records.findLast(({ remaining, limit }) => (remaining ?? limit) !== undefined)
  const left = told?.remaining === undefined ? '' : `, ${told.remaining} left at the end`
  const limit = told?.limit === undefined ? 'a limit' : `a limit of ${told.limit} calls`
  return `the target's headers announce ${limit}${left}, which the test did not reach`
}

function tellRejected({ records }: Evidence): string {
  const rejected = records.filter(({ outcome }) => outcome === 'rejected')
  const statuses = [...new Set(rejected.map(({ status }) => status))]
  const told = `status ${statuses.slice(0, 5).join(', ')}`
  return statuses.every((status) => status < 400)
    ? `the target answered with redirects (${told}), which are not followed`
    : `the target rejected every request (${told}), so that no limit could show`
}

function tellFailing(evidence: Evidence): string {
  const failed = evidence.records.filter(({ outcome }) => outcome !== 'ok')
  const statuses = [...new Set(failed.map(({ status }) => status))].filter((status) => status > 0)
  const silent = failed.filter(({ outcome }) => outcome === 'timed_out').length
  const broken = failed.filter(({ status }) => status === 0).length - silent
  const ways = [
    ...(statuses.length === 0 ? [] : [`status ${statuses.slice(0, 5).join(', ')}`]),
    ...(silent === 0 ? [] : [`${silent} without an answer`]),
    ...(broken === 0 ? [] : [`${broken} without a connection or a whole answer`]),
  ]
  const why =
    statuses.every((status) => status === 503) && silent + broken === 0
      ? 'which may be a limit as well as an outage'
      : 'and no limit explains it'
  return `${tellCount(failed.length, 'request')} failed (${ways.join('; ')}), ${why}`
}

const DOUBTS = {
  refused_all:
    'requests were refused from the first on, by a limit that earlier calls used up or by a block',
  overloaded: 'it was overloaded, as calls after the pause took far longer than before',
  interrupted: 'the test was interrupted and taken up again, and no limit was met',
  weak_sign: 'an answer spoke of a limit, but only one',
} as const satisfies Partial<Record<Doubt, string>>

const UNTRIED: Readonly<Record<Untried, string>> = {
  declared: 'all that was sent fits a limit that the description declares, bursts included',
  announced: "the target's headers announce a limit, which the test did not reach",
  seen: 'earlier calls through the gateway met a limit, which the test did not reach',
  declared_429: 'the description declares a limit without its size, which the test did not reach',
}
