import type { ProbeRecord, StopReason } from '../records.ts'
import { MAX_RECOVERY_PROBES } from './plan.ts'
import type { Prober } from './prober.ts'
import { type Baseline, isSlow, toServedMs } from './stops.ts'

/** How long an announced wait may be that is waited for. */
export const MAX_ANNOUNCED_MS = 60_000

/** How the seeing whether a target serves again ended. */
export interface RecoveryEnd {
  readonly recovered: boolean
  /** Why it could not go on, where that ends the run. */
  readonly stop: StopReason | undefined
}

/**
 * Sends single requests until one is served as usual: after the wait that a refusal announced, else
 * after 1, 2, 4, 8, 16 and 32 seconds. Sends none when more than a minute is announced.
 */
export async function runRecovery(
  prober: Prober,
  known: { readonly baseline: Baseline | undefined },
): Promise<RecoveryEnd> {
  let announced = toAnnounced(prober.records.filter(({ outcome }) => outcome === 'limited'))
  for (let tried = 0; tried < MAX_RECOVERY_PROBES; tried += 1) {
    const waitMs = announced ?? 1000 * 2 ** tried
    if (waitMs > MAX_ANNOUNCED_MS || !prober.hasTime(waitMs)) break
    const sending = await prober.send({ probe: { stage: 'recovery' }, at: prober.now() + waitMs })
    if (typeof sending !== 'object') return { recovered: false, stop: sending }
    const record = await sending.done
    if (isServed(record, known.baseline)) return { recovered: true, stop: undefined }
    announced = toAnnounced([record])
  }
  return { recovered: false, stop: undefined }
}

/** Whether a request was served as it usually is. */
export function isServed(record: ProbeRecord, baseline: Baseline | undefined): boolean {
  if (record.outcome !== 'ok') return false
  return !baseline || !isSlow(toServedMs(record), baseline)
}

/**
 * Whether a target that had stopped serving took about what it took before: up to three times the
 * baseline's 95th percentile and 50 ms. What takes longer is overloaded still.
 */
export function isAsBefore(record: ProbeRecord, baseline: Baseline | undefined): boolean {
  return !baseline || toServedMs(record) <= 3 * baseline.p95 + 50
}

/** The wait that the newest refusal announced, with what rounding down of it may miss. */
function toAnnounced(limited: readonly ProbeRecord[]): number | undefined {
  const waitMs = limited.filter(({ outcome }) => outcome === 'limited').at(-1)?.waitMs
  return waitMs === undefined ? undefined : waitMs + ROUNDING_MS
}

const ROUNDING_MS = 100
