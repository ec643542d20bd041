import type { ArgumentValue, Exported } from '../model/file-scan.ts'
import { lastName, matchNames } from '../model/name-patterns.ts'
import {
  fillSlots,
  firstSlot,
  hasReferences,
  hasScheme,
  lengthOf,
  type Pattern,
  toRawText,
} from '../model/pattern.ts'
import type { Call, Program } from '../model/program.ts'
import { startsWithHost } from '../noise/url-hosts.ts'
import type { Evaluator } from './evaluate.ts'
import {
  BASE_CONSTRUCTOR,
  constructedClass,
  constructedName,
  constructionKey,
  findConstructedClass,
  isWritten,
  OWN_METHOD,
  toPlace,
} from './expressions.ts'

/** Parameters of constructors and setters, and the arguments that a program passes for them. */
export interface Constructions {
  /** Replaces parameters of constructors by the arguments of the program's first construction. */
  fill(url: Pattern): Pattern
  /** Replaces parameters of constructors and setters by references, except those of a function. */
  toExternal(url: Pattern, except?: number): Pattern
  /** Scopes of methods that only set a part of a URL. */
  readonly setters: ReadonlySet<number>
  /** Arguments that the program passes, by key of `FileScan.exports`. */
  readonly exports: ReadonlyMap<string, Exported>
}

/** Finds the constructors and setters of a program, and the arguments that it passes to any. */
export function findConstructions(evaluator: Evaluator): Constructions {
  const { program } = evaluator
  const constructors = new Map<string, number>()
  const factories = new Map<string, number>()
  const setters = new Set<number>()
  /** References to the arguments for the parameters of a function, by its scope. */
  const external = new Map<number, { readonly name: string; readonly enclosingClass?: string }>()
  program.scopes.forEach(({ kind, name, parent }, index) => {
    if (kind !== 'function') return
    if (parent === 0 && FACTORY.test(name)) {
      factories.set(name, index)
      if (!/^new$/i.test(name)) external.set(index, { name: constructionKey(name) })
    }
    const owner = program.scopes[parent]
    if (owner?.kind !== 'class' || owner.name === '') return
    if (CONSTRUCTORS.has(name) || name === owner.name) {
      constructors.set(owner.name, index)
      external.set(index, { name: constructionKey(owner.name), enclosingClass: owner.name })
    } else if (SETTER.test(name)) {
      setters.add(index)
      external.set(index, { name: `^.@${name}`, enclosingClass: owner.name })
    }
  })
  const firstCalls = new Map<number, Call>()
  for (const call of constructors.size + factories.size > 0 ? program.calls : []) {
    const target = constructors.get(constructedName(call.callee)) ?? factories.get(call.callee)
    if (target !== undefined && hasArguments(call) && !firstCalls.has(target)) {
      firstCalls.set(target, call)
    }
  }

  function fill(url: Pattern): Pattern {
    return fillSlots(url, (slot) => {
      const call = firstCalls.get(slot.scope)
      return call && evaluator.argument(call, toPlace(slot))
    })
  }

  function toExternal(url: Pattern, except?: number): Pattern {
    return fillSlots(url, ({ scope, at, name, key }) => {
      const reference = scope === except ? undefined : external.get(scope)
      return (
        reference && evaluator.externalParameter({ ...reference, parameter: { at, name, key } })
      )
    })
  }

  return { fill, toExternal, setters, exports: findArguments(evaluator, toExternal) }
}

/** Whether a function creates an object or sets a part of it. */
export function configuresObject({ scopes }: Program, scope: number): boolean {
  const { name = '', parent = 0 } = scopes[scope] ?? {}
  const isClass = scopes[parent]?.name === name
  return isClass || CONSTRUCTORS.has(name) || FACTORY.test(name) || SETTER.test(name)
}

