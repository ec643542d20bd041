import { calleeNames, importsAny, isCallee, type RuleIndex } from '../clients/client-rules.ts'
import { ownEntry } from '../model/collections.ts'
import { lastName } from '../model/name-patterns.ts'
import { fromText, hasScheme, joinSegments, type Pattern } from '../model/pattern.ts'
import type { ArgumentPlace, Call, ClientRule, Expression, Program } from '../model/program.ts'
import { classKey, SELECTED } from '../model/program.ts'
import { METHOD_NAME, omittedMember, splitMethod, toMethod } from './argument-values.ts'
import { GIVERS, linkCalls } from './call-links.ts'
import { createBaseReader } from './client-bases.ts'
import type { Evaluator } from './evaluate.ts'
import type { ScopedValue } from './names.ts'

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
  /** Bases that the file gives for calls that other files declare, by what gives them. */
  basesElsewhere(): ReadonlyMap<string, Pattern>
  /** Base that a chain of calls sets, or the only one of the file: `….baseUrl(url).build()`. */
  baseSetIn(client: ScopedValue): Pattern | undefined
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
  const links = linkCalls({ program, evaluator })
  const { makersOf } = links
  const { baseFrom, setByField, setAnywhere } = createBaseReader({ program, evaluator, links })

  function imports(rule: ClientRule): boolean {
    if (!rule.from) return false
    const found = importsOf.get(rule) ?? importsAny(rule.from, program.imports)
    importsOf.set(rule, found)
    return found
  }

  function isMadeBy(made: Call, wanted: readonly string[]): boolean {
    const known = calleeNames(made.callee, names)
    return wanted.some((one) => isCallee(one, known))
  }

  /** Rules of what is called, in their order for each of its names. */
  function rulesOf(known: readonly string[]): readonly ClientRule[] {
    const [name = ''] = known
    const found =
      known.length === 1
        ? index.byLastName(lastName(name))
        : [...new Set(known.flatMap((one) => index.byLastName(lastName(one))))]
    return found.filter(({ callee }) => isCallee(callee, known))
  }

  function read(call: Call): readonly ReadCall[] {
    const found: ReadCall[] = readMade(call).filter(({ urlValue }) => urlValue)
    const known = calleeNames(call.callee, names)
    const fitting = rulesOf(known)
    if (fitting.length === 0) return found
    let makers: readonly Call[] | undefined
    for (const rule of fitting) {
      if (rule.receiver) {
        makers ??= makersOf(call)
        const wanted = rule.receiver
        const those = makers.filter((one) => isMadeBy(one, wanted))
        // A declared type stands for a construction too; one that has a base says more.
        const made =
          those.length < 2
            ? those[0]
            : (those.find(({ named }) => named[SELECTED]) ??
              those.find((one) => rule.base && evaluator.argument(one, rule.base) !== undefined) ??
              those.find((one) => baseOfCall(rule, call, one) !== undefined) ??
              those[0])
        if (made) found.push(apply(rule, { call, made, isSure: true }))
        else if (rule.receiver.includes(receiverName(call)) && imports(rule)) {
          found.push(apply(rule, { call, made: undefined, isSure: true }))
        }
        continue
      }
      if (rule.from && !imports(rule)) continue
      // What keeps values by their names has methods of the same names.
      if (rule.callee.startsWith('.') && KEEPERS.test(lastName(receiverName(call)))) continue
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
    const stated = own === undefined ? undefined : splitMethod(own)
    const path = withAppended(rule, call, stated?.url ?? own)
    const url =
      path !== undefined && hasScheme(path) ? path : below(baseOfCall(rule, call, made), path)
    return { rule, url, method: stated?.method ?? methodOf(rule, call), urlValue: value, isSure }
  }

  function withAppended(rule: ClientRule, call: Call, own: Pattern | undefined) {
    if (!rule.pathFrom) return own
    const parts = own === undefined ? [] : [own]
    for (const next of links.chainAfter(call)) {
      const place = ownEntry(rule.pathFrom, `.${lastName(next.callee)}`)
      const part = place && evaluator.argument(next, place)
      if (part !== undefined) parts.push(part)
    }
    return parts.length === 0 ? undefined : joinSegments(parts)
  }

  function baseOfCall(rule: ClientRule, call: Call, made: Call | undefined) {
    if (rule.base) {
      const inMaker = made && evaluator.argument(made, rule.base)
      if (inMaker !== undefined && inMaker !== '') return inMaker
      // A bare position is the construction's where there is one.
      const { at, key } = rule.base
      // An argument that is the path or the method has no options.
      const isTaken = [rule.url, rule.method].some(
        (other) => typeof other !== 'string' && other.at === at && other.key === undefined,
      )
      const isOwn = !rule.receiver || at === undefined || (key !== undefined && !isTaken)
      const found = isOwn ? evaluator.argument(call, rule.base) : undefined
      if (found !== undefined && found !== '') return found
    }
    const set = rule.baseFrom && baseFrom(rule, { call, made, name: nameOf(call.receiver) })
    return set ?? (rule.fixedBase === undefined ? undefined : fromText(rule.fixedBase))
  }

  function methodOf(rule: ClientRule, call: Call): Pattern | undefined {
    const other = rule.methodFrom && methodFrom(rule.methodFrom, call)
    if (other !== undefined) return other
    if (typeof rule.method === 'string') return rule.method
    const value = evaluator.argumentAt(call, rule.method)?.value
    const named = value?.kind === 'name' ? METHOD_NAME.exec(value.name)?.[1] : undefined
    if (named !== undefined) return named.toLowerCase()
    const found = evaluator.argument(call, rule.method)
    const { defaultMethod: preset } = rule
    const open = found && preset ? omittedMember(found, preset) : undefined
    if (open) return open
    if (found !== undefined && found !== '') return toMethod(found)
    return value ? undefined : preset
  }

  function methodFrom(
    from: Readonly<Record<string, string | ArgumentPlace>>,
    call: Call,
  ): Pattern | undefined {
    const chain: Call[] = [...makersOf(call), ...links.chainAfter(call)]
    const top = chain.at(-1) ?? call
    for (const name of [nameOf(call.receiver), links.nameOf(call), links.nameOf(top)]) {
      for (const one of links.calledOn(name)) {
        if (names.functionOf(one.scope) === names.functionOf(call.scope)) chain.push(one)
      }
    }
    const set = Object.keys(from).find((key) => !key.startsWith('.'))
    const name = links.nameOf(call) ?? links.nameOf(top)
    const field = set && name !== undefined && setByField(set, { call, made: undefined, name })
    if (field) return toMethod(field)
    for (const one of chain) {
      const place = ownEntry(from, `.${lastName(one.callee)}`)
      if (place === undefined || one === call || GIVERS.test(receiverName(one))) continue
      if (typeof place === 'string') return place
      const found = evaluator.argument(one, place)
      if (found !== undefined) return toMethod(found)
    }
    return undefined
  }

  function rulesMadeBy(made: Call): readonly ClientRule[] {
    const known = calleeNames(made.callee, names)
    if (!known.some((name) => index.mayMake(lastName(name)))) return []
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

  function basesElsewhere(): ReadonlyMap<string, Pattern> {
    const found = new Map<string, Pattern>()
    for (const { rule, callee, place, isAnywhere } of index.setters) {
      if (!isAnywhere || found.has(callee) || !imports(rule)) continue
      const base = setAnywhere(callee, place)
      if (base !== undefined) found.set(callee, base)
    }
    return found
  }

  function baseSetIn({ value, scope }: ScopedValue): Pattern | undefined {
    const { place } = value
    const makers = makersOf({ callee: '', receiver: value, args: [], named: {}, place, scope })
    for (const { callee, place } of index.setters) {
      const setter = makers.find((maker) => `.${lastName(maker.callee)}` === callee)
      if (setter) return evaluator.argument(setter, place)
    }
    const injected = makers.find(({ callee, args }) => INJECTED.test(callee) && args.length === 0)
    const selected = nameOf(injected?.named[SELECTED])
    if (selected !== undefined) return evaluator.externalName(selected)
    for (const { rule, callee, place, isAnywhere } of index.setters) {
      const all =
        isAnywhere && imports(rule)
          ? program.calls.filter((call) => isCallee(callee, [call.callee]))
          : []
      const [only, other] = all
      if (only && !other) return evaluator.argument(only, place)
    }
    return injected && evaluator.externalName(classKey(injected.callee.slice(4)))
  }

  return { read, readOpen, makersOf, baseOf, basesElsewhere, baseSetIn, rulesMadeBy }
}

/** A path below a base: one slash between them. */
function below(base: Pattern | undefined, path: Pattern | undefined): Pattern | undefined {
  if (base === undefined || base === '') return path
  return path === undefined ? base : joinSegments([base, path])
}

/** A client of a declared type, which a program does not make itself. */
const INJECTED = /^new (?:Retrofit|WebClient|RestClient|RestTemplate)$/

/** Names of what keeps values by their names. */
const KEEPERS =
  /(?:^|_|[a-z](?=[A-Z]))(?:map|maps|dict|cache|headers?|params|registry|namespaces?|lookup|memo|cookies|files?|filesystem|disk|storage|by_?\w+)$/i

function nameOf(value: Expression | undefined): string | undefined {
  return value?.kind === 'name' ? value.name : undefined
}

function receiverName(call: Call): string {
  return nameOf(call.receiver) ?? ''
}
