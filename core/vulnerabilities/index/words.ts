/** Longer words are cut: SHA-512 in hexadecimal is the longest that records mention. */
export const MAX_WORD = 128

/**
 * The words of a text in order, with repetitions: runs of letters and digits, case and accents
 * folded, each whole (`log4j2`, `2.0-beta9` gives 2, 0, beta9). Contract 4.7.
 */
export function toWords(text: string): readonly string[] {
  if (!NOT_ASCII.test(text)) return cutAll(text.toLowerCase().match(ASCII_WORD) ?? [])
  const words: string[] = []
  for (const run of text.match(RUN) ?? []) {
    if (!NOT_ASCII.test(run)) words.push(run.toLowerCase())
    else for (const word of fold(run).match(WORD) ?? []) words.push(word)
  }
  return cutAll(words)
}

/** A name for comparison, case aside. Names of CPEs are lower case as it is. */
export function foldCase(text: string): string {
  return text.toLowerCase()
}

/** The first `length` code units of a text, without half a character at the end. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text
  const last = text.charCodeAt(length - 1)
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? length - 1 : length)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
const NOT_ASCII = /[^\u0000-\u007f]/
const ASCII_WORD = /[a-z0-9]+/g
/** Marks belong to the letter before them, as they fold away. */
const RUN = /[\p{L}\p{N}\p{M}]+/gu
const WORD = /[\p{L}\p{N}]+/gu

function fold(run: string): string {
  return run
    .normalize('NFKD')
    .replace(/\p{Mn}+/gu, '')
    .toLowerCase()
    .normalize('NFKC')
}

function cutAll(words: readonly string[]): readonly string[] {
  for (const word of words) {
    if (word.length > MAX_WORD) return words.map((long) => cutText(long, MAX_WORD))
  }
  return words
}
