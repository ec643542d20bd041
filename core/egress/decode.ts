/**
 * Undoes the encodings of a body: the port through which recordings are read. Undefined when that
 * cannot be done: an encoding that is not known, broken data, or more than the limits allow.
 */
export type Decode = (bytes: Uint8Array, options: DecodeOptions) => Promise<Uint8Array | undefined>

export interface DecodeOptions {
  /** Of `content-encoding`, in its order: the last one is undone first. */
  readonly encodings: readonly string[]
  /** Of what comes out. */
  readonly maxBytes: number
  /** How many times as much may come out as went in. */
  readonly maxRatio: number
}

/** The encodings that a `content-encoding` header names; empty when there is none. */
export function parseEncodings(header: string | undefined): readonly string[] {
  const names = (header ?? '').split(',').map((name) => name.trim().toLowerCase())
  return names.filter((name) => name !== '' && name !== 'identity')
}
