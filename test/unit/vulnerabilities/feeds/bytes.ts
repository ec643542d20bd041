/** Splits the bytes of a text into chunks of these sizes; the last size repeats. */
export async function* toChunks(
  content: string | Uint8Array,
  sizes: readonly number[] = [content.length],
): AsyncIterable<Uint8Array> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  let at = 0
  for (let index = 0; at < bytes.length; index += 1) {
    const size = Math.max(1, sizes[Math.min(index, sizes.length - 1)] ?? bytes.length)
    yield bytes.subarray(at, at + size)
    at += size
  }
}

/** Collects all values of a source, and the error that ended it. */
export async function collectUntilError<T>(
  items: AsyncIterable<T>,
): Promise<{ readonly items: readonly T[]; readonly error: string | undefined }> {
  const found: T[] = []
  try {
    for await (const item of items) found.push(item)
    return { items: found, error: undefined }
  } catch (error) {
    return { items: found, error: error instanceof Error ? error.message : String(error) }
  }
}
