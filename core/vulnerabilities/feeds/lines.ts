/** A line of a text. */
export interface Line {
  /** Counted from 1. */
  readonly number: number
  /** Without its end; undefined when it is longer than permitted. */
  readonly text: string | undefined
}

/**
 * The lines of UTF-8 text that comes in pieces, split anywhere, in one batch a piece. Memory is
 * that of a piece; of a line longer than `maxLength` characters nothing is kept.
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
    for (let at = 0; at < chunk.length; at += SLICE_BYTES) {
      const text = rest + decoder.decode(chunk.subarray(at, at + SLICE_BYTES), { stream: true })
      const lines: Line[] = []
      let start = 0
      for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
        lines.push(toLine(text.slice(start, end)))
        start = end + 1
      }
      // One character more than permitted still tells that the line is too long.
      rest = text.slice(start, start + maxLength + 2)
      if (lines.length > 0) yield lines
    }
  }
  rest += decoder.decode()
  if (rest !== '') yield [toLine(rest)]
}

const SLICE_BYTES = 256 * 1024
