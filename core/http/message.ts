/** A request in the core's form. A standard `Request` cannot carry the body of a GET. */
export interface HttpRequest {
  /** Upper case. */
  readonly method: string
  /** Path and query as sent, starting with a slash: `/api/endpoint_search?q=mail`. */
  readonly target: string
  /** Looks up a header by case-insensitive name; repeated headers are joined with `, `. */
  header(name: string): string | undefined
  /** The body; undefined if there is none. Can be read once. */
  readonly body: RequestBody | undefined
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal
  /** The client's address after trusted proxies were resolved; empty when unknown. */
  readonly clientAddress: string
  /** True if the runtime dropped the body of a GET. */
  readonly hasLostBody?: boolean
  /**
   * Scheme (`https` or `http`) and host as the client sees them, for absolute links. Undefined when
   * unknown.
   */
  readonly origin?: string | undefined
}

/** The bytes of a body as they arrive. */
export interface RequestBody extends AsyncIterable<Uint8Array> {
  /**
   * Reads all bytes, if that is faster than iterating. Resolves to undefined above `maxBytes`, and
   * leaves the rest unread. Rejects with `invalid_body` if the body ends too early.
   */
  readWhole?(maxBytes: number): Promise<Uint8Array | undefined>
}

/** A response in the core's form, which adapters convert for their runtime. */
export interface HttpResponse {
  readonly status: number
  /** Lower-case names. `content-length` is set only for a stream of exactly that length. */
  readonly headers: Readonly<Record<string, string>>
  /**
   * Text is sent as UTF-8, a stream with back-pressure. The node:http adapter pipes a readable
   * stream of Node without iterating it; other servers iterate it.
   */
  readonly body: string | Uint8Array | AsyncIterable<Uint8Array> | undefined
  /**
   * Creates the response for a stream that fails before its first bytes; the head is held back
   * until then. Default: the adapter's own problem document.
   */
  readonly fail?: (error: unknown) => HttpResponse
}

/** A handler that an adapter serves. */
export type HttpHandler = (request: HttpRequest) => Promise<HttpResponse> | HttpResponse
