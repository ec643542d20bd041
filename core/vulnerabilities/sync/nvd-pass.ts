import type { FeedProblem } from '../feeds/events.ts'
import type { CveRecord } from '../records.ts'
import { SourceError } from './get.ts'
import type { NvdReading } from './nvd-checkpoint.ts'
import type { NvdPages } from './nvd-pages.ts'

/** What a page brought to a pass, and how far the pass has come with it. */
export interface NvdStep {
  readonly records: readonly CveRecord[]
  readonly problems: readonly FeedProblem[]
  /** Records of the whole pass, as the page says. */
  readonly total: number
  readonly reading: NvdReading
}

/** Records of the page before that a page begins with. */
const OVERLAP = 20
/** Half pages that a pass goes back before it begins anew. */
const MAX_STEPS_BACK = 4
const MAX_RESTARTS = 5
/** Pages in a row that bring nothing that is further on. */
const MAX_FRUITLESS = 10

/**
 * Reads all pages of a pass from where it stands, although the records change meanwhile.
 *
 * When a record leaves the selection or moves in its order, those behind it move up, and a reader
 * that only counts on loses as many. So a page has to begin with records of the page before. One
 * that comes again unchanged proves that nothing between was passed over: the order among unchanged
 * records does not change, whatever it is. Else the pass goes back until it finds one. What changed
 * since the pass began is left to the window after it.
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
    if (restarts > MAX_RESTARTS || fruitless > MAX_FRUITLESS) {
      const reason = 'its pages change faster than they can be read'
      throw new SourceError(`Cannot read ${pages.name}: ${reason}`)
    }
    const page = await pages.read({ start, window })
    // Those of records last, as the seam is to hold them: a problem may lie anywhere on the page.
    const marks = [...page.problems.map(toProblemMark), ...page.records.map(toMark)]
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
    const records = page.records.filter((record) => !isKnown(toMark(record)))
    const problems = page.problems.filter((problem) => !isKnown(toProblemMark(problem)))
    yield { records, problems, total: page.total, reading }
    if (next >= page.total) return
    seam = new Set(marks)
    start = Math.max(0, next - overlap)
  }
}

/** A record as it is now. */
function toMark({ id, modifiedAt }: CveRecord): string {
  return `${id} ${modifiedAt}`
}

/** What could not be read comes again as it was, too. */
function toProblemMark({ id = '', message }: FeedProblem): string {
  return `${id} ${message.slice(0, 100)}`
}
