import { calleeNames, importsAny, isCallee, lastName, type RuleIndex } from './client-rules.ts'
import type { Evaluator } from './evaluate.ts'
import type { Pattern } from './file-scan.ts'
import { hasScheme, joinSegments } from './pattern.ts'
import type { ArgumentPlace, Call, ClientRule, Expression, Program } from './program.ts'

/** What a call of a client says by one rule. */
export interface ReadCall {
  readonly rule: ClientRule
  /** Undefined when nothing is known of it. */
  readonly url: Pattern | undefined
  /** Lower case, or open; undefined when unknown. */
  readonly method: Pattern | undefined
  /** The expression that the URL stands in, where the call has one. */
  readonly urlValue: Expression | undefined
  /** Whether client and call are sure: not by the last name and an import alone. */
  readonly isSure: boolean
}

/** Reads calls by the rules of a language. */
export interface CallReader {
  /** By each rule that holds, in the order of the rules. */
  read(call: Call): readonly ReadCall[]
  /** By rules that would hold if the receiver were made as they want. */
  readOpen(call: Call): readonly ReadCall[]
  /** The calls that made what a call is called on, chains followed to where they begin. */
  makersOf(call: Call): readonly Call[]
  /** Base that a client was made with, or set to later. */
  baseOf(made: Call, name: string | undefined): Pattern | undefined
  /** Rules that name a client's construction as their receiver. */
  rulesMadeBy(made: Call): readonly ClientRule[]
}

