/** Concatenates chunks; returns a single one without copying. */
export function concatBytes(chunks: readonly Uint8Array[]): Uint8Array {
  const [only] = chunks
  return only && chunks.length === 1 ? only : concatBytesCopy(chunks)
}

/** Concatenates chunks into newly allocated memory. */
export function concatBytesCopy(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(chunks.reduce((sum, part) => sum + part.byteLength, 0))
  let offset = 0
  for (const part of chunks) {
    joined.set(part, offset)
    offset += part.byteLength
  }
  return joined
}
