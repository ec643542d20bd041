/** Permissions of an API key. */
export const SCOPES = ['read', 'call', 'import', 'ingest', 'review', 'benchmark', 'admin'] as const

export type Scope = (typeof SCOPES)[number]

/** The caller's identity. Every repository method that reads account-owned rows requires one. */
export interface Account {
  /** Opaque, stable, never reused. */
  readonly id: string
  /** Name chosen by the operator. */
  readonly name: string
}

/** Origin of calls: an API key, an agent, the console, the command line, or the host's own code. */
export const CALL_SOURCES = ['key', 'agent', 'console', 'command line', 'host'] as const

export type CallSource = (typeof CALL_SOURCES)[number]

/** An authenticated caller: its account and permissions. */
export interface Caller {
  readonly account: Account
  readonly scopes: ReadonlySet<Scope>
  /**
   * The API key in use, for limits and audit; undefined if the host authenticates by its own means.
   */
  readonly keyId?: string | undefined
  /** The acting user, as recorded in decisions. Default: the name of the key. */
  readonly userName?: string | undefined
  /** Default: `key` if a key is in use, else `host`. */
  readonly source?: CallSource | undefined
  /** Name of the calling program, as it says itself; at most 100 characters. */
  readonly client?: string | undefined
}
