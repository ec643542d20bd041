import { existsSync, readdirSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import process from 'node:process'
import { styleText } from 'node:util'
import { describeSystemError } from './system-errors.ts'

/** Input and output of a command: results and notes are written to separate streams. */
export interface Io {
  /** Writes a result line to standard output. */
  result(line: string): void
  /**
   * Writes result bytes to standard output. Resolves with `'ready'` when more can be written, or
   * with `'gone'` if the reader has closed the pipe or the disk is full.
   */
  write(bytes: Uint8Array): Promise<'ready' | 'gone'>
  /** Writes a line of progress or explanation to standard error. */
  note(line: string): void
  /** Redraws the progress line if standard error is a terminal; `undefined` clears it. */
  status(line: string | undefined): void
  /** Whether standard error is a terminal. */
  readonly isInteractive: boolean
  /** The terminal of standard output; undefined for a pipe or a file. */
  readonly terminal: Terminal | undefined
  /** Reads standard input to its end. */
  readInput(): Promise<Uint8Array>
  /** Streams standard input. */
  streamInput(): AsyncIterable<Uint8Array>
  /** Lowers the priority of this process, if the system permits it. */
  lowerPriority(): void
  readonly environment: Readonly<Record<string, string | undefined>>
  /** How the program was started, such as `npm run -s cli --` (default: its name). */
  readonly program?: string
  /** Folder that contains `.data` (default: the working directory). */
  readonly dataFolder?: string
  /** Rewrites commands in a text to start the program as `program` does; absent if unnecessary. */
  showCommands?(text: string): string
}

/** Capabilities of a terminal. */
export interface Terminal {
  /** Width in characters. */
  readonly columns: number
  /** False if `NO_COLOR` is set or `TERM` is `dumb`. */
  readonly hasColors: boolean
}

/** The `Io` of a command, which can also set the exit code. */
export interface CommandIo extends Io {
  /** Sets the exit code (default: 1) of a command that otherwise ends normally. */
  setFailed(code?: number): void
}

/**
 * Creates an `Io` from the streams and the environment of the process. A closed pipe is not an
 * error. Any other write failure, such as a full disk, is reported and sets the exit code to 1.
 */
export function createProcessIo(start: Pick<Io, 'program' | 'dataFolder'> = {}): Io {
  process.stdout.on('error', reportWriteFailure)
  // A log that cannot be written must not stop a server.
  process.stderr.on('error', () => {})
  const isInteractive = process.stderr.isTTY === true
  return {
    ...start,
    isInteractive,
    terminal: findTerminal(),
    environment: process.env,
    result: (line) => void process.stdout.write(`${line}\n`),
    write: (bytes) =>
      new Promise((resolve) => {
        process.stdout.write(bytes, (error) => resolve(error ? 'gone' : 'ready'))
      }),
    note: (line) => void process.stderr.write(`${wrapNote(line, process.stderr.columns)}\n`),
    status(line) {
      if (isInteractive) process.stderr.write(`\r\u001b[2K${line ?? ''}`)
    },
    async readInput() {
      const chunks: Uint8Array[] = []
      for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array)
      return new Uint8Array(Buffer.concat(chunks))
    },
    // Without an encoding, the stream yields bytes.
    streamInput: () => process.stdin as AsyncIterable<Uint8Array>,
    lowerPriority,
  }
}

/** Wraps the lines of a note between words; without a width, as for a pipe, it is returned as is. */
export function wrapNote(note: string, columns: number | undefined): string {
  if (!columns) return note
  return note
    .split('\n')
    .flatMap((line) => {
      const lines: string[] = []
      for (const word of line.split(/(?<=\S) /)) {
        const last = lines.at(-1)
        if (last === undefined || last.length + word.length >= columns) lines.push(word)
        else lines[lines.length - 1] = `${last} ${word}`
      }
      return lines
    })
    .join('\n')
}

function findTerminal(): Terminal | undefined {
  const { stdout, env } = process
  if (!stdout.isTTY) return undefined
  return { columns: stdout.columns || 80, hasColors: !env.NO_COLOR && env.TERM !== 'dumb' }
}

