import { Command, CommanderError, Help } from 'commander'
import type { DescribedParameter } from '../../core/gateway/index.ts'
import type { ServiceError } from '../../core/index.ts'
import { VERSION } from '../../core/version.ts'
import { addCommands } from './command-table.ts'
import { ENVIRONMENT_VARIABLES } from './environment.ts'
import { CommandError, describeError, StoppedError, UsageError } from './errors.ts'
import { type CommandIo, type Io, toPrintable } from './io.ts'
import { describeMissingValue, hasOptionForm } from './missing-value.ts'
import { formatParameters } from './parameter-table.ts'

/** Exit codes shared by all commands. */
const EXIT = { done: 0, failed: 1, usage: 2, stopped: 130 } as const

/**
 * Runs one command line. Prints results to standard output and everything else to standard error.
 * Resolves with the exit code:
 *
 * | Code | Meaning |
 * |---|---|
 * | 0 | done |
 * | 1 | failed |
 * | 2 | invalid usage |
 * | 3 | a scan failed a check of `--fail-on`, or a policy failed |
 * | 4, 5 | a called endpoint responded with a 4xx or 5xx status |
 * | 130 | stopped by a signal |
 */
export async function runCommandLine(words: readonly string[], io: Io): Promise<number> {
  const shown = withStartCommand(io)
  let code: number = EXIT.done
  const setFailed = (failed: number = EXIT.failed) => {
    code = failed
  }
  try {
    const program = await createProgram({ io: { ...shown, setFailed }, words })
    await program.parseAsync(rewriteHelpCommand(program, words), { from: 'user' })
    return code
  } catch (error) {
    return await reportFailure(error, shown)
  }
}

/** Creates the program; only commands that occur in `words` are loaded, or `'all'` of them. */
export async function createProgram({
  io,
  words,
}: {
  readonly io: CommandIo
  readonly words: readonly string[] | 'all'
}): Promise<Command> {
  const program = new Command(NAME)
    .description('Catalogue, call, assess and inventory third-party APIs')
    .version(VERSION, '-v, --version', 'print the version')
    .configureHelp({ subcommandTerm })
    .option(
      '--database <address>',
      'sqlite:FILE or postgres://… (default: API_DISCOVERY_DATABASE or sqlite:.data/api-discovery.db)',
    )
    .option('--json', 'print results as JSON')
    .configureOutput({
      writeOut: (text) => io.result((io.showCommands?.(text) ?? text).trimEnd()),
      writeErr: (text) => io.note(text.trimEnd()),
    })
    .enablePositionalOptions()
    .addHelpText('after', `\nEnvironment variables:\n${listEnvironment()}`)
    .addHelpText(
      'after',
      `
Exit codes:
  0    done
  1    failed
  2    invalid usage
  3    a scan failed a check, or a policy failed
  4    a called endpoint responded with a 4xx status
  5    a called endpoint responded with a 5xx status
  130  stopped by a signal

Examples:
  api-discovery serve --seed
  api-discovery import openapi.yaml --create-vendors
  api-discovery search "weather forecast"`,
    )
  explainErrors(program, io)
  await addCommands(program, { io, words })
  acceptGlobalOptions(program, io)
  rejectOptionsAsValues(program, words === 'all' ? [] : words)
  return program
}

function listEnvironment(): string {
  const width = Math.max(...ENVIRONMENT_VARIABLES.map(({ name }) => name.length))
  return ENVIRONMENT_VARIABLES.map(
    ({ name, description }) => `  ${name.padEnd(width)}  ${description}`,
  ).join('\n')
}

/** Accepts global options after the words of a command too. */
function acceptGlobalOptions(program: Command, io: Io): void {
  for (const command of program.commands) {
    explainErrors(command, io)
    command
      .option('--database <address>', 'sqlite:FILE or postgres://…')
      .option('--json', 'print results as JSON')
    acceptGlobalOptions(command, io)
  }
}

/** Throws errors in the words of a command, after an explanation. */
function explainErrors(command: Command, io: Io): void {
  command.exitOverride((error) => {
    suggestOption(command, { error, io })
    listSubcommands(command, { error, io })
    printUsage(command, { error, io })
    throw error
  })
}

/**
 * Suggests options that contain an unknown option name: Commander suggests by edit distance only.
 */
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

