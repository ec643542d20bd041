/** A value of a configuration file under its key. */
export interface ConfigEntry {
  /** Outermost first; items of lists have none of their own. */
  readonly keys: readonly string[]
  readonly value: string
  /** Where the value begins in the text. */
  readonly index: number
}

/** Gives the values of a text in a format, in its order; comments are none. Never throws. */
export type EntryReader = (text: string) => readonly ConfigEntry[]

/** Lines of a text with their indexes, without line ends. */
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

/** A value as written, without quotes, and without a comment that `#` begins after a blank. */
export function unquote(given: { readonly text: string; readonly index: number }): {
  readonly value: string
  readonly index: number
} {
  const lead = given.text.length - given.text.trimStart().length
  const text = given.text.slice(lead)
  const index = given.index + lead
  const quote = text[0]
  if (quote === '"' || quote === "'" || quote === '`') {
    const end = text.indexOf(quote, 1)
    return { value: text.slice(1, end < 0 ? text.length : end), index: index + 1 }
  }
  const comment = text.search(/\s[#;]/)
  return { value: (comment < 0 ? text : text.slice(0, comment)).trimEnd(), index }
}

/** Values of a list or map in one line: `[a, "b"]`, `{ url: x }`, `{ url = "x" }`. */
export function inlineEntries(given: {
  readonly keys: readonly string[]
  readonly text: string
  readonly index: number
}): readonly ConfigEntry[] {
  const parts = /(?:(["']?)([\w$.-]+)\1\s*[:=]\s*)?("[^"]*"|'[^']*'|[^\s,[\]{}"']+)/g
  return [...given.text.matchAll(parts)].map((match) => {
    const raw = match[3] ?? ''
    const at = given.index + match.index + match[0].length - raw.length
    const key = match[2]
    return {
      keys: key === undefined ? given.keys : [...given.keys, key],
      ...unquote({ text: raw, index: at }),
    }
  })
}
