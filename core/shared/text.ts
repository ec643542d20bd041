/** Maximum length of folded names and other keys: every storage can index it in any script. */
export const MAX_NAME_LENGTH = 500

/**
 * Folds a name for comparison: NFKC, lower case, without accents, white space collapsed and
 * trimmed.
 *
 * @example
 * ```ts
 * import { foldName } from 'api-discovery/storage'
 *
 * foldName(' Café  Zürich') // 'cafe zurich'
 * ```
 */
export function foldName(text: string): string {
  return foldCharacters(text).replace(/\s+/g, ' ').trim()
}

/** Truncates a text to `max` code units, without half a character at the end. */
export function truncateText(text: string, max: number): string {
  return text.slice(0, max).replace(/[\ud800-\udbff]$/, '')
}

/** Formats a count with its noun: `1 request`, `5 requests`. */
export function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** Formats a location in code: `src/pay.ts:12`. */
export function formatCodeLocation(location: {
  readonly file: string
  readonly line?: number | undefined
}): string {
  const { file, line } = location
  return line === undefined ? file : `${file}:${line}`
}

/** The words of one run of letters and digits. */
export interface RunTokens {
  /** Folded, in order: get, user, by, id for `getUserByID`; oauth2, oauth for `oauth2`. */
  readonly parts: readonly string[]
  /** The whole folded run, if it was split into parts: gotomeeting for `GoToMeeting`. */
  readonly whole: string | undefined
}

/**
 * Splits a text into folded words, in order, with repetitions. Runs of letters and digits are split
 * at case changes. Scripts without spaces yield overlapping pairs of characters.
 */
export function toTokens(text: string): string[] {
  const tokens: string[] = []
  for (const chunk of findWordRuns(text))
    for (const part of splitWordRun(chunk).parts) tokens.push(part)
  return tokens
}

/** Finds the runs of letters and digits of a text, without a possessive `'s`. */
export function findWordRuns(text: string): readonly string[] {
  const isSimple = !/[^ -~\s]/.test(text) && !text.includes("'s")
  return text.match(isSimple ? ASCII_CHUNK : CHUNK) ?? []
}

/** Splits one run of letters and digits into folded words of at most 40 characters. */
export function splitWordRun(chunk: string): RunTokens {
  if (!ASCII.test(chunk)) return splitNonAsciiRun(chunk)
  if (PLAIN.test(chunk)) return { parts: [truncateToken(chunk.toLowerCase())], whole: undefined }
  const parts: string[] = []
  if (ONE_CASE.test(chunk)) {
    addWithLetterRuns(parts, chunk.toLowerCase())
    return { parts, whole: undefined }
  }
  let pending = ''
  for (const piece of chunk.match(WORD_PART) ?? []) {
    const part = pending + piece.toLowerCase()
    const isInitial = part.length === 1 && /[a-z]/.test(part)
    pending = isInitial ? part : ''
    if (!isInitial) addWithLetterRuns(parts, part)
  }
  if (pending !== '') parts.push(pending)
  const whole = parts.length > 1 ? truncateToken(chunk.toLowerCase()) : undefined
  return { parts, whole: whole === parts[0] ? undefined : whole }
}

/**
 * Compares texts by code points, as UTF-8 does and `<` does not.
 *
 * @example
 * ```ts
 * import { compareCodePoints } from 'api-discovery/storage'
 *
 * compareCodePoints('a', 'b') < 0 // true
 * ```
 */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at += 1) {
    const left = a.charCodeAt(at)
    const right = b.charCodeAt(at)
    if (left !== right) return rankCodeUnit(left) - rankCodeUnit(right)
  }
  return a.length - b.length
}

const MAX_LENGTH = 40
const ASCII_CHUNK = /[A-Za-z0-9]+/g
const CHUNK = /(?<!['’](?=s(?![\p{L}\p{N}])))[\p{L}\p{N}\p{M}]+/gu
const ASCII = /^[A-Za-z0-9]+$/
const PLAIN = /^(?:[A-Z]+|[A-Z]?[a-z]+|[0-9]+)$/
const ONE_CASE = /^(?:[A-Z0-9]+|[a-z0-9]+)$/
/**
 * Acronyms with plural s, acronyms up to the next capitalised word, words; digits stay attached.
 */
const WORD_PART = /[A-Z]{2,}s(?![a-z])\d*|[A-Z]+(?![a-z])\d*|\d*[A-Z]?[a-z]+\d*|[A-Z]\d*|\d+/g
/** Scripts written without spaces between words. */
const UNSPACED =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー]+|[^\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー]+/gu
const IS_UNSPACED =
  /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー]/u

function foldCharacters(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mn}+/gu, '')
    .toLowerCase()
    .normalize('NFKC')
}

function truncateToken(token: string): string {
  return token.length <= MAX_LENGTH ? token : truncateText(token, MAX_LENGTH)
}

/** Adds the letters of a part with digits as words of their own. */
function addWithLetterRuns(parts: string[], part: string): void {
  parts.push(truncateToken(part))
  if (!/\d/.test(part)) return
  for (const run of part.match(/[a-z]{3,}/g) ?? []) parts.push(truncateToken(run))
}

function splitNonAsciiRun(chunk: string): RunTokens {
  const parts: string[] = []
  for (const run of foldCharacters(chunk).match(UNSPACED) ?? []) {
    if (IS_UNSPACED.test(run)) for (const pair of toPairs(run)) parts.push(pair)
    else for (const word of run.match(/[\p{L}\p{N}]+/gu) ?? []) parts.push(truncateToken(word))
  }
  return { parts, whole: undefined }
}

function toPairs(run: string): readonly string[] {
  const characters = [...run]
  if (characters.length < 3) return [run]
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`)
}

/** Ranks surrogates, halves of characters beyond the first plane, after all other code units. */
function rankCodeUnit(unit: number): number {
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit
}
