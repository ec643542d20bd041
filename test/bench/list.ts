import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import { type Caller, createApiDiscovery, SCOPES } from '../../core/index.ts'
import { sampleChange, sampleVendor } from '../conformance/storage/samples.ts'

// Measures speed and memory of the streamed list of 100,000 endpoints.
//   node test/bench/list.ts

const APIS = 10
const ENDPOINTS = 10_000
const ROUNDS = 5
const CALLER: Caller = { account: { id: 'bench', name: 'bench' }, scopes: new Set(SCOPES) }

const folder = await mkdtemp(join(tmpdir(), 'api-discovery-bench-'))
const storage = await openSqlite({ file: join(folder, 'list.db') })
const app = createApiDiscovery({ storage, authenticate: () => CALLER })
try {
  const vendor = await storage.catalogue.saveVendor(sampleVendor(1))
  if (!vendor) throw new Error('No vendor')
  for (let api = 1; api <= APIS; api += 1) {
    const change = sampleChange({ api, endpoints: ENDPOINTS, detailBytes: 300, terms: 100 })
    const identity = { kind: 'http' as const, vendor, name: `api ${api}`, majorVersion: '1' }
    await storage.imports.replaceApi(identity, () => change)
  }
  for (let round = 0; round < ROUNDS; round += 1) await measureList()
} finally {
  await app.close()
  await rm(folder, { recursive: true, force: true })
}

async function measureList(): Promise<void> {
  globalThis.gc?.()
  await setTimeout(100)
  const before = process.memoryUsage.rss()
  let peak = before
  let bytes = 0
  const start = performance.now()
  const response = await app.fetch(new Request('http://localhost/api/endpoint_list'))
  let firstMs = 0
  for await (const chunk of response.body ?? []) {
    if (bytes === 0) firstMs = performance.now() - start
    bytes += chunk.byteLength
    peak = Math.max(peak, process.memoryUsage.rss())
  }
  const seconds = (performance.now() - start) / 1000
  console.log(
    `${APIS * ENDPOINTS} endpoints, ${(bytes / 1e6).toFixed(1)} MB in ${seconds.toFixed(2)} s:` +
      ` ${(bytes / 1e6 / seconds).toFixed(0)} MB/s, first bytes after ${firstMs.toFixed(1)} ms,` +
      ` RSS ${(before / 1e6).toFixed(0)} MB, grown by ${((peak - before) / 1e6).toFixed(0)} MB at most`,
  )
}
