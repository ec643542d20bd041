import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { describe, expect, it } from 'vitest'
import { checkSqlite, openSqlite } from '../../adapters/storage/sqlite.ts'
import type { Storage } from '../../core/ports.ts'
import type { PartSet } from '../../core/vulnerabilities/store.ts'
import {
  sampleBytes,
  sampleRecord,
  sweepAll,
} from '../conformance/storage/vulnerability-samples.ts'
import { makeFolder } from '../helpers/folder.ts'

/** `API_DISCOVERY_LONG=1` kills a hundred times, else a few. */
const KILLS = process.env.API_DISCOVERY_LONG === undefined ? 3 : 100

/** More than readers may take: each child sweeps what the ones before it ended. */
const STEP_MS = 600_001

describe('a process that loads vulnerabilities', () => {
  it(`loses no acknowledged batch and shows no half generation, killed ${KILLS} times`, async () => {
    const folder = await makeFolder()
    const file = folder.pathOf('catalogue.db')
    try {
      let acknowledged = 0
      for (let kill = 0; kill < KILLS; kill += 1) {
        // Spread over the range that a random choice would cover, the same in every run.
        const delay = 20 + ((kill * 37) % 121)
        const ahead = kill * STEP_MS
        acknowledged = Math.max(acknowledged, await loadAndKill(file, { ahead, delay }))
        expect(await checkSqlite(file)).toEqual([])
        await expectWhole(file, acknowledged)
      }
      const { records, generation } = await expectSwept(file, KILLS * STEP_MS)
      console.log(
        `${KILLS} kills, ${records} records in generation ${generation}, none lost, none twice`,
      )
      expect(acknowledged > 0).toBe(true)
    } finally {
      await folder.remove()
    }
  }, 600_000)
})

/** Gives the last row id that the child acknowledged before it was killed. */
async function loadAndKill(
  file: string,
  options: { readonly ahead: number; readonly delay: number },
): Promise<number> {
  const script = new URL('kill-load-child.ts', import.meta.url).pathname
  const run = process.versions.deno === undefined ? [] : ['run', '-A']
  const child = spawn(process.execPath, [...run, script, file, String(options.ahead)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let acknowledged = 0
  await new Promise<void>((resolve) => {
    const lines = createInterface({ input: child.stdout })
    lines.on('line', (line) => {
      if (line === 'ready') setTimeout(() => child.kill('SIGKILL'), options.delay)
      else acknowledged = Number(line)
    })
    lines.on('close', resolve)
  })
  return acknowledged
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

/** Reads the current generation as a reader does, and gives the last row id in it. */
async function readUpTo({ vulnerabilities }: Storage): Promise<number> {
  const published = await vulnerabilities.readManifest()
  if (!published) return 0
  // Written by the child.
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

/** Goes on where the last child was killed, sweeps, and finds nothing more than there must be. */
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