function reportWriteFailure(error: Error & { readonly code?: string }): void {
  if (error.code === 'EPIPE') return
  process.stderr.write(`Cannot write to standard output: ${describeSystemError(error)}\n`)
  process.exitCode ||= 1
}

export type Color = 'red' | 'magenta' | 'yellow' | 'green'

/** Text with an optional colour. */
export interface ColoredText {
  readonly text: string
  readonly color: Color | undefined
}

/** Makes text printable and adds the escape codes of its colour. */
export function paintText({ text, color }: ColoredText): string {
  const shown = toPrintable(text)
  return color === undefined ? shown : styleText(color, shown, { validateStream: false })
}

type TableCell = string | number | ColoredText

/** Width of the gap between table columns, in characters. */
export const COLUMN_GAP = 2

/** Measures the width of a table, in characters. */
export function measureTableWidth(
  headings: readonly string[],
  rows: readonly (readonly TableCell[])[],
): number {
  const widths = measureColumns([headings, ...rows])
  return widths.reduce((sum, width) => sum + width, (widths.length - 1) * COLUMN_GAP)
}

/** Formats a table with aligned columns. Escapes control characters. */
export function formatTable(
  headings: readonly string[],
  rows: readonly (readonly TableCell[])[],
): string {
  const all = [headings, ...rows]
  const widths = measureColumns(all)
  const lines = all.map((row) =>
    row
      .map((cell, column) => {
        const text = toCellText(cell)
        const shown = typeof cell === 'object' ? paintText(cell) : text
        return shown + ' '.repeat((widths[column] ?? 0) - [...text].length)
      })
      .join(' '.repeat(COLUMN_GAP))
      .trimEnd(),
  )
  const [first = '', ...rest] = lines
  return [styleText('bold', first, { stream: process.stdout }), ...rest].join('\n')
}

/** Returns the width of each column: the length of its longest cell. */
function measureColumns(rows: readonly (readonly TableCell[])[]): readonly number[] {
  return (rows[0] ?? []).map((_, column) =>
    rows.reduce((most, row) => Math.max(most, [...toCellText(row[column] ?? '')].length), 0),
  )
}

function toCellText(cell: TableCell): string {
  return toPrintable(typeof cell === 'object' ? cell.text : String(cell))
}

/** Prints aligned lines of a label and a value; `-` stands for an empty value. */
export function printLabelledRows(io: Io, rows: readonly (readonly string[])[]): void {
  const width = Math.max(...rows.map(([label = '']) => label.length))
  for (const [label = '', value = ''] of rows) {
    io.result(`${label.padEnd(width)}  ${toPrintable(value) || '-'}`)
  }
}

/** Truncates a string to at most `length` characters, including an ellipsis. */
export function truncate(text: string, length: number): string {
  const characters = [...text]
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`
}

/**
 * Makes untrusted text safe for a terminal: joins it to one line and escapes control characters and
 * bidirectional overrides.
 */
export function toPrintable(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\p{Cc}\p{Bidi_Control}]/gu, (character) => {
    const code = character.charCodeAt(0).toString(16)
    return code.length > 2 ? `\\u${code.padStart(4, '0')}` : `\\x${code.padStart(2, '0')}`
  })
}

/** Quotes an untrusted word for a shell, if necessary, and makes it safe for a terminal. */
export function quoteForShell(text: string): string {
  const shown = toPrintable(text)
  return /^[\w./:,@+-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", `'\\''`)}'`
}

/** Formats a count with its noun: `1 endpoint`, `2 endpoints`. */
export function formatCount(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

/**
 * Lowers the priority of this process, so that a long load does not slow down a server on the same
 * machine. Returns false if the system does not permit it.
 */
export function lowerPriority(): boolean {
  try {
    for (const thread of listThreads()) {
      setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL)
    }
    return true
  } catch {
    return false
  }
}

const THREADS_FOLDER = '/proc/self/task'

/** Lists thread IDs: on Linux each thread has its own priority. 0 is the process itself. */
function listThreads(): readonly number[] {
  return existsSync(THREADS_FOLDER) ? readdirSync(THREADS_FOLDER).map(Number) : [0]
}
