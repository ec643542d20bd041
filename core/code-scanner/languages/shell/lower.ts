import type {
  Binding,
  Call,
  Expression,
  Import,
  LooseText,
  Place,
  Program,
  Scope,
} from '../../model/program.ts'
import type { SyntaxNode } from '../../model/syntax.ts'
import { isPiped, toExpression, toPlace } from './expressions.ts'
import { plainText, readRequests, type ShellRequest } from './requests.ts'
import { findGivenAddresses, findWrittenAddresses, toToolImport } from './tools.ts'

/**
 * What a shell text says. Functions' parameters are named by their numbers; programs that wrap
 * another (`sudo`, `env`, `retry`) are passed over.
 */
export function lowerShell(root: SyntaxNode): Program {
  const scopes: Scope[] = [{ kind: 'file', name: '', parent: -1 }]
  const bindings: Binding[] = []
  const calls: Call[] = []
  const imports: Import[] = []
  const loose: LooseText[] = []
  const scopeOf = openScopes({ root, scopes })
  const arrays = new Map<string, readonly Expression[]>()

  for (const node of present(root.descendantsOfType('variable_assignment'))) {
    const binding = toBinding(node)
    if (!binding) continue
    // What a function is given is its own; all else that is not declared so is of the whole file.
    const isLocal = isLocalDeclaration(node) || isGiven(binding.value)
    bindings.push({ ...binding, scope: isLocal ? scopeOf(node) : 0 })
    if (binding.value.kind === 'list') {
      arrays.set(binding.name, [...(arrays.get(binding.name) ?? []), ...binding.value.items])
    }
  }
  for (const node of present(root.descendantsOfType('for_statement'))) {
    const variable = node.childForFieldName('variable')
    const options = present(node.childrenForFieldName('value')).map(toExpression)
    if (!variable || options.length === 0) continue
    const place = toPlace(node)
    const value: Expression = { kind: 'either', options, place }
    const name = variable.text
    bindings.push({ name, value, kind: 'variable', isExported: false, place, scope: scopeOf(node) })
  }
  for (const { kind, name, parent } of scopes) {
    if (kind !== 'function' || parent !== 0 || name === '') continue
    const place = { index: 0, line: 1, column: 1 }
    const value: Expression = { kind: 'unknown', place }
    bindings.push({ name, value, kind: 'constant', isExported: true, place, scope: 0 })
  }
  const commands = present(root.descendantsOfType('command'))
  const wrappers = findWrappers({ commands, scopes, scopeOf, arrays })
  for (const node of commands) {
    const scope = scopeOf(node)
    const words = toWords(node, arrays)
    if (!words) continue
    const { program, args, place } = words
    const wrapped = wrappers.get(program)
    const client = wrapped?.program ?? program
    const requests = wrapped?.read(args) ?? readRequests({ program, args })
    const isOwn = scopes.some(({ kind, name }) => kind === 'function' && name === program)
    const tool = requests || isOwn ? undefined : toToolImport(words)
    if (tool) imports.push(tool)
    if (!requests) {
      for (const binding of findGivenAddresses(args)) bindings.push({ ...binding, scope })
    }
    if (requests && isPiped(node, INSTALLERS)) continue
    // A function of the file, or of one that it reads, may be what is called.
    const isElsewhere = !requests && FUNCTION_ELSEWHERE.test(program)
    if ((isOwn || isElsewhere) && args.length > 0) {
      calls.push({ callee: program, receiver: undefined, args, named: {}, place, scope })
    }
    for (const { url, method } of requests ?? []) {
      const sent: Expression | undefined =
        method === undefined ? undefined : { kind: 'text', text: method.toLowerCase(), place }
      const named = { url, ...(sent && { method: sent }) }
      calls.push({ callee: client, receiver: undefined, args: [url], named, place, scope })
    }
  }
  for (const node of present(root.descendantsOfType('heredoc_body'))) {
    const found = findWrittenAddresses(node.text, toPlace(node))
    for (const binding of found) bindings.push({ ...binding, scope: 0 })
  }
  return { scopes, imports, bindings, calls, loose }
}

/** Functions of other files that send something, by their names: no program is called so. */
const FUNCTION_ELSEWHERE =
  /^(?=\w*_)(?:\w+_|_+)?(?:get|post|put|patch|delete|requests?|fetch|https?|api|rest|send|curl)(?:_\w+)?$/i

/** Programs into which files are piped that are installed or run. */
const INSTALLERS = /^(?:sudo|bash|sh|zsh|tar|gpg|apt-key|gunzip|dpkg|python3?|node|php)$/

/** A function that gives its arguments on to a client: `get() { curl -fsS "$@"; }`. */
interface Wrapper {
  /** The client. */
  readonly program: string
  /** The requests that it sends when it is called with arguments. */
  read(args: readonly Expression[]): readonly ShellRequest[]
}

/** Finds the functions that give all their arguments on to a client, by name. */
function findWrappers(given: {
  readonly commands: readonly SyntaxNode[]
  readonly scopes: readonly Scope[]
  readonly scopeOf: (node: SyntaxNode) => number
  readonly arrays: ReadonlyMap<string, readonly Expression[]>
}): ReadonlyMap<string, Wrapper> {
  const found = new Map<string, Wrapper>()
  for (const node of given.commands) {
    if (!ALL_ARGUMENTS.test(node.text)) continue
    const name = given.scopes[given.scopeOf(node)]?.name ?? ''
    const words = toWords(node, given.arrays)
    if (name === '' || !words || found.has(name)) continue
    const { program } = words
    const at = words.args.findIndex((one) => one.kind === 'name' && /^[@*]$/.test(one.name))
    if (at < 0 || !readRequests({ program, args: [] })) continue
    found.set(name, {
      program,
      read(args) {
        const requests = readRequests({ program, args: words.args.toSpliced(at, 1, ...args) }) ?? []
        const verb = args
          .slice(0, 2)
          .map(plainText)
          .find((word) => VERB.test(word))
        return verb === undefined ? requests : requests.map(({ url }) => ({ url, method: verb }))
      },
    })
  }
  return found
}

