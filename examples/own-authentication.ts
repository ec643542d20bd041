// The host authenticates callers with its own tokens instead of API keys.
import { createApiDiscovery, type HostCaller } from 'api-discovery'
import { closeOnSignals, serve } from 'api-discovery/serve'
import { openSqlite } from 'api-discovery/sqlite'

const callers: ReadonlyMap<string, HostCaller> = new Map([
  ['token-of-ada', { account: { id: 'ada', name: 'Ada' }, scopes: ['read', 'import'] }],
])

const app = createApiDiscovery({
  storage: await openSqlite({ file: 'apis.db' }),
  // Undefined results in status 401.
  authenticate: (request) =>
    callers.get(request.header('authorization')?.replace(/^Bearer /, '') ?? ''),
})
const server = await serve(app.handle, { port: Number(process.env.PORT ?? 8080) })
console.log(server.url)

await closeOnSignals(server)
await app.close()
