import { Buffer } from 'node:buffer'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** A request exactly as received. */
export interface MirroredRequest {
  readonly method: string
  /** Target of the request line, unchanged: `/a%20b?x=1`. */
  readonly target: string
  /** Headers as sent, in order, including repeated names. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Uint8Array
}

/** Response of the target. */
export type MirrorAnswer =
  | {
      readonly status?: number
      /** Headers in order; names can be repeated (default: `content-type: text/plain`). */
      readonly headers?: readonly (readonly [name: string, value: string])[]
      /** Chunks are written in order, with back-pressure. */
      readonly body?: string | Uint8Array | AsyncIterable<Uint8Array>
    }
  /** Read the request and never respond. */
  | 'silent'
  /** Send the head and some bytes, then stall. */
  | 'stalled'
  /** Close the connection before the head. */
  | 'closed'
  /** Send the head and some bytes, then reset the connection. */
  | 'broken'

/**
 * A loopback server that echoes requests as JSON: `{ method, target, headers, body }` with the body
 * as text. `answer` overrides the response; `requests` records all requests.
 */
export interface MirrorTarget {
  /** Without a slash: `http://127.0.0.1:9001`. */
  readonly origin: string
  /** For `--egress-allow`: `127.0.0.1:9001`. */
  readonly address: string
  readonly requests: MirroredRequest[]
  /** Number of accepted connections. */
  readonly connections: number
  /** Number of open connections. */
  readonly open: number
  /** Selects the response of each later request; undefined echoes it. */
  answer(decide: (request: MirroredRequest) => MirrorAnswer | undefined): void
  /** Resolves after this number of requests; rejects after five seconds. */
  whenAsked(count: number): Promise<void>
  close(): Promise<void>
}

const JSON_LINES = [['content-type', 'application/json']] as const
const TEXT_LINES = [['content-type', 'text/plain']] as const
const PATIENCE_MS = 5000

/** Starts an echo server on a free port. */
export async function startMirrorTarget(): Promise<MirrorTarget> {
  const requests: MirroredRequest[] = []
  const sockets = new Set<Socket>()
  let connections = 0
  let decide: (request: MirroredRequest) => MirrorAnswer | undefined = () => undefined
  const server = createServer({ keepAliveTimeout: 60_000 }, (incoming, outgoing) => {
    // An aborted request does not count.
    answerOne(incoming, outgoing).catch(() => outgoing.destroy())
  })
  server.on('connection', (socket: Socket) => {
    connections += 1
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })

  async function answerOne(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const request = await readRequest(incoming)
    requests.push(request)
    await sendMirrorAnswer(outgoing, decide(request) ?? mirror(request))
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin: `http://${address}`,
    address,
    requests,
    get connections() {
      return connections
    },
    get open() {
      return sockets.size
    },
    answer(next) {
      decide = next
    },
    async whenAsked(count) {
      const deadline = Date.now() + PATIENCE_MS
      while (requests.length < count) {
        if (Date.now() > deadline) throw new Error(`Asked ${requests.length} times, not ${count}`)
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      const gone = [...sockets].map((socket) => once(socket, 'close'))
      for (const socket of sockets) socket.destroy()
      await Promise.all([closed, ...gone])
    },
  }
}

/** Returns the values of a header by lower-case name, in order. */
export function headerValues(request: MirroredRequest, name: string): readonly string[] {
  return request.headers.filter(([each]) => each.toLowerCase() === name).map(([, value]) => value)
}

/** Returns the body as UTF-8 text. */
export function bodyText(request: MirroredRequest): string {
  return new TextDecoder().decode(request.body)
}

function mirror(request: MirroredRequest): MirrorAnswer {
  return { headers: JSON_LINES, body: JSON.stringify({ ...request, body: bodyText(request) }) }
}

async function readRequest(incoming: IncomingMessage): Promise<MirroredRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const { method = '', url = '', rawHeaders } = incoming
  const headers: (readonly [string, string])[] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    headers.push([rawHeaders[index] ?? '', rawHeaders[index + 1] ?? ''])
  }
  return { method, target: url, headers, body: new Uint8Array(Buffer.concat(chunks)) }
}

async function sendMirrorAnswer(outgoing: ServerResponse, answer: MirrorAnswer): Promise<void> {
  if (answer === 'silent') return
  if (answer === 'closed') return void outgoing.socket?.destroy()
  if (answer === 'stalled' || answer === 'broken') {
    outgoing.writeHead(200, { 'content-type': 'text/plain', 'content-length': '1000' })
    await new Promise<void>((resolve) => outgoing.write('Some bytes', () => resolve()))
    if (answer === 'broken') outgoing.socket?.destroy()
    return
  }
  const { status = 200, headers = TEXT_LINES, body = '' } = answer
  const isWhole = typeof body === 'string' || body instanceof Uint8Array
  const length = isWhole ? [['content-length', String(Buffer.byteLength(body))] as const] : []
  const isGiven = headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name))
  outgoing.writeHead(status, [...headers, ...(isGiven ? [] : length)].flat())
  if (isWhole) return void outgoing.end(body)
  for await (const piece of body) {
    if (outgoing.destroyed) return
    if (!outgoing.write(piece))
      await Promise.race([once(outgoing, 'drain'), once(outgoing, 'close')])
  }
  outgoing.end()
}
