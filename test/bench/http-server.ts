import { createServer } from 'node:http'
import process from 'node:process'
import { Hono } from 'hono'
import { requestId } from 'hono/request-id'
import * as v from 'valibot'
import { serve } from '../../adapters/runtime/serve.ts'
import { createApiDiscovery } from '../../core/index.ts'

// One of the servers of test/bench/http.ts. Prints its port.
//   node test/bench/http-server.ts (floor|peer|equal|ours) (node|native) FILE KEY

const SQL = `select e.method, e.url, e.description, d.detail from endpoint e
  join endpoint_detail d on d.row_id = e.row_id where e.short_id = ? and e.until is null`

const GENERATION = 'select generation from catalogue_state'

interface Row {
  readonly method: string
  readonly url: string
  readonly description: string
  readonly detail: string
}

type Fetch = (request: Request) => Response | Promise<Response>
interface Reads {
  /** Reads an endpoint by short ID. */
  readonly row: (id: string) => Row | undefined
  /** Reads the catalogue generation. */
  readonly generation: () => unknown
}

const native = globalThis as {
  readonly Bun?: { serve(options: object): { readonly port: number } }
  readonly Deno?: { serve(options: object, handler: unknown): { addr: { readonly port: number } } }
}
const AT = { port: 0, hostname: '127.0.0.1' }
const JSON_HEADERS = { 'content-type': 'application/json' }

/** Prepares a statement with the runtime's driver, like our storage. */
async function openReads(file: string): Promise<Reads> {
  if (native.Bun) {
    const { Database } = await import('bun:sqlite')
    const database = new Database(file, { readonly: true })
    const [row, generation] = [database.query(SQL), database.query(GENERATION)]
    return {
      row: (id) => (row.get(id) as Row | null) ?? undefined,
      generation: () => Object.values(generation.get() ?? {})[0],
    }
  }
  const { DatabaseSync } = await import('node:sqlite')
  const database = new DatabaseSync(file, { readOnly: true })
  const [row, generation] = [database.prepare(SQL), database.prepare(GENERATION)]
  return {
    row: (id) => row.get(id) as unknown as Row | undefined,
    generation: () => Object.values(generation.get() ?? {})[0],
  }
}

async function openOwnStorage(file: string) {
  if (!native.Bun) return (await import('../../adapters/storage/sqlite.ts')).openSqlite({ file })
  return (await import('../../adapters/storage/bun-sqlite.ts')).openBunSqlite({ file })
}

/** Builds the response of the operation directly from the row. */
function toAnswer(row: Row) {
  // The storage wrote this JSON.
  const { parameters, summary } = JSON.parse(row.detail) as {
    readonly summary: string
    readonly parameters: readonly Readonly<Record<string, unknown>>[]
  }
  return {
    parameter: parameters.map((parameter) => ({
      parameter_name: parameter.name,
      parameter_placement: parameter.placement,
      is_required: parameter.isRequired,
      parameter_default_value: parameter.defaultValue ?? '',
      parameter_example_value: parameter.exampleValue ?? '',
      parameter_description: parameter.description,
      parameter_type: parameter.type,
      parameter_enum: parameter.enum,
    })),
    description: row.description || summary,
    endpoint_name: row.url,
    method: row.method,
  }
}

function answerFloor(reads: Reads, target: string): string {
  if (target.endsWith('/cpu')) return JSON.stringify(process.cpuUsage())
  const start = target.indexOf('endpoint_id=') + 12
  const end = target.indexOf('&', start)
  const row = reads.row(target.slice(start, end < 0 ? undefined : end))
  return row ? JSON.stringify(toAnswer(row)) : '{}'
}

function listenNode(answer: Parameters<typeof createServer>[1] & {}): Promise<number> {
  const server = createServer(answer)
  return new Promise((resolve) => {
    server.listen(0, AT.hostname, () => {
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : 0)
    })
  })
}

function listenNative(fetch: Fetch): number | undefined {
  if (native.Bun) return native.Bun.serve({ ...AT, fetch }).port
  return native.Deno?.serve({ ...AT, onListen: () => undefined }, fetch).addr.port
}

