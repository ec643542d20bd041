// The catalogue inside a Fastify app, in a separate scope whose parsers do not read bodies.
import { createApiDiscovery } from 'api-discovery'
import { toNodeListener } from 'api-discovery/node'
import { openSqlite } from 'api-discovery/sqlite'
import fastify from 'fastify'

const app = createApiDiscovery({ storage: await openSqlite({ file: 'apis.db' }) })
const listen = toNodeListener(app.handle)

const host = fastify()
host.get('/', async () => 'The host says hello')
host.register(async (scope) => {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
  scope.all('/api/*', (request, reply) => {
    reply.hijack()
    listen(request.raw, reply.raw)
  })
})
host.addHook('onClose', () => app.close())

console.log(await host.listen({ port: Number(process.env.PORT ?? 8080), host: '127.0.0.1' }))
