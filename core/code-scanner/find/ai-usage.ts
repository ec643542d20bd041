import { AI_SERVICES } from '../../vendors/ai-services.ts'
import type { AiUsage, ClientBase, NamedModel } from '../model/ai-usage.ts'
import { lastName, matchNames } from '../model/name-patterns.ts'
import { hasReferences, toText } from '../model/pattern.ts'
import type { Call, Expression, Place, Program } from '../model/program.ts'
import type { Evaluator } from '../resolve/evaluate.ts'

/** A library of a model provider, and a name that the file imports of it. */
export interface AiImport {
  /** `PackageUsage.url`. */
  readonly url: string
  readonly module: string
}

/** Finds the models that a program names, and the bases that its clients of model providers use. */
export function findAiUsage(
  program: Program,
  given: {
    readonly evaluator: Evaluator
    readonly libraries: readonly AiImport[]
    /** Package URL of an imported library that selects the provider by the name of a model. */
    readonly router: string | undefined
  },
): AiUsage | undefined {
  const models = findModels(program, given)
  const { bases, defaults } =
    given.libraries.length === 0 ? { bases: [], defaults: [] } : findBases(program, given)
  return models.length + bases.length === 0 ? undefined : { models, bases, defaults }
}

function findModels(
  program: Program,
  {
    libraries,
    router,
  }: { readonly libraries: readonly unknown[]; readonly router: string | undefined },
): readonly NamedModel[] {
  const found = new Map<string, NamedModel>()
  const isLooseAllowed = libraries.length > 0 || router !== undefined

  function add(name: string, { line, column }: Place, isLoose: boolean): void {
    const key = `${name} ${line}`
    if (found.has(key)) return
    found.set(key, { name, line, column, ...(router && { router }), ...(isLoose && { isLoose }) })
  }

  function visit(key: string, value: Expression, isArgument: boolean, depth = 0): void {
    if (depth > MAX_DEPTH) return
    if (value.kind === 'either') {
      for (const each of value.options) visit(key, each, isArgument, depth + 1)
    } else if (value.kind === 'record') {
      const names = Object.keys(value.entries)
      if (names.some((name) => PRICES.test(name))) return
      for (const [name, entry] of Object.entries(value.entries)) {
        visit(name, entry, isArgument, depth + 1)
      }
    } else if (value.kind === 'text' && MODEL_KEY.test(key)) {
      if (isModel(value.text)) add(value.text, value.place, false)
      else if (isLooseAllowed && isArgument && LOOSE_MODEL.test(value.text)) {
        add(value.text, value.place, true)
      }
    }
  }

  for (const { name, value } of program.bindings) visit(lastName(name), value, false)
  for (const call of program.calls) {
    if (OTHER_CALLS(call.callee)) continue
    for (const [name, value] of Object.entries(call.named)) visit(name, value, true)
    for (const value of call.args) {
      if (value.kind === 'record') visit('', value, true)
    }
    for (const value of call.args.slice(0, 2)) {
      const isPlain = value.kind === 'text' && /[-/:]/.test(value.text)
      if (isPlain && isModel(value.text)) add(value.text, value.place, false)
    }
  }
  const names = new Set([...found.values()].map(({ name }) => name))
  // A table of models says nothing about those that are called.
  return names.size > MAX_MODELS ? [] : [...found.values()]
}

/** True if the spelling shows that a name is that of a model: `gpt-4o`, `openai/gpt-4o`. */
function isModel(name: string): boolean {
  if (name.length > 150 || /\s/.test(name)) return false
  if (AI_SERVICES.findByModel(name)) return true
  const [, provider = '', rest = ''] = /^([a-z][\w-]*)[:/](.+)$/.exec(name) ?? []
  return rest !== '' && AI_SERVICES.findByProvider(provider)?.kind === 'ai-models'
}

/** Names of settings that contain a model. */
const MODEL_KEY =
  /(?:model|llm)(?:[_-]?(?:name|id))?$|^(?:azure_)?deployment(?:[_-]?(?:name|id))?$|^engine$/i

/** `llama-3.1-8b-instant`, `meta/llama-3-70b`. */
const LOOSE_MODEL = /^[@\w](?=[^\s]*\d)(?=[^\s]*[-/])[\w.:/@-]{2,100}$/

/** Members of records that are price lists or data of models. */
const PRICES = /price|cost|context_?(?:window|length|size)|per_?(?:token|1k|million)/i

