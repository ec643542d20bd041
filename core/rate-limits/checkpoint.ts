import type { Job } from '../jobs/records.ts'
import type { Timers } from '../shared/timers.ts'
import type { ProbeRecord } from './records.ts'

/** Request records of a run, checkpointed for later attempts. */
export interface CheckpointedRecords {
  /** Records from the last checkpoint of earlier attempts. */
  readonly earlier: readonly ProbeRecord[]
  add(record: ProbeRecord): void
  /** Stops saving checkpoints. Never rejects. */
  end(): Promise<void>
}

const EVERY_MS = 1_000
/** The maximum number of requests per run. */
const MAX_RECORDS = 1_000

/**
 * Saves the records of a run once a second if there are new ones. Calls `onFault` and stops if
 * saving fails.
 */
export function checkpointRecords(deps: {
  readonly job: Pick<Job, 'checkpoint'>
  readonly save: (checkpoint: string) => Promise<void>
  readonly timers: Timers
  readonly onFault: (error: unknown) => void
}): CheckpointedRecords {
  const { job, save, timers, onFault } = deps
  // Trusted JSON: written by `save` below.
  const former = job.checkpoint === '' ? [] : (JSON.parse(job.checkpoint) as ProbeRecord[])
  const records = [...former]
  const over = new AbortController()
  let kept = records.length
  const saving = saveRegularly()

  async function saveRegularly(): Promise<void> {
    while (!over.signal.aborted) {
      await timers.sleep(EVERY_MS, over.signal)
      if (over.signal.aborted || kept === records.length) continue
      const count = records.length
      try {
        await save(JSON.stringify(records))
        kept = count
      } catch (error) {
        onFault(error)
        return
      }
    }
  }

  return {
    earlier: former,
    add(record) {
      if (records.length < MAX_RECORDS) records.push(record)
    },
    async end() {
      over.abort()
      await saving
    },
  }
}
