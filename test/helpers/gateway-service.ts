import { afterEach } from 'vitest'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import { createSealer } from '../../core/accounts/sealer.ts'
import type { ApiDiscovery } from '../../core/api-discovery.ts'
import { createApiDiscovery } from '../../core/app.ts'
import type { ApiDiscoveryOptions } from '../../core/app-options.ts'
import type {
  Egress,
  EgressLimits,
  EgressRequest,
  EgressResponse,
  HeaderLine,
} from '../../core/ports/egress.ts'
import type { Logger, LogValue } from '../../core/ports/logger.ts'
import type { FullStorage } from '../../core/ports/storage.ts'
import type { Account } from '../../core/shared/account.ts'
import { createManualClock, strongRandom } from './random.ts'

/** Response of a target (default: an empty 200). */
export interface Answered {
  readonly status?: number
  readonly headers?: readonly HeaderLine[]
  readonly body?: string | AsyncIterable<Uint8Array>
  readonly url?: string
}

/** A fake egress that records requests and returns configured responses. */
export interface ScriptedEgress extends Egress {
  readonly sent: EgressRequest[]
  /** Number of responses that were discarded unread. */
  readonly discarded: string[]
  answer: (request: EgressRequest) => Answered | Promise<Answered>
  limits?: EgressLimits
  check?: NonNullable<Egress['check']>
}

function createScriptedEgress(): ScriptedEgress {
  const egress: ScriptedEgress = {
    sent: [],
    discarded: [],
    answer: () => ({}),
    async send(request): Promise<EgressResponse> {
      egress.sent.push(request)
      const { status = 200, headers = [], body = '', url } = await egress.answer(request)
      return {
        status,
        headers,
        url: url ?? request.url,
        body: typeof body === 'string' ? toChunks(body) : body,
        discard: () => egress.discarded.push(request.url),
      }
    },
  }
  return egress
}

/** A service with one catalogued API, two accounts and a fake target. */
export interface GatewayService {
  readonly app: ApiDiscovery
  readonly storage: FullStorage
  readonly egress: ScriptedEgress
  readonly clock: ReturnType<typeof createManualClock>
  readonly logged: readonly Readonly<Record<string, LogValue>>[]
  readonly ada: Account
  readonly bob: Account
  /** A key of Ada's, with the scope to call. */
  readonly key: { readonly id: string; readonly text: string }
  /** Short IDs by `operationId`. */
  readonly ids: Readonly<Record<string, string>>
  /** Imports the description with another server, or without security schemes. */
  moveTo(server: string, more?: { readonly hasSchemes: boolean }): Promise<void>
  close(): Promise<void>
}

/** 2026-03-14T08:00:00Z. */
export const START = Date.UTC(2026, 2, 14, 8)

export async function openGatewayService(
  options: { readonly app?: Partial<ApiDiscoveryOptions>; readonly hasSealer?: boolean } = {},
): Promise<GatewayService> {
  const clock = createManualClock(START)
  const storage = await openSqlite({ file: ':memory:', clock })
  const egress = createScriptedEgress()
  const logged: Record<string, LogValue>[] = []
  const logger: Logger = {
    log: (level, event, fields) => logged.push({ level, event, ...fields }),
  }
  const app = createApiDiscovery({
    storage,
    clock,
    egress,
    logger,
    ...(options.hasSealer === false ? {} : { sealer: createSealer(SECRETS, strongRandom) }),
    ...options.app,
  })
  const ada = await app.accounts.createAccount('Ada')
  const bob = await app.accounts.createAccount('Bob')
  const created = await app.accounts.createKey({ account: ada, name: 'ci', scopes: ['call'] })
  const moveTo = async (server: string, { hasSchemes } = { hasSchemes: true }) => {
    const isKept = (name: string) => hasSchemes || !/^security/.test(name)
    const keep = (name: string, value: unknown) => (isKept(name) ? value : undefined)
    const bytes = new TextEncoder().encode(JSON.stringify(describe(server), keep))
    await app.imports.importDescription({
      bytes,
      vendorName: 'Acme',
      createVendor: true,
      isPublic: true,
    })
  }
  await moveTo('https://api.acme.example')
  const api = (await storage.catalogue.findApisByName({ vendorName: 'Acme' }))[0]
  const endpoints = await storage.catalogue.listApiEndpoints(api?.id ?? 0)
  return {
    app,
    storage,
    egress,
    clock,
    logged,
    ada,
    bob,
    key: { id: created.record.id, text: created.key },
    ids: Object.fromEntries(endpoints.map(({ operationId, shortId }) => [operationId, shortId])),
    moveTo,
    close: () => app.close(),
  }
}

/** Reads a response body as text. */
export async function readBody(
  body: string | Uint8Array | AsyncIterable<Uint8Array> | undefined,
): Promise<string> {
  if (body === undefined || typeof body === 'string') return body ?? ''
  if (body instanceof Uint8Array) return new TextDecoder().decode(body)
  let text = ''
  for await (const chunk of body) text += new TextDecoder().decode(chunk)
  return text
}

/** Streams a body in chunks of a few bytes. */
export async function* toChunks(text: string): AsyncIterable<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  for (let start = 0; start < bytes.length; start += 7) yield bytes.subarray(start, start + 7)
}

const SECRETS = { current: new Uint8Array(32).fill(3) }

function describe(server: string) {
  const answered = { responses: { 200: { description: 'Done' } } }
  return {
    openapi: '3.0.3',
    info: { title: 'Things', version: '1.0.0' },
    servers: [{ url: server }],
    components: {
      securitySchemes: {
        key: { type: 'apiKey', in: 'header', name: 'X-Key' },
        oauth: {
          type: 'oauth2',
          flows: { clientCredentials: { tokenUrl: 'https://auth.acme.example/token', scopes: {} } },
        },
      },
    },
    paths: {
      '/things/{id}': {
        get: {
          operationId: 'getThing',
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
          security: [{ key: [] }, { oauth: [] }],
          ...answered,
        },
      },
      '/things': {
        post: {
          operationId: 'addThing',
          requestBody: {
            content: {
              'application/json': {
                schema: { type: 'object', properties: { name: { type: 'string' } } },
              },
            },
          },
          security: [{ key: [] }, { oauth: [] }],
          ...answered,
        },
        head: { operationId: 'hasThings', ...answered },
        trace: { operationId: 'traceThings', security: [{ key: [] }], ...answered },
      },
    },
  }
}

/** Opens a service on demand in each test, and closes it afterwards. */
export function useGatewayService(): typeof openGatewayService {
  let opened: GatewayService | undefined
  afterEach(async () => {
    await opened?.close()
    opened = undefined
  })
  return async (...options) => {
    opened = await openGatewayService(...options)
    return opened
  }
}
