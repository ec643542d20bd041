/** A text reduced to the characters that all its spellings have in common. */
export interface Skeleton {
  /** ASCII letters and digits in lower case, also those that were escaped. */
  readonly text: string
  /** Start of each character in the source text. */
  readonly starts: Uint32Array
  /** End of each character in the source text. */
  readonly ends: Uint32Array
}

/**
 * Matches escapes of URLs, JSON and XML, including nested ones, and everything else that may be
 * escaped: all but ASCII letters and digits.
 */
const ESCAPE_OR_SEPARATOR =
  /%(?:25)*([0-9A-Fa-f]{2})|\\+(?:u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2}))?|&(?:amp;)*(?:#(\d{1,7})|#[xX]([0-9A-Fa-f]{1,6})|#\w{1,8}|[A-Za-z]{2,8});|[^A-Za-z0-9%\\&]+|[%&]/g

/** Reduces a text to its skeleton. All escaped forms of a text have the same skeleton. */
export function toSkeleton(text: string): Skeleton {
  const starts = new Uint32Array(text.length)
  const ends = new Uint32Array(text.length)
  const kept: string[] = []
  let length = 0
  let from = 0
  const keep = (end: number) => {
    for (let at = from; at < end; at += 1) {
      starts[length] = at
      ends[length] = at + 1
      length += 1
    }
    kept.push(text.slice(from, end))
  }
  for (const match of text.matchAll(ESCAPE_OR_SEPARATOR)) {
    const end = match.index + match[0].length
    keep(match.index)
    from = end
    const escaped = decodeEscape(match)
    if (!/^[A-Za-z0-9]$/.test(escaped)) continue
    starts[length] = match.index
    ends[length] = end
    length += 1
    kept.push(escaped)
  }
  keep(text.length)
  return { text: kept.join('').toLowerCase(), starts, ends }
}

/** Decodes an escape to its character; empty if the match is no escape. */
function decodeEscape(match: readonly (string | undefined)[]): string {
  const [, ofUrl, ofJson, ofScript, decimal, hex] = match
  const digits = ofUrl ?? ofJson ?? ofScript ?? hex
  if (digits !== undefined) return String.fromCharCode(Number.parseInt(digits, 16))
  return decimal === undefined ? '' : String.fromCharCode(Number(decimal))
}
