import { writeSync } from 'node:fs'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import { importSampleApi, sampleVendor } from '../conformance/storage/samples.ts'

// Imports APIs until it is killed, and writes the number of each completed import. Arguments: file,
// first number, `thread` to write in a thread.
const [file = '', first = '1', mode] = process.argv.slice(2)
const storage = await openSqlite({ file, writeInThread: mode === 'thread' })
const vendor =
  (await storage.catalogue.saveVendor(sampleVendor(1))) ??
  (await storage.catalogue.findVendor(sampleVendor(1).name))
if (!vendor) throw new Error('No vendor')
writeSync(1, 'ready\n')
for (let api = Number(first); api < Number(first) + 100_000; api += 1) {
  await importSampleApi(storage, { vendor, api, endpoints: 20 })
  writeSync(1, `${api}\nevent\n`)
}
