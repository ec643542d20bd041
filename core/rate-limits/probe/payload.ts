import type { Probe, ProbeRecord, StopReason } from '../records.ts'
import type { Prober } from './prober.ts'
import { MAX_ANNOUNCED_MS } from './recovery.ts'

/**
 * Sends bodies of these sizes, at most one per second, until one is not accepted. Resolves with the
 * stop reason if the run must end; so does `runPages`.
 */
export async function runPayloads(
  prober: Prober,
  sizes: readonly number[],
): Promise<StopReason | undefined> {
  return sendEach(
    prober,
    sizes.map((bytes) => ({ stage: 'payload', bytes })),
  )
}

/** Requests pages of these sizes, at most one per second, until one is not served. */
export async function runPages(
  prober: Prober,
  sizes: readonly number[],
): Promise<StopReason | undefined> {
  return sendEach(
    prober,
    sizes.map((pageSize) => ({ stage: 'page', pageSize })),
  )
}

/** Retries a request once after the announced wait if a limit refuses it. */
async function sendEach(prober: Prober, probes: readonly Probe[]): Promise<StopReason | undefined> {
  for (const probe of probes) {
    let waitMs = 1000
    let record: ProbeRecord | undefined
    for (let tried = 0; tried < 2 && (!record || record.outcome === 'limited'); tried += 1) {
      if (!prober.hasTime(waitMs)) return 'time_used'
      const sending = await prober.send({ probe, at: prober.now() + waitMs })
      if (typeof sending !== 'object') return sending
      record = await sending.done
      waitMs = Math.min(MAX_ANNOUNCED_MS, Math.max(1000, record.waitMs ?? 2000))
    }
    if (record?.outcome !== 'ok') return undefined
  }
  return undefined
}
