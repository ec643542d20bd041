import { Buffer } from 'node:buffer'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'

/** Target and bytes of a request. */
export interface Shot {
  readonly origin: string
  readonly bytes: Buffer
}

/** Result of a round. */
export interface Round {
  readonly count: number
  readonly seconds: number
  /** Latency of each request in ms, sorted. */
  readonly latencies: readonly number[]
}

/** Builds the bytes of a request with an optional JSON body. */
export function toShot(
  url: string,
  given: {
    readonly method?: string
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: string
  } = {},
): Shot {
  const { method = 'GET', headers = {}, body } = given
  const { host, pathname, search, origin } = new URL(url)
  const all = {
    host,
    ...headers,
    ...(body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  const text = `${method} ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`
  return { origin, bytes: Buffer.from(text) }
}

/**
 * Repeats a request over keep-alive connections for some time, each with one request at a time.
 * Throws if a response is not a 200.
 */
export async function shoot(
  shot: Shot,
  options: { readonly connections: number; readonly seconds: number },
): Promise<Round> {
  const latencies: number[] = []
  const start = performance.now()
  const until = start + options.seconds * 1000
  await Promise.all(
    Array.from({ length: options.connections }, () => repeatCall(shot, { until, latencies })),
  )
  const seconds = (performance.now() - start) / 1000
  return { count: latencies.length, seconds, latencies: latencies.sort((a, b) => a - b) }
}

/** Reads a response body without storing it. Resolves with its length. */
export async function download(shot: Shot): Promise<{ bytes: number; seconds: number }> {
  const start = performance.now()
  const reader = createReader()
  const socket = openSocket(shot.origin)
  socket.write(shot.bytes)
  let bytes = 0
  for await (const chunk of socket) {
    bytes += (chunk as Buffer).length
    if (reader.take(chunk as Buffer)) break
  }
  socket.destroy()
  return { bytes, seconds: (performance.now() - start) / 1000 }
}

/** Sends requests without a response; the sockets stay open until they are destroyed. */
export function hang(shots: readonly Shot[]): readonly Socket[] {
  return shots.map(({ origin, bytes }) => {
    const socket = openSocket(origin)
    socket.on('error', () => undefined)
    socket.on('data', (chunk: Buffer) => {
      throw new Error(`A stalled target was answered for: ${chunk.toString('latin1', 0, 600)}`)
    })
    socket.write(bytes)
    return socket
  })
}

export function toPercentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

/** CPU time of all threads of a process in µs. Linux only. */
export function readCpuMicros(pid: number): number {
  let micros = 0
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8')
    micros += Number(stat.split(' ', 1)[0]) / 1000
  }
  return micros
}

/** Current and peak memory of a process in MB, since `resetPeak`. Linux only. */
export function readMemory(pid: number): { readonly mb: number; readonly peakMb: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const read = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024
  return { mb: read('VmRSS'), peakMb: read('VmHWM') }
}

/** Resets the peak memory of a process to its current memory. */
export function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

function openSocket(origin: string): Socket {
  const { hostname, port } = new URL(origin)
  return connect({ host: hostname, port: Number(port), noDelay: true })
}

function repeatCall(
  shot: Shot,
  work: { readonly until: number; readonly latencies: number[] },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = openSocket(shot.origin)
    let reader = createReader()
    let started = 0
    const fire = () => {
      started = performance.now()
      socket.write(shot.bytes)
    }
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('The connection was closed')))
    socket.on('connect', fire)
    socket.on('data', (bytes: Buffer) => {
      if (!reader.take(bytes)) return
      const now = performance.now()
      work.latencies.push(now - started)
      if (now >= work.until) {
        socket.removeAllListeners('close').destroy()
        return resolve()
      }
      reader = createReader()
      fire()
    })
  })
}

/** Finds the end of a response with content length or chunked encoding. */
function createReader(): { take(bytes: Buffer): boolean } {
  let left: number | undefined
  let isChunked = false
  let tail = ''
  return {
    take(bytes) {
      let rest = bytes.length
      if (left === undefined) {
        const end = bytes.indexOf('\r\n\r\n')
        const head = bytes.toString('latin1', 0, end)
        if (!head.startsWith('HTTP/1.1 200') || end < 0) throw new Error(bytes.toString())
        rest -= end + 4
        isChunked = /\r\ntransfer-encoding: *chunked/i.test(head)
        left = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0)
      }
      if (isChunked) {
        tail = (tail + bytes.toString('latin1', Math.max(0, bytes.length - 7))).slice(-7)
        return tail.endsWith('\r\n0\r\n\r\n') || tail === '0\r\n\r\n'
      }
      left -= rest
      return left <= 0
    },
  }
}