const ALL_ARGUMENTS = /\$(?:[@*]|\{[@*]\})/
const VERB = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD)$/

/** Makes a scope for each function; gives the scope that a node stands in. */
function openScopes(given: {
  readonly root: SyntaxNode
  readonly scopes: Scope[]
}): (node: SyntaxNode) => number {
  const indexes = new Map<number, number>()
  const functions = present(given.root.descendantsOfType('function_definition'))
  const scopeOf = (node: SyntaxNode): number => {
    if (functions.length === 0) return 0
    for (let at = node.parent; at; at = at.parent) {
      const index = indexes.get(at.id)
      if (index !== undefined) return index
    }
    return 0
  }
  for (const node of functions) {
    const name = node.childForFieldName('name')?.text ?? ''
    const parent = scopeOf(node)
    given.scopes.push({ kind: 'function', name, parent, parameters: POSITIONS })
    indexes.set(node.id, given.scopes.length - 1)
  }
  return scopeOf
}

const POSITIONS = ['1', '2', '3', '4', '5', '6', '7', '8', '9']

function toBinding(node: SyntaxNode): Omit<Binding, 'scope'> | undefined {
  const name = node.childForFieldName('name')?.text
  const value = node.childForFieldName('value')
  if (!name || !value) return undefined
  return {
    name,
    value: toExpression(value),
    kind: 'variable',
    isExported: !isLocalDeclaration(node),
    place: toPlace(node),
  }
}

/** Whether a value has a parameter of a function in it. */
function isGiven(value: Expression): boolean {
  if (value.kind === 'name') return POSITIONS.includes(value.name)
  if (value.kind === 'join') return value.parts.some(isGiven)
  return value.kind === 'either' && value.options.some(isGiven)
}

function isLocalDeclaration(node: SyntaxNode): boolean {
  const { parent } = node
  if (parent?.type !== 'declaration_command') return false
  const keyword = parent.child(0)?.text
  return keyword === 'local' || keyword === 'declare' || keyword === 'typeset'
}

/** Programs that run the program named after them, with options that take a value. */
const WRAPPERS: ReadonlyMap<string, RegExp> = new Map([
  ['sudo', /^-[ugh]$/],
  ['env', /^-[uS]$/],
  ['time', /^-[fo]$/],
  ['nohup', /^$/],
  ['exec', /^$/],
  ['command', /^$/],
  ['timeout', /^-[ks]$/],
  ['retry', /^-[a-z]$/],
  ['xargs', /^-[InPLsd]$/],
  ['watch', /^-n$/],
  ['eval', /^$/],
  ['run', /^$/],
  ['dlx', /^$/],
  ['npx', /^(?:-p|--package)$/],
  ['bunx', /^(?:-p|--package)$/],
  ['uvx', /^--(?:from|with)$/],
  ['pnpm', /^(?:-C|--filter|--dir)$/],
  ['yarn', /^--cwd$/],
  ['bundle', /^$/],
  ['poetry', /^$/],
  ['pipenv', /^$/],
  ['uv', /^$/],
])

function toWords(
  node: SyntaxNode,
  arrays: ReadonlyMap<string, readonly Expression[]>,
): { readonly program: string; readonly args: readonly Expression[]; place: Place } | undefined {
  const name = node.childForFieldName('name')
  if (!name) return undefined
  const args: Expression[] = []
  for (const argument of present(node.childrenForFieldName('argument'))) {
    const array = /^"?\$\{(\w+)\[[@*]\]\}"?$/.exec(argument.text)?.[1]
    const items = array === undefined ? undefined : arrays.get(array)
    if (items) args.push(...items)
    else args.push(toExpression(argument))
  }
  let program = toProgram(name.text)
  for (let depth = 0; depth < 4; depth += 1) {
    const takesValue = WRAPPERS.get(program)
    if (!takesValue) break
    let at = 0
    for (; at < args.length; at += 1) {
      const word = args[at] ? plainText(args[at] as Expression) : ''
      if (takesValue.test(word)) at += 1
      else if (!word.startsWith('-') && !/^\w+=|^[\d.]+[smh]?$/.test(word)) break
    }
    const next = args[at]
    if (!next) break
    program = toProgram(plainText(next))
    args.splice(0, at + 1)
  }
  return { program, args, place: toPlace(name) }
}

/** `/usr/bin/curl`, `"curl"` and `\curl` are `curl`; `$CURL` is too. */
function toProgram(text: string): string {
  const word = text.replaceAll(/["'\\]/g, '')
  if (/^\$\{?CURL\w*\}?$/i.test(word)) return 'curl'
  // A package of npm, as `npx` takes it: `@sentry/cli@2`, `vercel@latest`.
  const scoped = /^(@[\w-]+\/[\w-]+)(?:@.*)?$/.exec(word)?.[1]
  if (scoped) return scoped
  const name = word.slice(word.lastIndexOf('/') + 1).replace(/(?<=\w)@[\w.]+$/, '')
  return name.endsWith('.exe') ? name.slice(0, -4) : name
}

function present(nodes: readonly (SyntaxNode | null)[]): readonly SyntaxNode[] {
  return nodes.filter((node) => node !== null)
}
