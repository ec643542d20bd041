import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Clock } from '../../core/ports/clock.ts'

/** A record of the server; times are milliseconds since the epoch. */
export interface ServedCve {
  readonly id: string
  readonly publishedAt: number
  readonly modifiedAt: number
  readonly status: string
  readonly description: string
}

/** The failure of one request. */
export type Fault =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  /** The body breaks off in the middle. */
  | 'cut'
  /** The response is not JSON. */
  | 'garbage'
  /** A complete response with truncated JSON. */
  | 'short'
  /** There is no response. */
  | 'silent'
  /** One record of the page is broken. */
  | 'broken-record'

export interface NvdServerOptions {
  readonly clock: Clock
  /** The key that raises the limit; any other key is rejected. */
  readonly apiKey?: string
  /** The time by which records are sorted. */
  readonly order?: 'published' | 'modified'
  /** Called for each request within the limit, with its number from 1. */
  readonly fault?: (count: number) => Fault | undefined
  /** Called before a request is answered, to change records in between. */
  readonly onRequest?: (count: number) => void
}

/** The parameters of a request. */
export interface SeenRequest {
  readonly at: number
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: IncomingMessage['headers']
}

/**
 * A server on loopback that behaves as NVD describes its CVE API 2.0. It has pages by `startIndex`,
 * and windows of at most 120 days that need both ends and an offset. It responds with 403 above the
 * rate limit of 30 seconds, and with 404 and the reason in the header `message` to invalid
 * requests. Other paths serve `files`.
 */
export interface NvdServer {
  /** URL of the API. */
  readonly url: string
  /** Origin of the server, without a slash. */
  readonly origin: string
  readonly cves: Map<string, ServedCve>
  readonly files: Map<string, ServedFile>
  readonly requests: SeenRequest[]
  /** Adds or changes a record at the current time. */
  put(id: string, change?: Partial<ServedCve>): void
  close(): Promise<void>
}

/** The content of a path other than the API's. */
export interface ServedFile {
  readonly bytes: Uint8Array
  readonly location?: string
  /** The failures of its requests, from the first one on. */
  readonly faults?: readonly (number | 'cut' | undefined)[]
}

const PATH = '/rest/json/cves/2.0'
const WINDOW_MS = 30_000
const MAX_RANGE_MS = 120 * 86_400_000

