import { openSecrets, toSecretFile } from '../../adapters/secret/secret-file.ts'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import {
  type ApiDiscovery,
  type Caller,
  createApiDiscovery,
  createSealer,
  SCOPES,
} from '../../core/index.ts'

/** A database to serve, with all costly features: policy, budget, credential. */
export interface GatewayBenchData {
  readonly file: string
  readonly key: string
  /** Addresses to allow, such as `127.0.0.1:9001`. */
  readonly addresses: readonly string[]
  /** Short IDs of endpoints with 1 KB, with 50 MB, and of each stalled target. */
  readonly small: string
  readonly big: string
  readonly stalled: readonly string[]
}

/** Fills an SQLite file; targets are addresses such as `127.0.0.1:9001`. */
export async function createGatewayBenchData(given: {
  readonly file: string
  readonly target: string
  readonly stalled: readonly string[]
}): Promise<GatewayBenchData> {
  const { file, target, stalled } = given
  const storage = await openSqlite({ file })
  const secrets = await openSecrets({ environment: {}, file: toSecretFile(file) })
  const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))
  const app = createApiDiscovery({ storage, sealer: createSealer(secrets, random) })
  try {
    const apiId = await importTarget(app, { title: 'Bench target', address: target })
    for (const [index, address] of stalled.entries()) {
      await importTarget(app, { title: `Stalled target ${index}`, address })
    }
    const account = await app.accounts.createAccount('bench')
    const { key, record } = await app.accounts.createKey({ account, name: 'b', scopes: SCOPES })
    const caller: Caller = { account, scopes: new Set(SCOPES), keyId: record.id }
    const credential = { api_id: apiId, kind: 'header', name: 'X-Target-Key', value: 's3cr3t' }
    await app.call('putCredential', { body: { ...credential, kind: 'header' } }, caller)
    await app.call(
      'putPolicy',
      {
        body: { key_id: record.id, vendors: ['Bench'], methods: ['GET'], daily_budget: 1e9 },
      },
      caller,
    )
    const find = async (title: string, path: string) => {
      const q = `${title} ${path}`
      const { endpoints } = await app.call('searchEndpoints', { q, size: 100 }, caller)
      const api = endpoints.find(({ name }) => name === title)
      const endpoint = api?.matched_endpoints.find((each) => each.endpoint.endsWith(path))
      if (!endpoint) throw new Error(`The catalogue holds no ${path} of ${title}`)
      return endpoint.endpoint_id
    }
    return {
      file,
      key,
      addresses: [target, ...stalled],
      small: await find('Bench target', '/items/{id}'),
      big: await find('Bench target', '/big'),
      stalled: await Promise.all(
        stalled.map((_, index) => find(`Stalled target ${index}`, '/stall')),
      ),
    }
  } finally {
    await app.close()
  }
}

/** Returns the API ID. */
async function importTarget(
  app: ApiDiscovery,
  { title, address }: { readonly title: string; readonly address: string },
): Promise<string> {
  const { apiId } = await app.imports.importDescription({
    bytes: new TextEncoder().encode(JSON.stringify(toDescription(title, address))),
    vendorName: 'Bench',
    createVendor: true,
    isPublic: true,
  })
  return apiId
}

function toDescription(title: string, address: string) {
  const get = (summary: string, parameters: readonly object[] = []) => ({
    get: { summary, parameters, responses: { 200: { description: 'Done' } } },
  })
  return {
    openapi: '3.0.3',
    info: { title, version: '1.0.0' },
    servers: [{ url: `http://${address}/v1` }],
    security: [{ key: [] }],
    components: {
      securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Target-Key' } },
    },
    paths: {
      '/items/{id}': get('Get item', [
        { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
        { name: 'page', in: 'query', schema: { type: 'integer', minimum: 1 } },
      ]),
      '/big': get('Get everything'),
      '/stall': get('Wait for ever'),
    },
  }
}
