import { isInComment } from '../model/comments.ts'
import type { SourceFile } from '../model/finding.ts'
import type { Language } from '../model/language.ts'
import { anyOf } from '../model/name-patterns.ts'

/**
 * Whether a text may contain a URL, a host, or a call of a client with a path. Other texts are not
 * parsed. URLs in comments and of licences don't count.
 */
export function mayContainApiUsage(file: SourceFile, language: Language): boolean {
  const { text } = file
  return (
    hasUrl(file) ||
    hasHost(file, language) ||
    language.mayContainCalls(text) ||
    NAMED_PATH.test(text) ||
    (hasClass(text) && EXTENDS.test(text) && DEFINES_PART.some((part) => part.test(text))) ||
    (CALL_WITH_PATH.test(text) && DESCRIBES_REQUEST.test(text))
  )
}

/** An argument with the name of a path: `endpoint: "/repos"`, `path = "/repos"`. */
const NAMED_PATH =
  /(?:[(,{]|\n)[ \t]{0,40}(?:endpoint|path|ur[il])(?::|[ \t]?=)[ \t]?[$@fr]{0,2}["'`]\/[\w{$]/

/** A search for strings is faster than a regular expression with several beginnings. */
function hasClass(text: string): boolean {
  return text.includes('class') || text.includes('extends')
}

/** A subclass that defines a path or a base: by a value, an argument or a method. */
const EXTENDS = /\bextends\s+[\w\\]|\bclass\s+\w+\s*(?:\(\s*\w|<\s*[A-Z]|:\s*[A-Z])/
const PART_NAME = anyOf`
  [uU][rR][lLiI] [eE]ndpoint [pP]ath [rR]esource [bB]ase [hH]ost [aA]ddress
`
const PART_START = String.raw`\([^)'"\n]{0,40}|=>?\s*|\([^()'"\n]{0,60}\)[\s\w:?>{-]{0,60}\breturn\s+f?|\n\s*`
const DEFINES_PART: readonly RegExp[] = [
  new RegExp(`${PART_NAME}\\w{0,20}\\s*(?:${PART_START})['"\`]`),
  /\b(?:super|__construct|__init__)\(\s*['"`]/,
]

const CALL_WITH_PATH = /\(\s*['"]\/\w/

/** An object that is constructed with a path. */
const DESCRIBES_REQUEST =
  /\b[A-Z]\w*(?:Config|Request|Endpoint|Api|API|Call|Operation|Resource|Method)(?:\.new)?\(\s*['"]\/\w/

/** Maximum number of URLs or hosts that are checked; texts with more are parsed. */
const MAX_PLACES = 300

function hasUrl(file: SourceFile): boolean {
  const { text } = file
  let places = 0
  for (let at = text.indexOf('://'); at >= 0; at = text.indexOf('://', at + 3)) {
    places += 1
    if (places > MAX_PLACES) return true
    KNOWN_NOISE.lastIndex = at + 3
    if (!KNOWN_NOISE.test(text) && !isInComment(file, at)) return true
  }
  return false
}

const KNOWN_NOISE = new RegExp(
  String.raw`(?:www\.)?${anyOf`
    apache\.org\/licenses gnu\.org\/ opensource\.org mozilla\.org\/MPL creativecommons\.org w3\.org
    json-schema\.org schemas\. localhost 127\.0\.0\.1 0\.0\.0\.0
  `}`,
  'y',
)

/** A quoted host under a common suffix of API hosts. */
const HOST =
  /['"`][\w-]+(?:\.[\w-]+)*\.(?:com|io|net|org|dev|ai|app|co|cloud|gov|eu|us|de|uk)(?=['"`/:?])/g

function hasHost(file: SourceFile, language: Language): boolean {
  const { text } = file
  let places = 0
  for (const match of text.matchAll(HOST)) {
    places += 1
    if (places > MAX_PLACES) return true
    if (language.family === 'go' && isGoImport(text, match.index)) continue
    if (!isInComment(file, match.index)) return true
  }
  return false
}

/** `"github.com/a/b"` alone in its line, with or without a name. */
function isGoImport(text: string, index: number): boolean {
  const end = text.indexOf('\n', index)
  const line = text.slice(startOfLine(text, index), end < 0 ? text.length : end)
  return /^\s*(?:import\s+)?(?:[\w.]+\s+)?"[^"]*"\s*(?:\/\/.*)?$/.test(line)
}

function startOfLine(text: string, index: number): number {
  return text.lastIndexOf('\n', index) + 1
}
