import type { ParameterPlacement } from '../catalogue/records.ts'
import type { HeaderLine } from '../egress/egress.ts'

/** The request that an endpoint, its parameters and its credentials amount to. */
export interface OutgoingCall {
  /** Upper case. */
  readonly method: string
  /** Absolute. */
  readonly url: string
  readonly headers: readonly HeaderLine[]
  readonly body: Uint8Array | undefined
  /** Where secrets stand in it. */
  readonly secrets: readonly SecretPlace[]
}

/** A place of a call whose value nobody but the target may read. */
export interface SecretPlace {
  readonly placement: ParameterPlacement
  /** Of the header (lower case), the cookie or the parameter. */
  readonly name: string
  /** Of one in the path: where it starts and ends in the URL. */
  readonly range?: readonly [start: number, end: number]
}

/** What a caller gives: names to values of any JSON type. */
export type CallValues = Readonly<Record<string, unknown>>

/** A value that stands in where the caller gave none, and that is never shown. */
export interface CredentialValue extends SecretPlace {
  /** Whole: `Bearer …`, `Basic …`. */
  readonly value: string
}

export interface CallOptions {
  /** Which of the declared servers: its name, its URL template, or its number from 1. */
  readonly server?: string | undefined
  readonly credentials?: readonly CredentialValue[] | undefined
}

/** An endpoint, made ready to be called many times. */
export interface CallPlan {
  /** GET, HEAD, OPTIONS, PUT, DELETE and TRACE (RFC 9110 9.2.2). */
  readonly isIdempotent: boolean
  /** What the description answers, preferred to anything else: a value for `accept`. */
  readonly accept: string
  /**
   * The origin that these values call: `https://api.example.com`. Throws `no_server` when no server
   * is absolute, `invalid_input` for values that name none.
   */
  originOf(values: CallValues, options?: Pick<CallOptions, 'server'>): string
  /**
   * Builds the call. Its headers are those that values and credentials give, and `content-type`.
   * Throws `invalid_input` with every issue at once and the endpoint's parameter list as the
   * problem's member `parameters`, and `no_server`.
   */
  build(values: CallValues, options?: CallOptions): OutgoingCall
}
