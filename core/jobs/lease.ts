import type { Clock, Logger } from '../ports.ts'
import type { Timers } from '../shared/timers.ts'
import { createAlarm } from './alarm.ts'
import { toReason } from './failures.ts'
import type { ClaimedJob, JobStopReason } from './records.ts'
import type { JobStore } from './store.ts'

/** How long a claim holds without a sign of life, and how often there is one. */
export const LEASE_MS = 15_000
const BEAT_MS = 800

/** The right to do a job, as long as it lasts. */
export interface Lease {
  /** Aborted when the work must stop. */
  readonly signal: AbortSignal
  stopReason(): JobStopReason | undefined
  /** Stops the work. That the lease is lost outweighs what was said before. */
  stop(reason: JobStopReason): void
  /** Gives a sign of life, and hears of a cancel, at once. */
  beat(): void
  /** Gives no more signs of life. */
  end(): Promise<void>
}

/** What a lease is kept with. */
export interface LeaseDeps {
  readonly store: Pick<JobStore, 'renewJob'>
  readonly clock: Clock
  readonly timers: Timers
  readonly logger: Logger
}

/**
 * Keeps the lease of a job that was claimed, until it is ended or lost: to another worker,
 * or since the storage did not answer for as long as it holds.
 */
export function keepLease(
  deps: LeaseDeps,
  { job, claimedAt }: { readonly job: ClaimedJob; readonly claimedAt: number },
): Lease {
  const { store, clock, timers, logger } = deps
  const alarm = createAlarm(timers)
  const controller = new AbortController()
  let reason: JobStopReason | undefined
  let isOver = false
  const keeping = keep()

  function stop(why: JobStopReason): void {
    if (reason === undefined || why === 'lost') reason = why
    controller.abort(new DOMException(`The job must stop: ${reason}`, 'AbortError'))
  }

  async function renew(): Promise<'held' | 'cancelled' | 'lost' | undefined> {
    try {
      return await store.renewJob(job, { now: clock(), leaseMs: LEASE_MS })
    } catch (error) {
      logger.log('warn', 'job_lease_not_renewed', { id: job.id, reason: toReason(error) })
      return undefined
    }
  }

  async function keep(): Promise<void> {
    let until = claimedAt + LEASE_MS - MARGIN_MS
    for (;;) {
      await alarm.wait(BEAT_MS)
      if (isOver) return
      const askedAt = timers.now()
      const answer = await within(until - askedAt, renew())
      if (isOver) return
      if (answer === 'cancelled') stop('cancelled')
      if (answer === 'lost' || (answer === undefined && timers.now() >= until)) {
        stop('lost')
        return
      }
      if (answer) until = askedAt + LEASE_MS - MARGIN_MS
    }
  }

  /** Undefined when it takes longer. */
  async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
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

/** So long before its end, a lease counts as lost: another's clock may be a little ahead. */
const MARGIN_MS = 2_000
