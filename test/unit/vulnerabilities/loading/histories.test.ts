import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RecordBatch } from '../../../../core/vulnerabilities/loading/batches.ts'
import type { CveAuthority, CveRecord } from '../../../../core/vulnerabilities/records.ts'
import { createVulnerabilityLoads } from '../../../../core/vulnerabilities/service.ts'
import {
  createMemoryVulnerabilities,
  type MemoryVulnerabilities,
} from '../../../helpers/memory-vulnerabilities.ts'
import { runs } from '../../../helpers/runs.ts'
import { readContent } from './index-content.ts'
import { sampleConfigurations, sampleRecord } from './samples.ts'

const OPTIONS = { seed: 20_260_101, numRuns: runs(60) }

const word = fc.constantFrom('remote', 'flaw', 'Café', 'log4j2', 'of', '漏洞', 'x™', '`', 'parser')

const record = fc
  .record({
    number: fc.integer({ min: 1, max: 12 }),
    publishedAt: fc.constantFrom(1_600_000_000_000, 1_610_000_000_000, 1_620_000_000_000),
    modifiedAt: fc.integer({ min: 1, max: 4 }),
    isRejected: fc.boolean(),
    words: fc.array(word, { maxLength: 12 }),
    vendor: fc.constantFrom('acme', 'big_corp', 'zeta'),
    product: fc.constantFrom('server', 'acme', 'big_server'),
  })
  .map(({ number, words, vendor, product, ...rest }) =>
    sampleRecord(number, {
      ...rest,
      descriptions: [{ language: 'en', text: words.join(' ') }],
      configurations: sampleConfigurations(vendor, product),
    }),
  )

const history = fc.array(
  fc.record({
    authority: fc.constantFrom<CveAuthority>('nvd', 'cve'),
    batches: fc.array(fc.array(record, { maxLength: 5 }), { maxLength: 4 }),
    isComplete: fc.boolean(),
    /** The load's call that fails; none if there are fewer calls. */
    failsAt: fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined }),
  }),
  { minLength: 1, maxLength: 5 },
)

/** `maxDraftBytes: 1` spills the terms of each record to the store. */
function openLoads(maxDraftBytes?: number) {
  const store = createMemoryVulnerabilities()
  return {
    store,
    loads: createVulnerabilityLoads({ store, clock: () => 0, maxBuilderBytes: maxDraftBytes }),
  }
}

async function* batchesOf(batches: readonly RecordBatch[]): AsyncIterable<RecordBatch> {
  yield* batches
}

/** Each has a checkpoint with the step and the number of batches read. */
function toBatches(batches: readonly (readonly CveRecord[])[], step = 0): readonly RecordBatch[] {
  return batches.map((records, index) => ({ records, checkpoint: `[${step},${index + 1}]` }))
}

/** Makes a load's call fail once. */
function failAt(store: MemoryVulnerabilities, call: number | undefined): void {
  let calls = 0
  store.beforeCall = () => {
    calls += 1
    if (calls === call) throw new Error('interrupted')
  }
}

interface PublishedRecord {
  readonly authority: CveAuthority
  readonly record: CveRecord
}

/**
 * The current record of each ID and authority: the latest, else the one that a single load selects.
 * The CVE Program's records are loaded first, NVD's after them.
 */
async function loadOnce(published: readonly PublishedRecord[]) {
  const { store, loads } = openLoads()
  for (const authority of ['cve', 'nvd'] as const) {
    const own = published.filter((each) => each.authority === authority)
    const records = own.map((each) => each.record)
    await loads.loadRecords(batchesOf([{ records }]), { source: 'once', authority })
  }
  return readContent(store)
}

function toPublished(
  authority: CveAuthority,
  batches: readonly (readonly CveRecord[])[],
): readonly PublishedRecord[] {
  return batches.flat().map((record) => ({ authority, record }))
}

describe('Any history of loads', () => {
  it('results in the same index as one load of the current records', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (steps) => {
        const { store, loads } = openLoads()
        let held: readonly PublishedRecord[] = []
        for (const { authority, batches, isComplete } of steps) {
          const options = { source: authority, authority, isComplete }
          await loads.loadRecords(batchesOf(toBatches(batches)), options)
          const ids = new Set(batches.flat().map(({ id }) => id))
          held = [...held, ...toPublished(authority, batches)].filter(
            (each) => !isComplete || each.authority !== authority || ids.has(each.record.id),
          )
          expect(await readContent(store)).toEqual(await loadOnce(held))
        }
      }),
      OPTIONS,
    )
  })

  it('results in the same index if loads are interrupted and resumed', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (steps) => {
        const { store, loads } = openLoads(1)
        for (const [step, { authority, batches, failsAt }] of steps.entries()) {
          failAt(store, failsAt)
          const all = toBatches(batches, step)
          const before = await readContent(store)
          const finalCheckpoint = `[${step},"done"]`
          const options = { source: authority, authority, takeOver: true, finalCheckpoint }
          const error = await loads.loadRecords(batchesOf(all), options).catch(String)
          if (typeof error !== 'string') continue
          expect(error).toBe('Error: interrupted')
          failAt(store, undefined)
          const checkpoint = await loads.readCheckpoint(authority)
          // The failure occurred after all work was done.
          if (checkpoint === finalCheckpoint) continue
          // A partial load is not visible.
          expect(await readContent(store)).toEqual(before)
          const [reached, batch] = JSON.parse(checkpoint ?? '[-1,0]')
          const rest = all.slice(reached === step ? batch : 0)
          await loads.loadRecords(batchesOf(rest), options)
        }
        const held = steps.flatMap(({ authority, batches }) => toPublished(authority, batches))
        const content = await readContent(store)
        expect(content).toEqual(await loadOnce(held))
      }),
      OPTIONS,
    )
  })

  it('accepts every record again without a change', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 20 }), async (records) => {
        const { store, loads } = openLoads()
        await loads.loadRecords(batchesOf([{ records }]), { source: 'nvd' })
        const reversed = records.toReversed()
        await loads.loadRecords(batchesOf([{ records: reversed }]), { source: 'nvd' })
        expect(await store.generation()).toBe(1)
      }),
      OPTIONS,
    )
  })
})
