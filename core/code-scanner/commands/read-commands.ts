import { INSTALLED } from '../clients/shell.ts'
import { matchNames } from '../model/name-patterns.ts'
import type { Binding, Call, Expression, Program } from '../model/program.ts'
import { plainText, readRequests, type ShellRequest } from './requests.ts'
import { findAddresses, toScriptImport, toToolImport } from './tools.ts'

/**
 * Replaces the commands of a shell program, which are calls of their programs, by the requests that
 * they send. Commands of other tools become imports and bindings; calls of functions remain.
 */
export function readCommands(program: Program): Program {
  const lists = collectLists(program.bindings)
  const functions = new Set(
    program.scopes.flatMap(({ kind, name }) => (kind === 'function' ? name : [])),
  )
  const programs = collectPrograms(program.bindings)
  const commands = program.calls.map((call) =>
    unwrap(nameProgram(expandLists(call, lists), programs)),
  )
  const wrappers = findWrappers(commands, program)
  const imports = [...program.imports]
  const bindings = [...program.bindings]
  const calls = commands.flatMap((command): readonly Call[] => {
    const { callee, args, place, scope, named } = command
    const isInstalled = named[INSTALLED] !== undefined
    if (isInstalled) imports.push(...args.flatMap((arg) => toScriptImport(arg, place)))
    const wrapper = wrappers.get(callee)
    const requests = wrapper?.read(args) ?? readRequests({ program: callee, args })
    if (requests) {
      return requests.map((request) => {
        const { url } = request
        return {
          ...command,
          callee: isInstalled ? INSTALLED : (wrapper?.program ?? callee),
          args: [url],
          named: { ...request },
        }
      })
    }
    const isOwn = functions.has(callee)
    const program = callee.endsWith(SCRIPT_MARK)
      ? `${callee.slice(0, -SCRIPT_MARK.length)}.sh`
      : callee
    const tool = isOwn ? undefined : toToolImport({ program, args, place })
    if (tool) imports.push(tool)
    bindings.push(...findAddresses(args).map((binding) => ({ ...binding, scope })))
    // A function of this file, or of one that it reads, or a script may send requests.
    const maySend = isOwn || SENDER.test(callee) || callee.endsWith(SCRIPT_MARK)
    if (!maySend || args.length === 0) return []
    return [isOwn ? command : nameArguments(command)]
  })
  // A script has parameters as a function does.
  const scopes = program.scopes.map((scope, at) =>
    at === 0 ? { ...scope, parameters: PARAMETERS } : scope,
  )
  return { ...program, scopes, imports, bindings, calls }
}

/** Names of the parameters of functions and scripts. */
export const PARAMETERS: readonly string[] = ['1', '2', '3', '4', '5', '6', '7', '8', '9']

/** A command that runs a script whose name is that of a client. */
export const SENDER_SCRIPT =
  /(?:api|curl|wget|http|request|rest|fetch)[\w-]{0,30}\.(?:sh|bash|zsh)["']?\s+["'$\w/-]/

/** Functions of other files that send requests, by their names: no program has such a name. */
const SENDER =
  /^(?=\w*_)(?:\w+_|_+)?(?:get|post|put|patch|delete|requests?|fetch|https?|api|rest|send|curl)(?:_\w+)?$/i

/** Ending of the callees of scripts: `curl.sh` is not the program `curl`. */
const SCRIPT_MARK = '_sh'

/** Names the URL and the method of a command that has options like a client: `-X POST`. */
function nameArguments(command: Call): Call {
  const { args } = command
  if (!args.some((arg) => plainText(arg).startsWith('-'))) return command
  const [request] = readRequests({ program: 'curl', args }) ?? []
  return request ? { ...command, named: { ...request } } : command
}

/** A function that passes its arguments to a client: `get() { curl -fsS "$@"; }`. */
interface Wrapper {
  /** The client. */
  readonly program: string
  /** Returns the requests that a call with these arguments sends. */
  read(args: readonly Expression[]): readonly ShellRequest[]
}

function findWrappers(
  commands: readonly Call[],
  { scopes }: Program,
): ReadonlyMap<string, Wrapper> {
  const found = new Map<string, Wrapper>()
  for (const { callee: program, args: own, scope } of commands) {
    const name = scopes[scope]?.name ?? ''
    const at = own.findIndex((arg) => arg.kind === 'name' && /^[@*]$/.test(arg.name))
    if (name === '' || at < 0 || found.has(name) || !readRequests({ program, args: [] })) continue
    found.set(name, {
      program,
      read(args) {
        const requests = readRequests({ program, args: own.toSpliced(at, 1, ...args) }) ?? []
        // The method may precede the URL: `call DELETE "$url"`.
        const verb = args.slice(0, 2).find((arg) => VERB.test(plainText(arg)))
        if (!verb) return requests
        const method: Expression = { ...verb, kind: 'text', text: plainText(verb).toLowerCase() }
        return requests.flatMap(({ url }) => (url === verb ? [] : { url, method }))
      },
    })
  }
  return found
}

const VERB = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD)$/

