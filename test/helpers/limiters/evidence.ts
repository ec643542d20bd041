import type { DeclaredLimits, Evidence, ProbeRecord } from '../../../core/rate-limits/records.ts'
import { NOTHING_DECLARED } from './run-in-process.ts'

/** The request of a ramp at 5 a second that has this index: served in 20 ms. */
export function at(index: number): ProbeRecord {
  return {
    stage: 'ramp',
    at: index * 200,
    lateMs: 0,
    ms: 20,
    outcome: 'ok',
    status: 200,
    inFlight: 0,
  }
}

/** The first so many of them. */
export function serve(count: number): ProbeRecord[] {
  return Array.from({ length: count }, (_, index) => at(index))
}

/** One of them that was answered 429. */
export function refuse(index: number): ProbeRecord {
  return { ...at(index), outcome: 'limited', status: 429, signal: 'status' }
}

/** The same records, one of them changed. */
export function change(
  records: readonly ProbeRecord[],
  index: number,
  more: Partial<ProbeRecord>,
): ProbeRecord[] {
  return records.map((record, place) => (place === index ? { ...record, ...more } : record))
}

/** What a run saw that used its budget. */
export function toEvidence(
  records: readonly ProbeRecord[],
  more: Partial<Omit<Evidence, 'declared'>> & { readonly declared?: Partial<DeclaredLimits> } = {},
): Evidence {
  return {
    budget: { requests: 60, rate: 5, payloadBytes: 65_536 },
    stop: 'budget_used',
    attempts: 1,
    sent: records.length,
    records,
    ...more,
    declared: { ...NOTHING_DECLARED, ...more.declared },
  }
}
