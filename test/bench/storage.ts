import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CompiledQuery, Kysely, SqliteDialect } from 'kysely'
import { insertRows } from '../../adapters/storage/kysely/bulk.ts'
import type { Tables } from '../../adapters/storage/kysely/tables.ts'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import type { FullStorage } from '../../core/ports/storage.ts'
import {
  ADA,
  DAY,
  sampleCall,
  sampleCredential,
  samplePolicy,
} from '../conformance/storage/gateway-samples.ts'
import { sampleChange, sampleKey, sampleVendor } from '../conformance/storage/samples.ts'

// Run: node test/bench/storage.ts
const folder = await mkdtemp(join(tmpdir(), 'api-discovery-bench-'))
try {
  await benchBulkLoad()
  const file = join(folder, 'catalogue.db')
  const storage = await openSqlite({ file })
  await benchImport(storage)
  await benchHotReads(storage, file)
  await benchLists(storage)
  await benchGateway(storage)
  await storage.close()
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function benchBulkLoad(): Promise<void> {
  const rows = 300_000
  const bare = new DatabaseSync(join(folder, 'bare.db'))
  bare.exec('pragma journal_mode = wal; create table t (id integer primary key, a integer)')
  const floor = await measureSeconds(async () => {
    bare.exec('begin')
    const insert = bare.prepare(`insert into t values ${Array(50).fill('(?, ?)').join(', ')}`)
    for (let row = 0; row < rows; row += 50) {
      const values: number[] = []
      for (let index = row; index < row + 50; index += 1) values.push(index, index * 7)
      insert.run(...values)
    }
    bare.exec('commit')
  })
  bare.exec('delete from t')
  const statements = new Map<string, ReturnType<typeof wrap>>()
  const wrap = (sql: string) => {
    const statement = bare.prepare(sql)
    return {
      reader: statement.columns().length > 0,
      all: (parameters: readonly unknown[]) => statement.all(...(parameters as number[])),
      run: (parameters: readonly unknown[]) => statement.run(...(parameters as number[])),
      iterate: (parameters: readonly unknown[]) => statement.iterate(...(parameters as number[])),
    }
  }
  const prepare = (sql: string) => {
    const statement = statements.get(sql) ?? wrap(sql)
    statements.set(sql, statement)
    return statement
  }
  const db = new Kysely<Tables>({
    dialect: new SqliteDialect({ database: { prepare, close: () => bare.close() } }),
  })
  await db.executeQuery(
    CompiledQuery.raw(
      'create table catalogue_generation (generation integer primary key, started_at integer)',
    ),
  )
  const ours = await measureSeconds(async () => {
    await db.executeQuery(CompiledQuery.raw('begin'))
    await insertRows(db, {
      kind: 'sqlite',
      table: 'catalogue_generation',
      columns: ['generation', 'started_at'],
      rows: (function* () {
        for (let row = 0; row < rows; row += 1) yield [row, row * 7]
      })(),
    })
    await db.executeQuery(CompiledQuery.raw('commit'))
  })
  await db.destroy()
  printFigures('bulk load, narrow rows', {
    'floor rows/s': Math.round(rows / floor),
    'ours rows/s': Math.round(rows / ours),
    mark: '500,000',
  })
}

async function benchImport(storage: FullStorage): Promise<void> {
  const vendor = await storage.catalogue.saveVendor(sampleVendor(1))
  if (!vendor) throw new Error('No vendor')
  const change = sampleChange({ api: 1, endpoints: 11_000, detailBytes: 1_200, terms: 30_000 })
  const identity = { kind: 'http' as const, vendor, name: 'api 1', majorVersion: '1' }
  const bytes = JSON.stringify(change.added).length
  let longest = 0
  let last = performance.now()
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }, 1)
  const first = await measureSeconds(() => storage.imports.replaceApi(identity, () => change))
  clearInterval(timer)
  const again = await measureSeconds(() =>
    storage.imports.replaceApi(identity, (existing) => ({
      ...change,
      added: [],
      changed: change.added.map((endpoint, index) => ({
        ...endpoint,
        id: existing?.endpoints[index]?.id ?? 0,
      })),
    })),
  )
  printFigures('replaceApi, 11,000 endpoints, 30,000 postings', {
    MB: Math.round(bytes / 1e6),
    'first s': first.toFixed(2),
    'every endpoint changed s': again.toFixed(2),
    'loop kept ms': Math.round(longest),
    mark: 'well under 1 s',
  })
}

