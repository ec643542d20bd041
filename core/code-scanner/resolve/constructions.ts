import type { ArgumentValue, UnresolvedReference } from '../model/file-scan.ts'
import {
  fillSlots,
  hasReferences,
  hasScheme,
  hasSlots,
  lengthOf,
  type Pattern,
  startsWithSlot,
  toRawText,
} from '../model/pattern.ts'
import type { Call, Expression, Program } from '../model/program.ts'
import { isBaseName } from '../noise/noise.ts'
import { startsWithHost } from '../noise/url-hosts.ts'
import { ownEntry } from './client-bases.ts'
import type { Evaluator } from './evaluate.ts'
import { classNameOf, classReference, constructionOf, toPlace } from './expressions.ts'

/** What stands for the parameters of constructors and setters. */
export interface Constructions {
  /** By what the program constructs with. */
  fill(url: Pattern): Pattern
  /** By names of what other files give, but for the parameters of one function. */
  name(url: Pattern, except?: number): Pattern
  /** By the options that functions of the program build, where a parameter's member is a base. */
  byOptions(url: Pattern): Pattern
  /** Scopes of methods of classes that only take a part of a URL. */
  readonly setters: ReadonlySet<number>
  /** What the program gives, by `Exported.given`'s names. */
  readonly given: ReadonlyMap<string, Given>
}

/** What is given under one name. */
export interface Given {
  readonly calls: readonly (readonly ArgumentValue[])[]
  /** The class that is constructed, as the program calls it. */
  readonly of: UnresolvedReference | undefined
}

/** Finds the constructors, the setters, and what the program calls them with. */
export function findConstructions(from: {
  readonly program: Program
  readonly evaluator: Evaluator
}): Constructions {
  const { program, evaluator } = from
  const byConstructor = new Map<number, Call[]>()
  const isConstructor = new Map<string, number>()
  const makers = new Map<string, number>()
  const setters = new Set<number>()
  const built = new Map<string, Pattern | undefined>()
  /** What gives a value for the parameters of a function, by its scope. */
  const named = new Map<number, { readonly name: string; readonly enclosingClass?: string }>()
  program.scopes.forEach((scope, index) => {
    const owner = program.scopes[scope.parent]
    if (scope.kind === 'function' && scope.parent === 0 && MAKERS.test(scope.name)) {
      makers.set(scope.name, index)
      if (!/^new$/i.test(scope.name)) named.set(index, { name: constructionOf(scope.name) })
    }
    if (scope.kind !== 'function' || owner?.kind !== 'class' || owner.name === '') return
    if (CONSTRUCTORS.has(scope.name) || scope.name === owner.name) {
      isConstructor.set(owner.name, index)
      named.set(index, { name: constructionOf(owner.name), enclosingClass: owner.name })
    } else if (SETTER.test(scope.name)) {
      setters.add(index)
      named.set(index, { name: `^.@${scope.name}`, enclosingClass: owner.name })
    }
  })
  if (isConstructor.size + makers.size > 0) {
    for (const call of program.calls) {
      const target = isConstructor.get(classNameOf(call.callee)) ?? makers.get(call.callee)
      if (target === undefined || call.args.length + Object.keys(call.named).length === 0) {
        continue
      }
      const known = byConstructor.get(target)
      if (known) known.push(call)
      else byConstructor.set(target, [call])
    }
  }

  function fill(url: Pattern): Pattern {
    return fillSlots(url, (slot) => {
      const call = byConstructor.get(slot.scope)?.[0]
      return call && evaluator.argument(call, toPlace(slot))
    })
  }

  function name(url: Pattern, except?: number): Pattern {
    return fillSlots(url, ({ scope, at, name, key }) => {
      if (scope === except) return undefined
      const known = named.get(scope)
      return known && evaluator.externalParameter({ ...known, parameter: { at, name, key } })
    })
  }

  /** The base among options that a function of the file builds: `return { baseURL }`. */
  function builtOption(key: string): Pattern | undefined {
    if (key === '' || !isBaseName(key)) return undefined
    if (!built.has(key)) {
      const texts = program.bindings.flatMap(({ value, scope }) => {
        const entry = scope > 0 ? entryOf(value, key) : undefined
        const text = entry && evaluator.evaluate({ value: entry, scope })
        return text !== undefined && hasScheme(text) && !hasSlots(text) ? [text] : []
      })
      built.set(key, texts[0])
    }
    return built.get(key)
  }

  const byOptions = (url: Pattern) => fillSlots(url, ({ key }) => builtOption(key))

  return { fill, name, byOptions, setters, given: findGiven({ ...from, name }) }
}

