import { ServiceError } from '../errors.ts'

/**
 * Fetches a URL: the port through which a sync reads the network. A host that vets addresses adds
 * its check here.
 *
 * Resolves once the head of the response has arrived, regardless of its status. Rejects with a
 * `SourceError` if none arrived (no connection, a timeout, a malformed response), and with the
 * signal's reason if aborted. Any other rejection ends the sync. Iterating the body rejects in the
 * same way, and if it breaks off or exceeds `maxBytes`.
 */
export type Get = (url: string, options: GetOptions) => Promise<GetResponse>

export interface GetOptions {
  /** Removed, except for `accept`, when a redirect leads to another origin. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly signal?: AbortSignal | undefined
  /** Limit on redirects to follow; 0 by default, which returns the redirect itself. */
  readonly maxRedirects?: number | undefined
  /** Limit on the size of the body, as transferred. */
  readonly maxBytes: number
  readonly timeouts?: Partial<GetTimeouts> | undefined
}

export interface GetTimeouts {
  /** Until the connection is established, including TLS. */
  readonly connectMs: number
  /** From the connection to the head of the response. */
  readonly headMs: number
  /** Between two chunks of the body. */
  readonly idleMs: number
  /** From the call to the end of the body, including redirects. */
  readonly totalMs: number
}

export interface GetResponse {
  readonly status: number
  /** Names in lower case. Several headers of one name are joined with commas. */
  readonly headers: Readonly<Record<string, string>>
  /** As transferred: compressed content stays compressed. Read it once or discard it. */
  readonly body: AsyncIterable<Uint8Array>
  /** Releases a body that is not read. */
  discard(): void
}

/**
 * A source cannot be read: a `ServiceError` with code `source_failed`.
 *
 * @example
 * ```ts
 * import { type Get, SourceError } from 'api-discovery/vulnerabilities'
 * import { createHttpGet } from 'api-discovery/egress'
 *
 * const http = createHttpGet()
 * const get: Get = async (url, options) => {
 *   if (url.startsWith('https://mirror.example/')) return http.get(url, options)
 *   throw new SourceError(`Cannot read ${url}: use the mirror`, { maxAttempts: 1 })
 * }
 * ```
 */
export class SourceError extends ServiceError {
  /** Limit on attempts in a row: 1 if another attempt would fail in the same way. */
  readonly maxAttempts: number

  constructor(
    detail: string,
    more: { readonly maxAttempts?: number | undefined; readonly cause?: unknown } = {},
  ) {
    super('source_failed', detail, { cause: more.cause })
    this.maxAttempts = more.maxAttempts ?? Number.POSITIVE_INFINITY
  }
}
