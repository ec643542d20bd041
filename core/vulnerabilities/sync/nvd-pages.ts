import { ServiceError } from '../../http/problems.ts'
import type { FeedProblem } from '../feeds/events.ts'
import { readNvdFeed } from '../feeds/read-nvd.ts'
import type { CveRecord } from '../records.ts'
import { type Get, SourceError } from './get.ts'
import { createPace } from './pace.ts'
import { type Failure, judgeAnswer, type RetryDeps, retry, toSourceName } from './retry.ts'

/** Where NVD's CVE API 2.0 is, and how to ask it. */
export interface NvdService {
  readonly get: Get
  /** The API's address; NVD's own when absent. */
  readonly baseUrl?: string | undefined
  /** Sent to that address alone. */
  readonly apiKey?: string | undefined
  /** Records a page, 2 or more; 2,000, the most that NVD gives, when absent. */
  readonly pageSize?: number | undefined
}

/** A page of records, read to its end. */
export interface NvdPage {
  /** Position of its first record. */
  readonly start: number
  /** Records and problems on it. */
  readonly count: number
  /** Records in all pages. */
  readonly total: number
  /** When the source made it. */
  readonly madeAt: number | undefined
  readonly records: readonly CveRecord[]
  readonly problems: readonly FeedProblem[]
}

/** Reads pages within the limits of the service, again and again where it fails. */
export interface NvdPages {
  /** What messages call the source: its address. */
  readonly name: string
  readonly pageSize: number
  /**
   * Reads one page, whole or not at all: of all records, or of those that changed within a window.
   * Throws a `ServiceError` with code `source_failed` when the service refuses it or fails too often.
   */
  read(asked: {
    readonly start: number
    readonly window?: { readonly from: number; readonly until: number } | undefined
  }): Promise<NvdPage>
}

/** NVD's CVE API 2.0. */
export const NVD_URL = 'https://services.nvd.nist.gov/rest/json/cves/2.0'

const MAX_PAGE_SIZE = 2_000
/** A page begins with one of the page before. */
const MIN_PAGE_SIZE = 2
/** Ten times what 2,000 records have on average. */
const MAX_PAGE_BYTES = 128 * 1024 * 1024
/** NVD has been seen to think for a minute. */
const TIMEOUTS = { headMs: 120_000, idleMs: 60_000, totalMs: 600_000 }

/** Creates the reader of pages. Throws a `ServiceError` of code `invalid_input` for bad options. */
export function createNvdPages(service: NvdService, deps: RetryDeps): NvdPages {
  const { apiKey, baseUrl = NVD_URL, pageSize = MAX_PAGE_SIZE } = service
  if (!URL.canParse(baseUrl)) {
    throw new ServiceError('invalid_input', 'Cannot ask NVD: the address of its API is no URL')
  }
  if (!Number.isInteger(pageSize) || pageSize < MIN_PAGE_SIZE) {
    const wanted = `a page must have ${MIN_PAGE_SIZE} records or more`
    throw new ServiceError('invalid_input', `Cannot ask NVD for pages of ${pageSize}: ${wanted}`)
  }
  const name = toSourceName(baseUrl)
  const { signal, clock, sleep } = deps
  const pace = createPace({ hasKey: apiKey !== undefined, clock, sleep })
  const headers = { accept: 'application/json', ...(apiKey === undefined ? {} : { apiKey }) }
  let hasAnswered = false

  async function attempt(url: string, start: number): Promise<{ value: NvdPage } | Failure> {
    await pace.wait(signal)
    const given = { headers, signal, maxBytes: MAX_PAGE_BYTES, timeouts: TIMEOUTS }
    const answer = await service.get(url, given).catch(passOver)
    if ('error' in answer) return answer
    hasAnswered = true
    const failure = judgeAnswer(answer, { name, clock, secret: apiKey })
    if (failure) return failure
    const page = await readPage(answer.body, name).catch(toFailure)
    if ('error' in page) return page
    const isWhole = page.start === start && (page.count > 0 || start >= page.total)
    if (isWhole) return { value: page }
    return { error: new SourceError(`Cannot read ${name}: a page is not whole`) }
  }

  /** What has answered will again, whatever is in the way now. */
  function passOver(error: unknown): Failure {
    if (!hasAnswered || !(error instanceof SourceError)) throw error
    return { error: new SourceError(error.message, { cause: error }) }
  }

  function toFailure(error: unknown): Failure {
    signal?.throwIfAborted()
    if (error instanceof SourceError) return { error }
    // A page that is cut off is as little JSON as one that holds something else.
    if (!(error instanceof ServiceError)) throw error
    return { error: new SourceError(`Cannot read ${name}: ${error.message}`) }
  }

  return {
    name,
    pageSize,
    read({ start, window }) {
      const url = new URL(baseUrl)
      url.searchParams.set('resultsPerPage', String(pageSize))
      url.searchParams.set('startIndex', String(start))
      if (window) {
        url.searchParams.set('lastModStartDate', toOffsetTime(window.from))
        url.searchParams.set('lastModEndDate', toOffsetTime(window.until))
      }
      return retry(() => attempt(url.href, start), deps)
    },
  }
}

async function readPage(body: AsyncIterable<Uint8Array>, name: string): Promise<NvdPage> {
  const records: CveRecord[] = []
  const problems: FeedProblem[] = []
  let head: { totalResults?: number | undefined; startIndex?: number | undefined } & {
    madeAt?: number | undefined
  } = {}
  for await (const event of readNvdFeed(body)) {
    for (const record of event.records) records.push(record)
    for (const problem of event.problems) problems.push(problem)
    head = event.head
  }
  const { totalResults: total, startIndex: start, madeAt } = head
  if (total === undefined || start === undefined) {
    throw new SourceError(`Cannot read ${name}: its answer is no page of records`)
  }
  return { start, total, madeAt, count: records.length + problems.length, records, problems }
}

/** NVD takes no time without offset. */
function toOffsetTime(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '+00:00')
}