async function benchHotReads(storage: FullStorage, file: string): Promise<void> {
  const account = { id: 'account', name: 'Account', createdAt: 1 }
  await storage.accounts.saveAccount(account)
  const hash = 'f'.repeat(64)
  await storage.accounts.saveKey(account, { ...sampleKey(1), hash })
  for (let number = 0; number < 100; number += 1) {
    await storage.gateway.savePolicy(ADA, samplePolicy(number))
    await storage.gateway.saveCredential(ADA, sampleCredential(number, { apiId: number }))
  }
  const bare = new DatabaseSync(file, { readOnly: true })
  const api = await storage.catalogue.findApi('1')
  const endpoint = await storage.catalogue.findEndpoint('5000')
  const pairs: readonly Pair[] = [
    {
      name: 'generation',
      sql: 'select generation from catalogue_state',
      parameters: [],
      ours: () => storage.catalogue.generation(),
    },
    {
      name: 'findKeyByHash',
      sql: `select api_key.*, account.name as account_name from api_key
        join account on account.id = api_key.account_id where hash = ?`,
      parameters: [hash],
      parse: ['scopes'],
      ours: () => storage.accounts.findKeyByHash(hash),
    },
    {
      name: 'findApi',
      sql: `select api.*, vendor.*, vendor.name as vendor_name, api.detail as detail from api
        join vendor on vendor.id = api.vendor_id where api.encrypted_id = ? and until is null`,
      parameters: [api?.encryptedId ?? ''],
      parse: ['detail', 'countries'],
      ours: () => storage.catalogue.findApi(api?.encryptedId ?? ''),
    },
    {
      name: 'findEndpoint',
      sql: `select endpoint.*, servers, detail from endpoint
        join endpoint_detail on endpoint_detail.row_id = endpoint.row_id
        where short_id = ? and until is null`,
      parameters: [endpoint?.shortId ?? ''],
      parse: ['servers', 'detail'],
      ours: () => storage.catalogue.findEndpoint(endpoint?.shortId ?? ''),
    },
    {
      name: 'findPolicy',
      sql: 'select * from gateway_policy where account_id = ? and key_id = ?',
      parameters: [ADA.id, 'key50'],
      parse: ['vendor_ids', 'api_ids', 'methods'],
      ours: () => storage.gateway.findPolicy(ADA, 'key50'),
    },
    {
      name: 'findCredentials',
      sql: `select * from gateway_credential where account_id = ?
        and api_id = 50 and vendor_id = 0`,
      parameters: [ADA.id],
      parse: ['origins'],
      ours: () => storage.gateway.findCredentials(ADA, { apiId: 50, vendorId: 1 }),
    },
  ]
  for (const pair of pairs) await benchPair(bare, pair)
  bare.close()
}

interface Pair {
  readonly name: string
  readonly sql: string
  readonly parameters: readonly string[]
  readonly parse?: readonly string[]
  readonly ours: () => unknown
}

async function benchPair(bare: DatabaseSync, pair: Pair): Promise<void> {
  const count = 20_000
  const statement = bare.prepare(pair.sql)
  const floor = async (isParsing: boolean) => {
    for (let index = 0; index < count; index += 1) {
      const row = await Promise.resolve(statement.get(...pair.parameters))
      if (isParsing) for (const column of pair.parse ?? []) JSON.parse(String(row?.[column]))
    }
  }
  const ours = async () => {
    for (let index = 0; index < count; index += 1) await pair.ours()
  }
  await ours()
  await floor(true)
  const bareTime = await measureSeconds(() => floor(false))
  const parsedTime = await measureSeconds(() => floor(true))
  const ourTime = await measureSeconds(ours)
  printFigures(pair.name, {
    'bare µs': ((bareTime / count) * 1e6).toFixed(1),
    'bare + JSON.parse µs': ((parsedTime / count) * 1e6).toFixed(1),
    'ours µs': ((ourTime / count) * 1e6).toFixed(1),
    'ratio to bare': (ourTime / bareTime).toFixed(2),
    'ratio to bare + JSON.parse': (ourTime / parsedTime).toFixed(2),
    mark: '1.5',
  })
}

async function benchLists(storage: FullStorage): Promise<void> {
  const vendor = await storage.catalogue.findVendor(sampleVendor(1).name)
  if (!vendor) throw new Error('No vendor')
  for (let api = 2; api <= 10; api += 1) {
    const change = sampleChange({ api, endpoints: 10_000, detailBytes: 300, terms: 100 })
    await storage.imports.replaceApi(
      { kind: 'http', vendor, name: `api ${api}`, majorVersion: '1' },
      () => change,
    )
  }
  let endpoints = 0
  const listed = await measureSeconds(async () => {
    for await (const page of storage.catalogue.listEndpoints()) endpoints += page.length
  })
  const matched = await measureSeconds(async () => {
    for await (const _page of storage.catalogue.listMatchTargets());
  })
  printFigures('long lists', {
    endpoints,
    'listEndpoints s': listed.toFixed(2),
    'listMatchTargets s': matched.toFixed(2),
  })
}

async function benchGateway({ gateway }: FullStorage): Promise<void> {
  const takes = 500
  const taken = await measureSeconds(async () => {
    for (let take = 0; take < takes; take += 1) {
      await gateway.takeCalls(ADA, { keyId: 'key1', day: DAY, wanted: 8, budget: 1e9 })
    }
  })
  const rows = 200_000
  const batch = 500
  const calls = Array.from({ length: rows }, (_, number) => ({
    ...sampleCall(number, { startedAt: number * 20_000 }),
    account: ADA,
  }))
  const saved = await measureSeconds(async () => {
    for (let row = 0; row < rows; row += batch)
      await gateway.saveCalls(calls.slice(row, row + batch))
  })
  const pages: string[] = []
  for (const page of [1, rows / 200, rows / 100]) {
    const listed = await measureSeconds(() => gateway.listCalls(ADA, { size: 100, page }))
    pages.push(`${page}: ${(listed * 1000).toFixed(1)}`)
  }
  const swept = await measureSeconds(() => gateway.sweepCalls({ before: Date.now(), limit: 1_000 }))
  printFigures('gateway', {
    'takeCalls ms': ((taken / takes) * 1000).toFixed(2),
    'saveCalls rows/s': Math.round(rows / saved),
    'listCalls ms, page': pages.join(', '),
    'sweepCalls of 1,000 ms': (swept * 1000).toFixed(1),
  })
}

async function measureSeconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}

function printFigures(name: string, figures: Readonly<Record<string, string | number>>): void {
  const texts = Object.entries(figures).map(([key, value]) => `${key} ${value}`)
  console.log(`${name}: ${texts.join(', ')}`)
}
