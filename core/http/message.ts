/**
 * A request as the core sees it. Not a standard `Request`, which cannot carry the body of a GET.
 */
export interface HttpRequest {
  /** Upper case. */
  readonly method: string
  /** Path and query as sent, starting with a slash: `/api/endpoint_search?q=mail`. */
  readonly target: string
  /** Case-insensitive look-up; undefined when absent; several of one name joined with `, `. */
  header(name: string): string | undefined
  /** The body; undefined when there is none. Read at most once. */
  readonly body: RequestBody | undefined
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal
  /** The client's address as the adapter knows it, trusted proxies taken into account; empty when unknown. */
  readonly clientAddress: string
  /** True when the runtime drops the body of a GET although one was sent. */
  readonly hasLostBody?: boolean
  /** `https` or `http`, and host, as the client sees us; for absolute links. Undefined when unknown. */
  readonly origin?: string | undefined
}

/** The bytes of a body as they arrive. */
export interface RequestBody extends AsyncIterable<Uint8Array> {
  /**
   * All of them, where that costs less than iterating; undefined when there are more than
   * `maxBytes`, and the rest is not read then. Rejects with `invalid_body` when it ends too early.
   */
  readWhole?(maxBytes: number): Promise<Uint8Array | undefined>
}

/** A response as the core gives it. Adapters turn it into what the runtime wants. */
export interface HttpResponse {
  readonly status: number
  /** Lower-case names. `content-length` only for a stream, which must be as long. */
  readonly headers: Readonly<Record<string, string>>
  /**
   * Text is sent as UTF-8; a stream is sent as it comes, with back-pressure. A readable stream of
   * Node is handed on by node:http without iterating, and is an iterable to other servers.
   */
  readonly body: string | Uint8Array | AsyncIterable<Uint8Array> | undefined
  /**
   * What is answered instead when a stream fails before its first bytes, for which the head then
   * waits; the adapter's own problem document when absent.
   */
  readonly fail?: (error: unknown) => HttpResponse
}

/** What an adapter serves. */
export type HttpHandler = (request: HttpRequest) => Promise<HttpResponse> | HttpResponse
