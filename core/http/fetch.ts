import { ServiceError } from '../errors.ts'
import type { Logger } from '../ports/logger.ts'
import {
  createProxyTrust,
  findClientAddress,
  findOrigin,
  type Peer,
  type ProxyTrust,
} from './client-address.ts'
import { logRequestFailure, toFailureResponse } from './failure.ts'
import type { HttpHandler, HttpRequest, HttpResponse } from './message.ts'
import { BAD_TARGET, findHeadError, toOriginForm } from './request-head.ts'
import { discardBody, isStream, stopIterator } from './streams.ts'

/** Details of a request that the standard `Request` lacks. */
export interface FetchInfo {
  /** Address of the connection's remote end. */
  readonly clientAddress?: string | undefined
}

export interface FetchOptions {
  /** Addresses and CIDR ranges of proxies whose `X-Forwarded-*` headers are trusted. */
  readonly trustedProxies?: readonly string[] | undefined
  /** Receives the errors of handlers. */
  readonly logger?: Logger | undefined
  /** Rejects requests without `Host`: for listeners whose runtime builds the URL from it. */
  readonly requiresHost?: boolean | undefined
}

/** A handler for hosts with standard requests and responses. It never throws or rejects. */
export type FetchHandler = (request: Request, info?: FetchInfo) => Promise<Response> | Response

/**
 * Creates a handler for `Bun.serve`, `Deno.serve`, workers and routers. A standard `Request` cannot
 * carry the body of a GET: such a request arrives with `hasLostBody`. Returns synchronously if the
 * handler does.
 */
export function toFetchHandler(handler: HttpHandler, options: FetchOptions = {}): FetchHandler {
  const { logger } = options
  const trust = createProxyTrust(options.trustedProxies)

  function respondWithFailure(request: Request, error: unknown): Response {
    logRequestFailure(logger, { error, hasClientGone: request.signal.aborted })
    return toFetchResponse({ request, response: toFailureResponse(error), logger })
  }

  function respond(request: Request, response: HttpResponse): Promise<Response> | Response {
    const { body, fail: toFallback } = response
    const isHeld = toFallback && isStream(body)
    if (!isHeld) return toFetchResponse({ request, response, logger })
    return bufferFirstChunk(body).then(
      (held) => toFetchResponse({ request, response: { ...response, body: held }, logger }),
      (error) => {
        logRequestFailure(logger, { error, hasClientGone: request.signal.aborted, response })
        return toFetchResponse({ request, response: toFallback(error), logger })
      },
    )
  }

  return (request, info) => {
    const refusal = findRequestError(request, options)
    if (refusal) return respondWithFailure(request, refusal)
    try {
      const result = handler(new FetchRequest(request, { info, trust }))
      if (!(result instanceof Promise)) return respond(request, result)
      return result
        .then((response) => respond(request, response))
        .catch((error) => respondWithFailure(request, error))
    } catch (error) {
      return respondWithFailure(request, error)
    }
  }
}

/**
 * Checks a request with `findHeadError`. Requests created by a program have their own URL and no
 * `Host`.
 */
function findRequestError(request: Request, { requiresHost = false }: FetchOptions) {
  const { method, url, headers } = request
  const host = headers.get('host')
  const refusal = findHeadError({
    method,
    host: host ?? (requiresHost ? undefined : 'localhost'),
    contentLength: headers.get('content-length') ?? undefined,
    transferEncoding: headers.get('transfer-encoding') ?? undefined,
  })
  return refusal ?? (/^https?:/i.test(url) ? undefined : BAD_TARGET)
}

/** Adapts a standard request to the core's interface. Computes its properties lazily. */
class FetchRequest implements HttpRequest, Peer {
  readonly method: string
  readonly target: string
  readonly #request: Request
  readonly #info: FetchInfo | undefined
  readonly #trust: ProxyTrust | undefined

  constructor(
    request: Request,
    options: { readonly info: FetchInfo | undefined; readonly trust: ProxyTrust | undefined },
  ) {
    this.#request = request
    this.#info = options.info
    this.#trust = options.trust
    this.method = request.method
    this.target = toOriginForm(request.url)
  }

  header(name: string): string | undefined {
    return this.#request.headers.get(name) ?? undefined
  }

