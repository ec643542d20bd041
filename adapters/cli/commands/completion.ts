import type { Command, Option } from 'commander'
import { DefinedOption, defineCommand } from '../define-command.ts'

/** Completions after the words of a command. */
interface Completion {
  /** `scan project`; empty for the program itself. */
  readonly path: string
  readonly subcommands: readonly { readonly name: string; readonly description: string }[]
  readonly options: readonly CompletedOption[]
  /** Values of the first argument; empty if it is free text. */
  readonly choices: readonly string[]
}

interface CompletedOption {
  /** `--port`. */
  readonly flag: string
  readonly description: string
  readonly hasValue: boolean
  /** Empty for free text. */
  readonly choices: readonly string[]
}

type CompletionShell = 'bash' | 'zsh' | 'fish'

/** Completion scripts by shell. Options with free text complete file names. */
const COMPLETION_SCRIPTS: Readonly<
  Record<CompletionShell, (all: readonly Completion[]) => string>
> = {
  bash: (all) => `_api_discovery() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" path='' words='' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [[ "\${COMP_WORDS[i-1]}" == --database ]]; then continue; fi
    case "$path \${COMP_WORDS[i]}" in
${renderPathCases(all)}
    esac
  done
${renderValueCases(all)}
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _api_discovery api-discovery`,

  zsh: (all) => `#compdef api-discovery
_api_discovery() {
  local prev="\${words[CURRENT-1]}" path_='' i
  local -a reply_
  for ((i = 2; i < CURRENT; i++)); do
    if [[ "\${words[i-1]}" == --database ]]; then continue; fi
    case "$path_ \${words[i]}" in
${renderPathCases(all).replaceAll('path=', 'path_=')}
    esac
  done
  local words_=''
${renderValueCases(all)
  .replaceAll('$path', '$path_')
  .replaceAll('words=', 'words_=')
  .replaceAll(') return', ') _files; return')}
  reply_=(\${=words_})
  compadd -a reply_ || _files
}
if [[ "$funcstack[1]" == _api_discovery ]]; then _api_discovery "$@"; else compdef _api_discovery api-discovery; fi`,

  fish: (all) => `function __api_discovery_path
  set -l path ''
  set -l before ''
  for word in (commandline -opc)[2..]
    set -l last $before
    set before $word
    test "$last" = --database; and continue
    switch "$path $word"
${all
  .filter(({ path }) => path !== '')
  .map(
    ({ path }) =>
      `      case ${quoteForShell(toPathKey(path))}\n        set path ${quoteForShell(` ${path}`)}`,
  )
  .join('\n')}
    end
  end
  test "$path" = "$argv[1]"
end
${all.flatMap(renderFishLines).join('\n')}`,
}

const SHELLS = Object.keys(COMPLETION_SCRIPTS) as readonly CompletionShell[]

const PROGRAM = 'api-discovery'
const INSTALLATION = `The script completes the command "${PROGRAM}". To install it, run "npm run build && npm link" in a clone, or "npm i -g ${PROGRAM}".`

/** `completion`. */
export const completionCommand = defineCommand({
  name: 'completion',
  description: 'Print a shell completion script',
  arguments: [['<bash|zsh|fish>', 'shell to complete for', { choices: SHELLS }]],
  examples: [
    'source <(api-discovery completion bash)',
    `api-discovery completion zsh > "\${fpath[1]}/_api-discovery"`,
    'api-discovery completion fish > ~/.config/fish/completions/api-discovery.fish',
  ],
  async run({ io, words: [shell] }) {
    // A static import would load every command for every command line.
    const { createProgram } = await import('../program.ts')
    const whole = await createProgram({ io, words: 'all' })
    return {
      text: COMPLETION_SCRIPTS[shell](listCompletions(whole)),
      note: io.program === undefined || io.program === PROGRAM ? undefined : INSTALLATION,
    }
  },
})

