import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Limiter, LimiterRequest } from './limiter.ts'

/** A model served on loopback. */
export interface ServedLimiter {
  /** `http://127.0.0.1:9001`. */
  readonly origin: string
  /** For `--egress-allow`: `127.0.0.1:9001`. */
  readonly address: string
  /** Arrival time of each request, in milliseconds since the epoch with fractions. */
  readonly arrivals: readonly number[]
  /** Received requests: paths, headers and sizes. */
  readonly requests: readonly (LimiterRequest & {
    readonly method: string
    readonly headers: IncomingMessage['headers']
  })[]
  close(): Promise<void>
}

/**
 * Serves a model over HTTP on a free port of 127.0.0.1. The page size comes from the query
 * parameter `size`, the key from `api-key` or `authorization`.
 */
export async function serveLimiter(limiter: Pick<Limiter, 'answer'>): Promise<ServedLimiter> {
  const clock = () => performance.timeOrigin + performance.now()
  const sockets = new Set<Socket>()
  const arrivals: number[] = []
  const requests: (LimiterRequest & {
    readonly method: string
    readonly headers: IncomingMessage['headers']
  })[] = []

  async function answerOne(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    arrivals.push(clock())
    let bytes = 0
    for await (const chunk of incoming) bytes += chunk.length
    const request = toLimiterRequest(incoming, bytes)
    requests.push({ ...request, method: incoming.method ?? 'GET', headers: incoming.headers })
    const answer = limiter.answer(request, clock)
    if (answer === 'silent') return
    if (answer === 'closed') {
      incoming.socket.destroy()
      return
    }
    await sleep(answer.delayMs)
    const headers = answer.headers.flat()
    outgoing.writeHead(answer.status, headers).end(answer.body)
  }

  const server = createServer({ keepAliveTimeout: 60_000 }, (incoming, outgoing) => {
    // A client that disconnects needs no response.
    answerOne(incoming, outgoing).catch(() => outgoing.destroy())
  })
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const address = `127.0.0.1:${port}`
  return {
    origin: `http://${address}`,
    address,
    arrivals,
    requests,
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

function toLimiterRequest(incoming: IncomingMessage, bytes: number): LimiterRequest {
  const url = new URL(incoming.url ?? '/', 'http://target')
  const size = url.searchParams.get('size')
  const { authorization = '' } = incoming.headers
  return {
    path: url.pathname,
    key: `${incoming.headers['api-key'] ?? authorization}`,
    bytes,
    pageSize: size === null ? undefined : Number(size),
  }
}
