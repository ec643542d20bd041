import { tmpdir } from 'node:os'
import process from 'node:process'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import { createConsole } from '../../adapters/web/console.ts'
import { SESSION_COOKIE } from '../../adapters/web/cookies.ts'
import { listPages } from '../../adapters/web/pages.ts'
import { findSharedData } from '../helpers/shared-data.ts'
import { type Asked, listAsked, logIn } from './pages-asked.ts'
import { type FilledPages, FULL, openFilledPages, openPagesApp, TINY } from './pages-data.ts'

/**
 * Measures each page of the console on a full database (100,000 endpoints, 350,000 CVEs, an account
 * with a project of 200,000 usages), requested in process, without a socket.
 *
 *   node test/bench/pages.ts [--folder DIR] [--fresh] [--tiny] [--rounds 30] [--only WORD] [--json]
 *
 * The first run creates the database in the folder (default: the temporary folder), which takes some
 * minutes. Later runs reuse it, except with `--fresh`. `--only` requests only pages with the word in
 * their address. Fails unless every GET page in the registry of the console is requested. For
 * downloads, it reports the time to the first bytes of two rounds, without a mark.
 *
 * first: first request of the page on a server that has just started. p50 to max: warm rounds, in which
 * all pages are requested in turn. cpu: mean CPU time of the thread in warm rounds, which other
 * programs affect less. held: longest time for which no other request could be handled.
 */
const MARK_MS = 50

/** Few rounds, because a BOM takes seconds. */
const FILE_ROUNDS = 2
/** Width of printed addresses, in characters. */
const WIDTH = 96

interface Figures extends Asked {
  readonly firstMs: number
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly max: number
  readonly cpuMs: number
  readonly heldMs: number
  readonly bytes: number
  /** Whether it is a download: the mark applies only to displayed pages. */
  readonly isFile: boolean
}

const words = process.argv.slice(2)
const readWord = (name: string) =>
  words.includes(name) ? words[words.indexOf(name) + 1] : undefined
const isJson = words.includes('--json')
const tell = (line: string) => {
  if (!isJson) console.log(line)
}
const data = findSharedData()
if (data) await bench(data)

async function bench(shared: string): Promise<void> {
  const { file, filled } = await openFilledPages({
    folder: readWord('--folder') ?? tmpdir(),
    data: shared,
    sizes: words.includes('--tiny') ? TINY : FULL,
    isFresh: words.includes('--fresh'),
    tell,
  })
  const rounds = Number(readWord('--rounds') ?? 30)
  const only = readWord('--only') ?? ''
  const startMs = await measureStart(file)
  const all = await readAsked(file, filled)
  const asked = all.filter(({ path }) => path.includes(only))
  const figures = await measurePages({ file, asked, rounds })
  if (isJson) console.log(JSON.stringify({ markMs: MARK_MS, startMs, pages: figures }, null, 2))
  else printPageTimes({ startMs, figures })
}

/** Measures a new process: opening, then the first request of the overview. */
async function measureStart(file: string): Promise<number> {
  const start = performance.now()
  const server = await openPagesServer(file)
  await server.ask('/')
  const took = performance.now() - start
  await server.close()
  return took
}

async function readAsked(file: string, filled: FilledPages): Promise<readonly Asked[]> {
  const storage = await openSqlite({ file })
  const app = openPagesApp(storage)
  const asked = await listAsked(app, filled)
  await app.close()
  const patterns = new Set(asked.map(({ pattern }) => pattern))
  const registered = listPages({ hasOwnLogIn: true }).filter(({ method }) => method === 'GET')
  const missed = registered.filter(({ path }) => !patterns.has(path)).map(({ path }) => path)
  if (missed.length > 0) throw new Error(`Pages that are not asked: ${missed.join(', ')}`)
  return asked
}

