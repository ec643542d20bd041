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

/** An authenticated caller: whose call this is and what the key in use permits. */
export interface Caller {
  readonly account: Account
  readonly scopes: ReadonlySet<Scope>
  /** The key in use, for limits and audit; undefined when the host authenticates on its own. */
  readonly keyId?: string | undefined
  /** The person who acts, as decisions name them; what names the key stands there when undefined. */
  readonly person?: string | undefined
}
