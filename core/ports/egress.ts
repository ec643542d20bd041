import { ServiceError } from '../errors.ts'

/**
 * The port for all outgoing calls: sends one request to an external address. An implementation
 * checks each address before it connects (see `policy.ts`). It does not follow redirects, and
 * neither decodes nor buffers the response.
 */
export interface Egress {
  /**
   * Resolves once the response head is received, regardless of its status. Rejects with an
   * `EgressError` if there is none, and with the reason of an aborted signal. Iterating over the
   * body rejects in the same way.
   */
  send(request: EgressRequest): Promise<EgressResponse>
  /**
   * Returns why a URL would be refused; undefined if it looks allowed. Checks the URL only: nothing
   * is resolved or sent.
   */
  check?(url: string): EgressError | undefined
  /** Default limits of a request; `EGRESS_LIMITS` if absent. */
  readonly limits?: EgressLimits
}

/** One header of a message, with a lower-case name. Repeated headers have one entry each. */
export type HeaderLine = readonly [name: string, value: string]

export interface EgressRequest {
  /** Upper case. */
  readonly method: string
  /** Absolute, http or https. */
  readonly url: string
  /**
   * Sent unchanged, except `host`, `content-length` and `connection`, which the implementation
   * sets.
   */
  readonly headers: readonly HeaderLine[]
  readonly body?: Uint8Array | undefined
  /**
   * Connect to this address instead of resolving the name: an `EgressAnswer.address` of an earlier
   * response. It is checked like any other address.
   */
  readonly address?: string | undefined
  readonly signal?: AbortSignal | undefined
  readonly limits?: Partial<EgressLimits> | undefined
}

export interface EgressLimits {
  /** Time to establish the connection, including DNS and TLS. */
  readonly connectMs: number
  /** Time from the connection to the response head. */
  readonly firstByteMs: number
  /** Time between two chunks of the body, while the reader waits for them. */
  readonly idleMs: number
  /** Time from the call to the end of the body. */
  readonly totalMs: number
  /** Size of the response head. */
  readonly maxHeaderBytes: number
  /** Size of the response body, as transferred. */
  readonly maxBodyBytes: number
  /** Minimum transfer rate of a body while the reader waits, per period of `idleMs`; 0 disables it. */
  readonly minBytesPerSecond: number
}

export interface EgressResponse {
  /** 200 to 599. */
  readonly status: number
  readonly headers: readonly HeaderLine[]
  /** As transferred, including its content encoding. Read it once, or discard it. */
  readonly body: AsyncIterable<Uint8Array>
  /** URL of the request. */
  readonly url: string
  /** Peer address in plain notation; undefined if the implementation connects by name. */
  readonly address?: string | undefined
  /** Releases a body without reading it. */
  discard(): void
  /**
   * Reports once how the body ended, regardless of who read it; at once if it has already ended. If
   * an implementation has this method, its body can be passed on without a counting wrapper.
   */
  onEnd?(listener: (end: EgressEnd) => void): void
}

/** How the body of a response ended. */
export interface EgressEnd {
  /** Size of the body, as transferred. */
  readonly bytes: number
  /** `aborted` if the reader stopped or the signal was aborted; undefined for a complete body. */
  readonly failure: EgressFailure | 'aborted' | undefined
}

/** Why a response is missing or incomplete. */
export type EgressFailure =
  /** Not an http(s) URL, contains a password, or has a port or name that is not allowed. */
  | 'refused_url'
  /** The name resolves to, or the literal is, an address that is not allowed. */
  | 'refused_address'
  /** The name doesn't exist, or cannot be resolved now. */
  | 'unresolved'
  /** Connection refused, unreachable or reset before the response, or an invalid certificate. */
  | 'connect_failed'
  | 'connect_timeout'
  | 'first_byte_timeout'
  | 'total_timeout'
  /** The time ran out while received data was waiting to be read. */
  | 'reader_too_slow'
  /** The response is not HTTP, or incomplete. */
  | 'malformed_answer'
  | 'too_large'
  | 'too_slow'

/**
 * Explains why a call has no response. The message never contains a resolved address.
 *
 * @example
 * ```ts
 * import { EgressError } from 'api-discovery'
 * import { createPinnedEgress } from 'api-discovery/egress'
 *
 * try {
 *   await createPinnedEgress().send({ method: 'GET', url: 'http://127.0.0.1/', headers: [] })
 * } catch (error) {
 *   if (!(error instanceof EgressError)) throw error
 *   error.failure // 'refused_address'
 * }
 * ```
 */
export class EgressError extends ServiceError {
  readonly failure: EgressFailure
  /** True if nothing of the request was sent: a retry is safe. */
  readonly isUnsent: boolean

  constructor(
    failure: EgressFailure,
    detail: string,
    more: { readonly isUnsent?: boolean; readonly cause?: unknown } = {},
  ) {
    super(CODES[failure], detail, { cause: more.cause })
    this.failure = failure
    this.isUnsent = more.isUnsent ?? false
  }
}

const CODES = {
  refused_url: 'address_refused',
  refused_address: 'address_refused',
  unresolved: 'target_unreachable',
  connect_failed: 'target_unreachable',
  connect_timeout: 'target_timeout',
  first_byte_timeout: 'target_timeout',
  total_timeout: 'target_timeout',
  reader_too_slow: 'target_timeout',
  malformed_answer: 'target_failed',
  too_large: 'target_failed',
  too_slow: 'target_timeout',
} as const