/** Creates a reader of a program's calls. */
export function createCallReader(given: {
  readonly program: Program
  readonly evaluator: Evaluator
  readonly index: RuleIndex
  readonly rules: readonly ClientRule[]
}): CallReader {
  const { program, evaluator, index, rules } = given
  const { names } = evaluator
  const made = index.byLastName('()').filter(({ callee }) => callee === '()')
  const importsOf = new Map<ClientRule, boolean>()
  const calledOn = new Map<string, Call[]>()
  const calledNext = new Map<Call, Call>()
  const boundTo = new Map<Call, { readonly name: string; readonly scope: number }>()

  for (const call of program.calls) {
    const { receiver } = call
    if (receiver?.kind === 'call') calledNext.set(receiver.call, call)
    const name = receiver?.kind === 'name' ? receiver.name : undefined
    if (name === undefined) continue
    const known = calledOn.get(name)
    if (!known) calledOn.set(name, [call])
    else if (known.length < MAX_SAME_RECEIVER) known.push(call)
  }
  for (const { name, value, scope } of program.bindings) {
    if (value.kind === 'call') boundTo.set(value.call, { name, scope })
  }

  function imports(rule: ClientRule): boolean {
    if (!rule.from) return false
    const found = importsOf.get(rule) ?? importsAny(rule.from, program.imports)
    importsOf.set(rule, found)
    return found
  }

  /** Through names too: `client.R()` is called on what `client` was made by. */
  function makersOf(call: Call): readonly Call[] {
    const found: Call[] = []
    const queue = call.receiver ? [{ value: call.receiver, scope: call.scope }] : []
    for (let step = 0; step < MAX_CHAIN; step += 1) {
      const next = queue.shift()
      if (!next) break
      for (const { value } of evaluator.follow(next)) {
        if (value.kind !== 'call' || found.includes(value.call)) continue
        found.push(value.call)
        const { receiver, scope } = value.call
        if (receiver) queue.push({ value: receiver, scope })
      }
    }
    return found
  }

  function isMadeBy(made: Call, wanted: readonly string[]): boolean {
    const known = calleeNames(made.callee, names)
    return wanted.some((one) => isCallee(one, known))
  }

  function read(call: Call): readonly ReadCall[] {
    const found: ReadCall[] = readMade(call).filter(({ urlValue }) => urlValue)
    const known = calleeNames(call.callee, names)
    const candidates = new Set(known.flatMap((name) => index.byLastName(lastName(name))))
    if (candidates.size === 0) return found
    let makers: readonly Call[] | undefined
    for (const rule of candidates) {
      if (!isCallee(rule.callee, known)) continue
      if (rule.receiver) {
        makers ??= makersOf(call)
        const wanted = rule.receiver
        const fitting = makers.filter((one) => isMadeBy(one, wanted))
        // A declared type stands for a construction too; one that has a base says more.
        const made =
          fitting.length < 2
            ? fitting[0]
            : (fitting.find((one) => baseOfCall(rule, call, one) !== undefined) ?? fitting[0])
        if (made) found.push(apply(rule, { call, made, isSure: true }))
        else if (rule.receiver.includes(receiverName(call)) && imports(rule)) {
          found.push(apply(rule, { call, made: undefined, isSure: true }))
        }
        continue
      }
      if (rule.from && !imports(rule)) continue
      // A method of a class of the file is what it does itself.
      if (rule.callee.startsWith('.') && evaluator.functionOf(call) !== undefined) continue
      makers ??= makersOf(call)
      const isSure = !rule.callee.startsWith('.')
      found.push(apply(rule, { call, made: makers.at(-1), isSure }))
    }
    // A URL that is put together elsewhere, and was not: another rule may know more.
    return found.filter(({ rule, urlValue }) => urlValue || !rule.url.madeBy)
  }

  /** What is called is itself made by a call: `const api = ky.create({ … }); api('users')`. */
  function readMade(call: Call): readonly ReadCall[] {
    const { scope, place, callee } = call
    if (made.length === 0 || callee.startsWith('new ') || (call.receiver && callee !== '()'))
      return []
    const value = call.receiver ?? { kind: 'name' as const, name: callee, place }
    const makers = makersOf({ ...call, receiver: value, scope })
    return made.flatMap((rule) => {
      const maker = makers.find((one) => isMadeBy(one, rule.receiver ?? []))
      return maker ? [apply(rule, { call, made: maker, isSure: true })] : []
    })
  }

  function readOpen(call: Call): readonly ReadCall[] {
    const known = calleeNames(call.callee, names)
    const fitting = call.receiver
      ? index
          .byLastName(lastName(call.callee))
          .filter((rule) => rule.receiver && isCallee(rule.callee, known))
      : made
    return fitting.map((rule) => apply(rule, { call, made: undefined, isSure: false }))
  }

  function apply(
    rule: ClientRule,
    { call, made, isSure }: { call: Call; made: Call | undefined; isSure: boolean },
  ): ReadCall {
    const value = evaluator.argumentAt(call, rule.url)?.value
    const own = evaluator.argument(call, rule.url)
    const path = withAppended(rule, call, own)
    const url =
      path !== undefined && hasScheme(path) ? path : below(baseOfCall(rule, call, made), path)
    return { rule, url, method: methodOf(rule, call), urlValue: value, isSure }
  }

  function withAppended(rule: ClientRule, call: Call, own: Pattern | undefined) {
    if (!rule.pathFrom) return own
    const parts = own === undefined ? [] : [own]
    let next = calledNext.get(call)
    for (let step = 0; next && step < MAX_CHAIN; step += 1) {
      const place = ownEntry(rule.pathFrom, `.${lastName(next.callee)}`)
      const part = place && evaluator.argument(next, place)
      if (part !== undefined) parts.push(part)
      next = calledNext.get(next)
    }
    return parts.length === 0 ? undefined : joinSegments(parts)
  }

  function baseOfCall(rule: ClientRule, call: Call, made: Call | undefined) {
    if (rule.base) {
      const inMaker = made && evaluator.argument(made, rule.base)
      if (inMaker !== undefined && inMaker !== '') return inMaker
      // A bare position is the construction's where there is one.
      const isOwn = !rule.receiver || rule.base.at === undefined || rule.base.key !== undefined
      const found = isOwn ? evaluator.argument(call, rule.base) : undefined
      if (found !== undefined && found !== '') return found
    }
    return rule.baseFrom ? baseFrom(rule, { call, made, name: nameOf(call.receiver) }) : undefined
  }

  function baseFrom(
    rule: ClientRule,
    on: { readonly call: Call; readonly made: Call | undefined; readonly name: string | undefined },
  ): Pattern | undefined {
    for (const [key, place] of Object.entries(rule.baseFrom ?? {})) {
      const found = key.endsWith('()')
        ? setAnywhere(key.slice(0, -2), place)
        : key.startsWith('.')
          ? setByCall(key, place, on)
          : setByField(key, on)
      if (found !== undefined && found !== '') return found
    }
    return undefined
  }

  /** A call of that name anywhere in the file. */
  function setAnywhere(callee: string, place: ArgumentPlace): Pattern | undefined {
    const setter = program.calls.find((one) => one.callee === callee)
    return setter && evaluator.argument(setter, place)
  }

  /** Setters in the chain that made the client, or on its name. */
  function setByCall(
    key: string,
    place: ArgumentPlace,
    on: { readonly call: Call; readonly made: Call | undefined; readonly name: string | undefined },
  ): Pattern | undefined {
    const isSetter = (one: Call) => `.${lastName(one.callee)}` === key
    const chain = [...makersOf(on.call), ...makersAfter(on.made)]
    const known = on.name === undefined ? [] : (calledOn.get(on.name) ?? [])
    const local = on.name?.startsWith('this.') ? (calledOn.get(on.name.slice(5)) ?? []) : []
    for (const setter of [...chain, ...known, ...local].filter(isSetter)) {
      const found = evaluator.argument(setter, place)
      if (found !== undefined) return found
    }
    return undefined
  }

  function makersAfter(made: Call | undefined): readonly Call[] {
    const found: Call[] = []
    let next = made && calledNext.get(made)
    for (let step = 0; next && step < MAX_CHAIN; step += 1) {
      found.push(next)
      next = calledNext.get(next)
    }
    return found
  }

  /** A field that is set on the client's name, or given when it was made. */
  function setByField(
    key: string,
    on: { readonly call: Call; readonly made: Call | undefined; readonly name: string | undefined },
  ): Pattern | undefined {
    if (on.made) {
      const named = ownEntry(on.made.named, key)
      if (named) return evaluator.text({ value: named, scope: on.made.scope })
      for (const value of on.made.args) {
        const located = { value, scope: on.made.scope }
        // A name of another file may be anything: a member of it is no base.
        if (!evaluator.follow(located).some((one) => one.value.kind === 'record')) continue
        const entry = evaluator.member(located, key)
        const found = entry && evaluator.text(entry)
        if (found !== undefined) return found
      }
    }
    if (on.name === undefined) return undefined
    const { place, scope } = on.call
    const bound = on.made && boundTo.get(on.made)?.name
    for (const name of bound === undefined || bound === on.name ? [on.name] : [on.name, bound]) {
      const full = `${name}.${key}`
      const meanings = names.find(full, { scope, index: place.index })
      if (!meanings.some((one) => one.kind === 'value' && one.rest.length === 0)) continue
      const found = evaluator.text({ value: { kind: 'name', name: full, place }, scope })
      if (found !== undefined) return found
    }
    return undefined
  }

  function methodOf(rule: ClientRule, call: Call): Pattern | undefined {
    const other = rule.methodFrom && methodFrom(rule.methodFrom, call)
    if (other !== undefined) return other
    if (typeof rule.method === 'string') return rule.method
    const value = evaluator.argumentAt(call, rule.method)?.value
    const named = value?.kind === 'name' ? METHOD_NAME.exec(value.name)?.[1] : undefined
    if (named !== undefined) return named.toLowerCase()
    const found = evaluator.argument(call, rule.method)
    if (found !== undefined && found !== '') return toMethod(found)
    return value ? undefined : rule.defaultMethod
  }

  function methodFrom(
    from: Readonly<Record<string, string | ArgumentPlace>>,
    call: Call,
  ): Pattern | undefined {
    const chain: Call[] = [...makersOf(call), ...makersAfter(call)]
    const top = chain.at(-1) ?? call
    for (const name of [nameOf(call.receiver), boundTo.get(call)?.name, boundTo.get(top)?.name]) {
      for (const one of name === undefined ? [] : (calledOn.get(name) ?? [])) {
        if (names.functionOf(one.scope) === names.functionOf(call.scope)) chain.push(one)
      }
    }
    const set = Object.keys(from).find((key) => !key.startsWith('.'))
    const name = boundTo.get(call)?.name ?? boundTo.get(top)?.name
    const field = set && name !== undefined && setByField(set, { call, made: undefined, name })
    if (field) return toMethod(field)
    for (const one of chain) {
      const place = ownEntry(from, `.${lastName(one.callee)}`)
      if (place === undefined || one === call) continue
      if (typeof place === 'string') return place
      const found = evaluator.argument(one, place)
      if (found !== undefined) return toMethod(found)
    }
    return undefined
  }

  function rulesMadeBy(made: Call): readonly ClientRule[] {
    const known = calleeNames(made.callee, names)
    return rules.filter(({ receiver }) => receiver?.some((one) => isCallee(one, known)))
  }

  function baseOf(made: Call, name: string | undefined): Pattern | undefined {
    for (const rule of rulesMadeBy(made)) {
      const own = rule.base && evaluator.argument(made, rule.base)
      if (own !== undefined && own !== '') return own
      const set = rule.baseFrom && baseFrom(rule, { call: made, made, name })
      if (set !== undefined) return set
    }
    return undefined
  }

  return { read, readOpen, makersOf, baseOf, rulesMadeBy }
}

/** A path below a base: one slash between them. */
export function below(base: Pattern | undefined, path: Pattern | undefined): Pattern | undefined {
  if (base === undefined || base === '') return path
  return path === undefined ? base : joinSegments([base, path])
}

/** Longest chain of calls that is followed, most calls on one name. */
const MAX_CHAIN = 24
const MAX_SAME_RECEIVER = 200

/** A constant that is a method: `HttpMethod.Post`, `http.MethodPost`, `Method.POST`. */
const METHOD_NAME = /(?:^|[._]|Method|METHOD_)(get|post|put|patch|delete|head|options)(?:Async)?$/i

function nameOf(value: Expression | undefined): string | undefined {
  return value?.kind === 'name' ? value.name : undefined
}

function receiverName(call: Call): string {
  return nameOf(call.receiver) ?? ''
}

/** `HttpMethod.Post`, `"POST"`, `Method.POST` to `post`. */
function toMethod(found: Pattern): Pattern {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: marks of patterns
  if (/[\x01\x03]/.test(found)) return found
  return found.slice(found.lastIndexOf('.') + 1).toLowerCase()
}

function ownEntry<Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}
