import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Clock } from '../../core/ports/clock.ts'
import { zipFiles } from './zip.ts'

/** A record of the server, in the format of the CVE Program. */
export interface ServedRecord {
  readonly id: string
  readonly json: string
  /** When the record was added to the list, in milliseconds since the epoch. */
  readonly changedAt: number
}

export interface ReleaseServerOptions {
  readonly clock: Clock
  /** Requests an hour without a token; unlimited by default. */
  readonly hourlyLimit?: number
  /** Number of releases that are listed, 1,000 by default. */
  readonly maxListed?: number
  /** Where downloads are redirected to: the origin of another server; undefined for none. */
  readonly downloadOrigin?: string
  /** Responds to lists with a token with 401. */
  readonly rejectsTokens?: boolean
  /** Called before a request is answered, with its number from 1. */
  readonly onRequest?: (count: number, path: string) => void
}

/** A file that the server offers. */
export interface ServedAsset {
  readonly name: string
  bytes: Uint8Array
  /** Size in the list; that of the content by default. */
  listedBytes?: number
  updatedAt: string
  state: string
  /** Failures of its downloads, from the first one on. */
  faults: (number | 'cut')[]
}

export interface ServedRelease {
  readonly tag: string
  readonly publishedAt: string
  assets: ServedAsset[]
}

/**
 * A server on loopback that behaves as the releases of `CVEProject/cvelistV5` at GitHub: an hourly
 * release with the archive of all records at midnight and the changes of the day so far, and a
 * release with all changes of a day some time after its end. Lists are paged, at most 1,000 releases
 * (then 422), and have an `ETag`. A limit responds with 403 until the next hour.
 */
export interface ReleaseServer {
  /** URL of the list. */
  readonly url: string
  readonly origin: string
  /** Newest first. */
  readonly releases: ServedRelease[]
  readonly records: Map<string, ServedRecord>
  readonly requests: { readonly path: string; readonly headers: IncomingMessage['headers'] }[]
  /** Adds or changes a record at the current time. */
  put(id: string, json: string): void
  /** Publishes the release of the current hour. The first one of a day has a new archive. */
  publishHour(): ServedRelease
  /** Publishes the changes of the day before the current time's. */
  publishEndOfDay(): ServedRelease
  /** Finds the newest asset whose name contains a text. Throws if there is none. */
  find(text: string): ServedAsset
  close(): Promise<void>
}

const LIST = '/repos/CVEProject/cvelistV5/releases'
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const MAX_LISTED = 1_000

