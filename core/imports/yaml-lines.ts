import type { ImportWarning } from './records.ts'
import {
  DEFICIENT,
  findOpening,
  INDENT,
  toRuns,
  type YamlError,
  type YamlFault,
} from './yaml-refusals.ts'

/** A YAML text in which lines are indented until it can be parsed; blank lines stay as they are. */
export interface IndentedYaml {
  /** The text with `INDENT` before each of `lines` that is not blank. */
  source(): string
  /** Numbers of the indented lines, from 1, rising. */
  lines(): readonly number[]
  /**
   * Indents the lines that a failed parse of `source()` asks for, or fewer than before. False where
   * that does not help, or the meaning is in doubt: for a document marker, and for a key and its
   * colon on different lines in brackets.
   */
  indent(error: YamlError): boolean
}

/**
 * Starts with the text as it is. Of lines that continue a quoted text or a flow collection at a
 * lesser indentation, whose leading white space means nothing, the first is indented alone, then
 * two, four and so on until the parse fails within them: that is where the quote or bracket ends.
 */
export function createIndentedYaml(
  text: string,
  findReason: YamlFault['findReason'],
): IndentedYaml {
  const rows = text.split(/(?<=\n|\r(?!\n))/)
  let source = text
  let numbers: number[] = []
  /** Of the lines that were indented last: the first, and the one after them. */
  let batch = { first: 0, end: 0 }

  const build = (next: number[]) => {
    numbers = next
    const indented = new Set(next)
    // A text may hold millions of blank lines, and their indentation means nothing.
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
        build(numbers.filter((number) => number < line))
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
      build([...numbers, ...added])
      return true
    },
  }
}

function isIndentable(fault: YamlFault): boolean {
  const { error, source, lines } = fault
  const { mark, reason } = error
  if (reason !== DEFICIENT || !mark || mark.position >= source.length) return false
  if (lines.includes(mark.line + 1)) return false
  const start = mark.position - mark.column
  if (/^(?:---|\.\.\.)(?:\s|$)/.test(source.slice(start, start + 4))) return false
  const isColon = source[mark.position] === ':'
  return !isColon || findOpening(fault, mark.position)?.name !== 'bracket'
}

/** One warning for each run of lines that were indented. */
export function toLineWarnings(lines: readonly number[]): readonly ImportWarning[] {
  return toRuns(lines).map(([first, last]) => {
    const subject =
      first === last ? `line ${first} continues` : `lines ${first} to ${last} continue`
    const message = `${subject} quotes or brackets with too little indentation: read as part of them`
    return { pointer: '', message }
  })
}
