import type { Probe, ProbeRecord, StopReason } from '../records.ts'
import type { Prober } from './prober.ts'
import { MAX_ANNOUNCED_MS } from './recovery.ts'

/**
 * Sends bodies of these sizes, one a second at most, until one is not taken. Resolves with why the
 * run must end, if it must; so does `runPages`.
 */
export async function runPayloads(
  prober: Prober,
  sizes: readonly number[],
): Promise<StopReason | undefined> {
  return runEach(
    prober,
    sizes.map((bytes) => ({ stage: 'payload', bytes })),
  )
}

/** Asks for pages of these sizes, one a second at most, until one is not answered. */
export async function runPages(
  prober: Prober,
  sizes: readonly number[],
): Promise<StopReason | undefined> {
  return runEach(
    prober,
    sizes.map((pageSize) => ({ stage: 'page', pageSize })),
  )
}

/** A request that a limit refuses is sent once more, when the wait is over. */
async function runEach(prober: Prober, probes: readonly Probe[]): Promise<StopReason | undefined> {
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
