import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPostgres } from '../../adapters/storage/postgres.ts'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import { buildPostingsSync } from '../../core/catalogue/search/postings.ts'
import type { FullStorage } from '../../core/ports/storage.ts'
import { hash53, toShortId } from '../../core/shared/ids.ts'
import { foldName } from '../../core/shared/text.ts'
import { sampleApiRow, sampleVendor } from '../conformance/storage/samples.ts'
import { startPostgres } from '../helpers/postgres.ts'
import { benchSearch } from './search.ts'
import { syntheticCatalogue } from './synthetic.ts'

// Run: node test/bench/search-storage.ts [sqlite] [postgres]
const engines = process.argv.slice(2)
if (engines.length === 0 || engines.includes('sqlite')) await benchSqlite()
if (engines.includes('postgres')) await benchPostgres()

async function benchSqlite(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'api-discovery-bench-'))
  const file = join(folder, 'catalogue.db')
  const storage = await openSqlite({ file })
  await fillSearchDatabase(storage)
  await benchSearch('SQLite', storage.catalogue)
  await storage.close()
  console.log(`  file ${Math.round((await stat(file)).size / 1e6)} MB`)
  await rm(folder, { recursive: true })
}

async function benchPostgres(): Promise<void> {
  const server = await startPostgres()
  const storage = await openPostgres({ url: await server.createDatabase() })
  await fillSearchDatabase(storage)
  await benchSearch('PostgreSQL', storage.catalogue)
  await storage.close()
  await server.stop()
}

/** Generates 100,000 endpoints of 3,000 APIs. */
async function fillSearchDatabase(storage: FullStorage): Promise<void> {
  const vendor = await storage.catalogue.saveVendor(sampleVendor(1))
  if (!vendor) throw new Error('No vendor')
  const start = performance.now()
  let number = 0
  for (const { vendorName, api, endpoints } of syntheticCatalogue()) {
    number += 1
    const row = { ...sampleApiRow(number), ...api }
    const identity = {
      kind: 'http' as const,
      vendor,
      name: foldName(api.name),
      majorVersion: api.majorVersion,
    }
    await storage.imports.replaceApi(identity, () => ({
      api: row,
      added: endpoints.map((description) => ({
        description,
        digest: hash53(description.key),
        shortIds: [0, 1, 2].map((attempt) => toShortId(`${api.name}|${description.key}`, attempt)),
      })),
      changed: [],
      removed: [],
      components: new Map(),
      agreements: [],
      source: undefined,
      postings: (ids) =>
        buildPostingsSync({
          vendorName,
          categoryName: '',
          api,
          endpoints: endpoints.map((description) => ({
            id: ids.get(description.key) ?? 0,
            description,
          })),
        }),
    }))
  }
  console.log(`Filled in ${((performance.now() - start) / 1000).toFixed(1)} s`)
}