/** Starts the server on a free port of 127.0.0.1. */
export async function startNvdServer(options: NvdServerOptions): Promise<NvdServer> {
  const cves = new Map<string, ServedCve>()
  const files: NvdServer['files'] = new Map()
  const requests: SeenRequest[] = []
  const server = createServer((request, response) => answer(request, response))

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const query = Object.fromEntries(url.searchParams)
    const { headers } = request
    const seen = { at: options.clock(), path: url.pathname, query, headers }
    requests.push(seen)
    if (url.pathname === PATH) answerPage(seen, response)
    else answerFile(url.pathname, response)
  }

  function answerPage({ headers, query }: SeenRequest, response: ServerResponse): void {
    const limit = headers.apikey === undefined ? 5 : 50
    const since = options.clock() - WINDOW_MS
    if (requests.filter(({ at }) => at > since).length > limit) {
      response.writeHead(403).end('Request forbidden by administrative rules.')
      return
    }
    options.onRequest?.(requests.length)
    const fault = options.fault?.(requests.length)
    if (fault === 'silent') return
    if (typeof fault === 'object') {
      response.writeHead(fault.status, fault.headers).end()
      return
    }
    const refusal = refuse(headers.apikey, query)
    if (refusal !== undefined) {
      response.writeHead(404, { message: refusal, 'content-length': '0' }).end()
      return
    }
    sendWithFault(response, toPage(query, fault === 'broken-record'), fault)
  }

  function answerFile(path: string, response: ServerResponse): void {
    const file = files.get(path)
    const count = requests.filter((seen) => seen.path === path).length
    const fault = file?.faults?.[count - 1]
    if (!file) response.writeHead(404).end()
    else if (typeof fault === 'number') response.writeHead(fault).end()
    else if (fault === 'cut') {
      response.writeHead(200, { 'content-length': String(file.bytes.length) })
      response.write(file.bytes.subarray(0, Math.floor(file.bytes.length / 2)))
      setTimeout(() => response.destroy(), 5)
    } else if (file.location !== undefined)
      response.writeHead(302, { location: file.location }).end()
    else response.writeHead(200).end(file.bytes)
  }

  function refuse(key: unknown, query: SeenRequest['query']): string | undefined {
    const { resultsPerPage = '2000', startIndex = '0', lastModStartDate, lastModEndDate } = query
    if (key !== undefined && key !== options.apiKey) return 'Invalid apiKey.'
    if (!/^\d+$/.test(startIndex) || !/^\d+$/.test(resultsPerPage)) return 'Invalid parameter.'
    if (Number(resultsPerPage) > 2000) return 'resultsPerPage is more than 2000.'
    if (lastModStartDate === undefined && lastModEndDate === undefined) return undefined
    const [from, until] = [lastModStartDate, lastModEndDate].map(toTime)
    if (from === undefined || until === undefined) {
      return 'Invalid ISO 8601 date/time format, see documentation.'
    }
    return until < from || until - from > MAX_RANGE_MS ? 'The range is too long.' : undefined
  }

  function toPage(query: SeenRequest['query'], isBroken: boolean): string {
    const start = Number(query.startIndex ?? 0)
    const [from, until] = [toTime(query.lastModStartDate), toTime(query.lastModEndDate)]
    const isWanted = ({ modifiedAt }: ServedCve) =>
      modifiedAt >= (from ?? 0) && modifiedAt <= (until ?? Infinity)
    const time = options.order === 'modified' ? 'modifiedAt' : 'publishedAt'
    const found = [...cves.values()]
      .filter(isWanted)
      .sort((a, b) => a[time] - b[time] || (a.id < b.id ? -1 : 1))
    const size = Number(query.resultsPerPage ?? 2000)
    const page: { cve: object }[] = found.slice(start, start + size).map(toNvdItem)
    const [first] = page
    if (isBroken && first) page[0] = { cve: { ...first.cve, lastModified: 'yesterday' } }
    return JSON.stringify({
      resultsPerPage: page.length,
      startIndex: start,
      totalResults: found.length,
      format: 'NVD_CVE',
      version: '2.0',
      timestamp: toLocalTime(options.clock()),
      vulnerabilities: page,
    })
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `${origin}${PATH}`,
    origin,
    cves,
    files,
    requests,
    put(id, change = {}) {
      const now = options.clock()
      const before = cves.get(id) ?? {
        id,
        publishedAt: now,
        status: 'Analyzed',
        description: `What ${id} is about`,
      }
      cves.set(id, { ...before, modifiedAt: now, ...change })
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function sendWithFault(response: ServerResponse, text: string, fault: Fault | undefined): void {
  const half = Math.floor(text.length / 2)
  if (fault === 'garbage') {
    response.writeHead(200).end('<html>Try again later</html>')
    return
  }
  response.writeHead(200, { 'content-type': 'application/json' }).write(text.slice(0, half))
  if (fault === 'short') response.end()
  else if (fault === 'cut') setTimeout(() => response.destroy(), 5)
  else response.end(text.slice(half))
}

/** A record in NVD's format. */
export function toNvdItem(cve: ServedCve): { readonly cve: object } {
  return {
    cve: {
      id: cve.id,
      sourceIdentifier: 'cna@example.com',
      published: toLocalTime(cve.publishedAt),
      lastModified: toLocalTime(cve.modifiedAt),
      vulnStatus: cve.status,
      descriptions: [{ lang: 'en', value: cve.description }],
      metrics: {},
      references: [],
    },
  }
}

/** Times in NVD's format: UTC, without an offset. */
function toLocalTime(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '')
}

/** NVD accepts no time without an offset; undefined for one. */
function toTime(text: string | undefined): number | undefined {
  if (text === undefined || !/(Z|[+-]\d\d:\d\d)$/.test(text)) return undefined
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? undefined : ms
}
