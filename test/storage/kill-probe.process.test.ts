import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPinnedEgress } from '../../adapters/egress/pinned-egress.ts'
import { openPostgres } from '../../adapters/storage/postgres.ts'
import { checkSqlite, openSqlite } from '../../adapters/storage/sqlite.ts'
import { createApiDiscovery } from '../../core/app.ts'
import { makeFolder } from '../helpers/folder.ts'
import { runAndKill } from '../helpers/killed-child.ts'
import { startPostgres, type TestPostgres } from '../helpers/postgres.ts'
import { importThings } from '../helpers/rate-limit-bench.ts'
import { storagesOf } from '../helpers/runs.ts'

/** `API_DISCOVERY_LONG=1` kills a hundred times, otherwise a few times. */
const KILLS = process.env.API_DISCOVERY_LONG === undefined ? 2 : 100
/** A run has five attempts: the last one is reserved to finish it. */
const KILLS_EACH = 3

const BUDGET = 120
const DAY_MS = 86_400_000
/** Longer than a lease. */
const STEP_MS = 60_000

let postgres: TestPostgres

beforeAll(async () => {
  postgres = await startPostgres()
})

afterAll(() => postgres.stop())

describe.each(storagesOf(['SQLite', 'PostgreSQL']))(
  'a process that tests a host over %s',
  (engine) => {
    it(`never exceeds a run's budget, killed ${KILLS} times`, async () => {
      let counted = 0
      const server = createServer((_, response) => {
        counted += 1
        response.end('done')
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
      const folder = await makeFolder()
      const isSqlite = engine === 'SQLite'
      const address = isSqlite ? folder.pathOf('tests.db') : await postgres.createDatabase()
      const told: string[] = []
      for (let killed = 0, run = 1; killed < KILLS; run += 1) {
        const start = run * DAY_MS
        const id = await startRun(address, { host, aheadMs: start })
        counted = 0
        for (let turn = 1; turn <= KILLS_EACH && killed < KILLS; turn += 1, killed += 1) {
          told.push(
            ...(await runAndKill(SCRIPT, toChild(address, host, start + turn * STEP_MS, killed))),
          )
          expect({ killed, isWithin: counted <= BUDGET }).toEqual({ killed, isWithin: true })
        }
        const ended = await finish(address, { host, aheadMs: start + 10 * STEP_MS })
        expect(ended).toMatchObject({ id, state: 'done' })
        expect(counted <= ended.sent).toBe(true)
        expect(ended.sent <= BUDGET).toBe(true)
        expect(counted > 0).toBe(true)
        if (isSqlite) expect(await checkSqlite(address)).toEqual([])
        console.log(
          `${engine}, run ${id}: ${counted} requests came, ${ended.sent} of ${BUDGET} were taken`,
        )
      }
      expect(new Set(told).size).toBe(told.length)
      server.close()
      server.closeAllConnections()
      await folder.remove()
    }, 1_200_000)
  },
)

const SCRIPT = new URL('kill-probe-child.ts', import.meta.url)

function toChild(address: string, host: string, aheadMs: number, kill: number) {
  // Evenly spread times instead of random ones, so that every run is identical.
  return { parameters: [address, host, String(aheadMs)], delayMs: 400 + ((kill * 373) % 900) }
}

async function openApp(
  address: string,
  given: { readonly host: string; readonly aheadMs: number },
) {
  const clock = () => Date.now() + given.aheadMs
  const storage = address.startsWith('postgres:')
    ? await openPostgres({ url: address, clock })
    : await openSqlite({ file: address, clock })
  const egress = createPinnedEgress({ allow: [given.host] })
  const rateLimitTests = { hosts: [given.host] }
  const app = createApiDiscovery({ storage, clock, egress, rateLimitTests })
  const account = await app.accounts
    .getAccount('Ada')
    .catch(() => app.accounts.createAccount('Ada'))
  const close = async () => {
    await app.close()
    egress.close()
  }
  return { app, storage, account, close }
}

async function startRun(
  address: string,
  given: { readonly host: string; readonly aheadMs: number },
): Promise<number> {
  const { app, storage, account, close } = await openApp(address, given)
  const ids = await importThings(app, storage, `http://${given.host}`)
  const endpointId = ids.getThing ?? ''
  const asked = { endpointId, values: { id: '7' }, requests: BUDGET, rate: 50 }
  const { run } = await app.rateLimits.start(asked, { account })
  await close()
  return run.id
}

/** Runs the remaining tests. */
async function finish(address: string, given: { readonly host: string; readonly aheadMs: number }) {
  const { app, account, close } = await openApp(address, given)
  await app.runJobs()
  const { items } = await app.rateLimits.list(account, { size: 1, page: 1 })
  await close()
  const [newest] = items
  if (!newest) throw new Error('There is no run')
  return newest
}