/** Starts the server on a free port of 127.0.0.1. */
export async function startReleaseServer(options: ReleaseServerOptions): Promise<ReleaseServer> {
  const { clock } = options
  const releases: ServedRelease[] = []
  const records: ReleaseServer['records'] = new Map()
  const requests: ReleaseServer['requests'] = []
  let full: { readonly day: number; readonly bytes: Uint8Array } | undefined
  let hour = { startedAt: 0, requests: 0 }
  let changes = 0
  const server = createServer((request, response) => respond(request, response))

  function respond(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', origin)
    requests.push({ path: `${url.pathname}${url.search}`, headers: request.headers })
    options.onRequest?.(requests.length, url.pathname)
    if (url.pathname === LIST) respondList(request, response)
    else respondFile(url, response)
  }

  function respondList({ url = '/', headers }: IncomingMessage, response: ServerResponse): void {
    if (options.rejectsTokens && headers.authorization !== undefined) {
      response.writeHead(401).end('{"message":"Bad credentials"}')
      return
    }
    const resetAt = hour.startedAt + HOUR_MS
    if (clock() >= resetAt) hour = { startedAt: clock(), requests: 0 }
    hour.requests += 1
    const limit = headers.authorization === undefined ? options.hourlyLimit : undefined
    const remaining = Math.max(0, (limit ?? 5_000) - hour.requests)
    response.setHeader('x-ratelimit-remaining', String(remaining))
    response.setHeader('x-ratelimit-reset', String(Math.ceil((hour.startedAt + HOUR_MS) / 1000)))
    if (limit !== undefined && hour.requests > limit) {
      response.writeHead(403).end('{"message":"API rate limit exceeded"}')
      return
    }
    const query = new URL(url, origin).searchParams
    const size = Number(query.get('per_page') ?? 30)
    const start = (Number(query.get('page') ?? 1) - 1) * size
    if (start >= (options.maxListed ?? MAX_LISTED)) {
      response.writeHead(422).end('{"message":"Only the first 1000 results are available."}')
      return
    }
    const etag = `W/"${changes}-${start}"`
    if (headers['if-none-match'] === etag) {
      response.writeHead(304, { etag }).end()
      return
    }
    const page = releases.slice(start, start + size).map(toWire)
    response.writeHead(200, { etag, 'content-type': 'application/json' }).end(JSON.stringify(page))
  }

  function respondFile({ pathname, search }: URL, response: ServerResponse): void {
    const target = options.downloadOrigin
    if (target !== undefined) {
      response.writeHead(302, { location: `${target}${pathname}${search}` }).end()
      return
    }
    const asset = findAsset(pathname)
    const fault = asset?.faults.shift()
    if (!asset) response.writeHead(404).end()
    else if (typeof fault === 'number') response.writeHead(fault).end()
    else if (fault === 'cut') {
      response.writeHead(200, { 'content-length': String(asset.bytes.length) })
      response.write(asset.bytes.subarray(0, Math.floor(asset.bytes.length / 2)))
      setTimeout(() => response.destroy(), 5)
    } else response.writeHead(200).end(asset.bytes)
  }

  function findAsset(path: string): ServedAsset | undefined {
    const [name = '', tag] = path.split('/').reverse()
    const release = releases.find((each) => each.tag === tag)
    return release?.assets.find((asset) => asset.name === name)
  }

  function toWire({ tag, publishedAt, assets }: ServedRelease): object {
    return {
      tag_name: tag,
      published_at: publishedAt,
      body: 'Notes of the release',
      assets: assets.map(({ name, bytes, listedBytes = bytes.length, updatedAt, state }) => ({
        name,
        size: listedBytes,
        state,
        updated_at: updatedAt,
        digest: null,
        browser_download_url: `${origin}/CVEProject/cvelistV5/releases/download/${tag}/${name}`,
      })),
    }
  }

  function zipRecords(isWanted: (record: ServedRecord) => boolean, path: string): Uint8Array {
    const files = [...records.values()]
      .filter(isWanted)
      .map(({ id, json }) => ({ name: `${path}/${id}.json`, content: json }))
    return zipFiles(files)
  }

  function createAsset(name: string, bytes: Uint8Array): ServedAsset {
    return {
      name,
      bytes,
      updatedAt: new Date(clock()).toISOString(),
      state: 'uploaded',
      faults: [],
    }
  }

  function publish(tag: string, assets: ServedAsset[]): ServedRelease {
    const release = { tag, publishedAt: new Date(clock()).toISOString(), assets }
    releases.unshift(release)
    changes += 1
    return release
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `${origin}${LIST}`,
    origin,
    releases,
    records,
    requests,
    put(id, json) {
      records.set(id, { id, json, changedAt: clock() })
    },
    publishHour() {
      const now = clock()
      const today = toStartOfDay(now)
      if (full?.day !== today) {
        const cves = zipRecords(({ changedAt }) => changedAt <= now, 'cves')
        full = {
          day: today,
          bytes: zipFiles([{ name: 'cves.zip', content: cves, isStored: true }]),
        }
      }
      const time = new Date(now).toISOString().slice(11, 13)
      const delta = zipRecords(({ changedAt }) => changedAt >= today, 'deltaCves')
      return publish(`cve_${toDay(now)}_${time}00Z`, [
        createAsset(`${toDay(now)}_all_CVEs_at_midnight.zip.zip`, full.bytes),
        createAsset(`${toDay(now)}_delta_CVEs_at_${time}00Z.zip`, delta),
        createAsset('release_notes.md', Buffer.from('# Notes')),
      ])
    },
    publishEndOfDay() {
      const end = toStartOfDay(clock())
      const day = toDay(end - DAY_MS)
      const isWanted = ({ changedAt }: ServedRecord) => changedAt >= end - DAY_MS && changedAt < end
      return publish(`cve_${day}_at_end_of_day`, [
        createAsset(`${day}_delta_CVEs_at_end_of_day.zip`, zipRecords(isWanted, 'deltaCves')),
      ])
    },
    find(text) {
      const asset = releases.flatMap(({ assets }) => assets).find(({ name }) => name.includes(text))
      if (!asset) throw new Error(`No asset "${text}"`)
      return asset
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/**
 * Publishes the release of an hour. That of 2:00 follows the changes of the day before, which GitHub
 * lists one or two hours after midnight.
 */
export function publishNextHour(server: ReleaseServer, now: number): void {
  if (new Date(now).getUTCHours() === 2) server.publishEndOfDay()
  server.publishHour()
}

function toStartOfDay(ms: number): number {
  return ms - (ms % DAY_MS)
}

function toDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
