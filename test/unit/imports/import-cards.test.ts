import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSqlite } from '../../../adapters/storage/sqlite.ts'
import type { ApiDiscovery } from '../../../core/api-discovery.ts'
import { createApiDiscovery } from '../../../core/app.ts'
import { type Caller, SCOPES } from '../../../core/shared/account.ts'

const CALLER: Caller = {
  account: { id: 'account', name: 'Account' },
  scopes: new Set(SCOPES),
  keyId: undefined,
}
const CARD = readFileSync(
  new URL('../../../fixtures/descriptions/skycast-mcp-server.json', import.meta.url),
)
/** An HTTP API with the name and version of the card. */
const OPENAPI = {
  openapi: '3.0.0',
  info: { title: 'Skycast for agents', version: '1.0.0' },
  servers: [{ url: 'https://api.skycast-mcp.org' }],
  paths: { '/days': { get: { summary: 'List days' } } },
}

let app: ApiDiscovery
beforeAll(async () => {
  app = createApiDiscovery({ storage: await openSqlite({ file: ':memory:' }) })
  await importBytes(new TextEncoder().encode(JSON.stringify(OPENAPI)))
  await importBytes(CARD)
})
afterAll(() => app.close())

const importBytes = (bytes: Uint8Array) =>
  app.imports.importDescription({
    bytes,
    vendorName: 'Skycast',
    createVendor: true,
    isPublic: true,
  })

async function search(input: object) {
  return app.call('searchEndpoints', input, CALLER)
}

async function findTool() {
  const { endpoints } = await search({ q: 'forecast place', kind: 'mcp' })
  const tool = endpoints[0]?.matched_endpoints.find(({ endpoint }) =>
    endpoint.endsWith('#get_forecast'),
  )
  if (!tool) throw new Error('The tool was not found')
  return tool
}

it('a server does not replace an API with its name, and is updated when imported again', async () => {
  const { report } = await importBytes(CARD)
  expect(report).toMatchObject({ added: 0, changed: 0, removed: 0, unchanged: 3, skipped: 0 })
  const { endpoints } = await search({ q: '' })
  expect(endpoints.map(({ name, kind, is_implemented: can }) => [name, kind, can])).toEqual([
    ['Skycast for agents', undefined, true],
    ['Skycast for agents', 'mcp', false],
  ])
})

it('kinds are a facet', async () => {
  const { endpoints, facets } = await search({ q: 'days', kind: 'http', facets: true })
  expect(endpoints.map(({ num_agreements_restricted: _, ...api }) => api.kind)).toEqual([undefined])
  expect(facets?.at(-1)).toEqual({
    name: 'kind',
    num_values: 2,
    values: [
      { value: 'http', label: 'HTTP API', count: 1, is_chosen: true },
      { value: 'mcp', label: 'MCP server', count: 1, is_chosen: false },
    ],
  })
})

it('tools are endpoints with parameters that the gateway does not call', async () => {
  const { endpoint_id: id, endpoint } = await findTool()
  expect(endpoint).toBe('https://mcp.skycast-mcp.org/eu/mcp#get_forecast')
  const { parameter } = await app.call('getEndpointParameters', { endpoint_id: id }, CALLER)
  expect(parameter.map((each) => [each.parameter_name, each.parameter_placement])).toEqual([
    ['place', 'body'],
    ['days', 'body'],
    ['units', 'body'],
  ])
  const message = `Cannot call endpoint "${id}": it belongs to an MCP server. Connect an MCP client to https://mcp.skycast-mcp.org/{region}/mcp`
  const call = {
    endpointId: id,
    values: {},
    header: () => undefined,
    accept: '*/*',
    isDryRun: true,
  }
  await expect(app.gateway.call(call, CALLER)).rejects.toMatchObject({ code: 'no_server', message })
  await expect(app.gateway.describe(CALLER.account, id)).rejects.toThrow(message)
})

it('the card is stored as it was imported', async () => {
  const { endpoints } = await search({ q: 'forecast', kind: 'mcp' })
  const source = await app.imports.findSource(endpoints[0]?.id ?? 0)
  expect(Buffer.from(source?.bytes ?? []).equals(CARD)).toBe(true)
})

it('scans match the address of the server', async () => {
  const match = await app.match({ method: 'post', url: 'https://mcp.skycast-mcp.org/us/mcp' })
  expect([match?.apiName, match?.level, match?.confidence]).toEqual([
    'Skycast for agents',
    'endpoint',
    1,
  ])
})
