import { describe, expect, it } from 'vitest'
import { createHttpGet } from '../../adapters/egress/http-get.ts'
import { unpackCveFile } from '../../adapters/feeds/cve-files.ts'
import { checkSqlite, openSqlite } from '../../adapters/storage/sqlite.ts'
import { createVulnerabilities } from '../../core/vulnerabilities/service.ts'
import { syncCve } from '../../core/vulnerabilities/sync/sync-cve.ts'
import { toCve5 } from '../helpers/cve-records.ts'
import { makeFolder } from '../helpers/folder.ts'
import { runAndKill } from '../helpers/killed-child.ts'
import {
  publishNextHour,
  type ReleaseServer,
  startReleaseServer,
} from '../helpers/release-server.ts'
import { listRecords } from './listed-records.ts'

/** `API_DISCOVERY_LONG=1` kills a hundred times, otherwise a few times. */
const KILLS = process.env.API_DISCOVERY_LONG === undefined ? 5 : 100
/** Longer than readers may use an old generation, so each child sweeps those of previous ones. */
const STEP_MS = 600_001
const FIRST_RECORDS = 400

/** A server whose hours pass while clients read its lists and files. */
async function openBusyReleases() {
  let now = Date.UTC(2026, 2, 14, 0, 30)
  let requests = 0
  let changes = 0
  let isFrozen = false
  const server: ReleaseServer = await startReleaseServer({
    clock: () => now,
    onRequest() {
      requests += 1
      if (!isFrozen && requests % 4 === 0) passHour()
    },
  })

  function put(number: number, state?: string): void {
    changes += 1
    const id = `CVE-2026-${10_000 + number}`
    const updatedAt = new Date(now + changes).toISOString()
    const description = `Change ${changes}`
    server.put(id, JSON.stringify(toCve5(id, { updatedAt, description, ...(state && { state }) })))
  }

  function passHour(): void {
    put(FIRST_RECORDS + changes)
    put((changes * 7) % FIRST_RECORDS)
    put((changes * 11) % FIRST_RECORDS, 'REJECTED')
    now += 3_600_000
    publishNextHour(server, now)
  }

  for (let number = 0; number < FIRST_RECORDS; number += 1) put(number)
  publishNextHour(server, now)
  return {
    server,
    passHour,
    /** Ends all changes at requests. */
    freeze() {
      isFrozen = true
    },
  }
}

describe('A killed sync with releases of the CVE Program', () => {
  it(`loses no record and has none twice while hours pass, killed ${KILLS} times`, async () => {
    const folder = await makeFolder()
    const file = folder.pathOf('killed.db')
    const { server, passHour, freeze } = await openBusyReleases()
    let shown = 0
    let syncs = 0
    for (let kill = 0; kill < KILLS; kill += 1) {
      const lines = await runAndKill(new URL('kill-cve-child.ts', import.meta.url), {
        parameters: [file, String(kill * STEP_MS), server.url],
        // Evenly spread instead of random: from the first file to several syncs.
        events: 1 + ((kill * 17) % 60),
        delayMs: (kill * 37) % 100,
      })
      syncs += lines.length
      expect(await checkSqlite(file)).toEqual([])
      const ids = (await listRecords(file)).map((record) => record.split(' ')[0])
      expect(new Set(ids).size).toBe(ids.length)
      expect(ids.length).toBeGreaterThanOrEqual(Math.max(shown, ...lines.map(Number)))
      shown = ids.length
      passHour()
    }
    freeze()
    const whole = folder.pathOf('whole.db')
    await finishSync(file, { server, isFull: false })
    await finishSync(whole, { server, isFull: true })
    const records = await listRecords(file)
    expect(records).toEqual(listServed(server))
    expect(await listRecords(whole)).toEqual(records)
    expect(await checkSqlite(file)).toEqual([])
    console.log(`${KILLS} kills, ${syncs} syncs complete, ${records.length} records`)
    await server.close()
    await folder.remove()
  }, 1_200_000)
})

/** Syncs a database without an interruption. */
async function finishSync(
  file: string,
  { server, isFull }: { readonly server: ReleaseServer; readonly isFull: boolean },
): Promise<void> {
  const storage = await openSqlite({ file })
  const http = createHttpGet({ allow: ['127.0.0.1'] })
  const vulnerabilities = createVulnerabilities({ store: storage.vulnerabilities, clock: Date.now })
  try {
    await syncCve({
      vulnerabilities,
      clock: Date.now,
      random: (length) => new Uint8Array(length),
      async sleep() {},
      get: http.get,
      expand: unpackCveFile,
      baseUrl: server.url,
      isFull,
      takeOver: true,
    })
  } finally {
    http.close()
    await storage.close()
  }
}

/** Lists the records of the server as `listRecords` lists those of a database. */
function listServed({ records }: ReleaseServer): readonly string[] {
  return [...records.values()]
    .map(({ id, json }) => {
      // Our own JSON.
      const { cveMetadata, containers } = JSON.parse(json)
      const [text] = containers.cna.descriptions ?? containers.cna.rejectedReasons
      return `${id} ${cveMetadata.state} ${text.value}`
    })
    .sort()
}
