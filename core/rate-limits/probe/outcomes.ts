import type { ReadRateHints } from '../../egress/rate-headers.ts'
import type { EgressFailure } from '../../ports/egress.ts'
import type { LimitSignal, Outcome, ProbeRecord, ProbeResponse } from '../records.ts'
import { readAnnouncedLimit } from './limit-headers.ts'
import { findQuotaWords, isQuotaBody } from './quota-words.ts'

/** The members of a record that are derived from its response. */
export type JudgedResponse = Pick<
  ProbeRecord,
  'outcome' | 'status' | 'signal' | 'waitMs' | 'remaining' | 'limit' | 'windowMs'
>

/** Classifies a response. `usual` are the quota words in the target's first bodies. */
export function judgeResponse(
  answer: ProbeResponse,
  known: {
    readonly usual: ReadonlySet<string>
    /** Milliseconds since the epoch. */
    readonly now: number
    readonly hints: ReadRateHints
  },
): JudgedResponse {
  if ('failure' in answer) return { outcome: FAILURE_OUTCOMES[answer.failure], status: 0 }
  const { status, headers, text } = answer
  const announced = readAnnouncedLimit(headers, { status, now: known.now, hints: known.hints })
  const isOver = announced.remaining === 0 || headers.some(([name]) => name === 'retry-after')
  const signal = toLimitSignal({ status, isOver, text, usual: known.usual })
  const outcome = signal === undefined ? toOutcome(status) : 'limited'
  return { outcome, status, ...(signal === undefined ? {} : { signal }), ...announced }
}

/**
 * Whether one record is sufficient evidence of a limit: a status 429, or another refusal with
 * rate-limit headers. Words in the body need a second record.
 */
export function isSureLimit(record: ProbeRecord): boolean {
  if (record.outcome !== 'limited') return false
  if (record.status === 429) return true
  const isAnnounced = record.waitMs !== undefined || record.remaining === 0
  return isAnnounced && record.signal !== 'body'
}

const FAILURE_OUTCOMES: Readonly<Record<EgressFailure | 'aborted', Outcome>> = {
  refused_url: 'refused',
  refused_address: 'refused',
  unresolved: 'refused',
  connect_failed: 'refused',
  connect_timeout: 'timed_out',
  first_byte_timeout: 'timed_out',
  total_timeout: 'timed_out',
  reader_too_slow: 'failed',
  malformed_answer: 'failed',
  too_large: 'failed',
  too_slow: 'timed_out',
  aborted: 'failed',
}

/** Non-standard statuses for limits: Twitter, Apache and Qualys. */
const OWN_STATUSES = new Set([420, 509, 529])

function toLimitSignal(answer: {
  readonly status: number
  /** The headers announce a wait, or that no calls remain. */
  readonly isOver: boolean
  readonly text: string
  readonly usual: ReadonlySet<string>
}): LimitSignal | undefined {
  const { status, isOver, text, usual } = answer
  if (status === 429 || OWN_STATUSES.has(status)) return 'status'
  if (status < 400) return isQuotaBody(text, usual) ? 'body' : undefined
  const says = findQuotaWords(text).some((words) => !usual.has(words))
  if (status === 503) return isOver || says ? 'unavailable' : undefined
  // Remaining calls and waits also appear on other errors, such as 404.
  return (isOver && status === 403) || says ? 'status' : undefined
}

/** Redirects are not followed, so the requested resource was not served. */
function toOutcome(status: number): Outcome {
  if (status < 300 || status === 304) return 'ok'
  return status < 500 ? 'rejected' : 'failed'
}
