import type { ProbeRecord } from '../records.ts'
import { toSentAt } from './find-limit.ts'
import { toPercentile } from './percentiles.ts'

/** What happened in a tenth of a second. */
export interface TimelineRow {
  /** When it began, milliseconds since the run began. */
  readonly at: number
  readonly sent: number
  /** How those ended that ended in it; `failed` are time-outs, refusals and errors of all kinds. */
  readonly ok: number
  readonly limited: number
  readonly failed: number
  /** Of the latencies of those that ended in it, milliseconds; undefined when none did. */
  readonly p50: number | undefined
  readonly p99: number | undefined
}

const TIMELINE_STEP_MS = 100

/** The time line of a run, per 100 ms; rows in which nothing happened are left out. */
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
  return sorted.map(([index, { sent, ended }]) => toRow(index * TIMELINE_STEP_MS, { sent, ended }))
}

function toRow(
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
