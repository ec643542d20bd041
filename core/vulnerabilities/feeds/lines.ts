/** A line of text. */
export interface Line {
  /** Starts at 1. */
  readonly number: number
  /** Without its line break; undefined if it is too long. */
  readonly text: string | undefined
}

/**
 * Splits UTF-8 text into lines, one batch per chunk. Chunks may be split anywhere. Memory is
 * bounded by the chunk size; a line longer than `maxLength` characters is discarded.
 */
export async function* readLines(
  bytes: AsyncIterable<Uint8Array>,
  maxLength: number,
): AsyncIterable<readonly Line[]> {
  const decoder = new TextDecoder()
  let number = 0
  let rest = ''
  const toLine = (text: string): Line => {
    number += 1
    if (text.length > maxLength) return { number, text: undefined }
    return { number, text: text.endsWith('\r') ? text.slice(0, -1) : text }
  }
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length; at += MAX_CHUNK_BYTES) {
      const text = rest + decoder.decode(chunk.subarray(at, at + MAX_CHUNK_BYTES), { stream: true })
      const lines: Line[] = []
      let start = 0
      for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
        lines.push(toLine(text.slice(start, end)))
        start = end + 1
      }
      // Slightly more than the limit suffices to detect a line that is too long.
      rest = text.slice(start, start + maxLength + 2)
      if (lines.length > 0) yield lines
    }
  }
  rest += decoder.decode()
  if (rest !== '') yield [toLine(rest)]
}

const MAX_CHUNK_BYTES = 256 * 1024