/** What a program gives to constructors and setters, of its own classes and of other files'. */
function findGiven(from: {
  readonly program: Program
  readonly evaluator: Evaluator
  readonly name: (pattern: Pattern) => Pattern
}): Constructions['given'] {
  const { program, evaluator, name: nameSlots } = from
  const found = new Map<string, Given>()
  for (const call of program.calls) {
    const under = nameOfGiven(call, from)
    if (under === undefined || (found.get(under)?.calls.length ?? 0) >= MAX_GIVEN) continue
    const isPath = SETTER.test(call.callee)
    const args = [...evaluator.argumentsOf(call), ...handedOn(call, evaluator)]
      .map((one) => ({ ...one, value: nameSlots(one.value) }))
      .filter(({ value }) => lengthOf(value) < MAX_TEXT && (isPath || mayBeBase(value)))
    if (args.length === 0 || found.size >= MAX_NAMES) continue
    const known = found.get(under)
    const isMade = under === constructionOf(classNameOf(call.callee))
    const name = call.callee.replace(/^new /, '').replace(/\.new$/, '')
    found.set(under, {
      calls: [...(known?.calls ?? []), args],
      of: known?.of ?? (isMade ? classReference(name, evaluator.names) : undefined),
    })
  }
  return found
}

/** An entry of a record, or of one within it: `{ ok, config: { baseURL } }`. */
function entryOf(value: Expression, key: string): Expression | undefined {
  if (value.kind !== 'record') return undefined
  const inner = Object.values(value.entries).slice(0, MAX_ARGUMENTS)
  const nested = inner.flatMap((one) => (one.kind === 'record' ? [one.entries] : []))
  return [value.entries, ...nested].map((one) => ownEntry(one, key)).find((one) => one)
}

/** Arguments that are parameters of the function around, or parts of them. */
function handedOn(call: Call, evaluator: Evaluator): readonly ArgumentValue[] {
  const { scope, args, named } = call
  const read = (value: Expression, where: Pick<ArgumentValue, 'at' | 'name'>) => {
    const text = evaluator.evaluate({ value, scope })
    return text !== undefined && startsWithSlot(text) ? [{ ...where, key: '', value: text }] : []
  }
  return [
    ...args.slice(0, MAX_ARGUMENTS).flatMap((value, at) => read(value, { at, name: '' })),
    ...Object.entries(named)
      .slice(0, MAX_ARGUMENTS)
      .flatMap(([name, value]) => read(value, { at: -1, name })),
  ]
}

function nameOfGiven(
  call: Call,
  { program, evaluator }: { readonly program: Program; readonly evaluator: Evaluator },
): string | undefined {
  const { callee, scope, receiver, args, named } = call
  if (args.length === 0 && Object.keys(named).length === 0) return undefined
  const around = program.scopes[evaluator.names.classOf(scope) ?? -1]
  if (CONSTRUCTOR_ABOVE.test(callee)) {
    return around?.extends && around.name !== '' ? `${around.name}.@super` : undefined
  }
  const made = CONSTRUCTION.exec(callee)?.[1]
  if (made !== undefined) return OTHERS.test(made) ? undefined : constructionOf(made)
  const setter = SETTER.exec(callee)?.[1]
  if (setter === undefined) return undefined
  if (/^(?:(?:this|super|parent)\.)?\w+$/.test(callee)) {
    return around && around.name !== '' ? `${around.name}.@${setter}` : undefined
  }
  for (const { value } of receiver ? evaluator.follow({ value: receiver, scope }) : []) {
    const owner = value.kind === 'call' ? classNameOf(value.call.callee) : ''
    if (/^[A-Z]/.test(owner)) return `${owner}.@${setter}`
  }
  return undefined
}

function mayBeBase(value: Pattern): boolean {
  return hasScheme(value) || hasReferences(value) || startsWithHost(toRawText(value))
}

/** Functions that make what has the methods, in languages without constructors. */
const MAKERS = /^[Nn]ew(?:[A-Z_]\w*)?$/

const CONSTRUCTORS = new Set(['constructor', '__init__', 'initialize', '__construct', 'new'])

/** Methods that take a base or a path. */
const SETTER =
  /(?:^|\.)((?:set|with|use)_?(?:\w*_)?\w*(?:ur[il]|endpoint|base|host|path|address|domain|server|root|prefix|resource)\w*)$/i

/** Calls of the constructor of the class above. */
const CONSTRUCTOR_ABOVE = /(?:^|\.)(?:super|__init__|__construct)$/

/** `new Client`, `shop.NewClient`, `Client`, `Client.new`. */
const CONSTRUCTION = /^(?:new )?(?:\w+\.)*([A-Z]\w*)(?:\.new)?$/

/** Classes that hold values, or tell what happened, by their names. */
const OTHERS =
  /(?:Error|Exception|Date|Time|Map|Set|List|Array|Dictionary|Promise|Event|Response|Result|Dto|Model|View|String|Builder|Buffer|Number|Regexp|RegExp|Object|Symbol|Field|Column|Option|Some|Ok|Err)$/

/** Most calls that are kept of one name, names of one file, and longest value. */
const MAX_GIVEN = 4
const MAX_NAMES = 200
const MAX_TEXT = 300
const MAX_ARGUMENTS = 8