/** Calls whose arguments name models without using them. */
const OTHER_CALLS = matchNames(
  `*.{startsWith,startswith,StartsWith,endsWith,endswith,includes,contains,Contains,indexOf,has,equals,Equals,replace}
  *.{log,info,debug,warn,error,print,println,Println,Printf,expect,assert,toBe,toEqual,assertEqual} print assert expect`,
)

function findBases(
  program: Program,
  {
    evaluator,
    libraries,
  }: { readonly evaluator: Evaluator; readonly libraries: readonly AiImport[] },
): Pick<AiUsage, 'bases' | 'defaults'> {
  const bases: ClientBase[] = []
  const defaults = new Set<string>()
  const [first] = libraries
  const only =
    libraries.find(({ url }) => url.includes('openai')) ??
    (libraries.length === 1 ? first : undefined)

  /** The library that a name belongs to. */
  function libraryOf(name: string): AiImport | undefined {
    const found = evaluator.names.findImport(name.replace(/^new /, ''))
    return found && libraries.find(({ module }) => found.from.module === module)
  }

  function rootOf(call: Call): string {
    let at: Call = call
    for (let depth = 0; depth < MAX_CHAIN && at.receiver?.kind === 'call'; depth += 1) {
      at = at.receiver.call
    }
    return at.callee
  }

  function add(value: Expression, scope: number, library: AiImport | undefined): void {
    if (bases.length >= MAX_BASES) return
    const url = evaluator.text({ value, scope }) ?? ''
    const text = toText(url)
    // Without a library, only the host shows what the base is for.
    const of = library ?? (isAiUrl(text) || hasReferences(url) ? only : undefined)
    if (url === '' || !of) return
    const { line, column } = value.place
    bases.push({ of: of.url, url, line, column })
  }

  function visit(
    entries: Readonly<Record<string, Expression>>,
    scope: number,
    of?: AiImport,
  ): boolean {
    let found = false
    for (const [key, value] of Object.entries(entries)) {
      if (BASE_KEY.test(key)) {
        found = true
        for (const each of value.kind === 'either' ? value.options : [value]) add(each, scope, of)
      } else if (value.kind === 'record') found = visit(value.entries, scope, of) || found
    }
    return found
  }

  for (const call of program.calls) {
    const library = libraryOf(call.callee) ?? libraryOf(rootOf(call))
    const name = lastName(call.callee.replace(/^new /, ''))
    if (AZURE.test(name) && (library ?? only)) {
      const { line, column } = call.place
      bases.push({ of: (library ?? only)?.url ?? '', url: AZURE_URL, line, column })
      continue
    }
    const [value] = call.args
    if (call.args.length === 1 && value && BASE_KEY.test(name)) add(value, call.scope, library)
    let hasBase = visit(call.named, call.scope, library)
    for (const each of call.args) {
      if (each.kind === 'record') hasBase = visit(each.entries, call.scope, library) || hasBase
    }
    const isVisible = call.args.every(({ kind }) => kind === 'record' || kind === 'text')
    if (library && !hasBase && isVisible && CLIENT.test(name)) defaults.add(library.url)
  }
  for (const { name, value, scope } of program.bindings) {
    if (BASE_KEY.test(lastName(name))) add(value, scope, libraryOf(name))
    const isAzure = /api_?type$/i.test(name) && value.kind === 'text' && /^azure/.test(value.text)
    if (isAzure && only) {
      const { line, column } = value.place
      bases.push({ of: only.url, url: AZURE_URL, line, column })
    }
  }
  return { bases, defaults: [...defaults] }
}

function isAiUrl(url: string): boolean {
  const host = /^\w+:\/\/([^/?#:]+)/.exec(url)?.[1]
  return host !== undefined && AI_SERVICES.findKind(host.toLowerCase()) === 'ai-models'
}

/** Names of settings that contain the base of a client. */
const BASE_KEY =
  /(?:base|endpoint|base_?ur[il]|base_?(?:path|address|domain)|uri_?base|server_?url)$/i

/** Classes and functions that create a client: `AsyncOpenAI`, `createOpenAI`, `ChatAnthropic`. */
const CLIENT =
  /^(?:[A-Z](?!\w*(?:Config|Options|Request|Message|Param|Error|Arg))\w*|create[A-Z]\w*)$/

/** Clients of the models in Azure. */
const AZURE = /Azure\w*OpenAI/i
const AZURE_URL = 'https://{}.openai.azure.com'

const MAX_DEPTH = 4
const MAX_CHAIN = 20
const MAX_BASES = 20
/** More names than this are a list of models, not a use of them. */
const MAX_MODELS = 12
