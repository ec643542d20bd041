import type { HeaderLine } from '../ports/egress.ts'
import type { CallSource } from '../shared/account.ts'

/**
 * How a credential is sent. Names are from the specification's `auth_types`, if these have one;
 * `bearer` and `cookie` are our own.
 */
export const CREDENTIAL_KINDS = [
  'BasicAuth',
  'OAuth2',
  'bearer',
  'body',
  'cookie',
  'header',
  'path',
  'query',
] as const

export type CredentialKind = (typeof CREDENTIAL_KINDS)[number]

/** A target's credential as an account stored it. */
export interface Credential {
  readonly id: string
  /** Either one API, or all APIs of a vendor. */
  readonly apiId: number | undefined
  readonly vendorId: number | undefined
  readonly kind: CredentialKind
  /** Name of the header, cookie or parameter; empty for kinds without one. */
  readonly name: string
  /**
   * The only origins that it may be sent to, as confirmed by the account:
   * `https://api.example.com`.
   */
  readonly origins: readonly string[]
  /** URL that issues OAuth 2 access tokens; empty for other kinds. */
  readonly tokenUrl: string
  /** OAuth 2 scopes to request, separated by spaces; may be empty. */
  readonly oauthScope: string
  /** The secret parts as JSON, sealed as in `accounts/seal.ts`. */
  readonly sealed: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  readonly updatedAt: number
}

/** Limits the calls of a key. An undefined list allows all; an empty one allows none. */
export interface KeyPolicy {
  readonly keyId: string
  /** Vendors and APIs form one list: a call must match an entry of either. */
  readonly vendorIds: readonly number[] | undefined
  readonly apiIds: readonly number[] | undefined
  /** Upper case. */
  readonly methods: readonly string[] | undefined
  /** Calls per day (UTC); undefined: not limited. */
  readonly dailyBudget: number | undefined
  /** Milliseconds since the epoch. */
  readonly updatedAt: number
}

/** An audit record of one call through the gateway. */
export interface CallRecord {
  /** Empty if no API key was used. */
  readonly keyId: string
  /** Type of the caller; `unknown` for calls of earlier versions, which did not store it. */
  readonly source: CallSource | 'unknown'
  /** Name of the calling program, as it says itself; empty if it does not. */
  readonly client: string
  /** Numeric ID. */
  readonly endpointId: number
  /** Short ID. */
  readonly endpoint: string
  readonly apiId: number
  /** Upper case, as sent. */
  readonly method: string
  /** Target origin, without path and query; empty if nothing was sent. */
  readonly origin: string
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  /** Status returned to the caller. */
  readonly status: number
  /**
   * Code of the gateway's own failure (`target_timeout`), `aborted` if the caller left,
   * `caller_too_slow` if it did not read the response in time, or empty.
   */
  readonly failure: string
  /** Size of the response body, as transferred. */
  readonly bytes: number
  /** Until the end of the body. */
  readonly ms: number
}

/** A recorded response. */
export interface Recording {
  readonly id: string
  readonly endpointId: number
  /** Short ID. */
  readonly endpoint: string
  readonly apiId: number
  /** Milliseconds since the epoch. */
  readonly recordedAt: number
  readonly status: number
  /** Redacted: the passed headers, then the security headers. */
  readonly headers: readonly HeaderLine[]
  /** Without parameters, lower case; empty if the target sent none. */
  readonly mediaType: string
  /** Decoded, redacted and truncated at the limit; undefined if it is not text. */
  readonly body: string | undefined
  readonly isTruncated: boolean
}

/** An endpoint's example response and metadata, published from a recording by an administrator. */
export interface PublishedResponse extends Omit<Recording, 'id' | 'recordedAt' | 'isTruncated'> {
  /** Milliseconds since the epoch. */
  readonly publishedAt: number
}
