import type { CommandIo, Terminal } from '../../adapters/cli/io.ts'
import { runCommandLine } from '../../adapters/cli/program.ts'

/** Output and exit code of a command line. */
export interface CommandOutcome {
  readonly code: number
  /** Lines on standard output. */
  readonly results: readonly string[]
  /** Lines on standard error. */
  readonly notes: readonly string[]
  /** Bytes on standard output besides the lines; undefined if there are none. */
  readonly bytes: Uint8Array | undefined
}

/** Runs a command line in this process with captured streams. */
export async function runCommand(
  words: readonly string[],
  given: {
    readonly environment?: Readonly<Record<string, string>>
    readonly input?: Uint8Array
    readonly terminal?: Terminal
    /** Command that started the program. */
    readonly program?: string
    readonly dataFolder?: string
  } = {},
): Promise<CommandOutcome> {
  const results: string[] = []
  const notes: string[] = []
  const pieces: Uint8Array[] = []
  const code = await runCommandLine(words, {
    isInteractive: false,
    ...(given.program === undefined ? {} : { program: given.program }),
    ...(given.dataFolder === undefined ? {} : { dataFolder: given.dataFolder }),
    terminal: given.terminal,
    environment: given.environment ?? {},
    result: (line) => void results.push(...line.split('\n')),
    note: (line) => void notes.push(...line.split('\n')),
    status: () => {},
    write: async (bytes) => {
      pieces.push(bytes)
      return 'ready'
    },
    readInput: async () => given.input ?? new Uint8Array(0),
    async *streamInput() {
      yield given.input ?? new Uint8Array(0)
    },
    lowerPriority() {},
  })
  return {
    code,
    results,
    notes,
    bytes: pieces.length > 0 ? new Uint8Array(Buffer.concat(pieces)) : undefined,
  }
}

/** An `Io` that discards all output. */
export const QUIET: CommandIo = {
  isInteractive: false,
  terminal: undefined,
  environment: {},
  result: () => {},
  note: () => {},
  status: () => {},
  write: async () => 'ready',
  readInput: async () => new Uint8Array(0),
  async *streamInput() {},
  lowerPriority() {},
  setFailed() {},
}
