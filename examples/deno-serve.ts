// Serves the catalogue with Deno.serve: deno run -A examples/deno-serve.ts
// Deno.serve has no timeouts: use it only behind a proxy that has them.
import { createApiDiscovery } from 'api-discovery'
import { openSqlite } from 'api-discovery/sqlite'

const app = createApiDiscovery({ storage: await openSqlite({ file: 'apis.db' }) })

const server = Deno.serve(
  {
    port: Number(Deno.env.get('PORT') ?? 8080),
    hostname: '127.0.0.1',
    onListen: ({ port }) => console.log(`http://127.0.0.1:${port}`),
  },
  (request, info) => app.fetch(request, { clientAddress: info.remoteAddr.hostname }),
)

Deno.addSignalListener('SIGTERM', async () => {
  await server.shutdown()
  await app.close()
  Deno.exit(0)
})
