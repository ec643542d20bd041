import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { describe, expect, it } from 'vitest'
import { createBrotli } from '../../adapters/feeds/compression.ts'
import { readFeedFile } from '../../adapters/feeds/feed-files.ts'
import { checkSqlite, openSqlite } from '../../adapters/storage/sqlite.ts'
import { createVulnerabilities, type Vulnerabilities } from '../../core/vulnerabilities/service.ts'
import { makeFolder } from '../helpers/folder.ts'
import { runAndKill } from '../helpers/killed-child.ts'
import { sampleRecord } from '../unit/vulnerabilities/loading/samples.ts'
import { listRecords } from './listed-records.ts'

/** `API_DISCOVERY_LONG=1` kills a hundred times, otherwise a few times. */
const KILLS = process.env.API_DISCOVERY_LONG === undefined ? 5 : 100
/** Longer than readers may use an old generation, so each child sweeps those of previous ones. */
const STEP_MS = 600_001
const RECORDS = 300

describe('A killed pull', () => {
  it(`leaves the records of one archive, complete, killed ${KILLS} times`, async () => {
    const folder = await makeFolder()
    const team = folder.pathOf('team.db')
    const [first, second] = [folder.pathOf('first.archive'), folder.pathOf('second.archive')]
    await loadAndExport(team, { from: 1, archive: first })
    const versions: (readonly string[])[] = [[], await listRecords(team)]
    // Removes, adds and changes records.
    await loadAndExport(team, { from: 100, archive: second })
    versions.push(await listRecords(team))

    const file = folder.pathOf('own.db')
    let pulls = 0
    for (let kill = 0; kill < KILLS; kill += 1) {
      const lines = await runAndKill(new URL('kill-pull-child.ts', import.meta.url), {
        parameters: [file, String(kill * STEP_MS), first, second],
        // Evenly spread instead of random, over several pulls.
        events: 1 + (kill % 4),
        delayMs: (kill * 37) % 100,
      })
      pulls += lines.length
      expect(await checkSqlite(file)).toEqual([])
      expect(versions).toContainEqual(await listRecords(file))
    }
    await pull(file, second)
    expect(await listRecords(file)).toEqual(versions.at(-1))
    expect(await checkSqlite(file)).toEqual([])
    console.log(`${KILLS} kills, ${pulls} pulls complete`)
    await folder.remove()
  }, 1_200_000)
})

/** Replaces the records of a database by those from `from` on, and exports them. */
function loadAndExport(
  file: string,
  { from, archive }: { readonly from: number; readonly archive: string },
): Promise<void> {
  return withDatabase(file, async (vulnerabilities) => {
    async function* batches() {
      const numbers = Array.from({ length: RECORDS }, (_, index) => from + index)
      yield {
        records: numbers.map((number) => {
          if (number % 2 === 1) return sampleRecord(number)
          const descriptions = [{ language: 'en', text: `A flaw, described from ${from} on` }]
          return sampleRecord(number, { descriptions, modifiedAt: Date.UTC(2022, 0, 1) + from })
        }),
      }
    }
    await vulnerabilities.loadRecords(batches(), { source: 'nvd', isComplete: true })
    const { bytes } = await vulnerabilities.exportArchive({ compression: createBrotli() })
    await pipeline(bytes, createWriteStream(archive))
  })
}

function pull(file: string, archive: string): Promise<void> {
  return withDatabase(file, async (vulnerabilities) => {
    await vulnerabilities.loadArchive(readFeedFile(archive), {
      compression: createBrotli(),
      origin: { name: archive },
      takeOver: true,
      allowsOlder: true,
    })
  })
}

async function withDatabase(
  file: string,
  work: (vulnerabilities: Vulnerabilities) => Promise<void>,
): Promise<void> {
  const storage = await openSqlite({ file })
  try {
    const store = storage.vulnerabilities
    await work(createVulnerabilities({ store, clock: Date.now }))
  } finally {
    await storage.close()
  }
}
