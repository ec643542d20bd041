import { ServiceError } from '../../http/problems.ts'
import { toWords } from '../index/words.ts'

/** What a search term asks for: a record must have all of it. */
export interface SearchTerm {
  /** As it was understood: lower case, single spaces, no operator characters. */
  readonly processed: string
  /** Folded, each once; those of the phrases too. */
  readonly words: readonly string[]
  /** Words that must follow each other within one field: two or more each. */
  readonly phrases: readonly (readonly string[])[]
  /** As in `CVE-2021-44228`; upper case, each once. */
  readonly ids: readonly string[]
}

/** Most words of a term, those of phrases counted, a CVE id as one. */
const MAX_TERM_WORDS = 16
/** Most characters (code points) of a term. */
const MAX_TERM_LENGTH = 256

/**
 * Reads a search term: words, `"phrases"` (one that is not closed goes to the end), and CVE ids,
 * which in quotes are phrases. Nothing else has a meaning: characters that search engines take for
 * operators only separate words. Contract 4.7. Throws a `ServiceError` of code `invalid_input` for
 * a term of which `findTermIssue` tells something.
 */
export function parseTerm(term: string): SearchTerm {
  const read = readTerm(term)
  if (typeof read !== 'string') return read
  throw new ServiceError('invalid_input', `search_term ${read}`, {
    issues: [{ in: 'body', name: 'search_term', message: read }],
  })
}

/** What is wrong with a term that is too long, has too many words, or none; else undefined. */
export function findTermIssue(term: string): string | undefined {
  const read = readTerm(term)
  return typeof read === 'string' ? read : undefined
}

/** The term, or what is wrong with it. */
function readTerm(term: string): SearchTerm | string {
  // A code point is at most two units.
  if (term.length > MAX_TERM_LENGTH && [...term].length > MAX_TERM_LENGTH) {
    return `must be at most ${MAX_TERM_LENGTH} characters long`
  }
  const parts = term.split('"')
  const ids: string[] = []
  const words: string[] = []
  const phrases: (readonly string[])[] = []
  for (const [index, part] of parts.entries()) {
    const isQuoted = index % 2 === 1
    if (!isQuoted) for (const [id] of part.matchAll(CVE_ID)) ids.push(id.toUpperCase())
    const found = toWords(isQuoted ? part : part.replace(CVE_ID, ' '))
    words.push(...found)
    if (isQuoted && found.length > 1) phrases.push(found)
  }
  const count = words.length + ids.length
  if (count === 0) return 'must hold at least one letter or digit'
  if (count > MAX_TERM_WORDS) return `must hold at most ${MAX_TERM_WORDS} words`
  return {
    processed: term.replace(OPERATORS, ' ').replace(/\s+/g, ' ').trim().toLowerCase(),
    words: [...new Set(words)],
    phrases,
    ids: [...new Set(ids)],
  }
}

/** What FTS5, tsquery and web searches take for operators, and what no text should hold. */
const OPERATORS = /[\p{Cc}\p{Cs}"*():^+<>=!&|~{}[\]\\;]/gu
/** Not within a longer name, such as `CVE-2021-44228-fix` or `x_CVE-2021-44228`. */
const CVE_ID = /(?<![\p{L}\p{N}][-_.]?|_)CVE-\d{4}-\d{4,9}(?![-_.]?[\p{L}\p{N}]|_)/giu
