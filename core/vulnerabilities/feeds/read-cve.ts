import { type CveEvent, createCveBatch } from './cve-batch.ts'
import { readJsonItems } from './json-items.ts'
import { rejectOtherFeeds } from './other-feeds.ts'

/** Options of `readCveFeed` and `readCveDocuments`. */
export interface ReadCveOptions {
  /** Maximum size of a record as JSON, 16 MiB by default; a longer one is reported as a problem. */
  readonly maxItemBytes?: number | undefined
}

/**
 * Reads records of the CVE Program (CVE JSON 5.x) in batches of about 50, in file order. The file
 * is one record, an array of records, or one record a line. A broken record is reported as a
 * problem and skipped. Yields at least one event.
 *
 * Throws a `ServiceError` after the intact records: `invalid_body` if the file is truncated or not
 * JSON, `unsupported_media_type` if it is JSON without such records or of another source. Errors of
 * `bytes` propagate, also after the intact records.
 *
 * @example
 * ```ts
 * import { readCveFeed } from 'api-discovery/vulnerabilities'
 * import { readFeedFile } from 'api-discovery/feeds'
 *
 * for await (const { records, problems } of readCveFeed(readFeedFile('CVE-2026-1234.json'))) {
 *   for (const { id, status, reported } of records) console.log(id, status, reported?.length ?? 0)
 *   for (const { message } of problems) console.error(message)
 * }
 * ```
 */
export async function* readCveFeed(
  bytes: AsyncIterable<Uint8Array>,
  options: ReadCveOptions = {},
): AsyncIterable<CveEvent> {
  const { maxItemBytes } = options
  const batch = createCveBatch()
  try {
    // No member of a single record contains other records.
    const items = toArray(rejectOtherFeeds(bytes, 'cve'))
    for await (const found of readJsonItems(items, { names: [], maxItemBytes })) {
      batch.add([], found.problems)
      for (const item of found.items) {
        batch.addItem(item)
        if (batch.isFull()) yield batch.take()
      }
    }
  } catch (error) {
    yield batch.take()
    throw error
  }
  batch.requireRecords()
  if (batch.foreign() > 0) {
    batch.add([], [{ message: `Cannot read ${batch.foreign()} items: not CVE records` }])
  }
  yield batch.take()
}

/** Turns a sequence of values into an array, whose reader accepts items without commas. */
async function* toArray(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let isArray: boolean | undefined
  for await (const chunk of bytes) {
    const start = isArray === undefined ? chunk.findIndex((byte) => !IGNORED.has(byte)) : 0
    if (start < 0) continue
    if (isArray === undefined) {
      isArray = chunk[start] === OPEN_BRACKET
      // Anything but an array or an object is not JSON here, as the reader then reports.
      if (!isArray && chunk[start] === OPEN_BRACE) yield Uint8Array.of(OPEN_BRACKET)
      else isArray = true
    }
    yield start === 0 ? chunk : chunk.subarray(start)
  }
  if (isArray === false) yield Uint8Array.of(CLOSE_BRACKET)
}

const OPEN_BRACKET = 91
const CLOSE_BRACKET = 93
const OPEN_BRACE = 123
/** White space, and the byte order mark of UTF-8. */
const IGNORED: ReadonlySet<number> = new Set([9, 10, 13, 32, 0xef, 0xbb, 0xbf])
