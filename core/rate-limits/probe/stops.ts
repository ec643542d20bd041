import type { ProbeRecord, StopReason } from '../records.ts'
import { isSureLimit } from './outcomes.ts'
import { toPercentile } from './percentiles.ts'

/** Usual response times at a low rate, in milliseconds. */
export interface Baseline {
  readonly p50: number
  readonly p95: number
}

/** Returns why an aborted run ends: the signal's reason if consent was withdrawn. */
export function toAbortStop({ reason }: AbortSignal): 'cancelled' | 'consent_withdrawn' {
  return reason === 'consent_withdrawn' ? reason : 'cancelled'
}

/** Returns the time from sending to the response. Delays before sending are excluded. */
export function toResponseMs(record: ProbeRecord): number {
  return Math.max(0, record.ms - record.lateMs)
}

/** Computes the baseline of the warm-up records; undefined if fewer than three were served. */
export function toBaseline(warmUp: readonly ProbeRecord[]): Baseline | undefined {
  const times = warmUp.filter(({ outcome }) => outcome === 'ok').map(toResponseMs)
  const p50 = toPercentile(times, 0.5)
  const p95 = toPercentile(times, 0.95)
  return times.length < 3 || p50 === undefined || p95 === undefined ? undefined : { p50, p95 }
}

/** Whether a time exceeds the jitter of the baseline: more than three times its 95th percentile. */
export function isSlow(ms: number, baseline: Baseline): boolean {
  return ms > Math.max(3 * baseline.p95, baseline.p95 + LEAST_SLOWER_MS)
}

/** Watches the records of a ramp, in the order of completion. */
export interface StopWatch {
  /** Returns why the ramp must stop; undefined if it may continue. */
  add(record: ProbeRecord): StopReason | undefined
  /** Defined once the warm-up has ended, if enough requests were served. */
  baseline(): Baseline | undefined
}

/**
 * Creates the watch of a ramp, whose first `warmUp` requests form the baseline. The target is slow
 * if the 95th percentile of the last two seconds is slow, and slow responses ended at least a
 * second apart. Responses delayed by one pause, ours or the target's, end together and do not
 * count.
 */
export function createStopWatch(ramp: {
  readonly warmUp: number
  /** Requests per second. */
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

  function noteRecord(record: ProbeRecord): void {
    recent.push(record)
    if (recent.length > FAILURES_IN_A_ROW) recent.shift()
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
    if (endsWith(FAILURES_IN_A_ROW, ({ status }) => status >= 500)) return 'server_errors'
    const refusals = isServing ? FAILURES_IN_A_ROW : 3
    if (endsWith(refusals, ({ outcome }) => outcome === 'refused')) return 'unreachable'
    if (endsWith(FAILURES_IN_A_ROW, ({ outcome }) => outcome === 'rejected')) return 'rejected'
    return undefined
  }

  function isSlowNow(): boolean {
    if (!baseline || served.length < LEAST_SERVED) return false
    const usual = baseline
    const p95 = toPercentile(served.map(toResponseMs), 0.95) ?? 0
    if (!isSlow(p95, usual)) return false
    const slow = served.filter((record) => isSlow(toResponseMs(record), usual))
    const ends = slow.map(({ at, ms }) => at + ms)
    return Math.max(...ends) - Math.min(...ends) >= SLOW_SPAN_MS
  }

  return {
    baseline: () => baseline,
    add(record) {
      noteRecord(record)
      return judgeLimits(record) ?? judgeHealth() ?? (isSlowNow() ? 'slow' : undefined)
    },
  }
}

/** Number of consecutive failures of one type that end a ramp. */
const FAILURES_IN_A_ROW = 5

/** Two weak signs count if they are among this many records. */
const WEAK_AMONG = 3

/**
 * Minimum number of records for the 95th percentile. At low rates the window exceeds two seconds.
 */
const LEAST_SERVED = 10
const LEAST_WINDOW = 20

/** Minimum time between the ends of the first and the last slow request. */
const SLOW_SPAN_MS = 1000

/** Jitter of a fast target, added to its 95th percentile, in milliseconds. */
const LEAST_SLOWER_MS = 50
