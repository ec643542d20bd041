import type { HeaderLine } from '../egress/egress.ts'
import type { CallSource } from '../shared/account.ts'

/**
 * How a credential goes into a call. Where the specification's `auth_types` have a word it is
 * theirs; `bearer` and `cookie` are ours.
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
  /** Whose calls it is for: of exactly one API, or of all APIs of a vendor. */
  readonly apiId: number | undefined
  readonly vendorId: number | undefined
  readonly kind: CredentialKind
  /** Of the header, cookie or parameter; empty for the kinds that need none. */
  readonly name: string
  /** The origins that the account confirmed, and nothing else: `https://api.example.com`. */
  readonly origins: readonly string[]
  /** Where an OAuth 2 access token is asked for; empty for other kinds. */
  readonly tokenUrl: string
  /** OAuth 2 scopes to ask for, separated by blanks, or empty. */
  readonly oauthScope: string
  /** The secret parts as JSON text in the envelope of `accounts/seal.ts`. */
  readonly sealed: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  readonly updatedAt: number
}

/** What a key may call. A list that is undefined allows any; an empty one allows none. */
export interface KeyPolicy {
  readonly keyId: string
  /** Vendors and APIs are one list: a call must be of one of either. */
  readonly vendorIds: readonly number[] | undefined
  readonly apiIds: readonly number[] | undefined
  /** Upper case. */
  readonly methods: readonly string[] | undefined
  /** Calls a day (UTC); undefined: not limited. */
  readonly dailyBudget: number | undefined
  /** Milliseconds since the epoch. */
  readonly updatedAt: number
}

/** One call through the gateway, as the audit keeps it. */
export interface CallRecord {
  /** Empty where no API key was used. */
  readonly keyId: string
  /** From where the call came; `unknown` for calls of versions that did not store it. */
  readonly source: CallSource | 'unknown'
  /** Numeric id. */
  readonly endpointId: number
  /** Short id. */
  readonly endpoint: string
  readonly apiId: number
  /** Upper case, as sent. */
  readonly method: string
  /** Where it went, without path and query; empty when nothing was sent. */
  readonly origin: string
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  /** What the caller was answered. */
  readonly status: number
  /**
   * The code of our own failure (`target_timeout`), `aborted` where the caller left,
   * `caller_too_slow` where it had not read the answer in time, or empty.
   */
  readonly failure: string
  /** Of the answer's body, as transferred. */
  readonly bytes: number
  /** To the end of the body. */
  readonly ms: number
}

/** An answer that a caller had kept. */
export interface Recording {
  readonly id: string
  readonly endpointId: number
  /** Short id. */
  readonly endpoint: string
  readonly apiId: number
  /** Milliseconds since the epoch. */
  readonly recordedAt: number
  readonly status: number
  /** Redacted: those that pass, then what the target tells browsers of its protection. */
  readonly headers: readonly HeaderLine[]
  /** Without parameters, lower case; empty when the target gave none. */
  readonly mediaType: string
  /** Decoded, redacted and cut at the cap; undefined when it cannot be read as text. */
  readonly body: string | undefined
  readonly isTruncated: boolean
}

/** What an administrator made of a recording: an endpoint's example response and its metadata. */
export interface PublishedAnswer extends Omit<Recording, 'id' | 'recordedAt' | 'isTruncated'> {
  /** Milliseconds since the epoch. */
  readonly publishedAt: number
}
