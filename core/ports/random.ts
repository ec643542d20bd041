/** Cryptographically strong random bytes. */
export type Random = (length: number) => Uint8Array
