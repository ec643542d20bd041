import { ServiceError } from '../http/problems.ts'

/**
 * Sends one request to an address outside this service: the port that every outgoing call takes.
 * An implementation vets each address before it connects (see `policy.ts`), answers a redirect as it
 * is, and neither decodes nor buffers what comes back.
 */
export interface Egress {
  /**
   * Resolves when the head of the answer is there, whatever its status. Rejects with an
   * `EgressError` when none came, and with the signal's reason when that ended it. Iterating the
   * body rejects likewise.
   */
  send(request: EgressRequest): Promise<EgressAnswer>
  /**
   * Why a URL would be refused, as far as it tells itself: nothing is looked up or sent. Undefined
   * when nothing is wrong with it.
   */
  check?(url: string): EgressError | undefined
  /** What a request may take that does not say otherwise; `EGRESS_LIMITS` when absent. */
  readonly limits?: EgressLimits
}

/** One header of a message; names are lower case. Several of one name stand one after another. */
export type HeaderLine = readonly [name: string, value: string]

export interface EgressRequest {
  /** Upper case. */
  readonly method: string
  /** Absolute, http or https. */
  readonly url: string
  /** Sent as given; `host`, `content-length` and `connection` are the implementation's own. */
  readonly headers: readonly HeaderLine[]
  readonly body?: Uint8Array | undefined
  /**
   * Where to connect to, in the place of what the name stands for now: the address that an answer
   * came from (`EgressAnswer.address`). It is vetted as any, and nothing is looked up.
   */
  readonly address?: string | undefined
  readonly signal?: AbortSignal | undefined
  readonly limits?: Partial<EgressLimits> | undefined
}

export interface EgressLimits {
  /** Until the connection stands, look-up and TLS included. */
  readonly connectMs: number
  /** From the connection to the head of the answer. */
  readonly firstByteMs: number
  /** Between two pieces of the body, while they are waited for. */
  readonly idleMs: number
  /** From the call to the end of the body. */
  readonly totalMs: number
  /** Of the answer's head. */
  readonly maxHeaderBytes: number
  /** Of the answer's body, as it is transferred. */
  readonly maxBodyBytes: number
  /** Of a body, over any `idleMs` in which it was waited for; 0 for none. */
  readonly minBytesPerSecond: number
}

export interface EgressAnswer {
  /** 200 to 599. */
  readonly status: number
  readonly headers: readonly HeaderLine[]
  /** As it is transferred: encoded content stays so. Read it once, or discard it. */
  readonly body: AsyncIterable<Uint8Array>
  /** Where the answer came from. */
  readonly url: string
  /** The address, in plain notation; undefined from implementations that connect by names. */
  readonly address?: string | undefined
  /** Lets go of a body that is not read. */
  discard(): void
  /**
   * Tells once how the body ended, whoever read it; at once when it has ended already. Where an
   * implementation has this, its body can be handed on as it is, without a wrapper that counts.
   */
  onEnd?(listener: (end: EgressEnd) => void): void
}

/** How an answer's body ended. */
export interface EgressEnd {
  /** Of the body, as transferred. */
  readonly bytes: number
  /** `aborted` when the reader left or the signal ended it; undefined for a whole body. */
  readonly failure: EgressFailure | 'aborted' | undefined
}

/** Why no answer, or no whole answer, came. */
export type EgressFailure =
  /** No http(s) URL, a password in it, a port or a name that is not allowed. */
  | 'refused_url'
  /** The name, or the literal, stands for an address that is not allowed. */
  | 'refused_address'
  /** There is no such name, or it cannot be looked up now. */
  | 'unresolved'
  /** Refused, unreachable, reset before the answer, or a certificate that is not valid. */
  | 'connect_failed'
  | 'connect_timeout'
  | 'first_byte_timeout'
  | 'total_timeout'
  /** The time ran out while what had come of the body waited to be read. */
  | 'reader_too_slow'
  /** The answer is no HTTP, or breaks off. */
  | 'malformed_answer'
  | 'too_large'
  | 'too_slow'

/** Why a target gave no answer. The message names no address that a name stands for. */
export class EgressError extends ServiceError {
  readonly failure: EgressFailure
  /** Nothing of the request has been sent: sending it again can do no harm. */
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
