import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { checkSqlite, openSqlite } from '../../adapters/storage/sqlite.ts'
import { createApiDiscovery } from '../../core/app.ts'
import { makeFolder } from '../helpers/folder.ts'
import { runAndKill } from '../helpers/killed-child.ts'

/** `API_DISCOVERY_LONG=1` kills a hundred times, otherwise a few times. */
const KILLS = process.env.API_DISCOVERY_LONG === undefined ? 3 : 100
const ROWS = 2500
const HOUR_MS = 3_600_000
const ACCOUNT = { id: 'killed', name: 'Killed' }

describe('a process that stores scans', () => {
  it(`loses no acknowledged batch, shows no partial one and leaves no rows, killed ${KILLS} times`, async () => {
    const folder = await makeFolder()
    const file = folder.pathOf('scans.db')
    let acknowledged = -1
    for (let kill = 0; kill < KILLS; kill += 1) {
      const lines = await runAndKill(new URL('kill-scan-child.ts', import.meta.url), {
        parameters: [file, String(acknowledged + 1)],
        delayMs: 20 + ((kill * 97) % 300),
      })
      acknowledged = Math.max(acknowledged, ...lines.map(Number))
      expect(await checkSqlite(file)).toEqual([])
      const batches = await readBatches(file)
      // The last batch may be stored without being acknowledged.
      expect([acknowledged + 1, acknowledged + 2]).toContain(batches.size)
      expect([...batches.values()]).toEqual([...batches].map(() => ROWS))
    }
    expect(acknowledged).toBeGreaterThan(KILLS - 2)
    let batches = await readBatches(file, 2 * HOUR_MS)
    // A sweep removes a limited number of rows.
    for (let sweeps = 1; sweeps < KILLS && countRows(file).uploads > 0; sweeps += 1) {
      batches = await readBatches(file, 2 * HOUR_MS)
    }
    expect(countRows(file)).toEqual({ rows: batches.size * ROWS, uploads: 0 })
    console.log(`${KILLS} kills, ${batches.size} batches stored, none lost, none twice`)
    await folder.remove()
  }, 600_000)
})

/** Returns the number of visible flows of each batch at a later time. */
async function readBatches(file: string, aheadMs = 0): Promise<ReadonlyMap<string, number>> {
  const clock = () => Date.now() + aheadMs
  const storage = await openSqlite({ file, clock })
  const app = createApiDiscovery({ storage, clock })
  const filter = { repositories: 100, instances: 1000 }
  const batches = new Map<string, number>()
  for (const scan of (await app.scans.findNetworks(ACCOUNT, filter)).flat()) {
    const { instanceId } = scan
    let seen = 0
    for await (const page of app.scans.listFlows(ACCOUNT, { instanceId, order: 'scan' })) {
      seen += page.length
      for (const { host } of page) {
        const batch = host.split('-')[0] ?? ''
        batches.set(batch, (batches.get(batch) ?? 0) + 1)
      }
    }
    expect(seen).toBe(scan.flows)
  }
  await app.close()
  return batches
}

function countRows(file: string): Readonly<Record<'rows' | 'uploads', number>> {
  const database = new DatabaseSync(file)
  const count = (table: string) =>
    Number(database.prepare(`select count(*) as rows from ${table}`).get()?.rows)
  const counts = { rows: count('scan_row'), uploads: count('scan_upload') }
  database.close()
  return counts
}