/** Lists the program and every command below it. */
function listCompletions(program: Command): readonly Completion[] {
  return [
    toCommandCompletion(program, []),
    ...program.commands.flatMap((each) => listCommandCompletions(each, [])),
  ]
}

function listCommandCompletions(
  command: Command,
  before: readonly string[],
): readonly Completion[] {
  const path = [...before, command.name()]
  return [
    toCommandCompletion(command, path),
    ...command.commands.flatMap((each) => listCommandCompletions(each, path)),
  ]
}

function toCommandCompletion(command: Command, path: readonly string[]): Completion {
  const options = command.options
    .filter(({ hidden, long }) => !hidden && long)
    .map(toCompletedOption)
  const help = { flag: '--help', description: 'display help', hasValue: false, choices: [] }
  return {
    path: path.join(' '),
    subcommands: command.commands.map((each) => ({
      name: each.name(),
      description: each.description(),
    })),
    options: [...options, help],
    choices: command.registeredArguments[0]?.argChoices ?? [],
  }
}

function toCompletedOption(option: Option): CompletedOption {
  return {
    flag: option.long ?? '',
    description: option.description,
    hasValue: option.required || option.optional,
    choices: option instanceof DefinedOption ? option.suggestions : [],
  }
}

/** Formats a path like the scripts: with a space in front of each word. */
function toPathKey(path: string): string {
  return ` ${path}`
}

function renderPathCases(all: readonly Completion[]): string {
  return all
    .filter(({ path }) => path !== '')
    .map(
      ({ path }) =>
        `      ${quoteForShell(toPathKey(path))}) path=${quoteForShell(toPathKey(path))} ;;`,
    )
    .join('\n')
}

/** Completes the value of the option before the cursor, else subcommands, choices and options. */
function renderValueCases(all: readonly Completion[]): string {
  const values = all.flatMap(({ path, options }) =>
    options
      .filter(({ hasValue }) => hasValue)
      .map(({ flag, choices }) => {
        const found = choices.length > 0 ? `words=${quoteForShell(choices.join(' '))}` : 'return'
        return `    ${quoteForShell(`${path === '' ? '' : toPathKey(path)}|${flag}`)}) ${found} ;;`
      }),
  )
  const names = all.map(({ path, subcommands, options, choices }) => {
    const words = [
      ...subcommands.map(({ name }) => name),
      ...choices,
      ...options.map(({ flag }) => flag),
    ]
    return `      ${quoteForShell(path === '' ? '' : toPathKey(path))}) words=${quoteForShell(words.join(' '))} ;;`
  })
  return `  case "$path|$prev" in
${values.join('\n')}
    *) case "$path" in
${names.join('\n')}
    esac ;;
  esac`
}

function renderFishLines({ path, subcommands, options, choices }: Completion): readonly string[] {
  const at = `complete -c api-discovery -n ${quoteForShell(`__api_discovery_path ${quoteForShell(path === '' ? '' : toPathKey(path))}`)}`
  const words = choices.length > 0 ? [`${at} -f -a ${quoteForShell(choices.join(' '))}`] : []
  return [
    ...subcommands.map(
      ({ name, description }) =>
        `${at} -f -a ${name} -d ${quoteForShell(shortenDescription(description))}`,
    ),
    ...words,
    ...options.map(
      ({ flag, description, hasValue, choices: values }) =>
        `${at} -l ${flag.slice(2)}${hasValue ? ' -r' : ''}${
          values.length > 0 ? ` -f -a ${quoteForShell(values.join(' '))}` : ''
        } -d ${quoteForShell(shortenDescription(description))}`,
    ),
  ]
}

/** Shortens a description to one line, which fish shows next to the word. */
function shortenDescription(text: string): string {
  const plain = text.replace(/\s+/g, ' ')
  return plain.length > 80 ? `${plain.slice(0, 79)}…` : plain
}

/** Quotes a string with single quotes, which all three shells read alike. */
function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
