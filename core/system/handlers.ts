import type { Handlers, RawResult } from '../http/operation.ts'
import type { Clock } from '../ports/clock.ts'
import type { FullStorage } from '../ports/storage.ts'
import type { Gauge } from '../shared/gauges.ts'
import { TIMERS } from '../shared/timers.ts'
import type { Metrics } from './metrics.ts'
import type { systemOperations } from './operations.ts'

/** Base paths of the operations, below a public path that may be empty. */
interface Paths {
  readonly basePaths: readonly string[]
  readonly publicPath: string
}

/** Creates the handlers for health, metrics and documentation of the service. */
export function createSystemHandlers(deps: {
  readonly storage: Pick<FullStorage, 'ping' | 'checkWrite'>
  readonly clock: Clock
  readonly metrics: Metrics
  /** Gauges of the features; omitted from the metrics while the storage is unavailable. */
  readonly readGauges: () => Promise<readonly Gauge[]>
  readonly readProcessGauges: (() => readonly Gauge[]) | undefined
  readonly paths: Paths
  readonly consoleUrl: string | undefined
  /** The OpenAPI document as data. */
  readonly document: () => Readonly<Record<string, unknown>>
}): Handlers<typeof systemOperations> {
  const guidesUrl = deps.consoleUrl === undefined ? undefined : `${deps.consoleUrl}/guides`
  let referencePage: Promise<RawResult> | undefined
  const canWrite = createWriteProbe(deps)
  let documentText: string | undefined

  return {
    getHealth: () => ({ status: 'ok' }),

    getReadiness: async () => {
      const isStorageThere = await deps.storage.ping().then(
        () => true,
        () => false,
      )
      const missing = !isStorageThere ? ['storage'] : (await canWrite()) ? [] : ['storage writes']
      return missing.length === 0
        ? toJsonResult(200, { status: 'ready', missing })
        : toJsonResult(503, { status: 'not ready', missing })
    },

    getMetrics: async () => ({
      status: 200,
      headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
      body: deps.metrics.render([
        ...(deps.readProcessGauges?.() ?? []),
        ...(await deps.readGauges().catch(() => [])),
      ]),
    }),

    getOpenApiDocument: () => {
      documentText ??= JSON.stringify(deps.document())
      return { status: 200, headers: { 'content-type': 'application/json' }, body: documentText }
    },

    getReferencePage: () => {
      referencePage ??= import('./reference-page.ts').then(
        ({ renderReferencePage }) => renderReferencePage(deps.document(), guidesUrl),
        (error) => {
          referencePage = undefined
          throw error
        },
      )
      return referencePage
    },

    getApiCatalog: () => ({
      status: 200,
      headers: {
        'content-type':
          'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
        // RFC 9727 2: the response to a HEAD request contains a link of this relation.
        link: `<${deps.paths.publicPath}/.well-known/api-catalog>; rel="api-catalog"`,
      },
      body: JSON.stringify(toLinkset(deps.paths)),
    }),
  }
}

/** Validity of a probe's result: readiness is public and requested often. */
const PROBE_MS = 10_000
/** Maximum wait for a probe that is blocked by other writes; after it, the last result applies. */
const PROBE_WAIT_MS = 1_000

/** Creates a check whether the storage accepts writes. It writes at most every ten seconds. */
function createWriteProbe(deps: {
  readonly storage: Pick<FullStorage, 'checkWrite'>
  readonly clock: Clock
}): () => Promise<boolean> {
  const { storage, clock } = deps
  let canWrite = true
  let probedAt: number | undefined
  let running: Promise<void> | undefined

  async function probe(): Promise<void> {
    canWrite = await storage.checkWrite().then(
      () => true,
      () => false,
    )
    probedAt = clock()
    running = undefined
  }

  return async () => {
    const age = probedAt === undefined ? PROBE_MS : clock() - probedAt
    // Negative if the clock was set back.
    if (age >= PROBE_MS || age < 0) running ??= probe()
    if (!running) return canWrite
    const done = new AbortController()
    await Promise.race([running, TIMERS.sleep(PROBE_WAIT_MS, done.signal)])
    done.abort()
    return canWrite
  }
}

function toJsonResult(status: number, value: unknown): RawResult {
  return {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: JSON.stringify(value),
  }
}

/**
 * Builds the linkset of RFC 9727 appendix A: one context per base address, with its description and
 * documentation.
 */
function toLinkset({ basePaths, publicPath }: Paths) {
  const bases = basePaths.map((path) => publicPath + path)
  return {
    linkset: bases.map((basePath) => ({
      anchor: basePath === '' ? '/' : basePath,
      'service-desc': [{ href: `${basePath}/openapi.json`, type: 'application/json' }],
      'service-doc': [{ href: `${basePath}/docs`, type: 'text/html' }],
      status: [{ href: `${publicPath}/readyz`, type: 'application/json' }],
    })),
  }
}
