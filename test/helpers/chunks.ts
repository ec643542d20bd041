/** Decodes the chunks of a document. */
export async function readChunks(chunks: AsyncIterable<Uint8Array>): Promise<readonly string[]> {
  const decoder = new TextDecoder()
  const texts: string[] = []
  for await (const chunk of chunks) texts.push(decoder.decode(chunk, { stream: true }))
  return texts
}
