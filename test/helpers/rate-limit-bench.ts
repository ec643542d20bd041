import { openSqlite } from '../../adapters/storage/sqlite.ts'
import { createSealer } from '../../core/accounts/sealer.ts'
import type { ApiDiscovery } from '../../core/api-discovery.ts'
import { createApiDiscovery } from '../../core/app.ts'
import { createJobs, type Jobs } from '../../core/jobs/jobs.ts'
import type { Egress, EgressRequest } from '../../core/ports/egress.ts'
import type { Logger, LogValue } from '../../core/ports/logger.ts'
import type { FullStorage } from '../../core/ports/storage.ts'
import {
  type PreparedTests,
  prepareRateLimitTests,
  type RateLimitTestOptions,
} from '../../core/rate-limits/prepare.ts'
import type { RateLimitTests } from '../../core/rate-limits/service.ts'
import type { Account } from '../../core/shared/account.ts'
import { NOTHING_DECLARED } from './limiters/run-in-process.ts'
import { createVirtualClock, type VirtualClock } from './limiters/virtual-clock.ts'
import { strongRandom } from './random.ts'
// Preloads modules that the first run would load lazily: loading takes real time, not virtual time.
import '../../core/rate-limits/consent.ts'
import '../../core/rate-limits/runs.ts'
import '../../core/rate-limits/validate-request.ts'
import '../../core/rate-limits/run.ts'

/** The response of the bench's target. */
export interface TargetAnswer {
  readonly status?: number
  readonly body?: string
  readonly delayMs?: number
}

/** An egress in virtual time that records requests to a simulated target. */
export interface CountingEgress extends Egress {
  /** Requests other than consent checks. */
  readonly sent: { readonly request: EgressRequest; readonly atMs: number }[]
  /** Consent checks. */
  readonly asked: { readonly request: EgressRequest; readonly atMs: number }[]
  answer: (request: EgressRequest) => TargetAnswer
  /** Responds to consent checks; 404 by default. */
  consents: (url: URL) => TargetAnswer
  /** Address that responds; undefined if unknown. */
  address: string | undefined
}

/** A service that runs rate-limit tests in virtual time. */
export interface RateLimitBench {
  readonly app: ApiDiscovery
  readonly storage: FullStorage
  readonly virtual: VirtualClock
  readonly egress: CountingEgress
  readonly jobs: Jobs
  readonly tests: RateLimitTests
  readonly ada: Account
  readonly bob: Account
  /** A key of Ada. */
  readonly keyId: string
  /** Short IDs by `operationId`. */
  readonly ids: Readonly<Record<string, string>>
  readonly logged: readonly Readonly<Record<string, LogValue>>[]
  /** Creates the jobs and tests of another process with the same storage. */
  again(
    options?: RateLimitTestOptions,
    store?: FullStorage['rateLimits'],
  ): { readonly jobs: Jobs; readonly tests: RateLimitTests }
  close(): Promise<void>
}

export const ORIGIN = 'https://api.acme.example'
export const HOST = 'api.acme.example:443'

