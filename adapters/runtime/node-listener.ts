import type { IncomingMessage, ServerResponse } from 'node:http'
import { createProxyTrust } from '../../core/http/client-address.ts'
import { logRequestFailure, toFailureResponse } from '../../core/http/failure.ts'
import type { HttpHandler, HttpResponse } from '../../core/http/message.ts'
import type { Logger } from '../../core/ports/logger.ts'
import { type NodeHead, readHead } from './node-head.ts'
import { type NodeExchange, NodeRequest } from './node-request.ts'
import { discardBody, sendResponse } from './node-response.ts'

/**
 * The part of `http.IncomingMessage` that the public types need. Pass a real
 * `http.IncomingMessage`.
 */
export interface NodeIncoming {
  readonly method?: string | undefined
  readonly url?: string | undefined
}

/**
 * The part of `http.ServerResponse` that the public types need. Pass a real `http.ServerResponse`.
 */
export interface NodeOutgoing {
  readonly headersSent: boolean
}

/** A listener for `http.createServer`, `app.use` of Express, or the raw pair of Fastify. */
export type NodeListener = (incoming: NodeIncoming, outgoing: NodeOutgoing) => void

export interface NodeListenerOptions {
  /** Addresses and CIDR ranges of proxies whose `X-Forwarded-*` headers are trusted. */
  readonly trustedProxies?: readonly string[] | undefined
  /** Receives the errors of handlers. */
  readonly logger?: Logger | undefined
  /** Time after which a client that reads none of its response is disconnected; default 120,000. */
  readonly sendTimeoutMs?: number | undefined
}

/** State that a server shares with its listener. */
export interface NodeListenerState {
  /** If true, every response ends its connection. */
  isClosing: boolean
  /** Window of `watchBodyRate`; undefined if the host's server has its own timeouts. */
  readonly bodyWindowMs?: number
}

/**
 * Creates a node:http listener from a handler, to be mounted in a host's server. Mount it before
 * any body parser: a request whose body was already read fails with 500. Requests are routed by the
 * whole path, even if the host mounts the listener under a prefix.
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 * import { toNodeListener } from 'api-discovery/node'
 *
 * createServer(toNodeListener(app.handle)).listen(8080, '127.0.0.1')
 * ```
 */
export function toNodeListener(
  handler: HttpHandler,
  options: NodeListenerOptions = {},
): NodeListener {
  const answer = createExchangeHandler(handler, { ...options, state: { isClosing: false } })
  return (incoming, outgoing) => {
    // The public types name no runtime. The objects are those of node:http.
    answer(
      { incoming: incoming as IncomingMessage, outgoing: outgoing as unknown as ServerResponse },
      false,
    )
  }
}

/**
 * Creates a function that handles exchanges. If `awaitsContinue` is true, the client waits for `100
 * Continue`, which is sent when the handler starts to read the body.
 */
export function createExchangeHandler(
  handler: HttpHandler,
  options: NodeListenerOptions & { readonly state: NodeListenerState },
): (exchange: NodeExchange, awaitsContinue: boolean) => void {
  const { logger, state, sendTimeoutMs = 120_000 } = options
  const trust = createProxyTrust(options.trustedProxies)
  /** Connections with a rejected request: the boundary to the next request is unknown. */
  const rejectedSockets = new WeakSet<object>()

  function respond(call: NodeCall, response: HttpResponse): void {
    if (call.outgoing.destroyed) {
      discardBody(response.body)
      return
    }
    try {
      send(call, response)?.catch((error) => fail(call, error, response))
    } catch (error) {
      fail(call, error)
    }
  }

  function fail(call: NodeCall, error: unknown, broken?: HttpResponse): void {
    const { outgoing } = call
    const hasClientGone = outgoing.destroyed
    logRequestFailure(logger, { error, hasClientGone, response: broken })
    if (hasClientGone) return
    if (outgoing.headersSent) outgoing.destroy()
    else send(call, broken?.fail?.(error) ?? toFailureResponse(error))
  }

  function send(call: NodeCall, response: HttpResponse): Promise<void> | undefined {
    const { incoming, outgoing, head, request } = call
    const isLast = state.isClosing || head.error !== undefined || request.awaitsContinue
    return sendResponse({ incoming, outgoing, head, sendTimeoutMs, response, isLast })
  }

  return ({ incoming, outgoing }, awaitsContinue) => {
    if (rejectedSockets.has(incoming.socket)) return
    const head = readHead(incoming)
    const request = new NodeRequest({ incoming, outgoing }, { head, trust, awaitsContinue })
    const call: NodeCall = { incoming, outgoing, head, request }
    if (head.error) {
      rejectedSockets.add(incoming.socket)
      return fail(call, head.error)
    }
    if (head.hasBody && state.bodyWindowMs !== undefined) {
      const countBytes = () => request.bodyLength + incoming.readableLength
      const isAwaited = () => !request.awaitsContinue
      watchBodyRate(call, { windowMs: state.bodyWindowMs, countBytes, isAwaited })
    }
    try {
      const result = handler(request)
      if (!(result instanceof Promise)) return respond(call, result)
      result.then(
        (response) => respond(call, response),
        (error) => fail(call, error),
      )
    } catch (error) {
      fail(call, error)
    }
  }
}

interface NodeCall extends NodeExchange {
  readonly head: NodeHead
  readonly request: NodeRequest
}

/** A lower average rate over a whole window is treated as a stalled connection. */
const BYTES_PER_SECOND = 1_000

const TIMEOUT_RESPONSE = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n'

/**
 * Disconnects a client whose request body is incomplete after a window and too slow within it:
 * large uploads may take long. Windows in which the service itself does not read do not count.
 */
function watchBodyRate(
  { incoming, outgoing }: NodeExchange,
  options: {
    readonly windowMs: number
    readonly countBytes: () => number
    /** False while the client waits for permission to send the body. */
    readonly isAwaited: () => boolean
  },
): void {
  const { windowMs, countBytes, isAwaited } = options
  const { socket } = incoming
  let seen = 0
  const timer = setInterval(() => {
    if (incoming.complete) return stop()
    const isOurs = incoming.readableLength > 0 || !isAwaited()
    const came = countBytes() - seen
    seen += came
    if (isOurs || came >= (BYTES_PER_SECOND * windowMs) / 1_000) return
    stop()
    if (outgoing.headersSent) socket.destroy()
    else socket.end(TIMEOUT_RESPONSE, () => socket.destroy())
  }, windowMs)
  const stop = () => clearInterval(timer)
  incoming.once('end', stop)
  incoming.once('close', stop)
}