/** Finds the arguments of constructions and setters that may be a base. */
function findArguments(
  evaluator: Evaluator,
  toExternal: (pattern: Pattern) => Pattern,
): Constructions['exports'] {
  const found = new Map<string, Exported>()
  for (const call of evaluator.program.calls) {
    if (found.size >= MAX_KEYS) break
    const key = findKey(call, evaluator)
    const known = key === undefined ? undefined : found.get(key)
    const lists = known?.argumentLists ?? []
    if (key === undefined || lists.length >= MAX_LISTS) continue
    const isSetter = SETTER.test(call.callee)
    const passed = evaluator.selectArguments(call, (value) => !!firstSlot(value))
    const args = [...evaluator.argumentsOf(call), ...passed]
      .map((argument) => ({ ...argument, value: toExternal(argument.value) }))
      .filter(({ value }) => lengthOf(value) < MAX_LENGTH && (isSetter || mayBeBase(value)))
    if (args.length === 0) continue
    const written = isSetter && lists.length === 0 ? call.args.find(isWritten) : undefined
    found.set(key, {
      argumentLists: [...lists, args],
      ...(known?.place && { place: known.place }),
      ...(written && { place: { line: written.place.line, column: written.place.column } }),
      ...(key.startsWith('@new ') && {
        baseClasses: known?.baseClasses ?? [
          evaluator.names.externalName(constructedClass(call.callee)),
        ],
      }),
    })
  }
  return found
}

/** Key in `FileScan.exports` of the arguments of a constructor or setter. */
function findKey(call: Call, { names, follow }: Evaluator): string | undefined {
  const { callee, scope, receiver } = call
  if (!hasArguments(call)) return undefined
  const owner = names.classAround(scope)
  const ownerName = owner?.name || undefined
  if (BASE_CONSTRUCTOR.test(callee)) {
    return owner?.extends && ownerName && `${ownerName}.@super`
  }
  const made = findConstructedClass(callee)
  if (made !== undefined)
    return isValueClass(lastName(made)) ? undefined : constructionKey(lastName(made))
  const setter = SETTER.exec(callee)?.[1]
  if (setter === undefined) return undefined
  if (OWN_METHOD.test(callee)) return ownerName && `${ownerName}.@${setter}`
  for (const { value } of receiver ? follow({ value: receiver, scope }) : []) {
    const name = value.kind === 'call' ? constructedName(value.call.callee) : ''
    if (/^[A-Z]/.test(name)) return `${name}.@${setter}`
  }
  // `Client::with_base_url(url)` creates an object.
  const factory = /(?:^|\.)([A-Z]\w*)\.\w+$/.exec(callee)?.[1]
  return factory && !receiver ? `${factory}.@${setter}` : undefined
}

function hasArguments({ args, named }: Call): boolean {
  return args.length + Object.keys(named).length > 0
}

function mayBeBase(value: ArgumentValue['value']): boolean {
  return hasScheme(value) || hasReferences(value) || startsWithHost(toRawText(value))
}

/** Functions that create an object, in languages without constructors. */
const FACTORY = /^[Nn]ew(?:[A-Z_]\w*)?$/

export const CONSTRUCTORS = new Set(['constructor', '__init__', 'initialize', '__construct', 'new'])

/** Methods that set a base or a path. */
const SETTER =
  /(?:^|\.)((?:set|(?:new_)?with|use)_?(?:\w*_)?\w*(?:ur[il]|endpoint|base|host|path|address|domain|server|root|prefix|resource)\w*)$/i

/** Classes of values and events, by their names. */
const isValueClass = matchNames(`
  *{Error,Exception,Date,Time,Map,Set,List,Array,Dictionary,Promise,Event,Response,Result,Dto,Model}
  *{View,String,Builder,Buffer,Number,Regexp,RegExp,Object,Symbol,Field,Column,Option,Some,Ok,Err}
`)

/** Most argument lists of one key. */
const MAX_LISTS = 4
/** Most keys of one file. */
const MAX_KEYS = 200
const MAX_LENGTH = 300
