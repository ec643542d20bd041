import { AI_SERVICES } from '../../vendors/ai-services.ts'
import type { AiUsage, ClientBase, NamedModel } from '../model/ai-usage.ts'
import { lastName, matchNames } from '../model/name-patterns.ts'
import { hasReferences, type Pattern, toText } from '../model/pattern.ts'
import type { Call, Expression, Place, Program } from '../model/program.ts'
import { hostOf } from '../noise/url-hosts.ts'
import type { Evaluator } from '../resolve/evaluate.ts'

/** A library of a model provider, and a module of it that the file imports. */
export interface AiImport {
  /** `PackageUsage.url`. */
  readonly url: string
  readonly module: string
}

interface AiInput {
  readonly evaluator: Evaluator
  readonly libraries: readonly AiImport[]
  /** Package URL of an imported library that selects the provider by the name of a model. */
  readonly router: string | undefined
}

/** Finds the models that a program names, and the bases of its clients of model providers. */
export function findAiUsage(program: Program, input: AiInput): AiUsage | undefined {
  const models = findModels(program, input)
  const bases = new BaseFinder(input)
  if (input.libraries.length > 0) bases.read(program)
  if (models.length + bases.bases.length === 0) return undefined
  return { models, bases: bases.bases, defaults: [...bases.defaults] }
}

function findModels(
  program: Program,
  { libraries, router }: Pick<AiInput, 'libraries' | 'router'>,
): readonly NamedModel[] {
  const found = new Map<string, NamedModel>()
  const isLooseAllowed = libraries.length > 0 || router !== undefined

  function add(name: string, { line, column }: Place, isLoose: boolean): void {
    const key = `${name} ${line}`
    if (found.has(key)) return
    found.set(key, { name, line, column, ...(router && { router }), ...(isLoose && { isLoose }) })
  }

  function visit(key: string, value: Expression, { isArgument = false, depth = 0 } = {}): void {
    if (depth > MAX_DEPTH) return
    const below = { isArgument, depth: depth + 1 }
    if (value.kind === 'either') {
      for (const option of value.options) visit(key, option, below)
    } else if (value.kind === 'record') {
      if (Object.keys(value.entries).some((name) => PRICES.test(name))) return
      for (const [name, entry] of Object.entries(value.entries)) visit(name, entry, below)
    } else if (value.kind === 'text' && MODEL_KEY.test(key)) {
      if (isModel(value.text)) add(value.text, value.place, false)
      else if (isLooseAllowed && isArgument && LOOSE_MODEL.test(value.text)) {
        add(value.text, value.place, true)
      }
    }
  }

  for (const { name, value } of program.bindings) visit(lastName(name), value)
  for (const { callee, args, named } of program.calls) {
    if (OTHER_CALLS(callee)) continue
    for (const [name, value] of Object.entries(named)) visit(name, value, { isArgument: true })
    for (const [at, value] of args.entries()) {
      if (value.kind === 'record') visit('', value, { isArgument: true })
      if (at > 1 || value.kind !== 'text' || !/[-/:]/.test(value.text)) continue
      if (isModel(value.text)) add(value.text, value.place, false)
    }
  }
  const names = new Set([...found.values()].map(({ name }) => name))
  return names.size > MAX_MODELS ? [] : [...found.values()]
}

/** Whether a name has the form of a model's: `gpt-4o`, `openai/gpt-4o`. */
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

/** A client of a library, which is undefined when unknown. */
interface Client {
  readonly scope: number
  readonly library: AiImport | undefined
}

/** Finds the bases of clients, and the libraries with a client that uses the default base. */
class BaseFinder {
  readonly bases: ClientBase[] = []
  readonly defaults = new Set<string>()
  readonly #input: AiInput
  /** The library of bases without a visible client; undefined if several are possible. */
  readonly #main: AiImport | undefined

  constructor(input: AiInput) {
    const { libraries } = input
    this.#input = input
    this.#main =
      libraries.find(({ url }) => url.includes('openai')) ??
      (libraries.length === 1 ? libraries[0] : undefined)
  }

  read(program: Program): void {
    for (const call of program.calls) this.#readCall(call)
    for (const { name, value, scope } of program.bindings) {
      if (BASE_KEY.test(lastName(name)))
        this.#add(value, { scope, library: this.#findLibrary(name) })
      const isAzure = /api_?type$/i.test(name) && value.kind === 'text' && /^azure/.test(value.text)
      if (isAzure) this.#push(value.place, { url: AZURE_URL, library: this.#main })
    }
  }

  #readCall(call: Call): void {
    const { callee, args, named, scope, place } = call
    const library = this.#findLibrary(callee) ?? this.#findLibrary(findChainStart(call).callee)
    const name = lastName(callee.replace(/^new /, ''))
    if (AZURE.test(name) && (library ?? this.#main)) {
      this.#push(place, { url: AZURE_URL, library: library ?? this.#main })
      return
    }
    const [value] = args
    if (args.length === 1 && value && BASE_KEY.test(name)) this.#add(value, { scope, library })
    const records = [named, ...args.flatMap((arg) => (arg.kind === 'record' ? [arg.entries] : []))]
    const hasBase = records.map((entries) => this.#readRecord(entries, { scope, library }))
    const isVisible = args.every(({ kind }) => kind === 'record' || kind === 'text')
    if (library && !hasBase.includes(true) && isVisible && CLIENT.test(name)) {
      this.defaults.add(library.url)
    }
  }

  /** Returns whether the record, or one within it, has a base. */
  #readRecord(entries: Readonly<Record<string, Expression>>, client: Client): boolean {
    let found = false
    for (const [key, value] of Object.entries(entries)) {
      if (BASE_KEY.test(key)) {
        found = true
        const options = value.kind === 'either' ? value.options : [value]
        for (const option of options) this.#add(option, client)
      } else if (value.kind === 'record') {
        found = this.#readRecord(value.entries, client) || found
      }
    }
    return found
  }

  #findLibrary(name: string): AiImport | undefined {
    const { evaluator, libraries } = this.#input
    const found = evaluator.names.findImport(name.replace(/^new /, ''))
    return found && libraries.find(({ module }) => found.from.module === module)
  }

  #add(value: Expression, { scope, library }: Client): void {
    const url = this.#input.evaluator.evaluate({ value, scope }) ?? ''
    // Without a library, only the host shows that the base is a provider's.
    const isOfProvider = isAiUrl(toText(url)) || hasReferences(url)
    if (url === '') return
    this.#push(value.place, { url, library: library ?? (isOfProvider ? this.#main : undefined) })
  }

  #push({ line, column }: Place, { url, library }: Omit<Client, 'scope'> & { url: Pattern }) {
    if (library && this.bases.length < MAX_BASES) {
      this.bases.push({ library: library.url, url, line, column })
    }
  }
}

/** The first call of a chain. */
function findChainStart(call: Call): Call {
  let start = call
  for (let depth = 0; depth < MAX_CHAIN && start.receiver?.kind === 'call'; depth += 1) {
    start = start.receiver.call
  }
  return start
}

function isAiUrl(url: string): boolean {
  return url.includes('://') && AI_SERVICES.findKind(hostOf(url) ?? '') === 'ai-models'
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
/** More names than this are a list of models rather than usages. */
const MAX_MODELS = 12