  get body(): AsyncIterable<Uint8Array> | undefined {
    const { body } = this.#request
    return body ? readFetchBody(body) : undefined
  }

  get signal(): AbortSignal {
    return this.#request.signal
  }

  get address(): string {
    return this.#info?.clientAddress ?? ''
  }

  get scheme(): 'http' | 'https' {
    return this.#request.url.startsWith('https:') ? 'https' : 'http'
  }

  get clientAddress(): string {
    return findClientAddress(this, this.#trust)
  }

  get origin(): string | undefined {
    return findOrigin(this, this.#trust) ?? new URL(this.#request.url).origin
  }

  get hasLostBody(): boolean {
    if ((this.method !== 'GET' && this.method !== 'HEAD') || this.#request.body) return false
    const length = this.header('content-length')
    return (
      (length !== undefined && length !== '0') || this.header('transfer-encoding') !== undefined
    )
  }
}

async function* readFetchBody(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  try {
    yield* body
  } catch (error) {
    throw new ServiceError('invalid_body', 'Cannot read the body: it ended too early', {
      cause: error,
    })
  }
}

interface FetchReply {
  readonly request: Request
  readonly response: HttpResponse
  readonly logger: Logger | undefined
}

function toFetchResponse(reply: FetchReply): Response {
  const { status, headers, body } = reply.response
  if (status === 204 || status === 304) {
    discardBody(body)
    return createFetchResponse(null, { status, headers })
  }
  if (reply.request.method === 'HEAD') return toHeadResponse(reply.response)
  if (body === undefined || typeof body === 'string') {
    return createFetchResponse(body ?? '', { status, headers })
  }
  if (body instanceof Uint8Array) {
    // Narrows only the type: handlers return no views of shared memory.
    return createFetchResponse(body as Uint8Array<ArrayBuffer>, { status, headers })
  }
  return createFetchResponse(toReadableStream(reply, body), { status, headers })
}

/** Sets headers one by one: passing them to the constructor costs Deno five times as much. */
function createFetchResponse(
  body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null,
  { status, headers }: Pick<HttpResponse, 'status' | 'headers'>,
): Response {
  const response = new Response(body, { status })
  for (const name in headers) response.headers.set(name, headers[name] ?? '')
  return response
}

function toHeadResponse({ status, headers, body }: HttpResponse): Response {
  if (isStream(body)) {
    discardBody(body)
    return createFetchResponse(toEmptyStream(), { status, headers })
  }
  const length = typeof body === 'string' ? new TextEncoder().encode(body).length : body?.length
  const counted = { ...headers, 'content-length': String(length ?? 0) }
  return createFetchResponse(null, { status, headers: counted })
}

/** Without a stream, runtimes would declare a length of 0. A reader sees the end at once. */
function toEmptyStream(): ReadableStream<Uint8Array> {
  return new ReadableStream({ pull: (controller) => controller.close() }, { highWaterMark: 0 })
}

function toReadableStream(
  { request, response, logger }: FetchReply,
  body: AsyncIterable<Uint8Array>,
): ReadableStream<Uint8Array> {
  const iterator = body[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          let next = await iterator.next()
          while (!next.done && next.value.length === 0) next = await iterator.next()
          if (next.done) controller.close()
          else controller.enqueue(next.value)
        } catch (error) {
          logRequestFailure(logger, { error, hasClientGone: request.signal.aborted, response })
          // Runtimes print the error of a broken stream, so it must reveal no internals.
          controller.error(new Error('The response ended too early'))
        }
      },
      cancel() {
        // Not awaited: a running generator cleans up at its next `yield`.
        stopIterator(iterator)
      },
    },
    { highWaterMark: 0 },
  )
}

/**
 * Resolves to the same stream when its first bytes are available. Rejects if it fails before them.
 */
async function bufferFirstChunk(
  body: AsyncIterable<Uint8Array>,
): Promise<AsyncIterable<Uint8Array>> {
  const iterator = body[Symbol.asyncIterator]()
  let held: IteratorResult<Uint8Array> | undefined = await iterator.next()
  return {
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        const next = held ?? (await iterator.next())
        held = undefined
        return next
      },
      return: async () => {
        await iterator.return?.()
        return { done: true, value: undefined }
      },
    }),
  }
}
