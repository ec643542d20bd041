/** A value of a text with its keys. */
export interface Entry {
  /** Outermost first; items of lists have no keys. */
  readonly keys: readonly string[]
  /** Without quotes, with escapes as written. */
  readonly value: string
  /** Index of the value in the text. */
  readonly index: number
  /** Whether the value is a line of a YAML block or an item without a key: maybe an assignment. */
  readonly isLine?: true
  /** Whether the next value continues the line, in a block that folds its lines. */
  readonly isContinued?: true
  /** Whether the value stands in a step: an item of a YAML list, a statement of a Dockerfile. */
  readonly isStep?: true
  /** Whether the value is a line of a YAML block that begins with `#!`. */
  readonly isScript?: true
}

/** Reads the values of a format in the order of the text, without comments. Never throws. */
export type EntryReader = (text: string) => readonly Entry[]

/** Yields the lines of a text with their indexes, without line ends. */
export function* linesOf(
  text: string,
): Generator<{ readonly line: string; readonly start: number }> {
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start)
    const stop = end < 0 ? text.length : end
    yield { line: text.slice(start, stop).replace(/\r$/, ''), start }
    start = stop + 1
  }
}

/** Removes quotes, and the comment after a value without quotes: `#` unless stated otherwise. */
export function unquote(
  { text: written, index: start }: { readonly text: string; readonly index: number },
  comment = /\s#/,
): { readonly value: string; readonly index: number } {
  const text = written.trimStart()
  const index = start + written.length - text.length
  const quoted = /^(?:"((?:[^"\\]|\\.)*)|'([^']*)|`([^`]*))/s.exec(text)
  if (quoted) {
    return { value: quoted[1] ?? quoted[2] ?? quoted[3] ?? '', index: index + 1 }
  }
  const end = text.search(comment)
  return { value: (end < 0 ? text : text.slice(0, end)).trimEnd(), index }
}

/** Reads a list or map in one line: `[a, "b"]`, `{ url: x }`, `{ url = "x" }`. */
export function inlineEntries(line: {
  readonly keys: readonly string[]
  readonly text: string
  readonly index: number
}): readonly Entry[] {
  return [...line.text.matchAll(INLINE)].map((match) => {
    const [whole, , key, text = ''] = match
    const index = line.index + match.index + whole.length - text.length
    const keys = key === undefined ? line.keys : [...line.keys, key]
    return { keys, ...unquote({ text, index }) }
  })
}

const INLINE =
  /(?:(["']?)([\w$.-]+)\1\s*[:=](?!\/\/)\s*)?("(?:[^"\\]|\\.)*"|'[^']*'|[^\s,[\]{}"']+)/g
