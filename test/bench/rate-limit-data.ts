import { openSqlite } from '../../adapters/storage/sqlite.ts'
import { type Caller, createApiDiscovery } from '../../core/index.ts'

/** A catalogue to serve, with an endpoint and an account for each run. */
export interface RateLimitBenchData {
  readonly file: string
  readonly runs: readonly {
    readonly address: string
    readonly endpointId: string
    readonly key: string
  }[]
  /** Short IDs to read. */
  readonly endpointIds: readonly string[]
}

const OPERATOR: Caller = { account: { id: 'bench', name: 'bench' }, scopes: new Set(['read']) }

/** Fills an SQLite file with 500 endpoints and one at each address, such as `127.0.0.1:9001`. */
export async function createRateLimitBenchData(given: {
  readonly file: string
  readonly addresses: readonly string[]
}): Promise<RateLimitBenchData> {
  const { file, addresses } = given
  const app = createApiDiscovery({ storage: await openSqlite({ file }) })
  const importApi = (description: object) =>
    app.imports.importDescription({
      bytes: new TextEncoder().encode(JSON.stringify(description)),
      vendorName: 'Bench',
      createVendor: true,
      isPublic: true,
    })
  const find = async (q: string) => {
    const { endpoints } = await app.call('searchEndpoints', { q, size: 100 }, OPERATOR)
    return endpoints.flatMap((api) => api.matched_endpoints.map((each) => each.endpoint_id))
  }
  try {
    for (let api = 0; api < 5; api += 1) await importApi(describeReports(api))
    const runs: { address: string; endpointId: string; key: string }[] = []
    for (const [index, address] of addresses.entries()) {
      await importApi(createPingDescription(`Target ${index}`, address))
      const account = await app.accounts.createAccount(`bench ${index}`)
      const scopes = ['read', 'benchmark'] as const
      const { key } = await app.accounts.createKey({ account, name: 'bench', scopes })
      const [endpointId] = await find(`Ping target${index}`)
      if (endpointId === undefined) throw new Error(`The catalogue has no endpoint at ${address}`)
      runs.push({ address, endpointId, key })
    }
    const endpointIds = (await find('report')).slice(0, 100)
    if (endpointIds.length === 0) throw new Error('The catalogue holds no endpoint to read')
    return { file, runs, endpointIds }
  } finally {
    await app.close()
  }
}

function createPingDescription(title: string, address: string) {
  const summary = `Ping ${title.replace(' ', '').toLowerCase()}`
  return {
    openapi: '3.0.3',
    info: { title, version: '1.0.0' },
    servers: [{ url: `http://${address}` }],
    paths: { '/ping': { get: { summary, responses: { 200: { description: 'Done' } } } } },
  }
}

function describeReports(api: number) {
  const numbers = Array.from({ length: 100 }, (_, index) => index)
  const parameters = ['from', 'to', 'zone', 'fields', 'order', 'limit', 'cursor'].map((name) => ({
    name,
    in: 'query',
    description: `What the report tells by "${name}", as text`,
    schema: { type: 'string' },
  }))
  const responses = { 200: { description: 'The report' } }
  return {
    openapi: '3.0.3',
    info: { title: `Reports ${api}`, version: '1.0.0' },
    servers: [{ url: `https://api${api}.example.com/v1` }],
    paths: Object.fromEntries(
      numbers.map((index) => [
        `/reports${index}`,
        { get: { summary: `Get report ${index}`, parameters, responses } },
      ]),
    ),
  }
}
