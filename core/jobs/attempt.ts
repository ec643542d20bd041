import { ServiceError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { Random } from '../ports/random.ts'
import type { Timers } from '../shared/timers.ts'
import { describeFailure, toBackoffMs, toLogReason } from './failures.ts'
import { type Lease, maintainLease } from './lease.ts'
import type { ClaimedJob, Job, JobEnd, JobHandler } from './records.ts'
import type { JobStore } from './store.ts'

/** An attempt in progress. */
export interface Attempt {
  /** Asks the handler to stop and then releases the job. */
  close(): void
  /** Checks immediately whether the job was cancelled. */
  beat(): void
  /** Resolves when the outcome is stored. Never rejects. */
  readonly ended: Promise<void>
}

/** The result of an attempt, or of a job that ended without another attempt. */
export interface SettledJob
  extends Pick<Job, 'id' | 'number' | 'kind' | 'accountId' | 'subject' | 'attempts'> {
  /**
   * The final state; `released` if the job will be retried; `lost` if another worker has the job or
   * the storage did not respond.
   */
  readonly outcome: AttemptOutcome
  /** Why the job failed, was aborted or was released, as a readable message; empty otherwise. */
  readonly reason: string
  /** Duration of the attempt; undefined if the job ended without one. */
  readonly durationMs: number | undefined
}

export interface AttemptDeps extends SettleDeps {
  readonly store: JobStore
  readonly onSettled?: ((left: SettledJob) => void) | undefined
}

/** The claimed job and its handler. */
export interface AttemptRequest {
  readonly job: ClaimedJob
  readonly handler: JobHandler
  /** When the claim was requested, by the monotonic clock of `timers`. */
  readonly claimedAt: number
}

/**
 * Runs a job that has just been claimed. Stores its outcome once, and only while the claim is
 * valid. Abandons a handler that is still running `GRACE_MS` after it was asked to stop.
 */
export function startAttempt(deps: AttemptDeps, request: AttemptRequest): Attempt {
  const lease = maintainLease(deps, request)
  return {
    close: () => lease.stop('closed'),
    beat: lease.beat,
    ended: runAttempt(deps, { ...request, lease }).finally(lease.end),
  }
}

/** How long a handler may take to stop. */
const GRACE_MS = 4_000

interface LeasedAttempt extends AttemptRequest {
  readonly lease: Lease
}

async function runAttempt(deps: AttemptDeps, attempt: LeasedAttempt): Promise<void> {
  const { logger, timers } = deps
  const { id, kind, attempts } = attempt.job
  const beganAt = timers.now()
  logger.log('info', 'job_began', { id, kind, attempt: attempts })
  const over = new AbortController()
  const outcome = await Promise.race([
    callHandler(deps, attempt),
    waitForGrace(deps, { lease: attempt.lease, over: over.signal }),
  ])
  over.abort()
  const as = await settleAttempt(deps, { ...attempt, outcome })
  const ms = Math.round(timers.now() - beganAt)
  logger.log('info', 'job_left', { id, kind, attempt: attempts, as, ms })
  const { number, accountId, subject } = attempt.job
  const why = describeOutcome(outcome, attempt)
  deps.onSettled?.({
    id,
    number,
    kind,
    accountId,
    subject,
    attempts,
    outcome: as,
    reason: why,
    durationMs: ms,
  })
}

function describeOutcome({ end, error }: HandlerOutcome, { job, lease }: LeasedAttempt): string {
  if (end) return end.failure
  return lease.stopReason() === undefined ? describeFailure(error, job) : ''
}

async function callHandler(
  deps: AttemptDeps,
  { job, handler, lease }: LeasedAttempt,
): Promise<HandlerOutcome> {
  const context = {
    signal: lease.signal,
    attempt: job.attempts,
    stopReason: lease.stopReason,
    async save(checkpoint: string) {
      if (lease.stopReason() !== 'lost' && (await deps.store.saveCheckpoint(job, checkpoint)))
        return
      lease.stop('lost')
      throw new ServiceError(
        'conflict',
        'Cannot save the checkpoint: another worker has claimed the job',
      )
    },
  }
  try {
    const end: JobEnd = await handler(job, context)
    return { end }
  } catch (error) {
    return { error }
  }
}

/**
 * Resolves with an error `GRACE_MS` after the lease's signal is aborted, unless `over` is aborted
 * first.
 */
function waitForGrace(
  { timers }: AttemptDeps,
  { lease, over }: { readonly lease: Lease; readonly over: AbortSignal },
): Promise<HandlerOutcome> {
  const error = new Error('The handler did not stop in time')
  return new Promise((resolve) => {
    lease.signal.addEventListener('abort', () => {
      void timers.sleep(GRACE_MS, over).then(() => resolve({ error }))
    })
  })
}

/** What a handler returned (`end`) or threw (`error`). */
interface HandlerOutcome {
  readonly end?: JobEnd
  readonly error?: unknown
}

/** How an attempt was settled. */
type AttemptOutcome = JobEnd['state'] | 'released' | 'lost'

interface SettleDeps {
  readonly store: Pick<JobStore, 'endJob' | 'releaseJob'>
  readonly clock: Clock
  readonly timers: Timers
  readonly random: Random
  readonly logger: Logger
}

/** Stores the outcome of an attempt, retrying while the lease is valid. Never rejects. */
async function settleAttempt(
  deps: SettleDeps,
  finished: { readonly job: ClaimedJob; readonly lease: Lease; readonly outcome: HandlerOutcome },
): Promise<AttemptOutcome> {
  const { store, clock, timers, logger } = deps
  const { job, lease, outcome } = finished
  if (lease.stopReason() === 'lost') return 'lost'
  const end = toJobEnd(finished)
  if (!outcome.end) {
    const { id, kind, attempts: attempt } = job
    const level = lease.stopReason() === undefined ? 'warn' : 'info'
    logger.log(level, 'job_attempt_failed', {
      id,
      kind,
      attempt,
      reason: toLogReason(outcome.error),
    })
  }
  const waitMs = lease.stopReason() === 'closed' ? 0 : toBackoffMs(job, deps.random)
  for (let tries = 0; tries < toMaxTries(lease); tries += 1) {
    try {
      const now = clock()
      const isStored = end
        ? await store.endJob(job, { ...end, now })
        : await store.releaseJob(job, { now, dueAt: now + waitMs })
      if (!isStored) return 'lost'
      return end?.state ?? 'released'
    } catch (error) {
      logger.log('error', 'job_not_stored', { id: job.id, reason: toLogReason(error) })
      await timers.sleep(RETRY_MS)
    }
  }
  return 'lost'
}

/** Together longer than a lease is valid without the storage. A closing process has less time. */
const MAX_TRIES = 30
const CLOSING_TRIES = 4
const RETRY_MS = 500

function toMaxTries(lease: Lease): number {
  const reason = lease.stopReason()
  if (reason === 'lost') return 0
  return reason === 'closed' ? CLOSING_TRIES : MAX_TRIES
}

/** Determines the end of an attempt's job; undefined if the job is to be retried. */
function toJobEnd({
  job,
  lease,
  outcome,
}: Parameters<typeof settleAttempt>[1]): JobEnd | undefined {
  const { end, error } = outcome
  // A handler aborted by the shutdown has not finished its work.
  if (lease.stopReason() === 'closed') return end?.state === 'aborted' ? undefined : end
  if (end) return end
  if (lease.stopReason() === 'cancelled') {
    return { state: 'aborted', result: '', failure: 'Cancelled' }
  }
  if (job.attempts < job.maxAttempts) return undefined
  return { state: 'failed', result: '', failure: describeFailure(error, job) }
}
