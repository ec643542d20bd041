import { describe, it } from 'vitest'
import type { FullStorage } from '../../core/ports/storage.ts'
import {
  ADA,
  DAY,
  fillGateway,
  sampleAnswer,
  sampleCall,
  sampleCredential,
  samplePolicy,
  sampleRecording,
  takeGatewaySnapshot,
} from '../conformance/storage/gateway-samples.ts'
import { importSampleApi, saveSampleVendor } from '../conformance/storage/samples.ts'
import { failAtEachCall } from '../helpers/failing-writes.ts'
import { openFaultySqlite } from '../helpers/faulty-sqlite.ts'
import { makeFolder } from '../helpers/folder.ts'

describe('a gateway write with a driver that fails at any call', () => {
  for (const [name, write] of Object.entries(listWrites())) {
    it(`leaves no data: ${name}`, async () => {
      const folder = await makeFolder()
      const { storage, failAt } = await openFaultySqlite(folder.pathOf('catalogue.db'))
      const vendor = await saveSampleVendor(storage, 1)
      await importSampleApi(storage, { vendor, api: 1, endpoints: 3 })
      await fillGateway(storage)
      await failAtEachCall({
        failAt,
        write: () => write(storage),
        takeState: () => takeSnapshot(storage),
      })
      await storage.close()
      await folder.remove()
    })
  }
})

function listWrites(): Readonly<Record<string, (storage: FullStorage) => Promise<unknown>>> {
  const request = { keyId: 'key1', day: DAY }
  return {
    'a new credential': ({ gateway }) => gateway.saveCredential(ADA, sampleCredential(2)),
    'a changed credential': ({ gateway }) =>
      gateway.saveCredential(ADA, { ...sampleCredential(1), sealed: 'v1.other' }),
    'a credential sealed anew': ({ gateway }) =>
      gateway.replaceSealed(ADA, 'credential1', { from: 'v1.sealed1', to: 'v1.other' }),
    'a removed credential': ({ gateway }) => gateway.removeCredential(ADA, 'credential1'),
    'a changed policy': ({ gateway }) =>
      gateway.savePolicy(ADA, samplePolicy(1, { methods: undefined })),
    'a removed policy': ({ gateway }) => gateway.removePolicy(ADA, 'key1'),
    'calls out of a budget': ({ gateway }) =>
      gateway.takeCalls(ADA, { ...request, wanted: 2, budget: 10 }),
    'calls given back': ({ gateway }) => gateway.returnCalls(ADA, { ...request, count: 2 }),
    'calls of the audit': ({ gateway }) =>
      gateway.saveCalls(
        Array.from({ length: 250 }, (_, number) => ({ ...sampleCall(number), account: ADA })),
      ),
    'a sweep': ({ gateway }) => gateway.sweepCalls({ before: Date.UTC(2026, 2, 20), limit: 1_000 }),
    'a recording in the place of the oldest': ({ gateway }) =>
      gateway.saveRecording(ADA, sampleRecording(2), 1),
    'a removed recording': ({ gateway }) => gateway.removeRecording(ADA, 'recording1'),
    'a published answer': async ({ gateway, catalogue }) => {
      const endpoint = await catalogue.findEndpoint('2')
      if (endpoint) await gateway.publishResponse(sampleAnswer(endpoint))
    },
    'an answer that is published no more': ({ gateway }) => gateway.removePublishedResponse(1),
    'a removed API': ({ catalogue }) => catalogue.removeApi('1'),
  }
}

async function takeSnapshot(storage: FullStorage) {
  return {
    gateway: await takeGatewaySnapshot(storage),
    revision: await storage.catalogue.revision(),
    generation: await storage.catalogue.generation(),
  }
}
