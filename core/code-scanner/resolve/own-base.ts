import { hasScheme, joinSegments, type Pattern, replaceHead, toText } from '../model/pattern.ts'
import type { Call, Program } from '../model/program.ts'
import { isBaseName, isNoiseHost, isPlaceholder } from '../noise/noise.ts'
import type { Evaluator } from './evaluate.ts'
import { BASE_CONSTRUCTOR } from './expressions.ts'

/** Tells which base a class of a program gives to the methods that it inherits. */
export interface OwnBases {
  /**
   * The base that a call is given among its options, or that of the class around it: a field that
   * is named like one, or what is passed to the constructor of the class above. Undefined where
   * there is none.
   */
  of(call: Call): Pattern | undefined
}

/** Indexes the bases of a program's classes that extend others. */
export function indexOwnBases(program: Program, evaluator: Evaluator): OwnBases {
  const { names } = evaluator
  const bases = new Map<number, Pattern>()
  const owns = (scope: number): number | undefined => {
    const owner = names.classOf(scope)
    const { extends: above } = (owner === undefined ? undefined : program.scopes[owner]) ?? {}
    return above && !above.some((name) => TESTS.test(name)) ? owner : undefined
  }
  const keep = (owner: number, text: Pattern | undefined): void => {
    const known = bases.get(owner)
    if (text === undefined || (known !== undefined && !isPlaceholder(toText(known)))) return
    if (hasScheme(text) && !isNoiseHost(toText(text))) bases.set(owner, text)
  }
  for (const binding of program.bindings) {
    if (binding.kind === 'return' || !isBaseName(binding.name)) continue
    const owner = owns(binding.scope)
    // A field of the instance or of its client: `http.url_prefix = …`.
    const isField = owner === binding.scope || binding.name.includes('.')
    if (owner !== undefined && isField) keep(owner, evaluator.evaluate(binding))
  }
  for (const { callee, args, named, scope } of program.calls) {
    if (!BASE_CONSTRUCTOR.test(callee)) continue
    const owner = owns(scope)
    if (owner === undefined) continue
    for (const value of [...args.slice(0, 3), ...Object.values(named).slice(0, 10)]) {
      const entries = value.kind === 'record' ? Object.entries(value.entries) : []
      const bases = entries.flatMap(([name, entry]) => (isBaseName(name) ? [entry] : []))
      for (const one of [value, ...bases]) keep(owner, evaluator.evaluate({ value: one, scope }))
    }
  }
  return {
    of(call) {
      const owner = names.classOf(call.scope)
      return givenBase(call, evaluator) ?? (owner === undefined ? undefined : bases.get(owner))
    },
  }
}

/** Test cases, whose clients call the project itself, and whose fields are data. */
const TESTS = /Tests?(?:Case|Base)?$/

/** `get('/users', { baseURL: 'https://…' })`. */
function givenBase(call: Call, evaluator: Evaluator): Pattern | undefined {
  for (const value of call.args.slice(0, 4)) {
    if (value.kind !== 'record') continue
    for (const name of ['baseURL', 'baseUrl', 'base_url', 'base_uri', 'prefixUrl']) {
      const entry = Object.hasOwn(value.entries, name) ? value.entries[name] : undefined
      const text = entry && evaluator.evaluate({ value: entry, scope: call.scope })
      if (text !== undefined && hasScheme(text)) return text
    }
  }
  return undefined
}

/** A path that an inherited method asks for, below the base of the class that inherits it. */
export function belowOwnBase(base: Pattern, path: Pattern): Pattern {
  return joinSegments([base, replaceHead(path, '')])
}
