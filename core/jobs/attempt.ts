import { ServiceError } from '../http/problems.ts'
import { toFailureText } from './failures.ts'
import { keepLease, type Lease } from './lease.ts'
import type { ClaimedJob, Job, JobEnd, JobHandler } from './records.ts'
import { type Outcome, type SettleDeps, type Settled, settle } from './settle.ts'
import type { JobStore } from './store.ts'

/** A job that is being done. */
export interface Attempt {
  /** Gives it back as soon as its handler stops. */
  close(): void
  /** Looks at once whether it was cancelled. */
  beat(): void
  /** Never rejects. */
  readonly ended: Promise<void>
}

/** What became of an attempt at a job, or of a job that was ended instead of being begun once more. */
export interface LeftJob
  extends Pick<Job, 'id' | 'number' | 'kind' | 'accountId' | 'subject' | 'attempts'> {
  /**
   * How the job ended, or that it was `released`, to be tried again, or `lost`: another worker has it,
   * or the storage did not answer.
   */
  readonly as: Settled
  /** Why it failed, was aborted or was released, for people; else empty. */
  readonly why: string
  /** How long the attempt took; undefined where none was made. */
  readonly ms: number | undefined
}

/** What an attempt is made with. */
export interface AttemptDeps extends SettleDeps {
  readonly store: JobStore
  readonly onLeft?: ((left: LeftJob) => void) | undefined
}

/** What an attempt is about. */
export interface AttemptGiven {
  readonly job: ClaimedJob
  readonly handler: JobHandler
  /** When the claim was asked for, by the timers. */
  readonly claimedAt: number
}

/**
 * Does a job that was claimed just now. Its end is stored once, and only while the claim holds. A
 * handler that does not stop within `GRACE_MS` when it must is left to itself.
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
      throw new ServiceError('conflict', 'Cannot save the checkpoint: another worker has the job')
    },
  }
  try {
    const end: JobEnd = await handler(job, context)
    return { end }
  } catch (error) {
    return { error }
  }
}

/** From when the handler must stop; for ever when it need not, and no longer than it does. */
function waitForGrace(
  { timers }: AttemptDeps,
  { lease, over }: { readonly lease: Lease; readonly over: AbortSignal },
): Promise<Outcome> {
  const error = new Error('The handler does not stop')
  return new Promise((resolve) => {
    lease.signal.addEventListener('abort', () => {
      void timers.sleep(GRACE_MS, over).then(() => resolve({ error }))
    })
  })
}
