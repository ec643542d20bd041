import process from 'node:process'
import { styleText } from 'node:util'
import { giveWay } from './priority.ts'
import { toReason } from './reasons.ts'

/** Where a command writes: results on one stream, everything else on the other. */
export interface Io {
  /** A line of result on standard output. */
  result(line: string): void
  /**
   * Bytes of result on standard output. Resolves when more can be taken, or none: its reader has
   * gone, or the disk is full.
   */
  write(bytes: Uint8Array): Promise<'ready' | 'gone'>
  /** A line of progress or explanation on standard error. */
  note(line: string): void
  /** Rewrites the line of progress where standard error is a terminal; `undefined` clears it. */
  status(line: string | undefined): void
  /** Whether standard error is a terminal. */
  readonly isInteractive: boolean
  /** The terminal that standard output is; undefined for a pipe or a file. */
  readonly terminal: Terminal | undefined
  /** Bytes of standard input. */
  readInput(): Promise<Uint8Array>
  /** Bytes of standard input as they come. */
  input(): AsyncIterable<Uint8Array>
  /** Lets other processes go first from now on, where the system permits it. */
  giveWay(): void
  readonly environment: Readonly<Record<string, string | undefined>>
  /** How the program is started here: `npm run -s cli --` in the repository; its name when absent. */
  readonly program?: string
  /** Rewrites the commands of a text so that they work here; unchanged when absent. */
  showCommands?(text: string): string
}

/** What a terminal can show. */
export interface Terminal {
  /** Characters in a line. */
  readonly columns: number
  /** Colours are wanted: `NO_COLOR` is absent. */
  readonly hasColors: boolean
}

/** What a command gets: the streams, and a way to say that its work did not succeed. */
export interface CommandIo extends Io {
  /** Makes the exit code 1, or another one, although the command ends in order. */
  setFailed(code?: number): void
}

/**
 * The process's own streams and environment. A reader that has seen enough is no failure; a full
 * disk is one: it is told, and makes the exit code 1.
 */
export function createProcessIo(program?: string): Io {
  process.stdout.on('error', tellFailure)
  // Who cannot be told is not told: a log that takes no more must not end a server.
  process.stderr.on('error', () => {})
  const isInteractive = process.stderr.isTTY === true
  return {
    ...(program === undefined ? {} : { program }),
    isInteractive,
    terminal: findTerminal(),
    environment: process.env,
    result: (line) => void process.stdout.write(`${line}\n`),
    write: (bytes) =>
      new Promise((resolve) => {
        process.stdout.write(bytes, (error) => resolve(error ? 'gone' : 'ready'))
      }),
    note: (line) => void process.stderr.write(`${line}\n`),
    status(line) {
      if (isInteractive) process.stderr.write(`\r\u001b[2K${line ?? ''}`)
    },
    async readInput() {
      const chunks: Uint8Array[] = []
      for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array)
      return new Uint8Array(Buffer.concat(chunks))
    },
    // Without an encoding a stream gives bytes.
    input: () => process.stdin as AsyncIterable<Uint8Array>,
    giveWay,
  }
}

function findTerminal(): Terminal | undefined {
  const { stdout, env } = process
  if (!stdout.isTTY) return undefined
  return { columns: stdout.columns || 80, hasColors: !env.NO_COLOR && env.TERM !== 'dumb' }
}

function tellFailure(error: Error & { readonly code?: string }): void {
  if (error.code === 'EPIPE') return
  process.stderr.write(`Cannot write to standard output: ${toReason(error)}\n`)
  process.exitCode ||= 1
}

export type Color = 'red' | 'magenta' | 'yellow' | 'green'

/** Text in a colour; undefined leaves it as it is. */
export interface Painted {
  readonly text: string
  readonly color: Color | undefined
}

/** The text, made printable, with the codes that colour it on a terminal. */
export function paint({ text, color }: Painted): string {
  const shown = toPrintable(text)
  return color === undefined ? shown : styleText(color, shown, { validateStream: false })
}

type Cell = string | number | Painted

/** Spaces between two columns of a table. */
export const GAP = 2

/** Characters in the longest line of the table. */
export function measureTable(
  headings: readonly string[],
  rows: readonly (readonly Cell[])[],
): number {
  const widths = findWidths([headings, ...rows])
  return widths.reduce((sum, width) => sum + width, (widths.length - 1) * GAP)
}

/** Rows under headings, columns aligned with spaces; control characters are shown escaped. */
export function toTable(headings: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const all = [headings, ...rows]
  const widths = findWidths(all)
  const lines = all.map((row) =>
    row
      .map((cell, column) => {
        const text = toCellText(cell)
        const shown = typeof cell === 'object' ? paint(cell) : text
        return shown + ' '.repeat((widths[column] ?? 0) - [...text].length)
      })
      .join(' '.repeat(GAP))
      .trimEnd(),
  )
  const [first = '', ...rest] = lines
  return [styleText('bold', first, { stream: process.stdout }), ...rest].join('\n')
}

/** Of each column, by the first row. */
function findWidths(rows: readonly (readonly Cell[])[]): readonly number[] {
  return (rows[0] ?? []).map((_, column) =>
    rows.reduce((most, row) => Math.max(most, [...toCellText(row[column] ?? '')].length), 0),
  )
}

function toCellText(cell: Cell): string {
  return toPrintable(typeof cell === 'object' ? cell.text : String(cell))
}

/** At most so many characters, the last an ellipsis where some are left out. */
export function shorten(text: string, length: number): string {
  const characters = [...text]
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`
}

/**
 * Text from elsewhere in one line, without what a terminal obeys: control characters, and those
 * that change the direction of writing.
 */
export function toPrintable(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\p{Cc}\p{Bidi_Control}]/gu, (character) => {
    const code = character.charCodeAt(0).toString(16)
    return code.length > 2 ? `\\u${code.padStart(4, '0')}` : `\\x${code.padStart(2, '0')}`
  })
}

/** `1 endpoint`, `2 endpoints`. */
export function toCount(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
