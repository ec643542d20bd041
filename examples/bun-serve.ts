// Serves the catalogue with Bun.serve: bun examples/bun-serve.ts
import { createApiDiscovery } from 'api-discovery'
import { openBunSqlite } from 'api-discovery/bun-sqlite'

const app = createApiDiscovery({ storage: await openBunSqlite({ file: 'apis.db' }) })

const server = Bun.serve({
  port: Number(process.env.PORT ?? 8080),
  hostname: '127.0.0.1',
  // Longer than the slowest response: Bun aborts requests that are idle for this time.
  idleTimeout: 120,
  fetch: (request, bun) => app.fetch(request, { clientAddress: bun.requestIP(request)?.address }),
})
console.log(`http://127.0.0.1:${server.port}`)

process.once('SIGTERM', async () => {
  await server.stop()
  await app.close()
  process.exit(0)
})
