/** Longer words are cut. The longest words in real records are SHA-512 in hexadecimal. */
export const MAX_WORD = 128

/**
 * Splits a text into words, in order and with repetitions: runs of letters and digits, with case
 * and accents folded. `log4j2` is one word; `2.0-beta9` is 2, 0 and beta9. Contract 4.7.
 */
export function splitWords(text: string): readonly string[] {
  if (!NOT_ASCII.test(text)) return cutWords(text.toLowerCase().match(ASCII_WORD) ?? [])
  const words: string[] = []
  for (const run of text.match(RUN) ?? []) {
    if (!NOT_ASCII.test(run)) words.push(run.toLowerCase())
    else for (const word of foldRun(run).match(WORD) ?? []) words.push(word)
  }
  return cutWords(words)
}

/** Folds the case of a name for comparisons. Names in CPEs are already in lower case. */
export function foldCase(text: string): string {
  return text.toLowerCase()
}

/** Returns the first `length` code units of a text, without half a surrogate pair at the end. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text
  const last = text.charCodeAt(length - 1)
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? length - 1 : length)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
const NOT_ASCII = /[^\u0000-\u007f]/
const ASCII_WORD = /[a-z0-9]+/g
/** Combining marks belong to the previous letter, because folding removes them. */
const RUN = /[\p{L}\p{N}\p{M}]+/gu
const WORD = /[\p{L}\p{N}]+/gu

function foldRun(run: string): string {
  return run
    .normalize('NFKD')
    .replace(/\p{Mn}+/gu, '')
    .toLowerCase()
    .normalize('NFKC')
}

function cutWords(words: readonly string[]): readonly string[] {
  for (const word of words) {
    if (word.length > MAX_WORD) return words.map((long) => cutText(long, MAX_WORD))
  }
  return words
}
