import type { ProbeRecord } from '../records.ts'
import { toSentAt } from './find-limit.ts'
import { toPercentile } from './percentiles.ts'

/** Events in a tenth of a second. */
export interface TimelineRow {
  /** Start of the step, in milliseconds since the run began. */
  readonly at: number
  readonly sent: number
  /**
   * Outcomes of requests that ended in this step. `failed` includes timeouts, refusals and all
   * errors.
   */
  readonly ok: number
  readonly limited: number
  readonly failed: number
  /** Latencies of the requests that ended in this step, in milliseconds; undefined without one. */
  readonly p50: number | undefined
  readonly p99: number | undefined
}

const TIMELINE_STEP_MS = 100

/** Builds the timeline of a run in steps of 100 ms; empty steps are omitted. */
export function toTimeline(records: readonly ProbeRecord[]): readonly TimelineRow[] {
  const steps = new Map<number, { sent: number; ended: ProbeRecord[] }>()
  const stepOf = (ms: number) => {
    const index = Math.floor(ms / TIMELINE_STEP_MS)
    const step = steps.get(index) ?? { sent: 0, ended: [] }
    steps.set(index, step)
    return step
  }
  for (const record of records) {
    stepOf(toSentAt(record)).sent += 1
    stepOf(record.at + record.ms).ended.push(record)
  }
  const sorted = [...steps].sort(([a], [b]) => a - b)
  return sorted.map(([index, { sent, ended }]) =>
    toTimelineRow(index * TIMELINE_STEP_MS, { sent, ended }),
  )
}

function toTimelineRow(
  at: number,
  step: { readonly sent: number; readonly ended: readonly ProbeRecord[] },
): TimelineRow {
  const times = step.ended.map(({ ms }) => ms)
  const ok = step.ended.filter(({ outcome }) => outcome === 'ok').length
  const limited = step.ended.filter(({ outcome }) => outcome === 'limited').length
  return {
    at,
    sent: step.sent,
    ok,
    limited,
    failed: step.ended.length - ok - limited,
    p50: toPercentile(times, 0.5),
    p99: toPercentile(times, 0.99),
  }
}
