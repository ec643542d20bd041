import { createDecoder, createPinnedEgress } from '../../adapters/egress/index.ts'
import { serve } from '../../adapters/runtime/serve.ts'
import type { Clock } from '../../core/ports/clock.ts'
import type { EgressLimits } from '../../core/ports/egress.ts'
import type { LogLevel } from '../../core/ports/logger.ts'
import type { FullStorage } from '../../core/ports/storage.ts'
import { type MirrorTarget, startMirrorTarget } from './mirror-target.ts'
import { openTestService, type TestService } from './service.ts'

/** A served gateway with a real target on an allowed loopback port. */
export interface ServedGateway {
  readonly url: string
  readonly service: TestService
  readonly target: MirrorTarget
  /** Another allowed origin for redirects of the target; not in any description. */
  readonly other: MirrorTarget
  /** The log as text. */
  readonly log: string[]
  /** Short IDs of endpoints by path: `open`, `upload`, and one per kind of security scheme. */
  readonly ids: Readonly<Record<string, string>>
  close(): Promise<void>
}

/** Listeners of the current runtime. */
export const LISTENERS: readonly ('node' | 'native')[] =
  'Bun' in globalThis || 'Deno' in globalThis ? ['node', 'native'] : ['node']

/** Starts a gateway on a listener of the runtime. */
export async function serveGateway(options: {
  readonly listener: 'node' | 'native'
  readonly openStorage?: (clock: Clock) => Promise<FullStorage>
  readonly limits?: Partial<EgressLimits>
}): Promise<ServedGateway> {
  const { listener, openStorage, limits } = options
  const target = await startMirrorTarget()
  const other = await startMirrorTarget()
  const egress = createPinnedEgress({
    allow: [target.address, other.address],
    ...(limits ? { limits } : {}),
  })
  const log: string[] = []
  const logger = {
    log: (level: LogLevel, event: string, fields?: unknown) =>
      void log.push(JSON.stringify([level, event, fields])),
  }
  const service = await openTestService({
    ...(openStorage ? { openStorage } : {}),
    app: {
      egress,
      decode: createDecoder(),
      logger,
      gatewayLimits: { allowsPlainTokenUrl: true },
    },
  })
  const bytes = new TextEncoder().encode(JSON.stringify(createTargetDescription(target.origin)))
  await service.app.imports.importDescription({
    bytes,
    vendorName: 'Mirror',
    createVendor: true,
    isPublic: true,
  })
  const server = await serve(service.app.handle, { port: 0, listener, logger })
  const ids = await findIds(service)
  return {
    url: server.url,
    service,
    target,
    other,
    log,
    ids,
    async close() {
      await server.close(0)
      await service.close()
      egress.close()
      await target.close()
      await other.close()
    },
  }
}

/** Reads short IDs by path, without the slash. */
async function findIds({ storage }: TestService): Promise<Readonly<Record<string, string>>> {
  const [api] = await storage.catalogue.findApisByName({ vendorName: 'Mirror' })
  const endpoints = await storage.catalogue.listApiEndpoints(api?.id ?? 0)
  return Object.fromEntries(endpoints.map(({ path, shortId }) => [path.slice(1), shortId]))
}

/** Description with one endpoint per authentication scheme, one upload, and an open one. */
function createTargetDescription(origin: string) {
  const schemes = {
    header: { type: 'apiKey', in: 'header', name: 'X-Token' },
    query: { type: 'apiKey', in: 'query', name: 'token' },
    cookie: { type: 'apiKey', in: 'cookie', name: 'session' },
    basic: { type: 'http', scheme: 'basic' },
    bearer: { type: 'http', scheme: 'bearer' },
    oauth: {
      type: 'oauth2',
      flows: { clientCredentials: { tokenUrl: `${origin}/token`, scopes: {} } },
    },
  }
  const responses = { 200: { description: 'Anything' } }
  const parameters = [{ name: 'q', in: 'query', schema: { type: 'string' } }]
  const secured = Object.keys(schemes).map((name) => [
    `/${name}`,
    { get: { parameters, responses, security: [{ [name]: [] }] } },
  ])
  const properties = { note: { type: 'string' }, file: { type: 'string', format: 'binary' } }
  const requestBody = {
    content: { 'multipart/form-data': { schema: { type: 'object', properties } } },
  }
  return {
    openapi: '3.0.3',
    info: { title: 'Mirror', version: '1.0.0' },
    servers: [{ url: origin }],
    components: { securitySchemes: schemes },
    paths: {
      ...Object.fromEntries(secured),
      '/open': { get: { parameters, responses } },
      '/upload': { post: { requestBody, responses } },
    },
  }
}
