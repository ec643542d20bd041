import { describe, it } from 'vitest'
import type { FullStorage } from '../../core/ports/storage.ts'
import {
  identityOf,
  importSampleApi,
  NO_CHANGE,
  sampleApiRow,
  sampleEndpoint,
  sampleKey,
  sampleVendor,
  saveSampleVendor,
  takeSnapshot,
} from '../conformance/storage/samples.ts'
import { failAtEachCall } from '../helpers/failing-writes.ts'
import { openFaultySqlite } from '../helpers/faulty-sqlite.ts'
import { makeFolder } from '../helpers/folder.ts'

describe('a write with a driver that fails at any call', () => {
  for (const [name, write] of Object.entries(listWrites())) {
    it(`leaves no data: ${name}`, async () => {
      const folder = await makeFolder()
      const { storage, failAt } = await openFaultySqlite(folder.pathOf('catalogue.db'))
      await addSamples(storage)
      await failAtEachCall({
        failAt,
        write: () => write(storage),
        takeState: () => takeSnapshot({ storage }),
      })
      await storage.close()
      await folder.remove()
    })
  }
})

const ACCOUNT = { id: 'a', name: 'A' }

async function addSamples(storage: FullStorage): Promise<void> {
  const vendor = await saveSampleVendor(storage, 1)
  await importSampleApi(storage, { vendor, api: 1, endpoints: 150 })
  await storage.accounts.saveAccount({ ...ACCOUNT, createdAt: 1 })
  await storage.accounts.saveKey(ACCOUNT, sampleKey(1))
}

function listWrites(): Readonly<Record<string, (storage: FullStorage) => Promise<unknown>>> {
  return {
    'a new vendor': (storage) => storage.catalogue.saveVendor(sampleVendor(2)),
    'a new API': async (storage) => {
      const vendor = await storage.catalogue.findVendor('Vendor 1')
      if (!vendor) throw new Error('No vendor')
      return importSampleApi(storage, { vendor, api: 2, endpoints: 150 })
    },
    'a changed API': async (storage) => {
      const vendor = await storage.catalogue.findVendor('Vendor 1')
      if (!vendor) throw new Error('No vendor')
      const identity = identityOf({ vendor, name: 'API 1' })
      return storage.imports.replaceApi(identity, (existing) => ({
        ...NO_CHANGE,
        api: { ...sampleApiRow(1), description: 'Changed' },
        added: [sampleEndpoint({ api: 1, endpoint: 900 })],
        changed: [
          {
            ...sampleEndpoint({ api: 1, endpoint: 0, description: 'Changed' }),
            id: existing?.endpoints[0]?.id ?? 0,
          },
        ],
        removed: [existing?.endpoints[5]?.id ?? 0],
        agreements: [],
        postings: () => [],
      }))
    },
    'a removed API': (storage) => storage.catalogue.removeApi('1'),
    'a new account': (storage) =>
      storage.accounts.saveAccount({ id: 'b', name: 'B', createdAt: 1 }),
    'a new key': (storage) => storage.accounts.saveKey(ACCOUNT, sampleKey(2)),
    'a changed key': (storage) => storage.accounts.changeKey(ACCOUNT, 'key1', { revokedAt: 5 }),
  }
}
