import type { ParameterPlacement } from '../catalogue/records.ts'
import type { HeaderLine } from '../ports/egress.ts'

/** A complete request to an endpoint. */
export interface OutgoingCall {
  /** Upper case. */
  readonly method: string
  /** Absolute. */
  readonly url: string
  readonly headers: readonly HeaderLine[]
  readonly body: Uint8Array | undefined
  /** Positions of the secrets it contains. */
  readonly secrets: readonly SecretPosition[]
}

/** Position of a secret in a call. */
export interface SecretPosition {
  readonly placement: ParameterPlacement
  /** Name of the header (lower case), the cookie or the parameter. */
  readonly name: string
  /** For a path parameter: its start and end offset in the URL. */
  readonly range?: readonly [start: number, end: number]
}

/** The caller's parameter values, of any JSON type, by name. */
export type CallValues = Readonly<Record<string, unknown>>

/** A credential that is used if the caller supplies no value. It is never shown. */
export interface CredentialValue extends SecretPosition {
  /** The complete value, including a scheme: `Bearer …`, `Basic …`. */
  readonly value: string
}

export interface CallOptions {
  /** A declared server: its name, its URL template, or its number from 1. */
  readonly server?: string | undefined
  readonly credentials?: readonly CredentialValue[] | undefined
}

/** An endpoint compiled for repeated calls. */
export interface CallPlan {
  /** GET, HEAD, OPTIONS, PUT, DELETE and TRACE (RFC 9110 9.2.2). */
  readonly isIdempotent: boolean
  /** Value for `accept` that prefers the media type of the described response. */
  readonly accept: string
  /**
   * Returns the origin that these values select: `https://api.example.com`. Throws `no_server` if
   * no server is absolute, and `invalid_input` if the values select no server.
   */
  originOf(values: CallValues, options?: Pick<CallOptions, 'server'>): string
  /**
   * Builds the call. Its headers are those of the values and credentials, and `content-type`.
   * Throws `no_server`, and `invalid_input` with all issues. The problem's member `parameters` then
   * lists the endpoint's parameters.
   */
  build(values: CallValues, options?: CallOptions): OutgoingCall
}
