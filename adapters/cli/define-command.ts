import { Argument, type Command, Option } from 'commander'
import type { Account, Caller } from '../../core/index.ts'
import type { ArgumentRow, ArgumentValues, OptionRow, OptionValues } from './command-values.ts'
import { UsageError } from './errors.ts'
import { type FittedTable, printFittedTable } from './fitted-table.ts'
import { type CommandIo, formatTable } from './io.ts'
import {
  type GlobalOptions,
  OPERATOR,
  type OpenService,
  type ServiceOptions,
  withService,
} from './service.ts'
import { findMistypedCommand } from './suggest-name.ts'

/** Adds a command to its parent. */
export type CommandDefinition = (parent: Command, io: CommandIo) => void

interface Context<Arguments extends readonly ArgumentRow[], Options extends readonly OptionRow[]> {
  readonly io: CommandIo
  readonly words: ArgumentValues<Arguments>
  /** Words after the arguments, with `acceptsOtherWords`. */
  readonly otherWords: readonly string[]
  readonly options: GlobalOptions & OptionValues<Options>
}

/** What a command prints: `json`, if defined, with `--json`, otherwise the other members. */
export interface CommandOutput {
  readonly json?: unknown
  readonly text?: string | undefined
  readonly table?: {
    readonly headings: readonly string[]
    readonly rows: Parameters<typeof formatTable>[1]
    /** Columns that a narrow terminal may omit, in this order. */
    readonly dropped?: FittedTable['dropped']
    /** Note instead of a table without rows. */
    readonly empty?: string | undefined
  }
  /** Printed to standard error after text and table. */
  readonly note?: string | undefined
}

/** Undefined if the command has printed its output. */
type Printed = Promise<CommandOutput | undefined> | Promise<void>

interface CommonParts<
  Arguments extends readonly ArgumentRow[],
  Options extends readonly OptionRow[],
> {
  readonly name: string
  readonly description: string
  readonly arguments?: Arguments
  readonly options?: Options
  /** Help text before the examples, and after them. */
  readonly details?: string
  readonly notice?: string
  /** Command lines, without the program name if they begin with it. */
  readonly examples: readonly string[]
  readonly commands?: readonly CommandDefinition[]
}

/** Defines a command, or with `commands` and without `run` a group of commands. */
export function defineCommand<
  const Arguments extends readonly ArgumentRow[] = [],
  const Options extends readonly OptionRow[] = [],
>(
  parts: CommonParts<Arguments, Options> & {
    /** Accepts further words and unknown options. */
    readonly acceptsOtherWords?: boolean
    readonly run?: (context: Context<Arguments, Options>) => Printed
  },
): CommandDefinition {
  return (parent, io) => {
    const { run } = parts
    const command = parent.command(parts.name).description(parts.description)
    for (const [name, description, settings = {}] of parts.arguments ?? []) {
      const argument = new Argument(name, description)
      if (settings.parse) argument.argParser(refuseLater(settings.parse))
      if (settings.choices) argument.choices(settings.choices)
      command.addArgument(argument)
    }
    for (const row of parts.options ?? []) command.addOption(createOption(row))
    command.addHelpText('after', formatHelp(parts))
    for (const add of parts.commands ?? []) add(command, io)
    if (parts.acceptsOtherWords) command.allowUnknownOption().allowExcessArguments()
    if (!run) return
    command.action(async (...values: readonly unknown[]) => {
      // Commander reads the values as the rows declare them.
      const words = values.slice(0, -2) as unknown as ArgumentValues<Arguments>
      const options = command.optsWithGlobals<GlobalOptions & OptionValues<Options>>()
      const otherWords = command.args.slice(words.length)
      for (const value of [...words, ...Object.values(options)]) {
        if (value instanceof RefusedValue) throw value.error
      }
      const output = await run({ io, words, otherWords, options }).catch((error: unknown) => {
        throw findMistypedCommand(command, error) ?? error
      })
      printOutput(io, { output: output ?? undefined, isJson: options.json ?? false })
    })
  }
}

const ACCOUNT = '--account <name>'

/** `--account`: mandatory, or the meaning of its absence. */
export const ACCOUNT_OPTIONS = {
  required: [ACCOUNT, 'account name or ID', { isRequired: true }],
  operator: [ACCOUNT, 'account name or ID (default: the operator)'],
  all: [ACCOUNT, 'account name or ID (default: all accounts)'],
} as const satisfies Record<string, OptionRow>

/** The opened service, for an account or the operator. */
export interface ServiceContext extends OpenService {
  /** The account of `--account`. */
  readonly account: Account | undefined
  /** The account, or the operator, with all scopes. */
  readonly caller: Caller
}