/** Lists the subcommands if the typed one is unknown, and Commander suggests none. */
function listSubcommands(
  command: Command,
  { error, io }: { readonly error: CommanderError; readonly io: Io },
): void {
  if (error.code !== 'commander.unknownCommand' || error.message.includes('Did you mean')) return
  const names = command.commands.map((each) => each.name())
  io.note(`(Commands of "${command.name()}": ${names.join(', ')})`)
}

/** Errors of Commander that list what is allowed, or print the help. */
const EXPLAINED_ERRORS = new Set([
  'commander.unknownCommand',
  'commander.invalidArgument',
  'commander.help',
])

/** Prints the usage of a command after an error in its arguments or options. */
function printUsage(
  command: Command,
  { error, io }: { readonly error: CommanderError; readonly io: Io },
): void {
  if (error.exitCode === 0 || EXPLAINED_ERRORS.has(error.code)) return
  io.note(`Usage: ${new Help().commandUsage(command)} (all options: --help)`)
}

/** Rewrites `help scan project` to `scan project --help`: Commander's `help` reads one word. */
function rewriteHelpCommand(program: Command, words: readonly string[]): string[] {
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
    // Commander rejects an unknown command with a suggestion.
    return [...path, isGroup ? name : '--help']
  }
  return [...path, '--help']
}

/**
 * Rejects `--output --json`: Commander accepts any word as an option's value, even another option.
 */
function rejectOptionsAsValues(command: Command, words: readonly string[]): void {
  for (const option of command.options.filter(({ required }) => required)) {
    const flag = option.long ?? option.flags
    command.on(`option:${option.name()}`, (value: string) => {
      if (!hasOptionForm(value) || words.includes(`${flag}=${value}`)) return
      throw new UsageError(describeMissingValue(flag, { next: value }))
    })
  }
  for (const each of command.commands) rejectOptionsAsValues(each, words)
}

/** Omits arguments of top-level commands in the command list: most are not loaded. */
function subcommandTerm(command: Command): string {
  return command.parent?.parent ? new Help().subcommandTerm(command) : command.name()
}

/**
 * Replaces the program name in notes and help by how it was started, such as `npm run -s cli --`.
 */
function withStartCommand(io: Io): Io {
  const { program = NAME } = io
  if (program === NAME) return io
  const show = (text: string) => text.replace(PROGRAM_NAME_PATTERN, program)
  return { ...io, note: (line) => io.note(show(line)), showCommands: show }
}

const NAME = 'api-discovery'
/** The program name in front of a command, an option or the brackets of a usage line. */
const PROGRAM_NAME_PATTERN = /(?<![\w./@-])api-discovery(?= (?:[a-z]|-|\[))/g

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
    printServiceError(io, error)
    return error.code === 'invalid_input' ? EXIT.usage : EXIT.failed
  }
  io.note(describeError(error))
  return EXIT.failed
}

/**
 * Prints why the service rejected a request: its message, and issues that the message does not
 * contain. If a resource is not found, also prints the command that lists those that exist, and for
 * invalid values of a call the parameters of the endpoint.
 */
function printServiceError(io: Io, { message, issues, extra }: ServiceError): void {
  io.note(message)
  const [, resource = ''] = NOT_FOUND_PATTERN.exec(message) ?? []
  const lister = LISTING_COMMANDS.get(resource)
  if (lister !== undefined) io.note(`List what exists: api-discovery ${lister}`)
  for (const issue of issues) {
    if (message.includes(issue.message)) continue
    io.note(`  ${toPrintable(`${issue.name} ${issue.message}`)}`)
  }
  const parameters = extra.parameters as readonly DescribedParameter[] | undefined
  if (parameters) io.note(formatParameters(parameters))
}

/** Matches messages that name a missing resource, and no next step. */
const NOT_FOUND_PATTERN = /^([A-Z][A-Za-z ]*?)(?: ".*"| \S+)? not found$/

const LISTING_COMMANDS: ReadonlyMap<string, string> = new Map([
  ['API', 'search WORDS'],
  ['API key', 'keys list'],
  ['Account', 'accounts list'],
  ['Credential', 'gateway credentials list --account NAME'],
  ['Endpoint', 'search WORDS'],
  ['Job', 'jobs list'],
  ['Policy', 'gateway policies list --account NAME'],
  ['Recording', 'gateway recordings list --account NAME'],
  ['User', 'users list'],
])
