import { SourceError } from '../../ports/get.ts'
import type { FeedProblem } from '../feeds/events.ts'
import type { CveRecord } from '../records.ts'
import type { NvdReading } from './nvd-checkpoint.ts'
import type { NvdPages } from './nvd-pages.ts'

/** Content of a page, and the progress of the pass after it. */
export interface NvdStep {
  readonly records: readonly CveRecord[]
  readonly problems: readonly FeedProblem[]
  /** Number of records in the whole pass, according to the page. */
  readonly total: number
  readonly reading: NvdReading
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
export async function* readPass(pages: NvdPages, from: NvdReading): AsyncGenerator<NvdStep> {
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