/** Opens a bench. The operator allows no hosts by default. */
export async function openBench(
  options: RateLimitTestOptions & {
    readonly storage?: FullStorage
    readonly epochMs?: number
    readonly origin?: string
  } = {},
): Promise<RateLimitBench> {
  const { storage: given, epochMs, origin = ORIGIN, ...allowed } = options
  const virtual = createVirtualClock(epochMs)
  const { timers } = virtual
  // An integer, like `Date.now`.
  const clock = () => Math.floor(virtual.clock())
  const storage = given ?? (await openSqlite({ file: ':memory:', clock }))
  const egress = createCountingEgress(virtual)
  const logged: Record<string, LogValue>[] = []
  const logger: Logger = {
    log: (level, event, fields) => logged.push({ level, event, ...fields }),
  }
  const sealer = createSealer({ current: new Uint8Array(32).fill(3) }, strongRandom)
  const app = createApiDiscovery({ storage, clock, egress, logger, sealer })
  const ada = await app.accounts.createAccount('Ada')
  const bob = await app.accounts.createAccount('Bob')
  const key = await app.accounts.createKey({ account: ada, name: 'ci', scopes: ['benchmark'] })
  const ids = await importThings(app, storage, origin)
  const again = (more: RateLimitTestOptions = allowed, store = storage.rateLimits) => {
    const prepared: PreparedTests = prepareRateLimitTests({
      store,
      maker: app.gateway.maker,
      egress,
      readDeclared: async () => NOTHING_DECLARED,
      options: more,
      version: '1.2.3',
      clock,
      timers,
      random: strongRandom,
      logger,
    })
    const jobs = createJobs({
      store: storage.jobs,
      handlers: prepared.handlers,
      has: prepared.has,
      retentionMs: undefined,
      clock,
      timers,
      random: strongRandom,
      logger,
    })
    return { jobs, tests: prepared.open(jobs) }
  }
  const close = () => app.close()
  const base = { app, storage, virtual, egress, ada, bob, keyId: key.record.id, ids, logged }
  return { ...base, ...again(), again, close }
}

/** Imports an API with an endpoint of each type; returns short IDs by `operationId`. */
export async function importThings(
  app: ApiDiscovery,
  storage: FullStorage,
  origin: string,
  vendorName = 'Acme',
): Promise<Readonly<Record<string, string>>> {
  await app.imports.importDescription({
    bytes: new TextEncoder().encode(JSON.stringify(describeThings(origin))),
    vendorName,
    createVendor: true,
    isPublic: true,
  })
  const api = (await storage.catalogue.findApisByName({ vendorName }))[0]
  const endpoints = await storage.catalogue.listApiEndpoints(api?.id ?? 0)
  return Object.fromEntries(endpoints.map(({ operationId, shortId }) => [operationId, shortId]))
}

function createCountingEgress({ timers }: VirtualClock): CountingEgress {
  const egress: CountingEgress = {
    sent: [],
    asked: [],
    address: '192.0.2.1',
    answer: () => ({}),
    consents: () => ({ status: 404 }),
    async send(request) {
      const url = new URL(request.url)
      const isConsent = url.pathname.startsWith('/.well-known/')
      const row = { request, atMs: timers.now() }
      ;(isConsent ? egress.asked : egress.sent).push(row)
      const {
        status = 200,
        body = '',
        delayMs = 10,
      } = isConsent ? egress.consents(url) : egress.answer(request)
      await timers.sleep(delayMs, request.signal ?? undefined)
      if (request.signal?.aborted) throw request.signal.reason
      return {
        status,
        headers: [],
        url: request.url,
        address: egress.address,
        body: encodeBody(body),
        discard() {},
      }
    },
  }
  return egress
}

async function* encodeBody(text: string): AsyncIterable<Uint8Array> {
  yield new TextEncoder().encode(text)
}

function describeThings(origin: string) {
  const responses = { 200: { description: 'Done' } }
  const text = { type: 'string' }
  return {
    openapi: '3.0.3',
    info: { title: 'Things', version: '1.0.0' },
    servers: [{ url: origin }],
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
    paths: {
      '/things': {
        get: {
          operationId: 'listThings',
          parameters: [
            { name: 'q', in: 'query', schema: text },
            { name: 'per_page', in: 'query', schema: { type: 'integer', default: 20 } },
          ],
          responses,
        },
        post: {
          operationId: 'addThing',
          requestBody: {
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  properties: {
                    code: { type: 'string', maxLength: 8 },
                    name: text,
                    size: { type: 'integer' },
                  },
                },
              },
            },
          },
          responses,
        },
      },
      '/things/{id}': {
        get: {
          operationId: 'getThing',
          parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
          security: [{ key: [] }],
          responses,
        },
      },
    },
  }
}
