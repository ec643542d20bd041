import { ServiceError } from '../../errors.ts'
import type { CveRecord } from '../records.ts'
import { findCveId, isCveId } from './cve-id.ts'
import type { FeedEvent, FeedHead, FeedProblem } from './events.ts'
import { createFieldError, expectObject } from './json-fields.ts'
import { readJsonItems } from './json-items.ts'
import { fromNvd1 } from './nvd-1.ts'
import { fromNvd2 } from './nvd-2.ts'
import { rejectOtherFeeds } from './other-feeds.ts'
import { parseTimestamp } from './timestamps.ts'

/** Options of `readNvdFeed`. */
export interface ReadNvdOptions {
  /** Maximum size of a record as JSON, 16 MiB by default; a longer one is reported as a problem. */
  readonly maxItemBytes?: number | undefined
}

/**
 * Reads the records of an NVD file in batches of about 50, in file order. The file is a JSON 2.0
 * feed, a page of the CVE API 2.0 or a legacy 1.1 feed. It may also be an array of such records, or
 * a single one. A broken record is reported as a problem and skipped. Yields at least one event.
 *
 * Throws a `ServiceError` after the intact records: `invalid_body` if the file is truncated or not
 * JSON, `unsupported_media_type` if it is JSON without CVE records or of another source. Errors of
 * `bytes` propagate, also after the intact records.
 *
 * @example
 * ```ts
 * import { readNvdFeed } from 'api-discovery/vulnerabilities'
 * import { readFeedFile } from 'api-discovery/feeds'
 *
 * for await (const { records, problems } of readNvdFeed(readFeedFile('nvdcve-2.0-2026.json.gz'))) {
 *   for (const { id, metrics } of records) console.log(id, metrics[0]?.score)
 *   for (const { message } of problems) console.error(message)
 * }
 * ```
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
    const event = { records, problems, head: toFeedHead(members) }
    records = []
    problems = []
    return event
  }
  try {
    const checked = rejectOtherFeeds(bytes, 'nvd')
    for await (const found of readJsonItems(checked, { names: ITEM_MEMBERS, maxItemBytes })) {
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
    const reason = 'it contains no CVE records'
    throw new ServiceError('unsupported_media_type', `Cannot read the document: ${reason}`)
  }
  yield takeEvent()
}

/** Larger batches live longer, so that the garbage collector copies more. */
const BATCH_SIZE = 50
/** Members with the items in 2.0 and in 1.1. */
const ITEM_MEMBERS = ['vulnerabilities', 'CVE_Items']

function addRecord(item: unknown, records: CveRecord[], problems: FeedProblem[]): void {
  try {
    records.push(toCveRecord(item))
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    problems.push({ id: findCveId(error.message), message: error.message })
  }
}

function toFeedHead(members: ReadonlyMap<string, unknown>): FeedHead {
  const madeAt = members.get('timestamp') ?? members.get('CVE_data_timestamp')
  return {
    madeAt: typeof madeAt === 'string' ? parseTimestamp(madeAt) : undefined,
    totalResults: parseCount(members.get('totalResults') ?? members.get('CVE_data_numberOfCVEs')),
    resultsPerPage: parseCount(members.get('resultsPerPage')),
    startIndex: parseCount(members.get('startIndex')),
  }
}

/** Legacy feeds contain counts as strings. */
function parseCount(value: unknown): number | undefined {
  const count = typeof value === 'string' ? Number.parseInt(value, 10) : value
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined
}

/**
 * Converts an item of an NVD feed or API page. JSON 2.0 is `{ cve: { id } }`, or the content of
 * `cve`; legacy 1.1 is `{ cve: { CVE_data_meta } }`. Throws a `ServiceError` with code
 * `invalid_input` that names the invalid field, and the record's ID if that is valid.
 */
export function toCveRecord(item: unknown): CveRecord {
  let name = 'a record'
  try {
    const fields = expectObject(item, 'the record')
    const cve = fields.cve === undefined ? fields : expectObject(fields.cve, 'cve')
    if (cve.CVE_data_meta === undefined) {
      const id = parseCveId(cve.id)
      name = id
      return fromNvd2(cve, id)
    }
    const id = parseCveId(expectObject(cve.CVE_data_meta, 'CVE_data_meta').ID)
    name = id
    return fromNvd1(fields, id)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw new ServiceError(error.code, `Cannot read ${name}: ${error.message}`)
  }
}

function parseCveId(value: unknown): string {
  if (typeof value !== 'string' || !isCveId(value)) throw createFieldError('id', 'a CVE ID')
  return value
}
