import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { type DescriptionBomb, listDescriptionBombs } from '../helpers/description-bombs.ts'
import { generateLargeDescription } from './large-description.ts'
import { RUNTIMES, type Runtime } from './servers.ts'

// Measures the cost of one uploaded description for a server: status and duration of the import,
// peak memory (Linux), and latency of /healthz during the import and while eight clients read and
// dry-run the first endpoints. Each bomb has its own server on a copy of one seeded database.
//   node test/bench/import-bombs.ts [--runtime node|bun|deno] [--only WORD] [--seconds 3] [--size
// 1]

const MARK = { rssMb: 512, p99Ms: 100 }
const READERS = 8
const words = process.argv.slice(2)
const readWord = (name: string) =>
  words.includes(name) ? words[words.indexOf(name) + 1] : undefined
const runtime = (readWord('--runtime') ?? 'node') as Runtime
const only = readWord('--only') ?? ''
const seconds = Number(readWord('--seconds') ?? 3)
const size = Number(readWord('--size') ?? 1)
const CLI = fileURLToPath(new URL('../../adapters/cli/main.ts', import.meta.url))
/** Control: a large description that must still be imported. */
const LARGE = 'honest, 11,000 operations'
const FORM = 'multipart/form-data; boundary=b'
const URLENCODED = 'application/x-www-form-urlencoded'
const partOf = (name: string, content: string) =>
  `--b\r\ncontent-disposition: form-data; name="${name}"; filename="f"\r\n\r\n${content}\r\n`
const smallFile = '{"openapi":"3.1.0","info":{"title":"Form"},"paths":{"/a":{"get":{}}}}'
const times = (count: number) => Math.max(1, Math.round(count * size))
/** A plain description, or a body of another type with a description. */
type Upload = DescriptionBomb & { readonly type?: string }

/** Bodies that are expensive to parse regardless of the file; `FORM` by default. */
const FORMS: readonly Upload[] = [
  {
    name: 'form, 20 parts of 1.5 MB',
    build: () =>
      `${Array.from({ length: 19 }, (_, at) => partOf(`n${at}`, 'x'.repeat(times(1_500_000)))).join('')}${partOf('file', smallFile)}--b--`,
  },
  {
    name: 'form, 500,000 parts',
    build: () => `${partOf('n', '').repeat(times(500_000))}${partOf('file', smallFile)}--b--`,
  },
  {
    name: 'form, a part of starts of boundaries',
    build: () => `${partOf('file', '\r\n--'.repeat(times(7_500_000)))}--b--`,
  },
  {
    name: 'form, a header of 30 MB',
    build: () => `--b\r\nx-a: ${'a'.repeat(times(30_000_000))}\r\n\r\n${smallFile}\r\n--b--`,
  },
  {
    name: 'form that never ends',
    build: () => partOf('file', 'x'.repeat(times(30_000_000))).slice(0, -2),
  },
  {
    name: 'form, urlencoded, one value',
    type: URLENCODED,
    build: () => `file=${encodeURIComponent(smallFile)}${'%20'.repeat(times(10_000_000))}`,
  },
  {
    name: 'form, urlencoded, bytes of no text',
    type: URLENCODED,
    build: () => `file=${'%ff'.repeat(times(10_000_000))}`,
  },
  {
    name: 'form, urlencoded, 900,000 values',
    type: URLENCODED,
    build: () => `${'file=%20a+b%20c%20d&'.repeat(times(900_000))}file=`,
  },
  {
    name: 'form, JSON around a file',
    type: 'application/json',
    build: () => `{"file":{"a":[${'{"b":1},'.repeat(times(3_500_000))}0]}}`,
  },
  {
    name: 'form, honest, 11,000 operations',
    build: () => `${partOf('file', JSON.stringify(generateLargeDescription()))}--b--`,
  },
]
const agent = new Agent({ keepAlive: true })

interface Served {
  readonly url: string
  readonly key: string
  readonly pid: number
  readonly stop: () => Promise<void>
}

interface Reply {
  readonly status: number
  readonly body: string
  readonly ms: number
}

