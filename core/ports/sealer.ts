/**
 * Binds a sealed text to its purpose, account and record. It can only be opened with the same
 * context.
 */
export interface SealContext {
  /** Purpose of the text, for example `api-key`. */
  readonly purpose: string
  readonly accountId: string
  readonly recordId: string
}

/** Encrypts short texts for storage. */
export interface Sealer {
  /** Returns ASCII text: `v1.<id of the secret>.<iv>.<ciphertext>`. */
  seal(text: string, context: SealContext): Promise<string>
  /** Rejects with `internal` if the text was modified, moved, or sealed with another secret. */
  open(sealed: string, context: SealContext): Promise<string>
  /** Seals again with the current secret; undefined if it already is. */
  rewrap(sealed: string, context: SealContext): Promise<string | undefined>
}
