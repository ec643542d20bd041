/** Reads the first chunk, or more if it has fewer than `length` bytes. */
export async function readFirstBytes(
  source: AsyncIterator<Uint8Array>,
  length: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for (let found = 0; found < length; ) {
    const next = await source.next()
    if (next.done) break
    chunks.push(next.value)
    found += next.value.length
  }
  const [only] = chunks
  return only && chunks.length === 1 ? only : Buffer.concat(chunks)
}

/** Yields the first bytes again, then the rest of the source. */
export async function* prependBytes(
  first: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (first.length > 0) yield first
  yield* { [Symbol.asyncIterator]: () => rest }
}
