import { createServer, type Server } from 'node:http'
import type { HttpHandler } from '../../core/http/message.ts'
import { createExchangeHandler, type NodeListenerState } from './node-listener.ts'
import {
  CLOSE_DEADLINE_MS,
  type RunningServer,
  type ServerOptions,
  toServerUrl,
  waitWithTimeout,
} from './server.ts'

export {
  type NodeIncoming,
  type NodeListener,
  type NodeListenerOptions,
  type NodeOutgoing,
  toNodeListener,
} from './node-listener.ts'

/** Options of the node:http server, identical on Node, Bun and Deno. */
export interface NodeServerOptions extends ServerOptions {
  /** Time in which a request's head must be complete, else 408; default 10,000. */
  readonly headersTimeoutMs?: number | undefined
  /**
   * Time in which a whole request must be complete, else 408; default 30,000. A body may take
   * longer, up to an hour, if it averages 1,000 bytes a second in each such period.
   */
  readonly requestTimeoutMs?: number | undefined
  /** Time after which an idle connection is closed; default 5,000. */
  readonly keepAliveTimeoutMs?: number | undefined
  /** Time after which a client that reads none of its response is disconnected; default 120,000. */
  readonly sendTimeoutMs?: number | undefined
  /** Maximum size of a request's head, else 431; default 16,384. */
  readonly maxHeaderBytes?: number | undefined
  /** Maximum number of connections; further ones are closed immediately. Default 10,000. */
  readonly maxConnections?: number | undefined
}

const LISTEN_FAILURES: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use',
  EADDRNOTAVAIL: 'the host is not an address of this machine',
  ENOTFOUND: 'host not found',
  EACCES: 'permission denied for this port',
}

/**
 * Serves a handler with node:http, on Node, Bun and Deno. Bodies of GET requests are delivered, and
 * slow, idle and oversized requests are disconnected. Rejects if it cannot listen.
 *
 * @example
 * ```ts
 * import { serveNode } from 'api-discovery/node'
 *
 * const server = await serveNode(app.handle, { port: 8080, trustedProxies: ['10.0.0.0/8'] })
 * console.log(server.url)
 * ```
 */
export async function serveNode(
  handler: HttpHandler,
  options: NodeServerOptions = {},
): Promise<RunningServer> {
  const { host = '127.0.0.1', port = 8080 } = options
  const { requestTimeoutMs: bodyWindowMs = REQUEST_TIMEOUT_MS } = options
  const state: NodeListenerState = { isClosing: false, bodyWindowMs }
  const answer = createExchangeHandler(handler, { ...options, state })
  const server = createServer(toServerOptions(options), (incoming, outgoing) =>
    answer({ incoming, outgoing }, false),
  )
  // Unknown expectations are ignored, as in the other listeners (RFC 9110 10.1.1).
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
  const boundPort = await listenOn(server, { host, port })
  return {
    url: toServerUrl(host, boundPort),
    port: boundPort,
    countConnections: () => connections,
    close: createClose(server, state),
  }
}

const REQUEST_TIMEOUT_MS = 30_000
/** Applies to steady uploads, too. */
const MAX_UPLOAD_MS = 3_600_000

function toServerOptions(options: NodeServerOptions) {
  const { headersTimeoutMs = 10_000, requestTimeoutMs = REQUEST_TIMEOUT_MS } = options
  return {
    headersTimeout: headersTimeoutMs,
    requestTimeout: MAX_UPLOAD_MS,
    // Node checks for timeouts only at this interval.
    connectionsCheckingInterval: Math.min(headersTimeoutMs, requestTimeoutMs, 2_000) / 2,
    keepAliveTimeout: options.keepAliveTimeoutMs ?? 5_000,
    maxHeaderSize: options.maxHeaderBytes ?? 16_384,
    joinDuplicateHeaders: true,
    insecureHTTPParser: false,
  }
}

function listenOn(
  server: Server,
  at: { readonly host: string; readonly port: number },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const refuse = (cause: Error & { readonly code?: string }) => {
      const reason = LISTEN_FAILURES[cause.code ?? ''] ?? 'operating system error'
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
    // Connections that were busy when the server began to close become idle later.
    const sweep = setInterval(() => server.closeIdleConnections(), 20)
    server.closeIdleConnections()
    if (!(await waitWithTimeout(closed, deadlineMs))) {
      server.closeAllConnections()
      await waitWithTimeout(closed, 1_000)
    }
    clearInterval(sweep)
  }
}
