import { describe, expect, it } from 'vitest'
import { createHttpGet } from '../../adapters/egress/http-get.ts'
import { checkSqlite, openSqlite } from '../../adapters/storage/sqlite.ts'
import { createVulnerabilities } from '../../core/vulnerabilities/service.ts'
import { syncNvd } from '../../core/vulnerabilities/sync/sync-nvd.ts'
import { makeFolder } from '../helpers/folder.ts'
import { runAndKill } from '../helpers/killed-child.ts'
import { type NvdServer, startNvdServer } from '../helpers/nvd-server.ts'

/** `API_DISCOVERY_LONG=1` kills a hundred times, otherwise a few times. */
const KILLS = process.env.API_DISCOVERY_LONG === undefined ? 3 : 100
/** Longer than readers may use an old generation, so each child sweeps those of previous ones. */
const STEP_MS = 600_001
const FIRST_RECORDS = 400

/** A service whose records change between requests, also while a sync reads its pages. */
async function openBusyService() {
  let ahead = 0
  let requests = 0
  let newest = 0
  let isFrozen = false
  const clock = () => Date.now() + ahead
  const server: NvdServer = await startNvdServer({
    clock,
    order: 'modified',
    onRequest() {
      // Without a rate limit.
      server.requests.length = 0
      requests += 1
      if (!isFrozen && requests % 2 === 0) change()
    },
  })

  function change(): void {
    newest += 1
    server.put(toId(newest))
    server.put(toId(10 + ((newest * 7) % FIRST_RECORDS)), { description: `Changed by ${newest}` })
    server.put(toId(10 + ((newest * 11) % FIRST_RECORDS)), {
      status: 'Rejected',
      description: 'Withdrawn',
    })
  }

  for (; newest < FIRST_RECORDS; newest += 1) {
    const at = Date.UTC(2025, 0, 1) + newest * 60_000
    server.put(toId(newest + 1), { publishedAt: at, modifiedAt: at })
  }
  return {
    server,
    clock,
    change,
    ahead: () => ahead,
    advance(ms: number) {
      ahead += ms
    },
    /** Ends all changes at requests. */
    freeze() {
      isFrozen = true
    },
  }
}

function toId(number: number): string {
  return `CVE-2025-${10_000 + number}`
}

describe('A killed sync', () => {
  it(`loses no record and has none twice while pages change, killed ${KILLS} times`, async () => {
    const folder = await makeFolder()
    const file = folder.pathOf('catalogue.db')
    const service = await openBusyService()
    let shown = 0
    let syncs = 0
    for (let kill = 0; kill < KILLS; kill += 1) {
      const lines = await runAndKill(new URL('kill-sync-child.ts', import.meta.url), {
        parameters: [file, String(service.ahead()), service.server.url],
        // Evenly spread times instead of random ones: from the first page to several increments.
        delayMs: 50 + ((kill * 337) % 1_000),
      })
      syncs += lines.length
      expect(await checkSqlite(file)).toEqual([])
      const ids = await listIds(file)
      expect(new Set(ids).size).toBe(ids.length)
      expect(ids.length).toBeGreaterThanOrEqual(Math.max(shown, ...lines.map(Number)))
      shown = ids.length
      service.change()
      service.advance(STEP_MS)
    }
    expect(await finishSyncs(file, service)).toEqual(
      [...service.server.cves.values()]
        .map(({ id, status, description }) => `${id} ${status} ${description}`)
        .sort(),
    )
    expect(await checkSqlite(file)).toEqual([])
    console.log(`${KILLS} kills, ${syncs} syncs complete, ${service.server.cves.size} records`)
    await service.server.close()
    await folder.remove()
  }, 1_200_000)
})

/** Lists the IDs of all records, including rejected ones. */
async function listIds(file: string): Promise<readonly string[]> {
  const storage = await openSqlite({ file })
  try {
    const vulnerabilities = createVulnerabilities({
      store: storage.vulnerabilities,
      clock: Date.now,
    })
    const { count, hits } = await vulnerabilities.search({ term: 'cve', includesRejected: true })
    const ids: string[] = []
    for await (const batch of hits) {
      // Our own JSON.
      for (const { line } of batch) ids.push((JSON.parse(line) as { cve_id: string }).cve_id)
    }
    expect(ids).toHaveLength(count)
    return ids
  } finally {
    await storage.close()
  }
}

/** Syncs until nothing changes, removes records by a full sync, and lists all of them. */
async function finishSyncs(
  file: string,
  { server, clock, advance, freeze }: Awaited<ReturnType<typeof openBusyService>>,
): Promise<readonly string[]> {
  const storage = await openSqlite({ file, clock })
  const http = createHttpGet({ allow: ['127.0.0.1'] })
  const vulnerabilities = createVulnerabilities({ store: storage.vulnerabilities, clock })
  const sync = (isFull: boolean) =>
    syncNvd({
      vulnerabilities,
      clock,
      random: (length) => new Uint8Array(length),
      async sleep() {},
      get: http.get,
      baseUrl: server.url,
      pageSize: 2_000,
      isFull,
      isForced: true,
      takeOver: true,
    })
  try {
    await sync(false)
    const withdrawn = [...server.cves.keys()].slice(0, 3)
    for (const id of withdrawn) server.cves.delete(id)
    const full = await sync(true)
    expect(full).toMatchObject({ state: 'loaded', mode: 'full', load: { removed: 3 } })
    freeze()
    advance(1_000)
    await sync(false)
    const found: string[] = []
    for (const id of await listIds(file)) {
      const { record } = (await vulnerabilities.findRecord(id)) ?? {}
      found.push(`${id} ${record?.status} ${record?.descriptions[0]?.text}`)
    }
    return found.sort()
  } finally {
    http.close()
    await storage.close()
  }
}
