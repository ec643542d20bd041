import type { DeclaredLimits, Evidence, ProbeRecord } from '../../../core/rate-limits/records.ts'
import { NOTHING_DECLARED } from './run-in-process.ts'

/** Creates a record of a ramp at 5 requests per second: served in 20 ms. */
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

/** Creates the first `count` records. */
export function createServedRecords(count: number): ProbeRecord[] {
  return Array.from({ length: count }, (_, index) => at(index))
}

/** Creates a record with status 429. */
export function refuse(index: number): ProbeRecord {
  return { ...at(index), outcome: 'limited', status: 429, signal: 'status' }
}

/** Copies the records and changes one of them. */
export function change(
  records: readonly ProbeRecord[],
  index: number,
  more: Partial<ProbeRecord>,
): ProbeRecord[] {
  return records.map((record, place) => (place === index ? { ...record, ...more } : record))
}

/** Creates the evidence of a run that used its budget. */
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
