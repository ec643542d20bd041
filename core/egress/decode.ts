/**
 * Decodes the content encodings of a recorded body. Returns undefined for an unknown encoding,
 * broken data or a result beyond the limits.
 */
export type Decode = (bytes: Uint8Array, options: DecodeOptions) => Promise<Uint8Array | undefined>

export interface DecodeOptions {
  /** From `content-encoding`, in its order: the last one is decoded first. */
  readonly encodings: readonly string[]
  /** Maximum size of the result. */
  readonly maxBytes: number
  /** Maximum ratio of output size to input size. */
  readonly maxRatio: number
}

/** Lists the encodings of a `content-encoding` header; empty without a header. */
export function parseEncodings(header: string | undefined): readonly string[] {
  const names = (header ?? '').split(',').map((name) => name.trim().toLowerCase())
  return names.filter((name) => name !== '' && name !== 'identity')
}
