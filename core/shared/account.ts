/** What an API key may do. */
export const SCOPES = ['read', 'call', 'import', 'ingest', 'review', 'benchmark', 'admin'] as const

export type Scope = (typeof SCOPES)[number]

/** The caller's identity. Every repository method that reads account-owned rows takes one. */
export interface Account {
  /** Opaque, stable, never reused. */
  readonly id: string
  /** As the operator named it. */
  readonly name: string
}

/** From where calls come: with an API key, from the console, the command line, or a host's own code. */
export const CALL_SOURCES = ['key', 'console', 'command line', 'host'] as const

export type CallSource = (typeof CALL_SOURCES)[number]

/** An authenticated caller: whose call this is and what the key in use permits. */
export interface Caller {
  readonly account: Account
  readonly scopes: ReadonlySet<Scope>
  /** The key in use, for limits and audit; undefined when the host authenticates on its own. */
  readonly keyId?: string | undefined
  /** The person who acts, as decisions name them; what names the key stands there when undefined. */
  readonly person?: string | undefined
  /** From where it calls; `key` where undefined and a key is in use, else `host`. */
  readonly source?: CallSource | undefined
}
