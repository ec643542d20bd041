// Calls a catalogued endpoint from an embedded service: node examples/gateway.ts
// The target runs on this machine, so it must be allowed. Its key is stored encrypted.
import { createServer } from 'node:http'
import { createApiDiscovery, createSealer, SCOPES } from 'api-discovery'
import { createPinnedEgress } from 'api-discovery/egress'
import { openSqlite } from 'api-discovery/sqlite'

const target = createServer(({ method, url, headers }, response) => {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ method, url, key: headers['x-tide-key'] }))
})
await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
const address = target.address()
const place = `127.0.0.1:${typeof address === 'object' ? address?.port : 0}`

const DESCRIPTION = {
  openapi: '3.1.0',
  info: { title: 'Tides', version: '1.0.0' },
  servers: [{ url: `http://${place}/v1` }],
  security: [{ key: [] }],
  components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Tide-Key' } } },
  paths: {
    '/harbours/{name}/tides': {
      get: {
        summary: 'Tides of a harbour',
        parameters: [
          { name: 'name', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'days', in: 'query', schema: { type: 'integer', maximum: 7 } },
        ],
        responses: { 200: { description: 'High and low water' } },
      },
    },
  },
}

const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))
// A real service stores its secret: see `openSecrets` in api-discovery/secret.
const sealer = createSealer({ current: random(32) }, random)
const egress = createPinnedEgress({ allow: [place] })
const app = createApiDiscovery({ storage: await openSqlite({ file: ':memory:' }), sealer, egress })
try {
  const { apiId } = await app.imports.importDescription({
    bytes: new TextEncoder().encode(JSON.stringify(DESCRIPTION)),
    vendorName: 'Harbour Office',
    createVendor: true,
    isPublic: false,
  })
  const account = await app.accounts.createAccount('me')
  const caller = { account, scopes: new Set(SCOPES) }
  const credential = { api_id: apiId, kind: 'header', name: 'X-Tide-Key', value: 's3cr3t' } as const
  await app.call('putCredential', { body: credential }, caller)
  const [api] = (await app.call('searchEndpoints', { q: 'tides of a harbour' }, caller)).endpoints
  const endpoint_id = api?.matched_endpoints[0]?.endpoint_id ?? ''
  const body = { name: 'Port Ellen/Islay', days: 3 }
  const planned = await app.call('callEndpoint', { endpoint_id, dry_run: true, body }, caller)
  const answer = await app.call('callEndpoint', { endpoint_id, body }, caller)
  const { request } = JSON.parse(new TextDecoder().decode(planned.body))
  console.log(JSON.stringify({ planned: request.url, status: answer.status }))
  console.log(new TextDecoder().decode(answer.body))
} finally {
  await app.close()
  egress.close()
  target.close()
}
