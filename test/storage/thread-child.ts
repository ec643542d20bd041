import { openSqlite } from '../../adapters/storage/sqlite.ts'
import { saveSampleVendor } from '../conformance/storage/samples.ts'

// Writes in a thread and ends without closing the storage. Argument: file.
const [file = ''] = process.argv.slice(2)
const storage = await openSqlite({ file, writeInThread: true })
await saveSampleVendor(storage, 1)
console.log('saved')
