import { ServiceError } from '../../errors.ts'
import type { Clock } from '../../ports/clock.ts'
import { type Get, SourceError } from '../../ports/get.ts'
import type { FeedProblem } from '../feeds/events.ts'
import { readNvdFeed } from '../feeds/read-nvd.ts'
import type { CveRecord } from '../records.ts'
import { checkResponse, type RetryDeps, retry, type SourceFailure, toSourceName } from './retry.ts'
import type { Sleep } from './sleep.ts'

/** Location and options of NVD's CVE API 2.0. */
export interface NvdService {
  readonly get: Get
  /** URL of the API; NVD's own by default. */
  readonly baseUrl?: string | undefined
  /** Sent to that URL only. */
  readonly apiKey?: string | undefined
  /** Records per page, at least 2; 2,000, NVD's maximum, by default. */
  readonly pageSize?: number | undefined
}

/** A page of records, read completely. */
export interface NvdPage {
  /** Position of its first record. */
  readonly start: number
  /** Number of records and problems on it. */
  readonly count: number
  /** Number of records on all pages. */
  readonly total: number
  /** When the source created it. */
  readonly madeAt: number | undefined
  readonly records: readonly CveRecord[]
  readonly problems: readonly FeedProblem[]
}

/** Reads pages within the rate limit of the service, and retries failures. */
export interface NvdPages {
  /** Name of the source in messages: its URL. */
  readonly name: string
  readonly pageSize: number
  /**
   * Reads one complete page: of all records, or of those that changed within a window. Throws a
   * `ServiceError` with code `source_failed` if the service rejects the request or fails too often.
   */
  read(request: {
    readonly start: number
    readonly window?: { readonly from: number; readonly until: number } | undefined
  }): Promise<NvdPage>
}

/** URL of NVD's CVE API 2.0. */
export const NVD_URL = 'https://services.nvd.nist.gov/rest/json/cves/2.0'

const MAX_PAGE_SIZE = 2_000
/** A page must overlap the previous one by a record. */
const MIN_PAGE_SIZE = 2
/** Ten times the average size of 2,000 records. */
const MAX_PAGE_BYTES = 128 * 1024 * 1024
/** NVD sometimes takes a minute to respond. */
const TIMEOUTS = { headMs: 120_000, idleMs: 60_000, totalMs: 600_000 }

/**
 * Creates a reader of pages. Throws a `ServiceError` with code `invalid_input` for invalid options.
 */
export function createNvdPages(service: NvdService, deps: RetryDeps): NvdPages {
  const { apiKey, baseUrl = NVD_URL, pageSize = MAX_PAGE_SIZE } = service
  if (!URL.canParse(baseUrl)) {
    throw new ServiceError('invalid_input', 'Invalid NVD API address: not a URL')
  }
  if (!Number.isInteger(pageSize) || pageSize < MIN_PAGE_SIZE) {
    const wanted = `a page must have at least ${MIN_PAGE_SIZE} records`
    throw new ServiceError('invalid_input', `Invalid page size "${pageSize}": ${wanted}`)
  }
  const name = toSourceName(baseUrl)
  const { signal, clock, sleep } = deps
  const pace = createPace({ hasKey: apiKey !== undefined, clock, sleep })
  const headers = { accept: 'application/json', ...(apiKey === undefined ? {} : { apiKey }) }
  let hasResponded = false

  async function attempt(url: string, start: number): Promise<{ value: NvdPage } | SourceFailure> {
    await pace.wait(signal)
    const given = { headers, signal, maxBytes: MAX_PAGE_BYTES, timeouts: TIMEOUTS }
    const answer = await service.get(url, given).catch(toRetryableFailure)
    if ('error' in answer) return answer
    hasResponded = true
    const failure = checkResponse(answer, { name, clock, secret: apiKey, retriesNotFound: true })
    if (failure) return failure
    const page = await readNvdPage(answer.body, name).catch(toPageFailure)
    if ('error' in page) return page
    const isWhole = page.start === start && (page.count > 0 || start >= page.total)
    if (isWhole) return { value: page }
    return { error: new SourceError(`Cannot read ${name}: a page is incomplete`) }
  }

  /** Treats a failed connection as temporary once the service has responded. */
  function toRetryableFailure(error: unknown): SourceFailure {
    if (!hasResponded || !(error instanceof SourceError)) throw error
    return { error: new SourceError(error.message, { cause: error }) }
  }

  function toPageFailure(error: unknown): SourceFailure {
    signal?.throwIfAborted()
    if (error instanceof SourceError) return { error }
    // A truncated page cannot be distinguished from one that is not JSON.
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

async function readNvdPage(body: AsyncIterable<Uint8Array>, name: string): Promise<NvdPage> {
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
    throw new SourceError(`Cannot read ${name}: its response is not a page of records`)
  }
  return { start, total, madeAt, count: records.length + problems.length, records, problems }
}

/** NVD accepts no time without an offset. */
function toOffsetTime(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '+00:00')
}

/** Limits requests to the published rate of the source. */
interface Pace {
  /** Waits until the next request may be sent. */
  wait(signal?: AbortSignal | undefined): Promise<void>
}

/** NVD counts requests in rolling windows of 30 seconds: 5 without an API key, 50 with one. */
const WINDOW_MS = 30_000
const REQUESTS = { withoutKey: 5, withKey: 50 }
/** Allows for network delays, so that no window of the server contains one request too many. */
const MARGIN = 1.1

/**
 * Spaces requests evenly: one per 6.6 seconds without an API key, one per 0.66 seconds with one.
 */
function createPace(options: {
  readonly hasKey: boolean
  readonly clock: Clock
  readonly sleep: Sleep
}): Pace {
  const { clock, sleep } = options
  const requests = options.hasKey ? REQUESTS.withKey : REQUESTS.withoutKey
  const gapMs = (WINDOW_MS / requests) * MARGIN
  let nextAt = 0
  return {
    async wait(signal) {
      const ms = nextAt - clock()
      // A clock that was set back must not block requests.
      if (ms > 0) await sleep(Math.min(ms, gapMs), signal)
      nextAt = clock() + gapMs
    },
  }
}
