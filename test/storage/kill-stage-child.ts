import { writeSync } from 'node:fs'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import { sampleBytes, sampleRecords } from '../conformance/storage/vulnerability-samples.ts'

// Resumes a load and continues it until it is killed: stages records, sometimes publishes, and
// sweeps. Writes the last row ID of each acknowledged batch. Arguments: file, milliseconds by which
// the clock is ahead.
const [file = '', ahead = '0'] = process.argv.slice(2)
const storage = await openSqlite({ file, clock: () => Date.now() + Number(ahead) })
const load = await storage.vulnerabilities.beginLoad({ source: 'nvd', takeOver: true })
writeSync(1, 'ready\n')
for (let round = 0; round < 10_000; round += 1) {
  const from = load.firstRowId
  for (let batch = 0; batch < 10; batch += 1) {
    const records = sampleRecords(load, 150)
    const at = String(records.at(-1)?.rowId)
    await load.stage({ records, source: { name: 'nvd', checkpoint: at } })
    writeSync(1, `${at}\n`)
  }
  const set = { id: load.nextId, name: 'words' }
  await load.writeParts(
    set,
    [0, 1, 2, 3].map((number) => ({ number, bytes: sampleBytes(set.id + number, 100_000) })),
  )
  const upTo = load.nextRowId - 1
  await load.publish({
    manifest: JSON.stringify({ set, upTo }),
    sets: [set],
    // Every tenth record belongs only to the generation that is never published; it is swept ten
    // minutes later.
    dropped: Array.from({ length: upTo - from + 1 }, (_, index) => from + index).filter(
      (rowId) => rowId % 10 === 0,
    ),
    takesStaged: true,
    source: { name: 'nvd', checkpoint: String(upTo), loadedAt: Date.now() },
  })
  for (let calls = 0; calls < 50 && (await load.sweep()); calls += 1);
}
