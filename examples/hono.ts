// The catalogue inside a Hono app, next to its own routes. Bun serves the default export:
// bun examples/hono.ts. On Deno: deno serve -A examples/hono.ts. Elsewhere, pass `fetch` to a
// server.
import { createApiDiscovery } from 'api-discovery'
import { openSqlite } from 'api-discovery/sqlite'
import { Hono } from 'hono'

const app = createApiDiscovery({ storage: await openSqlite({ file: 'apis.db' }) })

const host = new Hono()
host.get('/', (context) => context.text('The host says hello'))
host.all('/api/*', (context) => app.fetch(context.req.raw))

export default { port: Number(process.env.PORT ?? 8080), hostname: '127.0.0.1', fetch: host.fetch }
