import process from 'node:process'
import { styleText } from 'node:util'

/** Where a command writes: results on one stream, everything else on the other. */
export interface Io {
  /** A line of result on standard output. */
  result(line: string): void
  /** A line of progress or explanation on standard error. */
  note(line: string): void
  /** Rewrites the line of progress where standard error is a terminal; `undefined` clears it. */
  status(line: string | undefined): void
  /** Whether standard error is a terminal. */
  readonly isInteractive: boolean
  /** Bytes of standard input. */
  readInput(): Promise<Uint8Array>
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** What a command gets: the streams, and a way to say that its work did not succeed. */
export interface CommandIo extends Io {
  /** Makes the exit code 1, although the command ends in order. */
  setFailed(): void
}

/** The process's own streams and environment. A reader that has seen enough is no failure. */
export function createProcessIo(): Io {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', passOverClosedPipe)
  const isInteractive = process.stderr.isTTY === true
  return {
    isInteractive,
    environment: process.env,
    result: (line) => void process.stdout.write(`${line}\n`),
    note: (line) => void process.stderr.write(`${line}\n`),
    status(line) {
      if (isInteractive) process.stderr.write(`\r\u001b[2K${line ?? ''}`)
    },
    async readInput() {
      const chunks: Uint8Array[] = []
      for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array)
      return new Uint8Array(Buffer.concat(chunks))
    },
  }
}

function passOverClosedPipe(error: Error & { readonly code?: string }): void {
  if (error.code !== 'EPIPE') throw error
}

/** Rows under headings, columns aligned with spaces; control characters are shown escaped. */
export function toTable(
  headings: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const cells = [headings, ...rows].map((row) => row.map((cell) => toPrintable(String(cell))))
  const widths = headings.map((_, column) =>
    Math.max(...cells.map((row) => [...(row[column] ?? '')].length)),
  )
  const lines = cells.map((row) =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - [...cell].length))
      .join('  ')
      .trimEnd(),
  )
  const [first = '', ...rest] = lines
  return [styleText('bold', first, { stream: process.stdout }), ...rest].join('\n')
}

/** Text from elsewhere in one line, without terminal control sequences. */
export function toPrintable(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(
      /\p{Cc}/gu,
      (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
    )
}