/** Collects the programs that variables name: `AWS ?= aws`. */
function collectPrograms(bindings: readonly Binding[]): ReadonlyMap<string, string> {
  return new Map(
    bindings.flatMap(({ name, value }) =>
      value.kind === 'text' && /^[\w./-]+$/.test(value.text) ? [[name, value.text] as const] : [],
    ),
  )
}

/** Replaces `$AWS` by the program that the variable names. */
function nameProgram(call: Call, programs: ReadonlyMap<string, string>): Call {
  const name = /^\$\{?(\w+)\}?$/.exec(call.callee)?.[1]
  const program = name === undefined ? undefined : programs.get(name)
  return program === undefined ? call : { ...call, callee: toProgram(program) }
}

/** Collects the items of lists by name, in every scope. */
function collectLists(bindings: readonly Binding[]): ReadonlyMap<string, readonly Expression[]> {
  const lists = new Map<string, Expression[]>()
  for (const { name, value } of bindings) {
    if (value.kind !== 'list') continue
    const items = lists.get(name)
    if (items) items.push(...value.items)
    else lists.set(name, [...value.items])
  }
  return lists
}

/** Replaces `"${args[@]}"`, and `@args` of PowerShell, by the items of the list. */
function expandLists(call: Call, lists: ReadonlyMap<string, readonly Expression[]>): Call {
  const args = call.args.flatMap((arg): readonly Expression[] => {
    const list = arg.kind === 'name' ? arg.name.replace(/\.\*$/, '') : ''
    return lists.get(list)?.slice(0, MAX_ITEMS) ?? [arg]
  })
  return { ...call, args }
}

const MAX_ITEMS = 200

/** Skips programs that run another one: `sudo -u web curl …`, `timeout 5 curl …`. */
export function unwrap(call: Call): Call {
  let { callee, args } = call
  for (let depth = 0; depth < 4; depth += 1) {
    const takesValue = RUNNERS.get(callee)
    if (!takesValue) break
    const at = args.findIndex((arg, index) => {
      const isValue = index > 0 && takesValue(plainText(args[index - 1]))
      return !isValue && !/^-|^\w+=|^[\d.]+[smh]?$/.test(plainText(arg))
    })
    const next = args[at]
    // Package managers publish by themselves.
    if (!next || plainText(next) === 'publish') break
    callee = toProgram(plainText(next))
    args = args.slice(at + 1)
  }
  return { ...call, callee, args }
}

/** Programs that run the program after them, with their options that take a value. */
const RUNNERS: ReadonlyMap<string, (option: string) => boolean> = new Map(
  Object.entries({
    sudo: '-u -g -h',
    env: '-u -S',
    time: '-f -o',
    timeout: '-k -s',
    retry: '-*',
    xargs: '-I -n -P -L -s -d',
    watch: '-n',
    'nohup exec command eval run dlx bundle poetry pipenv uv': '',
    'npx bunx': '-p --package',
    uvx: '--from --with',
    pnpm: '-C --filter --dir',
    yarn: '--cwd',
  }).flatMap(([names, options]) => {
    const takesValue = matchNames(options)
    return names.split(' ').map((name) => [name, takesValue] as const)
  }),
)

/**
 * Returns the name of the program that a word starts: `curl` of `/usr/bin/curl`, `\curl` and
 * `$CURL`, `@sentry/cli` of `@sentry/cli@2`.
 */
export function toProgram(text: string): string {
  const word = text.replaceAll(/["'\\]/g, '')
  if (/^\$\{?CURL\w*\}?$/i.test(word)) return 'curl'
  const scoped = /^(@[\w-]+\/[\w-]+)(?:@.*)?$/.exec(word)?.[1]
  if (scoped) return scoped
  return word
    .slice(word.lastIndexOf('/') + 1)
    .replace(/(?<=\w)@[\w.]+$|\.exe$/, '')
    .replace(/\.(?:sh|bash|zsh)$/, SCRIPT_MARK)
}
