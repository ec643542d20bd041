import { ServiceError } from '../../http/problems.ts'

/**
 * Fetches a URL: the port through which a sync reads the network. A host that vets addresses puts
 * its check in front of it.
 *
 * Resolves when the head of the answer is there, whatever its status. Rejects with a `SourceError`
 * when none came (no connection, a deadline, a malformed answer), and with the signal's reason when
 * that ended it; anything else that it rejects with ends the sync. Iterating the body rejects
 * likewise, and for one that breaks off or grows past `maxBytes`.
 */
export type Get = (url: string, options: GetOptions) => Promise<GetAnswer>

export interface GetOptions {
  /** Left out, but for `accept`, when a redirect leads to another origin. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly signal?: AbortSignal | undefined
  /** Redirects that are followed; 0 when absent, which answers with the redirect itself. */
  readonly maxRedirects?: number | undefined
  /** Of the body, as it is transferred. */
  readonly maxBytes: number
  readonly timeouts?: Partial<GetTimeouts> | undefined
}

export interface GetTimeouts {
  /** Until the connection stands, TLS included. */
  readonly connectMs: number
  /** From the connection to the head of the answer. */
  readonly headMs: number
  /** Between two pieces of the body. */
  readonly idleMs: number
  /** From the call to the end of the body, redirects included. */
  readonly totalMs: number
}

export interface GetAnswer {
  readonly status: number
  /** With lower-case names; of several of one name, joined with commas. */
  readonly headers: Readonly<Record<string, string>>
  /** As it is transferred: compressed content stays so. Read it once, or discard it. */
  readonly body: AsyncIterable<Uint8Array>
  /** Lets go of a body that is not read. */
  discard(): void
}

/** Why a source cannot be read: a `ServiceError` of code `source_failed`. */
export class SourceError extends ServiceError {
  /** Attempts in a row that make sense: 1 when another one would fail like this one. */
  readonly maxAttempts: number

  constructor(
    detail: string,
    more: { readonly maxAttempts?: number | undefined; readonly cause?: unknown } = {},
  ) {
    super('source_failed', detail, { cause: more.cause })
    this.maxAttempts = more.maxAttempts ?? Number.POSITIVE_INFINITY
  }
}

/** Waits; rejects with the signal's reason when that ends it. */
export type Sleep = (ms: number, signal?: AbortSignal | undefined) => Promise<void>
