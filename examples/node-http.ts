// Serves the catalogue with node:http on Node, Bun and Deno. Create a key first:
//   api-discovery accounts create me --database sqlite:apis.db
//   api-discovery keys create --account me --database sqlite:apis.db
import { createApiDiscovery } from 'api-discovery'
import { serveNode } from 'api-discovery/node'
import { closeOnSignals } from 'api-discovery/serve'
import { openSqlite } from 'api-discovery/sqlite'

const app = createApiDiscovery({ storage: await openSqlite({ file: 'apis.db' }) })
const server = await serveNode(app.handle, { port: Number(process.env.PORT ?? 8080) })
console.log(server.url)

await closeOnSignals(server)
await app.close()
