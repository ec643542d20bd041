import { ServiceError } from '../../http/problems.ts'
import type { CveRecord } from '../records.ts'
import { findCveId } from './cve-id.ts'
import type { FeedEvent, FeedHead, FeedProblem } from './events.ts'
import { readJsonItems } from './json-items.ts'
import { toCveRecord } from './nvd.ts'
import { parseTimestamp } from './timestamps.ts'

/** How to read a feed. */
export interface ReadNvdOptions {
  /** Longest record, 16 MiB of JSON unless told; a longer one is a problem. */
  readonly maxItemBytes?: number | undefined
}

/**
 * The records of an NVD file in batches of about 200, in its order: a JSON 2.0 feed, a page of the
 * CVE API 2.0, a legacy 1.1 feed, an array of such records, or a single one. A broken record is a
 * problem, and the rest goes on. There is one event at least.
 *
 * Throws a `ServiceError` with code `invalid_body`, after what was whole, for a file that is cut off
 * or no JSON, and `unsupported_media_type` for JSON that holds no CVE records. What the bytes throw
 * is thrown after what was whole, too.
 */
export async function* readNvdFeed(
  bytes: AsyncIterable<Uint8Array>,
  options: ReadNvdOptions = {},
): AsyncIterable<FeedEvent> {
  const { maxItemBytes } = options
  let records: CveRecord[] = []
  let problems: FeedProblem[] = []
  let members: ReadonlyMap<string, unknown> = new Map()
  let hasItems = false
  const takeEvent = (): FeedEvent => {
    const event = { records, problems, head: toHead(members) }
    records = []
    problems = []
    return event
  }
  try {
    for await (const found of readJsonItems(bytes, { names: ITEM_MEMBERS, maxItemBytes })) {
      members = found.members
      hasItems = found.hasItems
      problems = problems.concat(found.problems)
      for (const item of found.items) {
        addRecord(item, records, problems)
        if (records.length >= BATCH_SIZE) yield takeEvent()
      }
      if (problems.length >= BATCH_SIZE) yield takeEvent()
    }
  } catch (error) {
    yield takeEvent()
    throw error
  }
  if (!hasItems && members.has('cve')) addRecord(Object.fromEntries(members), records, problems)
  else if (!hasItems) {
    const reason = 'it holds no CVE records'
    throw new ServiceError('unsupported_media_type', `Cannot read the document: ${reason}`)
  }
  yield takeEvent()
}

const BATCH_SIZE = 200
/** Of 2.0 and of 1.1. */
const ITEM_MEMBERS = ['vulnerabilities', 'CVE_Items']

function addRecord(item: unknown, records: CveRecord[], problems: FeedProblem[]): void {
  try {
    records.push(toCveRecord(item))
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    problems.push({ id: findCveId(error.message), message: error.message })
  }
}

function toHead(members: ReadonlyMap<string, unknown>): FeedHead {
  const madeAt = members.get('timestamp') ?? members.get('CVE_data_timestamp')
  return {
    madeAt: typeof madeAt === 'string' ? parseTimestamp(madeAt) : undefined,
    totalResults: toCount(members.get('totalResults') ?? members.get('CVE_data_numberOfCVEs')),
    resultsPerPage: toCount(members.get('resultsPerPage')),
    startIndex: toCount(members.get('startIndex')),
  }
}

/** The legacy feeds count in texts. */
function toCount(value: unknown): number | undefined {
  const count = typeof value === 'string' ? Number.parseInt(value, 10) : value
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined
}
