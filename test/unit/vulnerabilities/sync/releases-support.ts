import { createHttpGet } from '../../../../adapters/egress/http-get.ts'
import { unpackCveFile } from '../../../../adapters/feeds/cve-files.ts'
import { openSqlite } from '../../../../adapters/storage/sqlite.ts'
import { createVulnerabilities } from '../../../../core/vulnerabilities/service.ts'
import type { SyncEvent } from '../../../../core/vulnerabilities/sync/events.ts'
import { type CveSyncOptions, syncCve } from '../../../../core/vulnerabilities/sync/sync-cve.ts'
import { toCve5 } from '../../../helpers/cve-records.ts'
import { createManualClock, createSeededRandom } from '../../../helpers/random.ts'
import {
  publishNextHour,
  type ReleaseServerOptions,
  startReleaseServer,
} from '../../../helpers/release-server.ts'
import { HOUR_MS } from './support.ts'

/** 2026-03-14T00:30:00Z. */
const START = Date.UTC(2026, 2, 14, 0, 30)

/** A server with releases, and a database that follows it. The clock advances while it waits. */
export async function openReleases(options: Omit<ReleaseServerOptions, 'clock'> = {}) {
  const clock = createManualClock(START)
  const server = await startReleaseServer({ ...options, clock })
  const storage = await openSqlite({ file: ':memory:', clock })
  const vulnerabilities = createVulnerabilities({ store: storage.vulnerabilities, clock })
  const http = createHttpGet({ allow: ['127.0.0.1'] })
  const events: SyncEvent[] = []
  const waits: number[] = []
  let changes = 0

  function put(number: number, state: 'PUBLISHED' | 'REJECTED' = 'PUBLISHED'): void {
    changes += 1
    const updatedAt = new Date(clock() + changes).toISOString()
    const description = `Change ${changes}`
    server.put(
      toId(number),
      JSON.stringify(toCve5(toId(number), { state, updatedAt, description })),
    )
  }

  return {
    server,
    storage,
    vulnerabilities,
    clock,
    events,
    waits,
    put,
    /** Publishes the hours until `hours` have passed, with a change before each. */
    publishHours(hours: number): void {
      for (let hour = 0; hour < hours; hour += 1) {
        clock.advance(HOUR_MS)
        put(1 + (changes % 40))
        publishNextHour(server, clock())
      }
    },
    sync: (more: Partial<CveSyncOptions> = {}) =>
      syncCve({
        vulnerabilities,
        clock,
        random: createSeededRandom(1),
        async sleep(ms, signal) {
          signal?.throwIfAborted()
          waits.push(ms)
          clock.advance(ms)
        },
        onEvent: (event) => void events.push(event),
        get: http.get,
        expand: unpackCveFile,
        baseUrl: server.url,
        ...more,
      }),
    /** Differences between the database and the server, and the number of records. */
    async compare(): Promise<readonly (string | number)[]> {
      const faults: (string | number)[] = []
      for (const { id, json } of server.records.values()) {
        const { cveMetadata, containers } = JSON.parse(json)
        const { record } = (await vulnerabilities.findRecord(id)) ?? {}
        const [text] = containers.cna.descriptions ?? containers.cna.rejectedReasons
        const isSame =
          record?.descriptions[0]?.text === text.value &&
          (cveMetadata.state === 'REJECTED') === (record?.status === 'REJECTED')
        if (!isSame) faults.push(id)
      }
      return [...faults, (await vulnerabilities.status()).records]
    },
    /** Names of the downloaded files, and clears them. */
    takeDownloads(): readonly string[] {
      const paths = server.requests.splice(0).map(({ path }) => path)
      return paths.filter((path) => path.includes('/download/')).map(toFileName)
    },
    async close() {
      http.close()
      await storage.close()
      await server.close()
    },
  }
}

export type OpenReleases = Awaited<ReturnType<typeof openReleases>>

export function toId(number: number): string {
  return `CVE-2026-${1000 + number}`
}

function toFileName(path: string): string {
  return path.split('/').at(-1) ?? ''
}
