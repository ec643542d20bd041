/** A line of text. */
export interface Line {
  /** From 1. */
  readonly number: number
  /** Without its line break; undefined if the line is too long. */
  readonly text: string | undefined
}

/** Longer lines are not log lines. */
const MAX_CHARACTERS = 1 << 20

/** Splits UTF-8 bytes into lines, in one batch per chunk. Skips empty lines. */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
): AsyncIterable<readonly Line[]> {
  const decoder = new TextDecoder()
  let [rest, number, isTooLong] = ['', 0, false]
  const toLine = (text: string): readonly Line[] => {
    number += 1
    const wasTooLong = isTooLong || text.length > MAX_CHARACTERS
    isTooLong = false
    if (wasTooLong) return [{ number, text: undefined }]
    return text.trim() === '' ? [] : [{ number, text: text.trimEnd() }]
  }
  for await (const chunk of chunks) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = parts.pop() ?? ''
    yield parts.flatMap(toLine)
    if (rest.length <= MAX_CHARACTERS) continue
    isTooLong = true
    rest = ''
  }
  const last = rest + decoder.decode()
  if (last !== '' || isTooLong) yield toLine(last)
}
