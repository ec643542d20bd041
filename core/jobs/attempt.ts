import { ServiceError } from '../http/problems.ts'
import { toFailureText } from './failures.ts'
import { keepLease, type Lease } from './lease.ts'
import type { ClaimedJob, Job, JobEnd, JobHandler } from './records.ts'
import { type Outcome, type SettleDeps, type Settled, settle } from './settle.ts'
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
export interface LeftJob
  extends Pick<Job, 'id' | 'number' | 'kind' | 'accountId' | 'subject' | 'attempts'> {
  /**
   * The final state; `released` if the job will be retried; `lost` if another worker has the job or
   * the storage did not respond.
   */
  readonly as: Settled
  /** Why the job failed, was aborted or was released, as a readable message; empty otherwise. */
  readonly why: string
  /** Duration of the attempt; undefined if the job ended without one. */
  readonly ms: number | undefined
}

export interface AttemptDeps extends SettleDeps {
  readonly store: JobStore
  readonly onLeft?: ((left: LeftJob) => void) | undefined
}

/** The claimed job and its handler. */
export interface AttemptGiven {
  readonly job: ClaimedJob
  readonly handler: JobHandler
  /** When the claim was requested, by the monotonic clock of `timers`. */
  readonly claimedAt: number
}

/**
 * Runs a job that has just been claimed. Stores its outcome once, and only while the claim is
 * valid. Abandons a handler that is still running `GRACE_MS` after it was asked to stop.
 */
export function startAttempt(deps: AttemptDeps, given: AttemptGiven): Attempt {
  const lease = keepLease(deps, given)
  return {
    close: () => lease.stop('closed'),
    beat: lease.beat,
    ended: run(deps, { ...given, lease }).finally(lease.end),
  }
}

/** How long a handler may take to stop. */
const GRACE_MS = 4_000

interface Given extends AttemptGiven {
  readonly lease: Lease
}

async function run(deps: AttemptDeps, given: Given): Promise<void> {
  const { logger, timers } = deps
  const { id, kind, attempts } = given.job
  const beganAt = timers.now()
  logger.log('info', 'job_began', { id, kind, attempt: attempts })
  const over = new AbortController()
  const outcome = await Promise.race([
    handle(deps, given),
    waitForGrace(deps, { lease: given.lease, over: over.signal }),
  ])
  over.abort()
  const as = await settle(deps, { ...given, outcome })
  const ms = Math.round(timers.now() - beganAt)
  logger.log('info', 'job_left', { id, kind, attempt: attempts, as, ms })
  const { number, accountId, subject } = given.job
  const why = tellWhy(outcome, given)
  deps.onLeft?.({ id, number, kind, accountId, subject, attempts, as, why, ms })
}

function tellWhy({ end, error }: Outcome, { job, lease }: Given): string {
  if (end) return end.failure
  return lease.stopReason() === undefined ? toFailureText(error, job) : ''
}

async function handle(deps: AttemptDeps, { job, handler, lease }: Given): Promise<Outcome> {
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
): Promise<Outcome> {
  const error = new Error('The handler did not stop in time')
  return new Promise((resolve) => {
    lease.signal.addEventListener('abort', () => {
      void timers.sleep(GRACE_MS, over).then(() => resolve({ error }))
    })
  })
}
