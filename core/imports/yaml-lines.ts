import type { ImportWarning } from './records.ts'
import {
  DEFICIENT_INDENTATION,
  findUnclosed,
  groupConsecutiveLines,
  INDENT,
  type YamlError,
  type YamlFault,
} from './yaml-errors.ts'

/**
 * A YAML text whose lines are indented further until it can be parsed; blank lines stay unchanged.
 */
export interface IndentedYaml {
  /** The text with `INDENT` before each non-blank line of `lines`. */
  source(): string
  /** Numbers of the indented lines, from 1, ascending. */
  lines(): readonly number[]
  /**
   * Indents lines according to the error of a failed parse of `source()`, or undoes some. Returns
   * false if that does not help or could change the meaning: at a document marker, or at a colon
   * separated from its key in brackets.
   */
  indent(error: YamlError): boolean
}

/**
 * Starts with the unchanged text. Lines that continue a quoted text or flow collection with too
 * little indentation are indented; their leading white space has no meaning. Indents the first
 * alone, then two, four and so on until the parse fails within them: there the quote or bracket
 * ends.
 */
export function createIndentedYaml(
  text: string,
  findReason: YamlFault['findReason'],
): IndentedYaml {
  const rows = text.split(/(?<=\n|\r(?!\n))/)
  let source = text
  let numbers: number[] = []
  /** The lines indented last: the first one, and the one after the last. */
  let batch = { first: 0, end: 0 }

  const rebuildSource = (next: number[]) => {
    numbers = next
    const indented = new Set(next)
    // A text may contain millions of blank lines, whose indentation has no meaning.
    const indent = (row: string) => (/[^ \t\r\n]/.test(row) ? INDENT + row : row)
    source = rows.map((row, at) => (indented.has(at + 1) ? indent(row) : row)).join('')
  }
  const isStop = (row: string) => /^(?:---|\.\.\.)(?:\s|$)/.test(row) || /^\s*:/.test(row)

  return {
    source: () => source,
    lines: () => numbers,
    indent(error) {
      const line = (error.mark?.line ?? 0) + 1
      if (line > batch.first && line < batch.end) {
        rebuildSource(numbers.filter((number) => number < line))
        batch = { first: 0, end: 0 }
        return true
      }
      if (!isIndentable({ error, source, lines: numbers, findReason })) return false
      const count = line === batch.end ? 2 * (batch.end - batch.first) : 1
      const added = [line]
      let end = line + 1
      for (; end <= rows.length; end += 1) {
        const row = rows[end - 1] ?? ''
        if (isStop(row) || (end >= line + count && row.trim() !== '')) break
        added.push(end)
      }
      batch = { first: line, end }
      rebuildSource([...numbers, ...added])
      return true
    },
  }
}

function isIndentable(fault: YamlFault): boolean {
  const { error, source, lines } = fault
  const { mark, reason } = error
  if (reason !== DEFICIENT_INDENTATION || !mark || mark.position >= source.length) return false
  if (lines.includes(mark.line + 1)) return false
  const start = mark.position - mark.column
  if (/^(?:---|\.\.\.)(?:\s|$)/.test(source.slice(start, start + 4))) return false
  const isColon = source[mark.position] === ':'
  return !isColon || findUnclosed(fault, mark.position)?.name !== 'bracket'
}

/** Creates one warning for each run of consecutive indented lines. */
export function createLineWarnings(lines: readonly number[]): readonly ImportWarning[] {
  return groupConsecutiveLines(lines).map(([first, last]) => {
    const subject = first === last ? `Line ${first} is` : `Lines ${first} to ${last} are`
    const message = `${subject} indented too little to continue quotes or brackets; parsed as part of them`
    return { pointer: '', message }
  })
}
