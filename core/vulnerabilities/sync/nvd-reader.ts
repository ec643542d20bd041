import type { Clock } from '../../ports/clock.ts'
import { SourceError } from '../../ports/get.ts'
import type { FeedProblem } from '../feeds/events.ts'
import type { RecordBatch } from '../loading/batches.ts'
import type { CveRecord } from '../records.ts'
import type { OnSyncEvent } from './events.ts'
import {
  formatNvdCheckpoint,
  type NvdCheckpoint,
  type NvdPassed,
  type NvdReading,
} from './nvd-checkpoint.ts'
import type { NvdPages } from './nvd-pages.ts'

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

/** Content of a page, and the progress of the pass after it. */
interface NvdStep {
  readonly records: readonly CveRecord[]
  readonly problems: readonly FeedProblem[]
  /** Number of records in the whole pass, according to the page. */
  readonly total: number
  readonly reading: NvdReading
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

/** Number of records at the start of a page that repeat the previous page. */
const OVERLAP = 20
/** Number of half pages that a pass goes back before it restarts. */
const MAX_STEPS_BACK = 4
const MAX_RESTARTS = 5
/** Limit on pages in a row without progress. */
const MAX_PAGES_WITHOUT_PROGRESS = 10

/**
 * Reads all pages of a pass from its current position, although the records change during the pass.
 *
 * When a record leaves the selection or moves within it, those after it move up, and a reader that
 * only counts positions misses as many. So a page must start with records of the previous page. If
 * one of them appears again unchanged, nothing in between was missed, because unchanged records
 * keep their relative order. Otherwise, the pass goes back until it finds one. Changes since the
 * start of the pass are left to the window after it.
 */
async function* readPass(pages: NvdPages, from: NvdReading): AsyncGenerator<NvdStep> {
  const overlap = Math.max(1, Math.min(OVERLAP, Math.floor(pages.pageSize / 10)))
  const stepBack = Math.max(1, Math.floor(pages.pageSize / 2))
  const window = from.phase === 'window' ? { from: from.from, until: from.until } : undefined
  let { next, madeAt } = from
  let seam: ReadonlySet<string> = new Set(from.seam)
  let start = Math.max(0, next - overlap)
  let stepsBack = 0
  let restarts = 0
  let furthest = next
  for (let fruitless = 0; ; ) {
    if (restarts > MAX_RESTARTS || fruitless > MAX_PAGES_WITHOUT_PROGRESS) {
      const reason = 'its pages change faster than they can be read'
      throw new SourceError(`Cannot read ${pages.name}: ${reason}`)
    }
    const page = await pages.read({ start, window })
    // Record marks come last, so that `seam` contains records. A problem may be anywhere on the
    // page.
    const marks = [...page.problems.map(toProblemMark), ...page.records.map(toRecordMark)]
    const isKnown = (mark: string) => seam.has(mark)
    if (start > 0 && !marks.some(isKnown)) {
      stepsBack += 1
      start = stepsBack > MAX_STEPS_BACK ? 0 : Math.max(0, start - stepBack)
      if (start === 0) {
        restarts += 1
        furthest = 0
      }
      continue
    }
    stepsBack = 0
    madeAt ??= page.madeAt
    next = page.start + page.count
    fruitless = next > furthest ? 0 : fruitless + 1
    furthest = Math.max(furthest, next)
    const reading = { ...from, madeAt, next, seam: marks.slice(-overlap) }
    const records = page.records.filter((record) => !isKnown(toRecordMark(record)))
    const problems = page.problems.filter((problem) => !isKnown(toProblemMark(problem)))
    yield { records, problems, total: page.total, reading }
    if (next >= page.total) return
    seam = new Set(marks)
    start = Math.max(0, next - overlap)
  }
}

/** Identifies a record in its current version. */
function toRecordMark({ id, modifiedAt }: CveRecord): string {
  return `${id} ${modifiedAt}`
}

/** Identifies an unreadable record. Like other records, it appears again unchanged. */
function toProblemMark({ id = '', message }: FeedProblem): string {
  return `${id} ${message.slice(0, 100)}`
}