/** `known` is the key from the first start on this database: later starts create none. */
async function startService(folder: string, known?: string): Promise<Served> {
  const [name, ...rest] = RUNTIMES[runtime].command
  const options = [
    '--seed',
    '--json',
    '--print-setup',
    '--port',
    '0',
    '--database',
    `sqlite:${join(folder, 'a.db')}`,
  ]
  const child = spawn(name, [...rest, CLI, 'serve', ...options], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [line] = await once(child.stdout, 'data')
  const { url, api_key: key = known } = JSON.parse(String(line))
  return {
    ...{ url, key, pid: child.pid ?? 0 },
    stop: async () => {
      const ended = once(child, 'exit')
      child.kill()
      await ended
    },
  }
}

function sendTimedRequest(
  { url, key }: Pick<Served, 'url' | 'key'>,
  what: {
    readonly path: string
    readonly body?: string
    readonly type?: string
    readonly isShared?: boolean
  },
): Promise<Reply> {
  const start = performance.now()
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${url}${what.path}`,
      {
        method: what.body === undefined ? 'GET' : 'POST',
        headers: {
          'api-key': key,
          vendor: 'Bombs',
          category: 'Finance & Banking',
          'content-type': what.type ?? 'application/json',
        },
        ...(what.isShared ? {} : { agent }),
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const body = Buffer.concat(chunks).toString()
          resolve({ status: response.statusCode ?? 0, body, ms: performance.now() - start })
        })
      },
    )
    outgoing.on('error', reject)
    outgoing.end(what.body)
  })
}

/** Requests /healthz every 5 ms until it is stopped. */
function watchHealth(server: Served) {
  const times: number[] = []
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      times.push((await sendTimedRequest(server, { path: '/healthz' })).ms)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  })()
  return async () => {
    isOver = true
    await watching
    times.sort((a, b) => a - b)
    const at = (share: number) => times[Math.max(0, Math.ceil(times.length * share) - 1)] ?? 0
    return { p50: at(0.5), p99: at(0.99), max: at(1) }
  }
}

/**
 * Makes the server load what the first requests and imports load once, and a thread: with few
 * requests during a short import, the slowest one is the 99th percentile.
 */
async function warmUp(server: Served): Promise<void> {
  const path = '/api/benchmark/upload_swagger'
  const file = smallFile.replace('Form', 'Warm-up')
  for (const body of [file, `${file}${' '.repeat(200_000)}`]) {
    await sendTimedRequest(server, { path, body })
  }
  for (let turn = 0; turn < 50; turn += 1) await sendTimedRequest(server, { path: '/healthz' })
}

type Health = Awaited<ReturnType<ReturnType<typeof watchHealth>>>

async function readPeakMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
}

async function listEndpoints(
  server: Served,
): Promise<readonly { readonly id: number; readonly endpoint_id: string }[]> {
  return JSON.parse((await sendTimedRequest(server, { path: '/api/endpoint_list' })).body)
}

/** Reads endpoints of the imported API with eight clients. */
async function readWorst(server: Served, seeded: number): Promise<Health | undefined> {
  const ids = (await listEndpoints(server))
    .filter(({ id }) => id > seeded)
    .slice(0, 3)
    .map(({ endpoint_id }) => endpoint_id)
  if (ids.length === 0) return undefined
  const requests = ids.flatMap((id) => [
    { path: `/api/endpoint_parameter?endpoint_id=${id}` },
    { path: `/api/data_example?endpoint_id=${id}` },
    { path: `/api/gateway?endpoint_id=${id}&dry_run=true`, body: '{}' },
  ])
  const stop = watchHealth(server)
  const end = performance.now() + seconds * 1000
  const read = async (at: number) => {
    for (let turn = at; performance.now() < end; turn += 1) {
      const wanted = requests[turn % requests.length]
      if (wanted) await sendTimedRequest(server, { ...wanted, isShared: true })
    }
  }
  await Promise.all(Array.from({ length: READERS }, (_, at) => read(at)))
  return stop()
}

const folder = await mkdtemp(join(tmpdir(), 'api-discovery-bombs-'))
const formatHealth = (health: Health | undefined) =>
  health
    ? [health.p50, health.p99, health.max].map((ms) => ms.toFixed(0).padStart(5)).join('')
    : '    -    -    -'
try {
  const seededServer = await startService(folder)
  await seededServer.stop()
  console.log(`${runtime}: status, seconds, peak MB, /healthz p50 p99 max during and after (ms)`)
  const missed: string[] = []
  const rows: unknown[] = []
  const honest = { name: LARGE, build: () => JSON.stringify(generateLargeDescription()) }
  const forms = FORMS.map((form) => ({ type: FORM, ...form }))
  const uploads: readonly Upload[] = [honest, ...listDescriptionBombs(size), ...forms]
  for (const { name, build, type } of uploads) {
    if (!name.includes(only)) continue
    const own = `${folder}-own`
    await cp(folder, own, { recursive: true })
    const body = build()
    const server = await startService(own, seededServer.key)
    await sendTimedRequest(server, { path: '/api/vendors', body: '{"name":"Bombs"}' })
    await warmUp(server)
    const seeded = Math.max(...(await listEndpoints(server)).map(({ id }) => id))
    const stop = watchHealth(server)
    const reply = await sendTimedRequest(server, {
      path: '/api/benchmark/upload_swagger',
      body,
      ...(type === undefined ? {} : { type }),
    })
    const during = await stop()
    const after = reply.status === 200 ? await readWorst(server, seeded) : undefined
    const peak = await readPeakMb(server.pid)
    await server.stop()
    await rm(own, { recursive: true })
    const isMet =
      reply.status < 500 &&
      peak <= MARK.rssMb &&
      Math.max(during.p99, after?.p99 ?? 0) <= MARK.p99Ms
    if (!isMet) missed.push(name)
    const why =
      reply.status === 200 ? '' : /"(?:detail|info)": ?"([^"]{0,90})/.exec(reply.body)?.[1]
    console.log(
      `  ${name.padEnd(38)} ${(body.length / 1e6).toFixed(1).padStart(5)} MB ${reply.status}` +
        ` ${(reply.ms / 1000).toFixed(1).padStart(5)} ${peak.toFixed(0).padStart(5)}` +
        `  ${formatHealth(during)}  ${formatHealth(after)} ${isMet ? '' : 'missed'} ${why ?? ''}`,
    )
    rows.push({ name, status: reply.status, ms: reply.ms, peak, during, after })
  }
  const file = readWord('--json')
  if (file !== undefined) await writeFile(file, JSON.stringify(rows))
  console.log(
    `  marks: peak ${MARK.rssMb} MB, p99 ${MARK.p99Ms} ms: ${missed.length === 0 ? 'all met' : `missed by ${missed.join('; ')}`}`,
  )
} finally {
  await rm(folder, { recursive: true, force: true })
  agent.destroy()
}
