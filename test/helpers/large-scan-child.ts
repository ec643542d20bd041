import process from 'node:process'
import { serve } from '../../adapters/runtime/serve.ts'
import { openPostgres } from '../../adapters/storage/postgres.ts'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import { makeFolder } from './folder.ts'
import { openTestService } from './service.ts'

// Serves a test service from a file or a named database, and prints its peak memory growth in
// bytes.
const folder = await makeFolder()
const file = folder.pathOf('scans.db')
const [, , url] = process.argv
const service = await openTestService({
  openStorage: (clock) => (url ? openPostgres({ url, clock }) : openSqlite({ file, clock })),
})
// Allows for a busy machine.
const server = await serve(service.app.handle, { port: 0, requestTimeoutMs: 290_000 })
const before = process.memoryUsage().rss
let most = before
setInterval(() => {
  most = Math.max(most, process.memoryUsage().rss)
}, 25)
process.once('SIGTERM', async () => {
  console.log(`growth ${most - before}`)
  await server.close(0)
  await service.close()
  await folder.remove()
  process.exit(0)
})
console.log(`key ${service.keys.all}`)
console.log(`url ${server.url}`)
