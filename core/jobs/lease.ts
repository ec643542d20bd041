import type { Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { Timers } from '../shared/timers.ts'
import { createAlarm } from './alarm.ts'
import { toLogReason } from './failures.ts'
import type { ClaimedJob, JobStopReason } from './records.ts'
import type { JobStore } from './store.ts'

/** How long a claim is valid without a renewal, and how often it is renewed. */
export const LEASE_MS = 15_000
const BEAT_MS = 800

/** The exclusive right to run a job. */
export interface Lease {
  /** Aborted when the handler must stop. */
  readonly signal: AbortSignal
  stopReason(): JobStopReason | undefined
  /** Stops the handler. The reason `lost` replaces an earlier reason. */
  stop(reason: JobStopReason): void
  /** Renews the lease and checks for cancellation immediately. */
  beat(): void
  /** Stops renewing the lease. */
  end(): Promise<void>
}

export interface LeaseDeps {
  readonly store: Pick<JobStore, 'renewJob'>
  readonly clock: Clock
  readonly timers: Timers
  readonly logger: Logger
}

/**
 * Renews the lease of a claimed job until it is ended or lost. A lease is lost to another worker,
 * or when the storage has not responded for as long as the lease is valid.
 */
export function maintainLease(
  deps: LeaseDeps,
  { job, claimedAt }: { readonly job: ClaimedJob; readonly claimedAt: number },
): Lease {
  const { store, clock, timers, logger } = deps
  const alarm = createAlarm(timers)
  const controller = new AbortController()
  let reason: JobStopReason | undefined
  let isOver = false
  const keeping = renewUntilEnded()

  function stop(why: JobStopReason): void {
    if (reason === undefined || why === 'lost') reason = why
    controller.abort(new DOMException(`The job must stop: ${reason}`, 'AbortError'))
  }

  async function renew(): Promise<'held' | 'cancelled' | 'lost' | undefined> {
    try {
      return await store.renewJob(job, { now: clock(), leaseMs: LEASE_MS })
    } catch (error) {
      logger.log('warn', 'job_lease_not_renewed', { id: job.id, reason: toLogReason(error) })
      return undefined
    }
  }

  async function renewUntilEnded(): Promise<void> {
    let until = claimedAt + LEASE_MS - MARGIN_MS
    for (;;) {
      await alarm.wait(BEAT_MS)
      if (isOver) return
      const askedAt = timers.now()
      const answer = await withTimeout(until - askedAt, renew())
      if (isOver) return
      if (answer === 'cancelled') stop('cancelled')
      if (answer === 'lost' || (answer === undefined && timers.now() >= until)) {
        stop('lost')
        return
      }
      if (answer) until = askedAt + LEASE_MS - MARGIN_MS
    }
  }

  /** Resolves with undefined if `work` takes longer than `ms`. */
  async function withTimeout<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
    const over = new AbortController()
    const late = timers.sleep(Math.max(0, ms), over.signal).then(() => undefined)
    return Promise.race([work, late]).finally(() => over.abort())
  }

  return {
    signal: controller.signal,
    stopReason: () => reason,
    stop,
    beat: alarm.ring,
    async end() {
      isOver = true
      alarm.ring()
      await keeping
    },
  }
}

/**
 * A lease counts as lost this long before it expires: another process's clock may be slightly
 * ahead.
 */
const MARGIN_MS = 2_000
