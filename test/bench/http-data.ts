import { openSqlite } from '../../adapters/storage/sqlite.ts'
import { type Caller, createApiDiscovery } from '../../core/index.ts'

/** A catalogue to serve, and a request for it. */
export interface HttpBenchData {
  readonly file: string
  readonly key: string
  /** Short ID of an endpoint with about 2 KB of JSON parameters. */
  readonly endpointId: string
}

const CALLER: Caller = { account: { id: 'bench', name: 'bench' }, scopes: new Set(['read']) }

/** Fills an SQLite file with a catalogue of 20 APIs of 200 endpoints, and an account with a key. */
export async function createHttpBenchData(file: string): Promise<HttpBenchData> {
  const app = createApiDiscovery({ storage: await openSqlite({ file }) })
  for (let api = 0; api < 20; api += 1) {
    await app.imports.importDescription({
      bytes: new TextEncoder().encode(JSON.stringify(toDescription(api))),
      vendorName: 'Bench',
      createVendor: true,
      isPublic: true,
    })
  }
  const account = await app.accounts.createAccount('bench')
  const { key } = await app.accounts.createKey({ account, name: 'bench', scopes: ['read'] })
  const found = await app.call('searchEndpoints', { q: 'Bench API 7 reports' }, CALLER)
  const endpointId = found.endpoints[0]?.matched_endpoints[0]?.endpoint_id
  await app.close()
  if (endpointId === undefined) throw new Error('The catalogue holds no endpoint to ask for')
  return { file, key, endpointId }
}

function toDescription(api: number) {
  const numbers = Array.from({ length: 200 }, (_, index) => index)
  return {
    openapi: '3.0.3',
    info: { title: `Bench API ${api}`, version: '1.0.0' },
    servers: [{ url: `https://api${api}.example.com/v1` }],
    paths: Object.fromEntries(
      numbers.map((index) => [
        `/reports${index}/{reportId}`,
        { get: { summary: `Get report ${index}`, parameters: PARAMETERS, responses: RESPONSES } },
      ]),
    ),
  }
}

const PARAMETERS = [
  { name: 'reportId', in: 'path', required: true, schema: { type: 'string' } },
  ...['from', 'to', 'zone', 'fields', 'order', 'limit', 'cursor'].map((name) => ({
    name,
    in: 'query',
    description: `What the report tells by "${name}", as text`,
    schema: { type: 'string' },
    example: `${name}-1`,
  })),
]

const RESPONSES = {
  200: {
    description: 'The report',
    content: {
      'application/json': {
        schema: { type: 'object', properties: { id: { type: 'string' }, at: { type: 'string' } } },
      },
    },
  },
}
