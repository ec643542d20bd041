import { Command, CommanderError, Help } from 'commander'
import { VERSION } from '../../core/version.ts'
import { addCommands } from './command-table.ts'
import { ENVIRONMENT } from './environment.ts'
import { CommandError, StoppedError, UsageError } from './errors.ts'
import type { CommandIo, Io } from './io.ts'
import { isOption, toMissingValue } from './missing-value.ts'
import { tellRefusal } from './refusal.ts'

/** Exit codes of the command line. */
const EXIT = { done: 0, failed: 1, usage: 2, stopped: 130 } as const

/**
 * Runs one command line. Resolves with its exit code: 0 done, 1 failed, 2 wrongly used, 3 when a scan
 * found what it was told to fail on or a policy is not kept, 4 or 5 when a called endpoint answered so, 130 stopped. Results go to standard output, everything else to standard error.
 */
export async function runCommandLine(words: readonly string[], io: Io): Promise<number> {
  const shown = showProgram(io)
  let code: number = EXIT.done
  const setFailed = (failed: number = EXIT.failed) => {
    code = failed
  }
  try {
    const program = await createProgram({ io: { ...shown, setFailed }, words })
    await program.parseAsync(toHelpOption(program, words), { from: 'user' })
    return code
  } catch (error) {
    return await reportFailure(error, shown)
  }
}

/** Creates the program with the commands that `words` name, or all of them. */
export async function createProgram({
  io,
  words,
}: {
  readonly io: CommandIo
  readonly words: readonly string[] | 'all'
}): Promise<Command> {
  const program = new Command(NAME)
    .description('Catalogue, search and serve descriptions of third-party APIs.')
    .version(VERSION, '-v, --version', 'print the version')
    .configureHelp({ subcommandTerm })
    .option('--database <address>', 'sqlite:FILE or postgres://… (API_DISCOVERY_DATABASE)')
    .option('--json', 'print results as JSON')
    .configureOutput({
      writeOut: (text) => io.result((io.showCommands?.(text) ?? text).trimEnd()),
      writeErr: (text) => io.note(text.trimEnd()),
    })
    .exitOverride()
    .enablePositionalOptions()
    .addHelpText(
      'after',
      '\nFirst steps:\n  api-discovery serve --seed\n  api-discovery import openapi.yaml --create-vendors\n  api-discovery search "weather forecast"',
    )
    .addHelpText('after', `\nEnvironment variables:\n${listEnvironment()}`)
  await addCommands(program, { io, words })
  acceptGlobalOptions(program, io)
  refuseOptionsAsValues(program, words === 'all' ? [] : words)
  return program
}

function listEnvironment(): string {
  const width = Math.max(...ENVIRONMENT.map(({ name }) => name.length))
  return ENVIRONMENT.map(({ name, description }) => `  ${name.padEnd(width)}  ${description}`).join(
    '\n',
  )
}

/** Global options may stand behind a command's words as well. */
function acceptGlobalOptions(program: Command, io: Io): void {
  for (const command of program.commands) {
    command
      .exitOverride((error) => {
        suggestOption(command, { error, io })
        throw error
      })
      .option('--database <address>', 'sqlite:FILE or postgres://…')
      .option('--json', 'print results as JSON')
    acceptGlobalOptions(command, io)
  }
}

/** Suggests options that contain an unknown one, which Commander's comparison misses. */
function suggestOption(
  { options }: Command,
  { error, io }: { readonly error: CommanderError; readonly io: Io },
): void {
  const [, typed] = /^error: unknown option '--([a-z-]+)'$/.exec(error.message) ?? []
  if (typed === undefined) return
  const names = options.flatMap(({ long }) => long ?? [])
  const similar = names.filter((name) => `${name}-`.includes(`-${typed}-`))
  if (similar.length === 0) return
  io.note(`(Did you mean ${similar.length > 1 ? 'one of ' : ''}${similar.join(', ')}?)`)
}

/** Writes `help scan project` as `scan project --help`: Commander's `help` reads one word. */
function toHelpOption(program: Command, words: readonly string[]): string[] {
  if (words[0] !== 'help') return [...words]
  const names = words.slice(1).filter((word) => !word.startsWith('-'))
  const path: string[] = []
  let command = program
  for (const name of names) {
    const next = command.commands.find((each) => each.name() === name)
    if (next) {
      command = next
      path.push(name)
      continue
    }
    const isGroup = command.commands.length > 0 && command.registeredArguments.length === 0
    // Commander refuses an unknown command with a suggestion.
    return [...path, isGroup ? name : '--help']
  }
  return [...path, '--help']
}

/** Commander takes any word after an option that needs a value as the value, also another option. */
function refuseOptionsAsValues(command: Command, words: readonly string[]): void {
  for (const option of command.options.filter(({ required }) => required)) {
    const flag = option.long ?? option.flags
    command.on(`option:${option.name()}`, (value: string) => {
      if (!isOption(value) || words.includes(`${flag}=${value}`)) return
      throw new UsageError(toMissingValue(flag, { next: value }))
    })
  }
  for (const each of command.commands) refuseOptionsAsValues(each, words)
}

/** Commands of the program are not loaded, and so known by name alone. */
function subcommandTerm(command: Command): string {
  return command.parent?.parent ? new Help().subcommandTerm(command) : command.name()
}

/** Writes commands in notes and help as the program was started: `npm run -s cli -- scan project .`. */
function showProgram(io: Io): Io {
  const { program = NAME } = io
  if (program === NAME) return io
  const show = (text: string) => text.replace(SHOWN_COMMAND, program)
  return { ...io, note: (line) => io.note(show(line)), showCommands: show }
}

const NAME = 'api-discovery'
/** The name in front of a command, an option or the brackets of a usage line. */
const SHOWN_COMMAND = /(?<![\w./@-])api-discovery(?= (?:[a-z]|-|\[))/g

async function reportFailure(error: unknown, io: Io): Promise<number> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage
  if (error instanceof UsageError) {
    io.note(error.message)
    return EXIT.usage
  }
  if (error instanceof CommandError) {
    io.note(error.message)
    return EXIT.failed
  }
  if (error instanceof StoppedError) {
    io.note(error.message)
    return EXIT.stopped
  }
  const { ServiceError } = await import('../../core/index.ts')
  if (error instanceof ServiceError) {
    tellRefusal(io, error)
    return error.code === 'invalid_input' ? EXIT.usage : EXIT.failed
  }
  io.note(toUnexpected(error))
  return EXIT.failed
}

/** Errors of the system name what they concern; the stack is of no use to an operator. */
function toUnexpected(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.name === 'Error' ? error.message : `${error.name}: ${error.message}`
}
