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
  /** The body's bytes as they arrive; undefined when there is none. Read at most once. */
  readonly body: AsyncIterable<Uint8Array> | undefined
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal
  /** The client's address as the adapter knows it, trusted proxies taken into account; empty when unknown. */
  readonly clientAddress: string
  /** True when the runtime drops the body of a GET although one was sent. */
  readonly hasLostBody?: boolean
  /** `https` or `http`, and host, as the client sees us; for absolute links. Undefined when unknown. */
  readonly origin?: string | undefined
}

/** A response as the core gives it. Adapters turn it into what the runtime wants. */
export interface HttpResponse {
  readonly status: number
  /** Lower-case names. No `content-length`: the adapter knows. */
  readonly headers: Readonly<Record<string, string>>
  /** Text is sent as UTF-8; a stream is sent as it comes, with back-pressure. */
  readonly body: string | Uint8Array | AsyncIterable<Uint8Array> | undefined
}

/** What an adapter serves. */
export type HttpHandler = (request: HttpRequest) => Promise<HttpResponse> | HttpResponse
