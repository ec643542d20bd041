import { ServiceError } from '../errors.ts'
import { formatLocation, toSourceLocation } from './import-errors.ts'

/** White space to insert before a line; longer than the indentation of any real description. */
export const INDENT = ' '.repeat(200)

/** Reason of a parser failure, in the parser's words, and its position: line and column from 0. */
export interface YamlError {
  readonly reason: string
  readonly mark?: { readonly line: number; readonly column: number; readonly position: number }
}

/** A failed parse of a YAML text. */
export interface YamlFault {
  readonly error: YamlError
  /** The parsed text: the original with `INDENT` before each non-blank line of `lines`. */
  readonly source: string
  /** Line numbers from 1, ascending. */
  readonly lines: readonly number[]
  /**
   * Parses a truncated text and returns the error reason, which names the construct open at its
   * end.
   */
  readonly findReason: (text: string) => string
  /** True if the line could be indented, but too much text would be parsed again. */
  readonly isOverBudget?: boolean
}

/** The `cause` of an error that `isOverRereadBudget` recognises. */
const OVER_BUDGET = 'too much to parse again'

/** True if a text was rejected because too much of it would be parsed again. */
export function isOverRereadBudget(error: unknown): boolean {
  return error instanceof ServiceError && error.cause === OVER_BUDGET
}

/**
 * Creates the error for YAML that cannot be parsed, with the location and any unclosed quote or
 * bracket.
 */
export function createYamlError(fault: YamlFault): ServiceError {
  const { error, lines, isOverBudget = false } = fault
  const { mark, reason } = error
  const isBomb = isOverBudget || /exceeded max/.test(reason)
  const code = isBomb ? 'too_expensive' : 'invalid_description'
  const text = isOverBudget ? TOO_MANY : translateReason(fault)
  if (!mark) return new ServiceError(code, `Invalid YAML: ${text}`)
  const line = mark.line + 1
  const isIndented = lines.includes(line) && mark.column >= INDENT.length
  const place = { line, column: mark.column + 1 - (isIndented ? INDENT.length : 0) }
  const detail = `Invalid YAML: ${text} (${formatLocation(place)})${describeUnclosed(fault, line)}`
  return new ServiceError(code, detail, {
    extra: place,
    ...(isOverBudget && { cause: OVER_BUDGET }),
  })
}

/** js-yaml's reason for a line that continues quotes or brackets with too little indentation. */
export const DEFICIENT_INDENTATION = 'deficient indentation'
const UNEXPECTED_END = 'the text ends before a closing quote or bracket'
const TOO_MANY = 'too many lines are indented less than the quotes or brackets that they continue'

/** Plain words for reasons of js-yaml that use its own terms. */
const PLAIN_REASONS: ReadonlyMap<string, string> = new Map([
  [DEFICIENT_INDENTATION, 'the line continues quotes or brackets, but is indented less'],
  ['missed comma between flow collection entries', 'a comma or a closing bracket is missing'],
  ['unexpected end of the stream within a flow collection', UNEXPECTED_END],
  ['unexpected end of the stream within a double quoted scalar', UNEXPECTED_END],
  ['unexpected end of the stream within a single quoted scalar', UNEXPECTED_END],
])

function translateReason({ error: { mark, reason }, source }: YamlFault): string {
  const isAtEnd = mark !== undefined && mark.position >= source.trimEnd().length
  if (reason === DEFICIENT_INDENTATION && isAtEnd) return UNEXPECTED_END
  return PLAIN_REASONS.get(reason) ?? reason.slice(0, 200)
}

/**
 * Describes the construct open where the parser failed, or before the lines indented just before
 * it.
 */
function describeUnclosed(fault: YamlFault, line: number): string {
  const { error, source, lines } = fault
  const [first, last] = groupConsecutiveLines(lines).at(-1) ?? [0, 0]
  const isAfterRun = last > 0 && line - last <= 1
  const position = isAfterRun ? findLineStart(source, first) : error.mark?.position
  const isOfWords = /^(?:duplicat|exceeded|unknown)/.test(error.reason)
  if (position === undefined || isOfWords || !(isAfterRun || PLAIN_REASONS.has(error.reason)))
    return ''
  const opening = findUnclosed(fault, position)
  if (!opening) return ''
  const place = toSourceLocation(source, opening.offset)
  const column = place.column - (lines.includes(place.line) ? INDENT.length : 0)
  const sign = source[opening.offset]
  const next = isAfterRun ? first : line
  const isLast = position >= source.trimEnd().length || next === place.line
  const before = isLast ? '' : ` before line ${next}`
  return `; the ${opening.name} ${sign} at ${formatLocation({ ...place, column })} is not closed${before}`
}

/** Returns the quote or bracket that is open at an offset; undefined if there is none. */
export function findUnclosed(
  { source, findReason }: Pick<YamlFault, 'source' | 'findReason'>,
  end: number,
): { readonly name: 'quote' | 'bracket'; readonly offset: number } | undefined {
  const text = source.slice(0, end).trimEnd()
  const reason = findReason(text)
  if (reason.includes('quoted scalar')) {
    const quote = reason.includes('double') ? '"' : "'"
    let offset = text.lastIndexOf(quote)
    while (offset > 0 && isEscapedQuote(text, offset)) {
      offset = text.lastIndexOf(quote, offset - (quote === "'" ? 2 : 1))
    }
    return { name: 'quote', offset: Math.max(0, offset) }
  }
  if (!reason.includes('flow collection')) return undefined
  let depth = 0
  for (let offset = text.length - 1; offset >= 0; offset -= 1) {
    const sign = text[offset]
    if (sign === ']' || sign === '}') depth += 1
    if (sign !== '[' && sign !== '{') continue
    if (depth === 0) return { name: 'bracket', offset }
    depth -= 1
  }
  return undefined
}

/** True for a double quote after a backslash, or a single quote after another. */
function isEscapedQuote(text: string, offset: number): boolean {
  if (text[offset] === "'") return text[offset - 1] === "'"
  let start = offset
  while (text[start - 1] === '\\') start -= 1
  return (offset - start) % 2 === 1
}

function findLineStart(source: string, line: number): number {
  let start = 0
  for (let number = 1; number < line; number += 1) start = source.indexOf('\n', start) + 1
  return start
}

/** Returns the first and last number of each run of consecutive lines. */
export function groupConsecutiveLines(
  lines: readonly number[],
): readonly (readonly [first: number, last: number])[] {
  const runs: [number, number][] = []
  for (const line of lines) {
    const run = runs.at(-1)
    if (run && run[1] === line - 1) run[1] = line
    else runs.push([line, line])
  }
  return runs
}
