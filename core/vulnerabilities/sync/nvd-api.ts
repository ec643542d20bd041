import type { Clock } from '../../ports.ts'
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

/** What is read from the service, and what is known when it is. */
export interface NvdReader {
  /** Records with checkpoints: one that is interrupted goes on where the last of them says. */
  readonly batches: AsyncIterable<RecordBatch>
  /** Everything until then is read. Only at the end. */
  passed(): NvdPassed
  /** Records that were read, some of them twice. */
  records(): number
  /** Records that could not be read. */
  problems(): number
}

/** NVD publishes changes every two hours, and asks to be asked no more often. */
export const NVD_REFRESH_MS = 2 * 3_600_000

/** NVD permits 120 days; the ends count too. */
const MAX_WINDOW_MS = 119 * 86_400_000
/** What changed shortly before the last end may have become visible after it. */
const OVERLAP_MS = 2 * 3_600_000

/** Where to begin: with everything, or with what changed since the last sync. */
export function beginNvd(passed: NvdPassed | undefined, now: number): NvdReading {
  if (passed) return toWindow('increment', { since: passed.until, now })
  return { ...EMPTY, phase: 'full', mode: 'full', from: now, until: now }
}

/**
 * Reads on from a checkpoint: the rest of its pass, then everything that has changed since, in
 * windows of at most 119 days, until what is read is as new as the service.
 */
export function createNvdReader(
  pages: NvdPages,
  given: {
    readonly from: NvdReading
    readonly clock: Clock
    readonly onEvent?: OnSyncEvent | undefined
  },
): NvdReader {
  const { clock, onEvent } = given
  let count = 0
  let problems = 0
  let passed: NvdCheckpoint = given.from

  async function* read(): AsyncGenerator<RecordBatch> {
    for (let reading = given.from; ; ) {
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
        // By the source's clock, when ours is ahead of it.
        passed = { phase: 'done', until: Math.min(reading.until, reading.madeAt ?? reading.until) }
        return
      }
      const since = reading.phase === 'full' ? beginningOf(reading) : reading.until
      reading = toWindow(reading.mode, { since, now })
      // Else the end of a pass would be read again by what resumes it.
      yield { records: [], checkpoint: formatNvdCheckpoint(reading) }
    }
  }

  return {
    batches: read(),
    records: () => count,
    problems: () => problems,
    passed() {
      if (passed.phase !== 'done') throw new Error('It is not read to its end')
      return passed
    },
  }
}

const EMPTY = { madeAt: undefined, next: 0, seam: [] } as const

/** The window of changes since a time, or the first part of it. */
function toWindow(
  mode: NvdReading['mode'],
  { since, now }: { readonly since: number; readonly now: number },
): NvdReading {
  const from = Math.max(0, since - OVERLAP_MS)
  // Never backwards, should the clock have been.
  const until = Math.max(since, Math.min(now, from + MAX_WINDOW_MS))
  return { ...EMPTY, phase: 'window', mode, from, until }
}

/** When a pass over everything began, by the clock that was behind. */
function beginningOf({ from, madeAt = from }: NvdReading): number {
  return Math.min(from, madeAt)
}
