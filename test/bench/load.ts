import { connect, type Socket } from 'node:net'

/** Requests per second with status 200, and server CPU time per request in µs. */
export interface Figures {
  readonly perSecond: number
  readonly cpuMicros: number
}

/**
 * Loads a server with one GET over keep-alive connections, each with one request at a time, and
 * reads its CPU time from `/cpu`. Throws if a response is not a 200.
 */
export async function load(
  url: string,
  options: {
    readonly headers?: Readonly<Record<string, string>>
    readonly connections?: number
    readonly seconds: number
  },
): Promise<Figures> {
  const { headers = {}, connections = 32, seconds } = options
  const { hostname, port, pathname, search, origin } = new URL(url)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `GET ${pathname}${search} HTTP/1.1\r\nhost: ${hostname}:${port}\r\n`
  const request = Buffer.from(`${head}${lines.join('')}\r\n`)
  const before = await readCpu(origin)
  const start = performance.now()
  const counts = await Promise.all(
    Array.from({ length: connections }, () =>
      repeatRequest(connect({ host: hostname, port: Number(port), noDelay: true }), {
        request,
        until: start + seconds * 1000,
      }),
    ),
  )
  const count = counts.reduce((sum, next) => sum + next, 0)
  const spent = performance.now() - start
  return {
    perSecond: (count / spent) * 1000,
    cpuMicros: ((await readCpu(origin)) - before) / count,
  }
}

/** The median of each figure. */
export function toMedians(figures: readonly Figures[]): Figures {
  return {
    perSecond: toMedian(figures.map(({ perSecond }) => perSecond)),
    cpuMicros: toMedian(figures.map(({ cpuMicros }) => cpuMicros)),
  }
}

export function toMedian(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0
}

async function readCpu(origin: string): Promise<number> {
  const usage = (await (await fetch(`${origin}/cpu`)).json()) as NodeJS.CpuUsage
  return usage.user + usage.system
}

function repeatRequest(
  socket: Socket,
  work: { readonly request: Buffer; readonly until: number },
): Promise<number> {
  return new Promise((resolve, reject) => {
    let count = 0
    let missing = 0
    socket.on('error', reject)
    socket.on('connect', () => socket.write(work.request))
    socket.on('data', (bytes: Buffer) => {
      if (missing === 0) {
        const length = measureResponse(bytes)
        if (length === undefined) return socket.destroy(new Error(String(bytes.subarray(0, 500))))
        missing = length
      }
      missing -= bytes.length
      if (missing > 0) return
      count += 1
      if (performance.now() < work.until) return socket.write(work.request)
      socket.end()
      resolve(count)
    })
  })
}

/** Size of a response with a complete head; undefined if it is not a 200 of known length. */
function measureResponse(bytes: Buffer): number | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  const head = bytes.toString('latin1', 0, end)
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  if (!head.startsWith('HTTP/1.1 200') || length === undefined) return undefined
  return end + 4 + Number(length)
}
