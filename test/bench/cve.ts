import { createApiDiscovery } from '../../core/app.ts'
import type { FullStorage } from '../../core/ports/storage.ts'
import { SCOPES } from '../../core/shared/account.ts'
import type { CveQuery } from '../../core/vulnerabilities/search/query.ts'
import { createVulnerabilityReads } from '../../core/vulnerabilities/search/reads.ts'
import type { VulnerabilityReads } from '../../core/vulnerabilities/service.ts'
import { strongRandom } from '../helpers/random.ts'
import { findSharedData } from '../helpers/shared-data.ts'
import { createSyntheticCves } from './cve-data.ts'
import { benchPeer } from './cve-peer.ts'
import { FILTERS, OTHER_QUERIES, SINGLE_TERMS } from './cve-queries.ts'
import { type FilledStorage, openFilledPostgres, openFilledSqlite } from './cve-storages.ts'

// Run: node test/bench/cve.ts [sqlite] [postgres] [--fresh] [--count 350000]
const ROUNDS = 100
/** Number of blocks of rounds; the fastest one counts, because of other load. */
const BLOCKS = 3
const MARKS = { SQLite: [12, 5], PostgreSQL: [120, 30] } as const
/** Marks for streaming all results of a very common word: first byte, and MB of JSON per second. */
const FIRST_BYTE_MS = 20
const STREAM_RATE = 100
const PAGE = { page: 1, size: 20 }

const words = process.argv.slice(2)
const folder = findSharedData()
if (folder) await benchAll(folder)

async function benchAll(data: string): Promise<void> {
  const count = words.includes('--count') ? Number(words[words.indexOf('--count') + 1]) : 350_000
  const cves = createSyntheticCves(data, count)
  const isWanted = (name: string) =>
    words.includes(name) || !(words.includes('sqlite') || words.includes('postgres'))
  if (isWanted('sqlite')) {
    const filled = await openFilledSqlite(cves, words.includes('--fresh'))
    await bench(filled)
    if (filled.file) await benchPeer(filled.file, cves)
    await filled.close()
  }
  if (isWanted('postgres')) {
    const filled = await openFilledPostgres(cves)
    await bench(filled)
    await filled.close()
  }
}

async function bench({ name, storage }: FilledStorage): Promise<void> {
  const reads = createVulnerabilityReads({ store: storage.vulnerabilities })
  const [mark, stretch] = name === 'SQLite' ? MARKS.SQLite : MARKS.PostgreSQL
  console.log(`${name}: exact count and first 20 rows, any filter (ms)`)
  for (const term of SINGLE_TERMS) await benchTerm(reads, { term, mark, stretch })
  console.log('  More than the mark asks for:')
  for (const [label, term, filters = {}] of OTHER_QUERIES) {
    const { p50, p99, found } = await timeBestBlock(reads, { term, filters, page: PAGE }, 15)
    console.log(`  ${label.padEnd(28)} ${found.toString().padStart(7)}  ${show(p50)} ${show(p99)}`)
  }
  await benchStream(storage)
}

/** One line per term: without filters, and with the slowest filter. */
async function benchTerm(
  reads: VulnerabilityReads,
  {
    term,
    mark,
    stretch,
  }: { readonly term: string; readonly mark: number; readonly stretch: number },
): Promise<void> {
  let worst = { name: '', p50: 0, p99: 0, found: 0 }
  let plain = worst
  for (const [name, filters] of Object.entries(FILTERS)) {
    const timed = { name, ...(await timeBestBlock(reads, { term, filters, page: PAGE }, ROUNDS)) }
    if (name === 'none') plain = timed
    if (timed.p99 > worst.p99) worst = timed
    if (words.includes('--all'))
      console.log(`    ${name.padEnd(16)} ${show(timed.p50)} ${show(timed.p99)} ${timed.found}`)
  }
  const verdict = worst.p99 <= stretch ? 'met, stretch too' : worst.p99 <= mark ? 'met' : 'missed'
  console.log(
    `  ${term.padEnd(14)} ${plain.found.toString().padStart(7)}  p50 ${show(plain.p50)}  p99 ${show(plain.p99)}` +
      `  worst filter p50 ${show(worst.p50)}  p99 ${show(worst.p99)} (${worst.name})  mark p99 ${mark}: ${verdict}`,
  )
}

async function timeBestBlock(reads: VulnerabilityReads, query: CveQuery, rounds: number) {
  let best = { p50: 0, p99: Infinity, found: 0 }
  for (let block = 0; block < BLOCKS; block += 1) {
    const timed = await timeBlock(reads, query, rounds)
    if (timed.p99 < best.p99) best = timed
  }
  return best
}

async function timeBlock(reads: VulnerabilityReads, query: CveQuery, rounds: number) {
  const times: number[] = []
  let found = 0
  for (let round = -3; round < rounds; round += 1) {
    const start = performance.now()
    const { count, hits } = await reads.search(query)
    for await (const batch of hits) if (batch.length > PAGE.size) throw new Error('Too many hits')
    if (round >= 0) times.push(performance.now() - start)
    found = count
  }
  times.sort((a, b) => a - b)
  return { p50: times[rounds >> 1] ?? 0, p99: times[Math.ceil(rounds * 0.99) - 1] ?? 0, found }
}

/** Reads all results of a very common word through the HTTP handler, in process. */
async function benchStream(storage: FullStorage): Promise<void> {
  const app = createApiDiscovery({ storage, random: strongRandom })
  const account = await app.accounts.createAccount(`Bench ${Date.now()}`)
  const { key } = await app.accounts.createKey({ account, name: 'bench', scopes: SCOPES })
  // The first response of a process depends on the warm-up of the runtime.
  for (const round of ['cold', 1, 2, 3]) {
    const before = process.memoryUsage().rss
    const start = performance.now()
    const response = await app.fetch(
      new Request('http://localhost/api/cvesearch/', {
        method: 'POST',
        headers: { 'api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify({ search_term: 'vulnerability' }),
      }),
    )
    let [first, bytes, peak] = [0, 0, 0]
    for await (const chunk of response.body ?? []) {
      if (bytes === 0) first = performance.now() - start
      bytes += chunk.length
      peak = Math.max(peak, process.memoryUsage.rss())
    }
    const seconds = (performance.now() - start) / 1000
    const rate = bytes / 1e6 / seconds
    const isMet = first <= FIRST_BYTE_MS && rate >= STREAM_RATE
    const verdict = isMet ? 'met' : round === 'cold' ? 'not asked for' : 'missed'
    console.log(
      `  stream ${round}: ${(bytes / 1e6).toFixed(0)} MB, first byte ${show(first)} ms, ${rate.toFixed(0)} MB/s,` +
        ` RSS ${Math.round(before / 1e6)} to at most ${Math.round(peak / 1e6)} MB;` +
        ` mark ${FIRST_BYTE_MS} ms, ${STREAM_RATE} MB/s: ${verdict}`,
    )
  }
}

function show(ms: number): string {
  return ms.toFixed(2).padStart(7)
}
