import { ServiceError } from '../../errors.ts'
import { ALIAS, toAlias } from '../aliases.ts'
import { splitWords } from '../index/words.ts'

/** A parsed search term; a record must match all of it. */
export interface SearchTerm {
  /** Lower case, single spaces, no operator characters. */
  readonly processed: string
  /** Folded and distinct, including the words of phrases. */
  readonly words: readonly string[]
  /** Words that must follow each other within one field: two or more each. */
  readonly phrases: readonly (readonly string[])[]
  /** Such as `CVE-2021-44228` or `GHSA-jfh8-c2jp-5v3q`, spelled like these; distinct. */
  readonly ids: readonly string[]
}

/** Limit on the words of a term, including those of phrases; an ID counts as one. */
const MAX_TERM_WORDS = 16
/** Limit on the characters (code points) of a term. */
const MAX_TERM_LENGTH = 256

/**
 * Parses a search term: words, `"phrases"` (an unclosed one extends to the end), and IDs of CVEs
 * and their aliases, which are phrases if quoted. Nothing else has a meaning: the operators of search engines only separate
 * words. Contract 4.7. Throws a `ServiceError` with code `invalid_input` if `findTermIssue` finds
 * an issue.
 */
export function parseTerm(term: string): SearchTerm {
  const read = parseTermOrIssue(term)
  if (typeof read !== 'string') return read
  throw new ServiceError('invalid_input', `search_term ${read}`, {
    issues: [{ in: 'body', name: 'search_term', message: read }],
  })
}

/**
 * Explains why a term is invalid: it is too long, has too many words, or none. Undefined if it is
 * valid.
 */
export function findTermIssue(term: string): string | undefined {
  const read = parseTermOrIssue(term)
  return typeof read === 'string' ? read : undefined
}

/** Parses a term; returns a string with the reason if it is invalid. */
function parseTermOrIssue(term: string): SearchTerm | string {
  // A code point has at most two code units.
  if (term.length > MAX_TERM_LENGTH && [...term].length > MAX_TERM_LENGTH) {
    return `must be at most ${MAX_TERM_LENGTH} characters long`
  }
  const parts = term.split('"')
  const ids: string[] = []
  const words: string[] = []
  const phrases: (readonly string[])[] = []
  for (const [index, part] of parts.entries()) {
    const isQuoted = index % 2 === 1
    if (!isQuoted) {
      for (const [id] of part.matchAll(CVE_ID)) ids.push(id.toUpperCase())
      for (const [id] of part.matchAll(ALIAS)) ids.push(toAlias(id))
    }
    const plain = isQuoted ? part : part.replace(CVE_ID, ' ').replace(ALIAS, ' ')
    const found = splitWords(plain)
    words.push(...found)
    if (isQuoted && found.length > 1) phrases.push(found)
  }
  const count = words.length + ids.length
  if (count === 0) return 'must contain at least one letter or digit'
  if (count > MAX_TERM_WORDS) return `must contain at most ${MAX_TERM_WORDS} words`
  return {
    processed: term.replace(OPERATORS, ' ').replace(/\s+/g, ' ').trim().toLowerCase(),
    words: [...new Set(words)],
    phrases,
    ids: [...new Set(ids)],
  }
}

/** Operators of FTS5, tsquery and web searches, control characters and unpaired surrogates. */
const OPERATORS = /[\p{Cc}\p{Cs}"*():^+<>=!&|~{}[\]\\;]/gu
/** Not part of a longer name, such as `CVE-2021-44228-fix` or `x_CVE-2021-44228`. */
const CVE_ID = /(?<![\p{L}\p{N}][-_.]?|_)CVE-\d{4}-\d{4,9}(?![-_.]?[\p{L}\p{N}]|_)/giu
