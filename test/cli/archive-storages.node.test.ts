import { afterAll, beforeAll, expect, it } from 'vitest'
import { runCommand } from '../helpers/command-line.ts'
import { makeFolder, type TestFolder } from '../helpers/folder.ts'
import { type NvdServer, startNvdServer } from '../helpers/nvd-server.ts'
import { startPostgres, type TestPostgres } from '../helpers/postgres.ts'

const PAST = Date.UTC(2026, 0, 1)

let folder: TestFolder
let postgres: TestPostgres
let server: NvdServer

beforeAll(async () => {
  folder = await makeFolder()
  postgres = await startPostgres()
  server = await startNvdServer({ clock: Date.now, apiKey: 'a-key-that-nobody-else-may-see' })
})

afterAll(async () => {
  await server.close()
  await postgres.stop()
  await folder.remove()
})

async function run(database: string, ...words: readonly string[]): Promise<string> {
  const environment = {
    API_DISCOVERY_DATABASE: database,
    NVD_API_KEY: 'a-key-that-nobody-else-may-see',
  }
  const { code, results, notes } = await runCommand(words, { environment })
  expect([code, notes.join('\n')]).toEqual([0, expect.anything()])
  return results.at(-1) ?? ''
}

async function listCves(database: string): Promise<readonly string[]> {
  const found = await run(database, 'vulnerabilities', 'search', 'cve', '--json')
  const { vulnerabilities } = JSON.parse(found) as {
    readonly vulnerabilities: readonly { readonly cve_id: string }[]
  }
  return vulnerabilities.map(({ cve_id: id }) => id).sort()
}

it('reports that migrate created the tables of an empty PostgreSQL database', async () => {
  const environment = { API_DISCOVERY_DATABASE: await postgres.createDatabase() }
  const migrate = async () => (await runCommand(['migrate'], { environment })).notes
  expect(await migrate()).toEqual(['Created the tables (schema version 19).'])
  expect(await migrate()).toEqual(['The schema is up to date (version 19).'])
})

it('an exported database is pulled into another storage, and synced there from then on', async () => {
  const [first, last] = ['first', 'last'].map((name) => `sqlite:${folder.pathOf(`${name}.db`)}`)
  const second = await postgres.createDatabase()
  const [archive, other] = ['one', 'two'].map((name) => folder.pathOf(`${name}.archive`))
  for (const number of [1, 2, 3]) {
    server.put(`CVE-2026-000${number}`, { publishedAt: PAST, modifiedAt: PAST })
  }
  const sync = ['sync', 'nvd', '--base-url', server.url, '--force']
  await run(first ?? '', ...sync)
  await run(first ?? '', 'vulnerabilities', 'export', archive ?? '')
  await run(second, 'vulnerabilities', 'pull', archive ?? '')
  const ids = ['CVE-2026-0001', 'CVE-2026-0002', 'CVE-2026-0003']
  expect(await listCves(second)).toEqual(ids)

  server.put('CVE-2026-0004', { publishedAt: Date.now(), modifiedAt: Date.now() })
  const before = server.requests.length
  await run(second, ...sync)
  const windows = server.requests.slice(before).map(({ query }) => 'lastModStartDate' in query)
  expect([...new Set(windows)]).toEqual([true])
  await run(second, 'vulnerabilities', 'export', other ?? '')
  await run(last ?? '', 'vulnerabilities', 'pull', other ?? '')
  expect(await listCves(last ?? '')).toEqual([...ids, 'CVE-2026-0004'])
}, 120_000)