function startFloor(reads: Reads, listener: string): Promise<number> | number | undefined {
  if (listener === 'native') {
    return listenNative(
      ({ url }) => new Response(answerFloor(reads, url), { headers: JSON_HEADERS }),
    )
  }
  return listenNode((incoming, outgoing) => {
    const body = answerFloor(reads, incoming.url ?? '')
    outgoing.writeHead(200, { ...JSON_HEADERS, 'content-length': Buffer.byteLength(body) })
    outgoing.end(body)
  })
}

/** Does the same work with Hono and valibot; with `isEqual`, also sends our response headers. */
function createPeer(reads: Reads, key: string, isEqual: boolean): Fetch {
  const keys = new Map([[key, { account: 'bench', scopes: new Set(['read']) }]])
  const query = v.object({
    endpoint_id: v.pipe(v.string(), v.minLength(1), v.maxLength(20)),
    lang: v.optional(v.pipe(v.string(), v.maxLength(20))),
  })
  const app = new Hono()
  app.get('/cpu', (context) => context.json(process.cpuUsage()))
  app.use('/api/*', async (context, next) => {
    const caller = keys.get(context.req.header('api-key') ?? '')
    if (!caller?.scopes.has('read')) return context.json({ title: 'unauthenticated' }, 401)
    return next()
  })
  if (isEqual) {
    app.use('/api/*', requestId())
    app.use('/api/*', async (context, next) => {
      const etag = `"0-c${reads.generation()}"`
      if (context.req.header('if-none-match') === etag) return context.body(null, 304)
      await next()
      for (const [name, value] of EQUAL_HEADERS) context.header(name, value)
      context.header('etag', etag)
    })
  }
  app.get('/api/endpoint_parameter', (context) => {
    const input = v.safeParse(query, context.req.query())
    if (!input.success) return context.json({ title: 'invalid input' }, 400)
    const row = reads.row(input.output.endpoint_id)
    return row ? context.json(toAnswer(row)) : context.json({ title: 'not found' }, 404)
  })
  return (request) => app.fetch(request)
}

const EQUAL_HEADERS = [
  ['cache-control', 'private, no-cache'],
  ['vary', 'api-key, Authorization, Accept'],
  ['x-content-type-options', 'nosniff'],
] as const

/** The response members that Hono needs, as light as in its own Node adapter. */
class LightResponse {
  readonly body: string
  readonly status: number
  readonly headers: LightHeaders
  constructor(body: string, init: { status?: number; headers?: Record<string, string> } = {}) {
    this.body = body
    this.status = init.status ?? 200
    this.headers = new LightHeaders(init.headers)
  }
}

class LightHeaders {
  readonly values: Record<string, string>
  constructor(values: Readonly<Record<string, string>> = {}) {
    this.values = { ...values }
  }
  set(name: string, value: string): void {
    this.values[name] = value
  }
}

function startPeer(fetch: Fetch, listener: string): Promise<number> | number | undefined {
  if (listener === 'native') return listenNative(fetch)
  globalThis.Response = LightResponse as unknown as typeof Response
  return listenNode(async (incoming, outgoing) => {
    const { headers } = incoming
    const request = {
      method: incoming.method,
      url: `http://${headers.host}${incoming.url}`,
      headers: { get: (name: string) => headers[name] ?? null },
    }
    const response = (await fetch(request as unknown as Request)) as unknown as LightResponse
    outgoing.writeHead(response.status, {
      ...response.headers.values,
      'content-length': Buffer.byteLength(response.body),
    })
    outgoing.end(response.body)
  })
}

async function startOurs(file: string, listener: string): Promise<number> {
  const storage = await openOwnStorage(file)
  // All connections of the benchmark use one key.
  const app = createApiDiscovery({ storage, requestLimits: { concurrency: Infinity } })
  const { port } = await serve(
    (request) =>
      request.target === '/cpu'
        ? { status: 200, headers: JSON_HEADERS, body: JSON.stringify(process.cpuUsage()) }
        : app.handle(request),
    { port: 0, listener: listener === 'native' ? 'native' : 'node' },
  )
  return port
}

const [, , kind, listener = 'node', file = '', key = ''] = process.argv
if (kind !== undefined) {
  const reads = await openReads(file)
  const port =
    kind === 'ours'
      ? await startOurs(file, listener)
      : kind === 'floor'
        ? await startFloor(reads, listener)
        : await startPeer(createPeer(reads, key, kind === 'equal'), listener)
  process.stdout.write(`${port}\n`)
}
