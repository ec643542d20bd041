import type { Clock } from '../../ports/clock.ts'
import type { RecordBatch } from '../loading/batches.ts'
import type { OnSyncEvent } from './events.ts'
import {
  formatNvdCheckpoint,
  type NvdCheckpoint,
  type NvdPassed,
  type NvdReading,
} from './nvd-checkpoint.ts'
import type { NvdPages } from './nvd-pages.ts'
import { readPass } from './nvd-pass.ts'

/** A read of the service with its results. */
export interface NvdReader {
  /** Records with checkpoints; an interrupted read resumes at the last of them. */
  readonly batches: AsyncIterable<RecordBatch>
  /** The final checkpoint. Throws before the end of the batches. */
  finalCheckpoint(): NvdPassed
  /** Number of records that were read; some are read twice. */
  records(): number
  /** Number of unreadable records. */
  problems(): number
}

/** NVD publishes changes every two hours, and asks clients to poll no more often. */
export const NVD_REFRESH_MS = 2 * 3_600_000

/** NVD permits 120 days, including both ends. */
const MAX_WINDOW_MS = 119 * 86_400_000
/** NVD may publish changes with a time shortly before the end of the last sync. */
const OVERLAP_MS = 2 * 3_600_000

/** Starts a sync: with everything, or with the changes since the last sync. */
export function startNvdReading(passed: NvdPassed | undefined, now: number): NvdReading {
  if (passed) return createWindow('increment', { since: passed.until, now })
  return { ...UNREAD, phase: 'full', mode: 'full', from: now, until: now }
}

/**
 * Continues from a checkpoint. Reads the rest of its pass, then all changes since in windows of at
 * most 119 days. Ends when the records are as new as the service.
 */
export function createNvdReader(
  pages: NvdPages,
  options: {
    readonly from: NvdReading
    readonly clock: Clock
    readonly onEvent?: OnSyncEvent | undefined
  },
): NvdReader {
  const { clock, onEvent } = options
  let count = 0
  let problems = 0
  let passed: NvdCheckpoint = options.from

  async function* read(): AsyncGenerator<RecordBatch> {
    for (let reading = options.from; ; ) {
      for await (const step of readPass(pages, reading)) {
        const { records, total } = step
        ;({ reading } = step)
        count += records.length
        problems += step.problems.length
        for (const problem of step.problems) {
          onEvent?.({ kind: 'problem', source: pages.name, ...problem })
        }
        onEvent?.({ kind: 'progress', phase: 'records', done: reading.next, total })
        yield { records, checkpoint: formatNvdCheckpoint(reading) }
      }
      const now = clock()
      if (reading.phase === 'window' && now - reading.until < NVD_REFRESH_MS) {
        // By the source's clock if the local clock is ahead of it.
        passed = { phase: 'done', until: Math.min(reading.until, reading.madeAt ?? reading.until) }
        return
      }
      const since = reading.phase === 'full' ? toPassStart(reading) : reading.until
      reading = createWindow(reading.mode, { since, now })
      // Otherwise, a resumed sync would read the end of the pass again.
      yield { records: [], checkpoint: formatNvdCheckpoint(reading) }
    }
  }

  return {
    batches: read(),
    records: () => count,
    problems: () => problems,
    finalCheckpoint() {
      if (passed.phase !== 'done') throw new Error('Not all pages were read')
      return passed
    },
  }
}

const UNREAD = { madeAt: undefined, next: 0, seam: [] } as const

/** Returns the window of changes since a time, or its first part if it is too long. */
function createWindow(
  mode: NvdReading['mode'],
  { since, now }: { readonly since: number; readonly now: number },
): NvdReading {
  const from = Math.max(0, since - OVERLAP_MS)
  // Never goes backwards, even if the clock did.
  const until = Math.max(since, Math.min(now, from + MAX_WINDOW_MS))
  return { ...UNREAD, phase: 'window', mode, from, until }
}

/** Returns the start of a full pass, by the slower of the two clocks. */
function toPassStart({ from, madeAt = from }: NvdReading): number {
  return Math.min(from, madeAt)
}
