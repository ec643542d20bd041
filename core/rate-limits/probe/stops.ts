import type { ProbeRecord, StopReason } from '../records.ts'
import { isSureLimit } from './outcomes.ts'
import { toPercentile } from './percentiles.ts'

/** How long answers usually take, in milliseconds; of requests that came at a low rate. */
export interface Baseline {
  readonly p50: number
  readonly p95: number
}

/** Why a run ends whose signal is aborted: by its reason, where that is a withdrawn consent. */
export function toAbortStop({ reason }: AbortSignal): 'cancelled' | 'consent_withdrawn' {
  return reason === 'consent_withdrawn' ? reason : 'cancelled'
}

/** What a target took from the sending on; our own lateness is not its fault. */
export function toServedMs(record: ProbeRecord): number {
  return Math.max(0, record.ms - record.lateMs)
}

/** The baseline of the ramp's first so many records; undefined when too few of them were served. */
export function toBaseline(warmUp: readonly ProbeRecord[]): Baseline | undefined {
  const times = warmUp.filter(({ outcome }) => outcome === 'ok').map(toServedMs)
  const p50 = toPercentile(times, 0.5)
  const p95 = toPercentile(times, 0.95)
  return times.length < 3 || p50 === undefined || p95 === undefined ? undefined : { p50, p95 }
}

/** Whether a time is beyond what jitter of the baseline explains: three times its 95th percentile. */
export function isSlow(ms: number, baseline: Baseline): boolean {
  return ms > Math.max(3 * baseline.p95, baseline.p95 + LEAST_SLOWER_MS)
}

/** Watches what comes of a ramp, in the order in which it ends. */
export interface StopWatch {
  /** Why no more may be sent; undefined when more may. */
  add(record: ProbeRecord): StopReason | undefined
  /** There once the warm-up has ended. */
  baseline(): Baseline | undefined
}

/**
 * Creates the watch of a ramp whose first `warmUp` requests are the baseline. It is slow when the
 * 95th percentile of the last two seconds is, and slow answers end a second apart: a pause, ours
 * or the target's, whose requests all end with it, is no reason.
 */
export function createStopWatch(ramp: {
  readonly warmUp: number
  /** A second. */
  readonly rate: number
}): StopWatch {
  const { warmUp } = ramp
  const most = Math.max(LEAST_WINDOW, 2 * ramp.rate)
  const first: ProbeRecord[] = []
  const recent: ProbeRecord[] = []
  const served: ProbeRecord[] = []
  let baseline: Baseline | undefined
  let timeouts = 0
  let isServing = false
  const endsWith = (count: number, isSuch: (record: ProbeRecord) => boolean) =>
    recent.length >= count && recent.slice(-count).every(isSuch)

  function note(record: ProbeRecord): void {
    recent.push(record)
    if (recent.length > ROW) recent.shift()
    if (record.outcome === 'timed_out') timeouts += 1
    if (record.outcome === 'ok') isServing = true
    if (first.length < warmUp) {
      first.push(record)
      if (first.length === warmUp) baseline = toBaseline(first)
    } else if (record.outcome === 'ok') {
      served.push(record)
      if (served.length > most) served.shift()
    }
  }

  function judgeLimits(record: ProbeRecord): StopReason | undefined {
    if (isSureLimit(record)) return 'limit_found'
    const weak = recent.slice(-WEAK_AMONG).filter(({ outcome }) => outcome === 'limited')
    return weak.length >= 2 ? 'limit_found' : undefined
  }

  function judgeHealth(): StopReason | undefined {
    if (timeouts >= 3) return 'timeouts'
    if (endsWith(ROW, ({ status }) => status >= 500)) return 'server_errors'
    const refusals = isServing ? ROW : 3
    if (endsWith(refusals, ({ outcome }) => outcome === 'refused')) return 'unreachable'
    if (endsWith(ROW, ({ outcome }) => outcome === 'rejected')) return 'rejected'
    return undefined
  }

  function isSlowNow(): boolean {
    if (!baseline || served.length < LEAST_SERVED) return false
    const usual = baseline
    const p95 = toPercentile(served.map(toServedMs), 0.95) ?? 0
    if (!isSlow(p95, usual)) return false
    const slow = served.filter((record) => isSlow(toServedMs(record), usual))
    const ends = slow.map(({ at, ms }) => at + ms)
    return Math.max(...ends) - Math.min(...ends) >= SLOW_SPAN_MS
  }

  return {
    baseline: () => baseline,
    add(record) {
      note(record)
      return judgeLimits(record) ?? judgeHealth() ?? (isSlowNow() ? 'slow' : undefined)
    },
  }
}

/** So many of the same kind in a row end a ramp. */
const ROW = 5

/** Two weak signs of a limit count when they are among so many answers. */
const WEAK_AMONG = 3

/** The 95th percentile is that of so many answers at least, at a low rate of more than two seconds. */
const LEAST_SERVED = 10
const LEAST_WINDOW = 20

/** Between the ends of the first and the last slow request. */
const SLOW_SPAN_MS = 1000

/** What jitter of a fast target may add to its 95th percentile, milliseconds. */
const LEAST_SLOWER_MS = 50
