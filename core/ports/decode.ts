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
