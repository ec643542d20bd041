import type { Job } from '../jobs/records.ts'
import type { Timers } from '../shared/timers.ts'
import type { ProbeRecord } from './records.ts'

/** What a run has seen, kept for a later attempt. */
export interface SeenRecords {
  /** Of former attempts, as far as they were kept. */
  readonly former: readonly ProbeRecord[]
  add(record: ProbeRecord): void
  /** Ends the saving. Never rejects. */
  end(): Promise<void>
}

const EVERY_MS = 1_000
/** All that a run can have: the ceiling of its requests. */
const MAX_RECORDS = 1_000

/** Keeps what a run sees, every second in which there is more. `onFault` is told when it cannot be. */
export function keepRecords(deps: {
  readonly job: Pick<Job, 'checkpoint'>
  readonly save: (checkpoint: string) => Promise<void>
  readonly timers: Timers
  readonly onFault: (error: unknown) => void
}): SeenRecords {
  const { job, save, timers, onFault } = deps
  // Written by this feature.
  const former = job.checkpoint === '' ? [] : (JSON.parse(job.checkpoint) as ProbeRecord[])
  const records = [...former]
  const over = new AbortController()
  let kept = records.length
  const saving = keep()

  async function keep(): Promise<void> {
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
    former,
    add(record) {
      if (records.length < MAX_RECORDS) records.push(record)
    },
    async end() {
      over.abort()
      await saving
    },
  }
}
