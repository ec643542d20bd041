import type { IncomingMessage, ServerResponse } from 'node:http'
import { createProxyTrust, isHost } from '../../core/http/client-address.ts'
import { logFailure, toFailure } from '../../core/http/failure.ts'
import type { HttpHandler, HttpResponse } from '../../core/http/message.ts'
import { ServiceError } from '../../core/http/problems.ts'
import type { Logger } from '../../core/ports.ts'
import { hasBody, type NodeExchange, NodeRequest } from './node-request.ts'
import { discardBody, sendResponse } from './node-response.ts'

/** The part of `http.IncomingMessage` that types need; the object must be a real one. */
export interface NodeIncoming {
  readonly method?: string | undefined
  readonly url?: string | undefined
}

/** The part of `http.ServerResponse` that types need; the object must be a real one. */
export interface NodeOutgoing {
  readonly headersSent: boolean
}

/** A listener for `http.createServer`, `app.use` of Express, or the raw pair of Fastify. */
export type NodeListener = (incoming: NodeIncoming, outgoing: NodeOutgoing) => void

export interface NodeListenerOptions {
  /** Addresses and CIDR ranges of proxies whose `X-Forwarded-*` headers are believed. */
  readonly trustedProxies?: readonly string[] | undefined
  /** Is told of handlers that threw. */
  readonly logger?: Logger | undefined
}

/** What a server tells its listener of each exchange. */
export interface NodeListenerState {
  /** Once true, every response ends its connection. */
  isClosing: boolean
}

/**
 * A handler as a listener of node:http, to be mounted in a host's server. Mount it before any body
 * parser: a body that was read already is answered 500 at once. Requests are routed by the whole
 * path, also where the host mounts under a prefix.
 */
export function toNodeListener(
  handler: HttpHandler,
  options: NodeListenerOptions = {},
): NodeListener {
  const answer = createAnswer(handler, { ...options, state: { isClosing: false } })
  return (incoming, outgoing) => {
    // The public types name no runtime; the objects are those of node:http.
    answer(
      { incoming: incoming as IncomingMessage, outgoing: outgoing as unknown as ServerResponse },
      false,
    )
  }
}

/**
 * Answers exchanges with a handler. `awaitsContinue` says that the client waits for `100 Continue`,
 * which is then sent when the handler starts to read the body.
 */
export function createAnswer(
  handler: HttpHandler,
  options: NodeListenerOptions & { readonly state: NodeListenerState },
): (exchange: NodeExchange, awaitsContinue: boolean) => void {
  const { logger, state } = options
  const trust = createProxyTrust(options.trustedProxies)

  function respond(call: NodeCall, response: HttpResponse): void {
    const { incoming, outgoing, request } = call
    if (outgoing.destroyed) {
      discardBody(response.body)
      return
    }
    const isLast = request.awaitsContinue || state.isClosing
    try {
      sendResponse({ incoming, outgoing, response, isLast })?.catch((error) => fail(call, error))
    } catch (error) {
      fail(call, error)
    }
  }

  function fail(call: NodeCall, error: unknown): void {
    const { outgoing } = call
    const hasClientGone = outgoing.destroyed
    logFailure(logger, { error, hasClientGone })
    if (hasClientGone) return
    if (outgoing.headersSent) outgoing.destroy()
    else respond(call, toFailure(error))
  }

  return ({ incoming, outgoing }, awaitsContinue) => {
    const request = new NodeRequest({ incoming, outgoing }, { trust, awaitsContinue })
    const call: NodeCall = { incoming, outgoing, request }
    const refusal = findRefusal(incoming)
    if (refusal) {
      sendResponse({ incoming, outgoing, response: toFailure(refusal), isLast: true })
      return
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
  readonly request: NodeRequest
}

/** What makes a request unusable whatever the handler is; the connection ends with the answer. */
function findRefusal(incoming: IncomingMessage): ServiceError | undefined {
  const { host, 'transfer-encoding': coding } = incoming.headers
  if (host !== undefined && host !== '' && !isHost(host)) {
    return new ServiceError('invalid_input', 'Cannot read the Host header: must be one host', {
      issues: [{ in: 'header', name: 'host', message: 'must be one host with an optional port' }],
    })
  }
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    return new ServiceError('invalid_body', 'Cannot read the body: its coding must be chunked')
  }
  if (incoming.readableDidRead && hasBody(incoming)) {
    return new ServiceError(
      'internal',
      'Cannot read the body: it was read before, so this must be mounted before body parsers',
    )
  }
  return undefined
}
