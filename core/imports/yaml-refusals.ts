import { ServiceError } from '../http/problems.ts'
import { describePlace, toPlace } from './refusals.ts'

/** Blanks that are put before a line; more than any description is indented. */
export const INDENT = ' '.repeat(200)

/** Why a parser failed, in its words, and where: line and column from 0. */
export interface YamlError {
  readonly reason: string
  readonly mark?: { readonly line: number; readonly column: number; readonly position: number }
}

/** A failed parse of a YAML text. */
export interface YamlFault {
  readonly error: YamlError
  /** What was parsed: the text with `INDENT` before each of `lines` that is not blank. */
  readonly source: string
  /** Numbers of lines, from 1, rising. */
  readonly lines: readonly number[]
  /** Parses a text that ends too early: the reason names what is open at its end. */
  readonly findReason: (text: string) => string
  /** True when the line could be indented, but too much would be parsed again. */
  readonly isOverBudget?: boolean
}

/** The cause of an error that `isOverBudget` describes. */
const OVER_BUDGET = 'too much to parse again'

/** Whether a text was refused because too much of it would be parsed again. */
export function isOverRereadBudget(error: unknown): boolean {
  return error instanceof ServiceError && error.cause === OVER_BUDGET
}

/** The error for a text that cannot be parsed, with its place and, where one is open, the quote or bracket. */
export function toYamlRefusal(fault: YamlFault): ServiceError {
  const { error, lines, isOverBudget = false } = fault
  const { mark, reason } = error
  const isBomb = isOverBudget || /exceeded max/.test(reason)
  const code = isBomb ? 'too_expensive' : 'invalid_description'
  const text = isOverBudget ? TOO_MANY : toPlainReason(fault)
  if (!mark) return new ServiceError(code, `Cannot read the YAML text: ${text}`)
  const line = mark.line + 1
  const isIndented = lines.includes(line) && mark.column >= INDENT.length
  const place = { line, column: mark.column + 1 - (isIndented ? INDENT.length : 0) }
  const detail = `Cannot read the YAML text: ${text} (${describePlace(place)})${describeOpening(fault, line)}`
  return new ServiceError(code, detail, {
    extra: place,
    ...(isOverBudget && { cause: OVER_BUDGET }),
  })
}

/** Why js-yaml refuses a line that continues quotes or brackets at a lesser indentation. */
export const DEFICIENT = 'deficient indentation'
const ENDS = 'the text ends before a closing quote or bracket'
const TOO_MANY = 'too many lines are indented less than the quotes or brackets that they continue'

/** Reasons of js-yaml that need its terms to be understood. */
const REASONS: ReadonlyMap<string, string> = new Map([
  [DEFICIENT, 'the line is indented less than the quotes or brackets that it continues'],
  ['missed comma between flow collection entries', 'a comma or a closing bracket is missing'],
  ['unexpected end of the stream within a flow collection', ENDS],
  ['unexpected end of the stream within a double quoted scalar', ENDS],
  ['unexpected end of the stream within a single quoted scalar', ENDS],
])

function toPlainReason({ error: { mark, reason }, source }: YamlFault): string {
  const isAtEnd = mark !== undefined && mark.position >= source.trimEnd().length
  if (reason === DEFICIENT && isAtEnd) return ENDS
  return REASONS.get(reason) ?? reason.slice(0, 200)
}

/** What was open where the parser failed, or before the lines that were indented just before. */
function describeOpening(fault: YamlFault, line: number): string {
  const { error, source, lines } = fault
  const [first, last] = toRuns(lines).at(-1) ?? [0, 0]
  const isAfterRun = last > 0 && line - last <= 1
  const position = isAfterRun ? findLineStart(source, first) : error.mark?.position
  const isOfWords = /^(?:duplicat|exceeded|unknown)/.test(error.reason)
  if (position === undefined || isOfWords || !(isAfterRun || REASONS.has(error.reason))) return ''
  const opening = findOpening(fault, position)
  if (!opening) return ''
  const place = toPlace(source, opening.offset)
  const column = place.column - (lines.includes(place.line) ? INDENT.length : 0)
  const sign = source[opening.offset]
  const next = isAfterRun ? first : line
  const isLast = position >= source.trimEnd().length || next === place.line
  const before = isLast ? '' : ` before line ${next}`
  return `; the ${opening.name} ${sign} at ${describePlace({ ...place, column })} is not closed${before}`
}

/** The quote or bracket that is open at an offset; undefined when none is. */
export function findOpening(
  { source, findReason }: Pick<YamlFault, 'source' | 'findReason'>,
  end: number,
): { readonly name: 'quote' | 'bracket'; readonly offset: number } | undefined {
  const text = source.slice(0, end).trimEnd()
  const reason = findReason(text)
  if (reason.includes('quoted scalar')) {
    const quote = reason.includes('double') ? '"' : "'"
    let offset = text.lastIndexOf(quote)
    while (offset > 0 && isEscaped(text, offset)) {
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

/** A double quote after a backslash, a single one after another. */
function isEscaped(text: string, offset: number): boolean {
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

/** First and last numbers of runs without a gap. */
export function toRuns(
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
