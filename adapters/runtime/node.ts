import { createServer, type Server } from 'node:http'
import type { HttpHandler } from '../../core/http/message.ts'
import { createAnswer, type NodeListenerState } from './node-listener.ts'
import {
  CLOSE_DEADLINE_MS,
  type RunningServer,
  type ServerOptions,
  toServerUrl,
  waitAtMost,
} from './server.ts'

export {
  type NodeIncoming,
  type NodeListener,
  type NodeListenerOptions,
  type NodeOutgoing,
  toNodeListener,
} from './node-listener.ts'
export type { RunningServer, ServerOptions } from './server.ts'

/** Limits of the node:http server, the same on Node, Bun and Deno. */
export interface NodeServerOptions extends ServerOptions {
  /** A request's head must be complete after this time, else 408; 10,000 when absent. */
  readonly headersTimeoutMs?: number | undefined
  /**
   * A whole request must be complete after this time, else 408; 30,000 when absent. A body may take
   * longer, an hour at the most, as long as 1,000 bytes a second come over each such time.
   */
  readonly requestTimeoutMs?: number | undefined
  /** An idle connection is closed after this time; 5,000 when absent. */
  readonly keepAliveTimeoutMs?: number | undefined
  /** A client that takes nothing of its answer for this time is cut off; 120,000 when absent. */
  readonly sendTimeoutMs?: number | undefined
  /** Size of a request's head, else 431; 16,384 when absent. */
  readonly maxHeaderBytes?: number | undefined
  /** Connections past this number are closed at once; 10,000 when absent. */
  readonly maxConnections?: number | undefined
}

const LISTEN_FAILURES: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use',
  EADDRNOTAVAIL: 'the host is no address of this machine',
  ENOTFOUND: 'the host is unknown',
  EACCES: 'the port needs more rights',
}

/**
 * Serves a handler over node:http, on Node, Bun and Deno alike: bodies of GET requests arrive, and
 * slow, idle and oversized requests are cut off. Rejects when it cannot listen.
 */
export async function serveNode(
  handler: HttpHandler,
  options: NodeServerOptions = {},
): Promise<RunningServer> {
  const { host = '127.0.0.1', port = 8080 } = options
  const { requestTimeoutMs: bodyWindowMs = REQUEST_TIMEOUT_MS } = options
  const state: NodeListenerState = { isClosing: false, bodyWindowMs }
  const answer = createAnswer(handler, { ...options, state })
  const server = createServer(toLimits(options), (incoming, outgoing) =>
    answer({ incoming, outgoing }, false),
  )
  // An expectation that nobody knows is ignored, as the other listeners do (RFC 9110 10.1.1).
  server.on('checkExpectation', (incoming, outgoing) => answer({ incoming, outgoing }, false))
  server.on('checkContinue', (incoming, outgoing) => answer({ incoming, outgoing }, true))
  let connections = 0
  server.on('connection', (socket) => {
    connections += 1
    socket.once('close', () => {
      connections -= 1
    })
  })
  server.maxConnections = options.maxConnections ?? 10_000
  const boundPort = await listen(server, { host, port })
  return {
    url: toServerUrl(host, boundPort),
    port: boundPort,
    countConnections: () => connections,
    close: createClose(server, state),
  }
}

const REQUEST_TIMEOUT_MS = 30_000
/** However steadily it comes. */
const MAX_UPLOAD_MS = 3_600_000

function toLimits(options: NodeServerOptions) {
  const { headersTimeoutMs = 10_000, requestTimeoutMs = REQUEST_TIMEOUT_MS } = options
  return {
    headersTimeout: headersTimeoutMs,
    requestTimeout: MAX_UPLOAD_MS,
    // Node looks for late requests only this often.
    connectionsCheckingInterval: Math.min(headersTimeoutMs, requestTimeoutMs, 2_000) / 2,
    keepAliveTimeout: options.keepAliveTimeoutMs ?? 5_000,
    maxHeaderSize: options.maxHeaderBytes ?? 16_384,
    joinDuplicateHeaders: true,
    insecureHTTPParser: false,
  }
}

function listen(
  server: Server,
  at: { readonly host: string; readonly port: number },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const refuse = (cause: Error & { readonly code?: string }) => {
      const reason = LISTEN_FAILURES[cause.code ?? ''] ?? 'the system refuses'
      reject(new Error(`Cannot listen on ${at.host}:${at.port}: ${reason}`, { cause }))
    }
    server.once('error', refuse)
    server.listen(at.port, at.host, () => {
      server.off('error', refuse)
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : at.port)
    })
  })
}

function createClose(server: Server, state: NodeListenerState): RunningServer['close'] {
  let closed: Promise<void> | undefined
  return async (deadlineMs = CLOSE_DEADLINE_MS) => {
    state.isClosing = true
    closed ??= new Promise((resolve) => server.close(() => resolve()))
    // Connections whose response was under way when the server began to close become idle later.
    const sweep = setInterval(() => server.closeIdleConnections(), 20)
    server.closeIdleConnections()
    if (!(await waitAtMost(closed, deadlineMs))) {
      server.closeAllConnections()
      await waitAtMost(closed, 1_000)
    }
    clearInterval(sweep)
  }
}
