import type { ProbeRecord, StopReason } from '../records.ts'
import { MAX_RECOVERY_PROBES } from './plan-stages.ts'
import type { Prober } from './prober.ts'
import { type Baseline, isSlow, toResponseMs } from './stops.ts'

/** The longest announced wait that a run waits for. */
export const MAX_ANNOUNCED_MS = 60_000

/** Whether a target recovered. */
export interface RecoveryEnd {
  readonly recovered: boolean
  /** Why the run must end, if it must. */
  readonly stop: StopReason | undefined
}

/**
 * Sends single requests until one is served normally: after the announced wait, or else after 1, 2,
 * 4, 8, 16 and 32 seconds. Sends none if the announced wait exceeds a minute.
 */
export async function runRecovery(
  prober: Prober,
  known: { readonly baseline: Baseline | undefined },
): Promise<RecoveryEnd> {
  let announced = toAnnouncedWait(prober.records.filter(({ outcome }) => outcome === 'limited'))
  for (let tried = 0; tried < MAX_RECOVERY_PROBES; tried += 1) {
    const waitMs = announced ?? 1000 * 2 ** tried
    if (waitMs > MAX_ANNOUNCED_MS || !prober.hasTime(waitMs)) break
    const sending = await prober.send({ probe: { stage: 'recovery' }, at: prober.now() + waitMs })
    if (typeof sending !== 'object') return { recovered: false, stop: sending }
    const record = await sending.done
    if (isServed(record, known.baseline)) return { recovered: true, stop: undefined }
    announced = toAnnouncedWait([record])
  }
  return { recovered: false, stop: undefined }
}

/** Whether a request was served at normal speed. */
export function isServed(record: ProbeRecord, baseline: Baseline | undefined): boolean {
  if (record.outcome !== 'ok') return false
  return !baseline || !isSlow(toResponseMs(record), baseline)
}

/**
 * Whether a target that had stopped serving is as fast as before: at most three times the
 * baseline's 95th percentile plus 50 ms. A slower target is still overloaded.
 */
export function isAsFastAsBefore(record: ProbeRecord, baseline: Baseline | undefined): boolean {
  return !baseline || toResponseMs(record) <= 3 * baseline.p95 + 50
}

/** Returns the wait that the newest refusal announced, plus a margin for rounding. */
function toAnnouncedWait(limited: readonly ProbeRecord[]): number | undefined {
  const waitMs = limited.filter(({ outcome }) => outcome === 'limited').at(-1)?.waitMs
  return waitMs === undefined ? undefined : waitMs + ROUNDING_MS
}

const ROUNDING_MS = 100
