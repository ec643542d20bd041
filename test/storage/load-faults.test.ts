import { describe, it } from 'vitest'
import type { FullStorage } from '../../core/ports/storage.ts'
import type { Load } from '../../core/vulnerabilities/store.ts'
import {
  publishSample,
  SAMPLE_SOURCE,
  sampleBytes,
  sampleRecords,
  takeVulnerabilitySnapshot,
} from '../conformance/storage/vulnerability-samples.ts'
import { failAtEachCall } from '../helpers/failing-writes.ts'
import { openFaultySqlite } from '../helpers/faulty-sqlite.ts'
import { makeFolder } from '../helpers/folder.ts'
import { createTestClock } from '../helpers/test-clock.ts'

describe('a load with a driver that fails at any call', () => {
  for (const [name, write] of Object.entries(listLoadWrites())) {
    it(`is atomic and continues: ${name}`, async () => {
      const folder = await makeFolder()
      const { now, advance } = createTestClock()
      const { storage, failAt } = await openFaultySqlite(folder.pathOf('catalogue.db'), now)
      await publishSamples(storage, advance)
      const load = await storage.vulnerabilities.beginLoad({ source: 'nvd' })
      await failAtEachCall({
        failAt,
        write: () => write(load),
        takeState: () => takeState(storage, load),
      })
      await load.end()
      await storage.close()
      await folder.remove()
    })
  }
})

const STAGED = 120
const ROW_IDS = Array.from({ length: 2 * STAGED }, (_, index) => index + 1)
const SETS = [1, 2, 3, 4].map((id) => ({ id, name: 'words' }))

/** Publishes two generations, of which the first can be swept, and stages records. */
async function publishSamples(storage: FullStorage, advance: (ms: number) => void): Promise<void> {
  const { rowIds } = await publishSample(storage, { count: 10 })
  await publishSample(storage, { count: 10, dropped: rowIds })
  const load = await storage.vulnerabilities.beginLoad({ source: 'nvd' })
  await load.stage({ records: sampleRecords(load, 10), source: SAMPLE_SOURCE })
  await load.end()
  advance(600_001)
}

function listLoadWrites(): Readonly<Record<string, (load: Load) => Promise<unknown>>> {
  return {
    stage: (load) =>
      load.stage({
        records: sampleRecords(load, STAGED),
        source: { name: 'nvd', checkpoint: '{"at":2}' },
      }),
    'write parts': (load) =>
      load.writeParts(
        { id: load.nextId, name: 'words' },
        [0, 1, 2].map((number) => ({ number, bytes: sampleBytes(number) })),
      ),
    publish: (load) =>
      load.publish({
        manifest: '{"new":true}',
        sets: [{ id: 2, name: 'words' }],
        dropped: ROW_IDS.slice(10, 20),
        takesStaged: true,
        source: { name: 'nvd', checkpoint: '{"at":3}', loadedAt: 5 },
      }),
    sweep: (load) => load.sweep(),
  }
}

async function takeState(storage: FullStorage, load: Load) {
  return {
    seen: await takeVulnerabilitySnapshot(storage, { sets: SETS, rowIds: ROW_IDS }),
    staged: await load.listStaged(1, STAGED * 2),
    numbers: [load.nextId, load.firstRowId, load.nextRowId],
  }
}
