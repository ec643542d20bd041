import process from 'node:process'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { openPostgres } from '../../adapters/storage/postgres.ts'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import { type Caller, createApiDiscovery, SCOPES } from '../../core/index.ts'
import type { FullStorage } from '../../core/ports/storage.ts'
import { makeFolder } from '../helpers/folder.ts'
import { startPostgres } from '../helpers/postgres.ts'

// Measures lists and BOMs of many scanned projects with six concurrent requests, both unchanged and
// with all scans matched again after a catalogue change. Statements are the sum of all six
// requests.
//   node test/bench/scanned.ts [sqlite|postgres]…

const REQUESTS = 6
const ROUNDS = 3
const APIS = 60
const ENDPOINTS = 10
const CALLER: Caller = { account: { id: 'bench', name: 'bench' }, scopes: new Set(SCOPES) }
const SETS = [
  { scans: 200, rows: 20 },
  { scans: 100, rows: 120 },
]
const TARGETS = [
  '/api/scanned/projects?vendor=Vendor%201&num_projects=100',
  '/api/scanned/sbom?vendor=Vendor%201&num_projects=100',
]

type App = ReturnType<typeof createApiDiscovery>

let statements = 0

async function bench(kind: string, storage: FullStorage): Promise<void> {
  for (const { scans, rows } of SETS) {
    const app = createApiDiscovery({ storage, authenticate: () => CALLER })
    for (let api = 0; api < APIS; api += 1) await importApi(app, { api, endpoints: ENDPOINTS })
    const existing = await storage.scans.list(CALLER.account, {
      filter: { kind: 'project' },
      after: undefined,
      limit: 1_000,
    })
    for (const scan of existing) await storage.scans.remove(CALLER.account, scan)
    for (let scan = 0; scan < scans; scan += 1) await submit(app, { scan, rows })
    console.log(`${kind}: ${scans} scans of ${rows} rows`)
    for (const target of TARGETS) {
      await measureWork(`warm  ${target}`, () => request(app, target))
    }
    let change = 0
    await measureWork(`anew  ${TARGETS[0]}`, async () => {
      change += 1
      await importApi(app, { api: 1_000 + scans, endpoints: change })
      statements = 0
      return request(app, TARGETS[0] ?? '')
    })
  }
}

async function request(app: App, target: string): Promise<number> {
  const answers = Array.from({ length: REQUESTS }, async () => {
    const response = await app.fetch(new Request(`http://localhost${target}`))
    const { byteLength } = await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`${target}: ${response.status}`)
    return byteLength
  })
  return (await Promise.all(answers))[0] ?? 0
}

async function measureWork(name: string, work: () => Promise<number>): Promise<void> {
  await work()
  const results: { readonly ms: number; readonly cpuMs: number }[] = []
  let bytes = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    statements = 0
    const cpu = process.cpuUsage()
    const start = performance.now()
    bytes = await work()
    const { user, system } = process.cpuUsage(cpu)
    results.push({ ms: performance.now() - start, cpuMs: (user + system) / 1000 })
  }
  const [best] = results.toSorted((one, other) => one.ms - other.ms)
  console.log(
    `  ${name}: ${best?.ms.toFixed(0)} ms, CPU ${best?.cpuMs.toFixed(0)} ms, ` +
      `${statements} statements, ${(bytes / 1000).toFixed(0)} kB each`,
  )
}

async function importApi(
  app: App,
  { api, endpoints }: { readonly api: number; readonly endpoints: number },
): Promise<void> {
  const description = {
    openapi: '3.0.3',
    info: { title: `API ${api}`, version: '1.0.0' },
    servers: [{ url: `https://api${api}.example` }],
    paths: Object.fromEntries(
      Array.from({ length: endpoints }, (_, index) => [
        `/v1/things${index}`,
        { get: { summary: `List ${index}`, responses: { 200: { description: 'OK' } } } },
      ]),
    ),
  }
  const bytes = new TextEncoder().encode(JSON.stringify(description))
  await app.imports.importDescription({
    bytes,
    vendorName: `Vendor ${api % 2}`,
    createVendor: true,
    isPublic: true,
  })
}

async function submit(
  app: App,
  { scan, rows }: { readonly scan: number; readonly rows: number },
): Promise<void> {
  const sent = Array.from({ length: rows }, (_, row) => {
    const endpoint = (scan + row * 7) % (APIS * ENDPOINTS)
    const host = `https://api${endpoint % APIS}.example`
    return {
      endpoint_url: `${host}/v1/things${Math.floor(endpoint / APIS)}`,
      endpoint_method: 'get',
      found_in: [{ file: `src/file${row}.ts`, line: row + 1 }],
    }
  })
  const rowsOf = async function* () {
    yield* sent
  }
  const head = { project_name: `project ${scan}` }
  await app.call('submitProjectScan', { head, rows: rowsOf() }, CALLER)
}

function countStatements(): void {
  const query = pg.Client.prototype.query as (...parameters: unknown[]) => unknown
  pg.Client.prototype.query = function (this: unknown, ...parameters: unknown[]) {
    statements += 1
    return Reflect.apply(query, this, parameters)
  } as typeof pg.Client.prototype.query
  const database = new DatabaseSync(':memory:')
  const prototype = Object.getPrototypeOf(database.prepare('select 1'))
  for (const name of ['all', 'run', 'iterate', 'get']) {
    const run = prototype[name]
    prototype[name] = function (this: unknown, ...parameters: unknown[]) {
      statements += 1
      return Reflect.apply(run, this, parameters)
    }
  }
  database.close()
}

countStatements()
const kinds = process.argv.slice(2)
if (kinds.length === 0 || kinds.includes('sqlite')) {
  const folder = await makeFolder()
  const storage = await openSqlite({ file: folder.pathOf('scanned.db') })
  await bench('SQLite', storage)
  await storage.close()
  await folder.remove()
}
if (kinds.length === 0 || kinds.includes('postgres')) {
  const server = await startPostgres()
  const storage = await openPostgres({ url: await server.createDatabase() })
  await bench('PostgreSQL', storage)
  await storage.close()
  await server.stop()
}
