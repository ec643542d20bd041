import { ServiceError } from '../../http/problems.ts'
import type { FeedProblem } from '../feeds/events.ts'
import type { CveRecord } from '../records.ts'
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
  for (let restarts = 0; ; ) {
    const page = await pages.read({ start, window })
    const marks = [...page.records.map(toMark), ...page.problems.map(toProblemMark)]
    const isKnown = (mark: string) => seam.has(mark)
    if (start > 0 && !marks.some(isKnown)) {
      stepsBack += 1
      start = stepsBack > MAX_STEPS_BACK ? 0 : Math.max(0, start - stepBack)
      if (start === 0) restarts += 1
      if (restarts > MAX_RESTARTS) {
        const reason = 'its pages change faster than they can be read'
        throw new ServiceError('source_failed', `Cannot read ${pages.name}: ${reason}`)
      }
      continue
    }
    stepsBack = 0
    madeAt ??= page.madeAt
    next = page.start + page.count
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
