import type { MatchableEndpoint, MatchQuery } from '../../core/matching/match.ts'
import { buildMatcher, type Matcher } from '../../core/matching/matcher.ts'

/**
 * Times lookups in 100,000 generated endpoints of 3,000 APIs: a few with 1,000 endpoints on one
 * host, many that share a host, some with regions or tenants. Run it with `node`, `bun` or `deno
 * run -A`.
 */
const API_COUNT = 3000
const ENDPOINT_COUNT = 100_000
const LOOKUPS = 100_000
const BATCH = 20
const WARM_UP = 20_000
const ROUNDS = 3

const catalogue = makeCatalogue()
const bytesBefore = heapBytes()
const buildStart = performance.now()
const matcher = await buildMatcher(pagesOf(catalogue))
const buildMs = performance.now() - buildStart
const bytes = heapBytes() - bytesBefore
printFigure(
  'build',
  `${Math.round(buildMs)} ms, ${matcher.size().endpoints} endpoints, ${matcher.size().hosts} hosts`,
)
printFigure(
  'memory',
  `${Math.round(bytes / ENDPOINT_COUNT)} bytes an endpoint (without the endpoints' own texts)`,
)

const hits = catalogue.map((endpoint) => ({ method: endpoint.method, url: toUrl(endpoint) }))
report('hit: method and URL', hits)
report(
  'hit: URL with placeholders',
  catalogue.map((endpoint) => ({ url: toUrl(endpoint, '<id>') })),
)
report(
  'hit: parts',
  hits.map(({ method, url }) => ({ method, ...toParts(url) })),
)
report(
  'host only',
  hits.map(({ url }) => ({ host: toParts(url).host })),
)
report(
  'miss: path',
  hits.map(({ method, url }) => ({ method, url: `${url}/no/such/path` })),
)
report(
  'miss: method',
  hits.map(({ url }) => ({ method: 'TRACE', url })),
)
report(
  'miss: host',
  hits.map(({ method, url }) => ({ method, url: url.replace('.io/', '.dev/') })),
)
reportUpdates(matcher)

function makeCatalogue(): readonly MatchableEndpoint[] {
  const endpoints: MatchableEndpoint[] = []
  const methods = ['get', 'post', 'put', 'delete', 'patch']
  const nouns = ['users', 'orders', 'projects', 'invoices', 'files', 'teams', 'events', 'repos']
  for (let apiId = 1; endpoints.length < ENDPOINT_COUNT; apiId = (apiId % API_COUNT) + 1) {
    const share = apiId <= 20 ? 1000 : 27
    for (let index = 0; index < share && endpoints.length < ENDPOINT_COUNT; index += 1) {
      const noun = nouns[index % nouns.length]
      const group = Math.floor(index / 40)
      const paths = [
        `/g${group}/${noun}`,
        `/g${group}/${noun}/{id}`,
        `/g${group}/${noun}/{id}/items/{itemId}`,
        `/g${group}/${noun}/{id}:run${index}`,
        `/g${group}/${noun}/{id}.json`,
      ]
      endpoints.push({
        id: endpoints.length + 1,
        shortId: `e${endpoints.length.toString(36).padStart(6, '0')}`,
        apiId,
        apiName: `API ${apiId}`,
        vendorName: `Vendor ${apiId % 700}`,
        method: methods[Math.floor(index / 8) % methods.length] ?? 'get',
        path: paths[index % paths.length] ?? '/',
        servers: [serverOf(apiId)],
      })
    }
  }
  return endpoints
}

function serverOf(apiId: number): MatchableEndpoint['servers'][number] {
  if (apiId % 50 === 0) {
    return { url: `https://{tenant}.v${apiId}.io/api`, name: '', variables: [] }
  }
  if (apiId % 40 === 0) {
    const values = Array.from({ length: 20 }, (_, index) => `region-${index}`)
    const variables = [{ name: 'region', default: 'region-0', values }]
    return { url: `https://s.{region}.v${apiId}.io`, name: '', variables }
  }
  if (apiId % 5 === 0) return { url: `https://shared.io/s${apiId}`, name: '', variables: [] }
  return { url: `https://api.v${apiId}.io/v1`, name: '', variables: [] }
}

function toUrl(endpoint: MatchableEndpoint, value = '12345'): string {
  const base = (endpoint.servers[0]?.url ?? '')
    .replace('{tenant}', 'acme')
    .replace('{region}', 'region-7')
  return base + endpoint.path.replaceAll(/\{\w+\}/g, () => value)
}

function toParts(url: string): { readonly host: string; readonly path: string } {
  const [, host = '', path = ''] = /^https:\/\/([^/]+)(.*)$/.exec(url) ?? []
  return { host, path }
}

async function* pagesOf(items: readonly MatchableEndpoint[]) {
  for (let index = 0; index < items.length; index += 1000) yield items.slice(index, index + 1000)
}

/**
 * Times lookups in batches, because the clock is too coarse for a single one. The best of three
 * rounds of each batch counts, to exclude time slices of other processes.
 */
function report(name: string, queries: readonly MatchQuery[]): void {
  const order = Array.from({ length: LOOKUPS }, (_, index) => (index * 7919) % queries.length)
  for (const query of queries.slice(0, WARM_UP)) matcher.match(query)
  const times: number[] = new Array(LOOKUPS / BATCH).fill(Number.POSITIVE_INFINITY)
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const at of times.keys()) {
      const batch = order
        .slice(at * BATCH, at * BATCH + BATCH)
        .flatMap((index) => queries[index] ?? [])
      const from = performance.now()
      for (const query of batch) matcher.match(query)
      const ns = ((performance.now() - from) * 1e6) / BATCH
      times[at] = Math.min(times[at] ?? ns, ns)
    }
  }
  const levels = new Map<string, number>()
  for (const index of order.slice(0, 1000)) {
    const query = queries[index]
    const level = (query && matcher.match(query)?.level) ?? 'none'
    levels.set(level, (levels.get(level) ?? 0) + 1)
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => Math.round(times[Math.floor(times.length * share)] ?? 0)
  const seen = [...levels].map(([level, count]) => `${level} ${count / 10} %`).join(', ')
  printFigure(name, `p50 ${at(0.5)} ns, p99 ${at(0.99)} ns (${seen})`)
}

function reportUpdates(target: Matcher): void {
  const api = catalogue.filter((endpoint) => endpoint.apiId === 7)
  const from = performance.now()
  for (let round = 0; round < 20; round += 1) target.replaceApi(7, api)
  const ms = (performance.now() - from) / 20
  printFigure('replace an API', `${ms.toFixed(2)} ms with ${api.length} endpoints`)
}

function heapBytes(): number {
  const { gc } = globalThis as { gc?: () => void }
  gc?.()
  return process.memoryUsage().heapUsed
}

function printFigure(name: string, text: string): void {
  console.log(`${name.padEnd(28)} ${text}`)
}