/** Defines a command that runs with the opened service. */
export function defineServiceCommand<
  const Arguments extends readonly ArgumentRow[] = [],
  const Options extends readonly OptionRow[] = [],
  Prepared = undefined,
>(
  parts: CommonParts<Arguments, Options> & {
    /** Adds `--account`, with this meaning of its absence. */
    readonly account?: keyof typeof ACCOUNT_OPTIONS
    /** Creates a missing database; by default, this is an error. */
    readonly createsDatabase?: boolean
    /** Options of the service besides those of every command. */
    readonly serviceOptions?: (
      context: Context<Arguments, Options>,
    ) => NonNullable<ServiceOptions['service']>
    /** Checks and reads the input before the database is opened. */
    readonly prepare?: (
      context: Context<Arguments, Options> & {
        readonly options: { readonly account?: string | undefined }
      },
    ) => Prepared | Promise<Prepared>
    readonly run: (
      context: Context<Arguments, Options> & ServiceContext & { readonly prepared: Prepared },
    ) => Printed
  },
): CommandDefinition {
  const { account: accountKind, createsDatabase, serviceOptions, prepare, run, ...rest } = parts
  const rows = rest.options ?? []
  return defineCommand({
    ...rest,
    options: accountKind === undefined ? rows : [ACCOUNT_OPTIONS[accountKind], ...rows],
    run: async (plain) => {
      // The rows of `options` are among those that were read.
      const context = plain as unknown as Context<Arguments, Options>
      const { account: name } = plain.options as { readonly account?: string }
      // Without `prepare`, the type is undefined.
      const prepared = (await prepare?.(context)) as Prepared
      const needs = {
        mustExist: !createsDatabase,
        ...(serviceOptions && { service: serviceOptions(context) }),
      }
      await withService(plain.io, { ...plain.options, ...needs }, async (opened) => {
        const account = name === undefined ? undefined : await opened.app.accounts.getAccount(name)
        const caller = account === undefined ? OPERATOR : { ...OPERATOR, account }
        const output = await run({ ...context, ...opened, account, caller, prepared })
        // Before the service is closed, which may fail: some results are printed only once.
        printOutput(plain.io, { output: output ?? undefined, isJson: plain.options.json ?? false })
      })
    },
  })
}

type Parse = (text: string, previous: unknown) => unknown

/** A value that its option or argument does not accept. */
class RefusedValue {
  readonly error: UsageError

  constructor(error: UsageError) {
    this.error = error
  }
}

/** Refuses a value only when the command runs: `--help` and missing values are reported first. */
function refuseLater(parse: Parse): Parse {
  return (text, previous) => {
    try {
      return parse(text, previous)
    } catch (error) {
      if (error instanceof UsageError) return new RefusedValue(error)
      throw error
    }
  }
}

/** An option with the values that shells complete. */
export class DefinedOption extends Option {
  suggestions: readonly string[] = []
}

function createOption([flags, description, settings = {}]: OptionRow): Option {
  const option = new DefinedOption(flags, description)
  option.suggestions = settings.suggestions ?? settings.choices ?? []
  if (settings.parse) option.argParser(refuseLater(settings.parse as Parse))
  if (settings.choices) option.choices(settings.choices)
  const { default: preset, parse } = settings
  if (typeof preset === 'string' && parse) {
    option.default((parse as Parse)(preset, undefined), JSON.stringify(preset))
  } else if (preset !== undefined) option.default(preset)
  if (settings.isHidden) option.hideHelp()
  return option.makeOptionMandatory(settings.isRequired ?? false)
}

function formatHelp({
  details,
  examples,
  notice,
}: Pick<CommonParts<[], []>, 'details' | 'examples' | 'notice'>): string {
  const lead = details === undefined ? '' : `\n${details.trim()}\n`
  const lines = examples.map(
    (line) => `  ${/(?:^|[ (])api-discovery |^\(/.test(line) ? '' : 'api-discovery '}${line}`,
  )
  const end = notice === undefined ? '' : `\n\n${notice}`
  return `${lead}\nExamples:\n${lines.join('\n')}${end}`
}

function printOutput(
  io: CommandIo,
  printed: { readonly output: CommandOutput | undefined; readonly isJson: boolean },
): void {
  if (!printed.output) return
  const { json, text, table, note } = printed.output
  if (printed.isJson && json !== undefined) {
    io.result(JSON.stringify(json))
    return
  }
  if (text !== undefined) io.result(text)
  if (table?.rows.length === 0 && table.empty !== undefined) io.note(table.empty)
  else if (table?.dropped) {
    const rows = table.rows.map((row) => row.map(String))
    printFittedTable(io, { headings: table.headings, rows, dropped: table.dropped })
  } else if (table) io.result(formatTable(table.headings, table.rows))
  if (note !== undefined) io.note(note)
}
