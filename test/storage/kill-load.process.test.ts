import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { checkSqlite, openSqlite } from '../../adapters/storage/sqlite.ts'
import type { FullStorage } from '../../core/ports/storage.ts'
import { createVulnerabilityReads } from '../../core/vulnerabilities/search/reads.ts'
import { createVulnerabilityLoads } from '../../core/vulnerabilities/service.ts'
import type { PartSet } from '../../core/vulnerabilities/store.ts'
import {
  sampleBytes,
  sampleRecord,
  sweepAll,
} from '../conformance/storage/vulnerability-samples.ts'
import { makeFolder } from '../helpers/folder.ts'
import { runAndKill } from '../helpers/killed-child.ts'
import { sampleBatches } from './kill-load-records.ts'

/** `API_DISCOVERY_LONG=1` kills a hundred times, otherwise a few times. */
const KILLS = process.env.API_DISCOVERY_LONG === undefined ? 2 : 100

/** Longer than readers may use an old generation, so each child sweeps those of previous ones. */
const STEP_MS = 600_001

describe('A killed load of vulnerabilities', () => {
  it(
    `is resumed by the next one without losing or duplicating records, killed ${KILLS} times`,
    () =>
      withFile(async (file) => {
        let acknowledged = 0
        for (let kill = 0; kill < KILLS; kill += 1) {
          const lines = await runAndKill(
            new URL('kill-load-child.ts', import.meta.url),
            toOptions(file, kill),
          )
          acknowledged = Math.max(acknowledged, ...lines.map(Number))
          expect(await checkSqlite(file)).toEqual([])
          const shown = await expectShown(file)
          expect(shown >= acknowledged).toBe(true)
        }
        const total = await finishLoad(file, KILLS * STEP_MS)
        expect(await expectShown(file)).toBe(total)
        expect(countRows(file)).toEqual({ cve_record: total, cve_detail: total })
        expect(await checkSqlite(file)).toEqual([])
        console.log(`${KILLS} kills, ${total} records loaded, none lost, none twice`)
      }),
    600_000,
  )

  it(
    `loses no acknowledged batch and shows no partial generation, killed ${KILLS} times`,
    () =>
      withFile(async (file) => {
        let acknowledged = 0
        for (let kill = 0; kill < KILLS; kill += 1) {
          const lines = await runAndKill(
            new URL('kill-stage-child.ts', import.meta.url),
            toOptions(file, kill),
          )
          acknowledged = Math.max(acknowledged, ...lines.map(Number))
          expect(await checkSqlite(file)).toEqual([])
          await expectWhole(file, acknowledged)
        }
        const { records, generation } = await expectSwept(file, KILLS * STEP_MS)
        console.log(
          `${KILLS} kills, ${records} records in generation ${generation}, none lost, none twice`,
        )
        expect(acknowledged > 0).toBe(true)
      }),
    600_000,
  )
})

async function withFile(work: (file: string) => Promise<void>): Promise<void> {
  const folder = await makeFolder()
  try {
    await work(folder.pathOf('catalogue.db'))
  } finally {
    await folder.remove()
  }
}

function toOptions(file: string, kill: number) {
  return {
    parameters: [file, String(kill * STEP_MS)],
    // Evenly spread times instead of random ones, so that every run is identical.
    delayMs: 20 + ((kill * 37) % 181),
  }
}

/** Searches for all records, which must be the first ones, each once. Returns their number. */
async function expectShown(file: string): Promise<number> {
  const storage = await openSqlite({ file })
  try {
    const reads = createVulnerabilityReads({ store: storage.vulnerabilities })
    const { count, hits } = await reads.search({ term: 'flaw' })
    const ids: string[] = []
    for await (const batch of hits) {
      // The child wrote this JSON.
      for (const { line } of batch) ids.push((JSON.parse(line) as { cve_id: string }).cve_id)
    }
    expect(ids.reverse()).toEqual(
      range(1, count).map((number) => `CVE-2021-${String(number).padStart(4, '0')}`),
    )
    expect((await reads.status()).records).toBe(count)
    return count
  } finally {
    await storage.close()
  }
}

/** Completes the interrupted load and sweeps. Returns the number of the last record. */
async function finishLoad(file: string, ahead: number): Promise<number> {
  let time = Date.now() + ahead
  const clock = () => time
  const storage = await openSqlite({ file, clock })
  try {
    const loads = createVulnerabilityLoads({ store: storage.vulnerabilities, clock })
    const at = Number((await loads.readCheckpoint('nvd')) ?? 0)
    await loads.loadRecords(sampleBatches(at, 2), { source: 'nvd', takeOver: true })
    time += STEP_MS
    await sweepAll(storage)
    return Number(await loads.readCheckpoint('nvd'))
  } finally {
    await storage.close()
  }
}

function countRows(file: string): Readonly<Record<string, unknown>> {
  const database = new DatabaseSync(file, { readOnly: true })
  const counts = ['cve_record', 'cve_detail'].map((table) => [
    table,
    database.prepare(`select count(*) as count from ${table}`).get()?.count,
  ])
  database.close()
  return Object.fromEntries(counts)
}

async function expectWhole(file: string, acknowledged: number): Promise<void> {
  const storage = await openSqlite({ file })
  try {
    const { vulnerabilities } = storage
    const load = await vulnerabilities.beginLoad({ source: 'test', takeOver: true })
    const at = load.nextRowId - 1
    expect(at >= acknowledged).toBe(true)
    const [source] = await vulnerabilities.listSources()
    expect(source?.checkpoint).toBe(at === 0 ? undefined : String(at))
    expect(await load.listStaged(1, at + 1)).toEqual(
      range(load.firstRowId, at).map((rowId) => sampleRecord(rowId)),
    )
    expect(await readUpTo(storage)).toBe(load.firstRowId - 1)
    await load.end()
  } finally {
    await storage.close()
  }
}

/** Reads the current generation. Returns its last row ID. */
async function readUpTo({ vulnerabilities }: FullStorage): Promise<number> {
  const published = await vulnerabilities.readManifest()
  if (!published) return 0
  // The child wrote this JSON.
  const { set, upTo } = JSON.parse(published.manifest) as { set: PartSet; upTo: number }
  expect([published.generation, await vulnerabilities.generation()]).toEqual([set.id, set.id])
  const parts = await vulnerabilities.readParts(set, [0, 1, 2, 3])
  for (const [number, bytes] of parts.entries()) {
    const wanted = sampleBytes(set.id + number, 100_000)
    expect(bytes && Buffer.compare(bytes, wanted)).toBe(0)
  }
  const shown = range(1, upTo).filter((rowId) => rowId % 10 !== 0)
  const records = await vulnerabilities.readRecords(shown, 'all')
  const wrong = shown.filter((rowId, index) => {
    const { line, products, detail } = sampleRecord(rowId)
    const record = records[index]
    return record?.line !== line || record.products !== products || record.detail !== detail
  })
  expect(wrong).toEqual([])
  return upTo
}

/** Sweeps and checks the current generation, and that unpublished records are gone. */
async function expectSwept(file: string, ahead: number) {
  const storage = await openSqlite({ file, clock: () => Date.now() + ahead })
  try {
    await sweepAll(storage)
    const upTo = await readUpTo(storage)
    const gone = range(1, upTo).filter((rowId) => rowId % 10 === 0)
    const records = await storage.vulnerabilities.readRecords(gone, 'line')
    expect(records.filter((record) => record !== undefined)).toEqual([])
    return { records: upTo - gone.length, generation: await storage.vulnerabilities.generation() }
  } finally {
    await storage.close()
  }
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)
}