async function measurePages(given: {
  readonly file: string
  readonly asked: readonly Asked[]
  readonly rounds: number
}): Promise<readonly Figures[]> {
  const { file, asked, rounds } = given
  const firsts: number[] = []
  for (const { path } of asked) {
    const server = await openPagesServer(file)
    firsts.push((await server.ask(path)).ms)
    await server.close()
  }
  const server = await openPagesServer(file)
  const times = asked.map(() => ({ ms: [] as number[], cpu: 0, bytes: 0, isFile: false }))
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, { path }] of asked.entries()) {
      if (round > FILE_ROUNDS && times[index]?.isFile) continue
      const { ms, cpuMs, bytes, isFile } = await server.ask(path)
      const own = times[index]
      // The first request fills the caches.
      if (!own || round === 0) continue
      own.ms.push(ms)
      own.cpu += cpuMs
      own.bytes = bytes
      own.isFile = isFile
    }
  }
  const holds: number[] = []
  for (const { path } of asked) holds.push(await measureHold(() => server.ask(path)))
  await server.close()
  return asked.map((each, index) => {
    const { ms, cpu, bytes, isFile } = times[index] ?? {
      ...{ ms: [], cpu: 0, bytes: 0, isFile: false },
    }
    const sorted = ms.toSorted((one, other) => one - other)
    const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? 0
    return {
      ...each,
      firstMs: firsts[index] ?? 0,
      ...{ p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) },
      cpuMs: cpu / Math.max(1, ms.length),
      heldMs: holds[index] ?? 0,
      bytes,
      isFile,
    }
  })
}

/** Measures the longest delay of the event loop. */
async function measureHold(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let last = performance.now()
  let isOver = false
  const turn = () => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    if (!isOver) setImmediate(turn)
  }
  turn()
  await work()
  isOver = true
  turn()
  return longest
}

/** Creates a freshly started server without sockets. */
async function openPagesServer(file: string) {
  const app = openPagesApp(await openSqlite({ file }))
  const { fetch } = await createConsole({ app })
  const headers = { cookie: `${SESSION_COOKIE}=${await logIn(app)}`, host: 'bench.test' }
  const isPublic = (path: string) => /^\/(?:login|welcome)/.test(path)
  return {
    async ask(path: string) {
      const request = new Request(`http://bench.test/console${path}`, {
        headers: isPublic(path) ? {} : headers,
      })
      const before = process.threadCpuUsage()
      const start = performance.now()
      const response = await fetch(request)
      const isFile = response.headers.has('content-disposition')
      const bytes = isFile ? await readStart(response) : (await response.arrayBuffer()).byteLength
      const ms = performance.now() - start
      const { user, system } = process.threadCpuUsage(before)
      if (response.status !== 200) throw new Error(`${path}: ${response.status}`)
      return { ms, cpuMs: (user + system) / 1000, bytes, isFile }
    },
    close: () => app.close(),
  }
}

async function readStart({ body }: Response): Promise<number> {
  const reader = body?.getReader()
  const first = await reader?.read()
  await reader?.cancel()
  return first?.value?.byteLength ?? 0
}

function printPageTimes(given: {
  readonly startMs: number
  readonly figures: readonly Figures[]
}): void {
  const { startMs, figures } = given
  console.log(`Start and first page of the process: ${startMs.toFixed(0)} ms`)
  const titles = ['first', 'p50', 'p95', 'p99', 'max', 'cpu', 'held', 'kB']
  const toLine = (name: string, cells: readonly string[]) =>
    `  ${name.slice(0, WIDTH).padEnd(WIDTH)}${cells.map((cell) => cell.padStart(8)).join('')}`
  console.log(toLine('Page (ms)', titles))
  for (const each of figures) {
    const { path, firstMs, p50, p95, p99, max, cpuMs, heldMs, bytes } = each
    const cells = [firstMs, p50, p95, p99, max, cpuMs, heldMs, bytes / 1000]
    const line = toLine(
      path,
      cells.map((cell) => cell.toFixed(1)),
    )
    console.log(`${line}${each.isFile ? '  file' : p99 > MARK_MS ? '  late' : ''}`)
  }
  const pages = figures.filter(({ isFile }) => !isFile)
  const late = pages.filter(({ p99 }) => p99 > MARK_MS)
  const [worst] = pages.toSorted((one, other) => other.p99 - one.p99)
  const [first] = pages.toSorted((one, other) => other.firstMs - one.firstMs)
  const [busiest] = pages.toSorted((one, other) => other.cpuMs - one.cpuMs)
  console.log(`${pages.length} addresses of pages, mark p99 ${MARK_MS} ms: ${late.length} late`)
  console.log(`Worst p99: ${worst?.p99.toFixed(1)} ms, ${worst?.path}`)
  console.log(`Most CPU: ${busiest?.cpuMs.toFixed(1)} ms, ${busiest?.path}`)
  console.log(`Worst after a start: ${first?.firstMs.toFixed(1)} ms, ${first?.path}`)
}
