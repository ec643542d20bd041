import type { Terminal } from '../../adapters/cli/io.ts'
import { runCommandLine } from '../../adapters/cli/program.ts'

/** What a command line wrote, and its exit code. */
export interface CommandOutcome {
  readonly code: number
  /** Lines on standard output. */
  readonly results: readonly string[]
  /** Lines on standard error. */
  readonly notes: readonly string[]
}

/** Runs one command line in this process over captured streams. */
export async function runCommand(
  words: readonly string[],
  given: {
    readonly environment?: Readonly<Record<string, string>>
    readonly input?: Uint8Array
    readonly terminal?: Terminal
  } = {},
): Promise<CommandOutcome> {
  const results: string[] = []
  const notes: string[] = []
  const code = await runCommandLine(words, {
    isInteractive: false,
    terminal: given.terminal,
    environment: given.environment ?? {},
    result: (line) => void results.push(...line.split('\n')),
    note: (line) => void notes.push(...line.split('\n')),
    status: () => {},
    readInput: async () => given.input ?? new Uint8Array(0),
    giveWay() {},
  })
  return { code, results, notes }
}
