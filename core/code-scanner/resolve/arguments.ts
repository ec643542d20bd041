import { ownEntry } from '../model/collections.ts'
import type { ArgumentValue } from '../model/file-scan.ts'
import {
  defaultOf,
  fillSlots,
  fromSlot,
  hasSlots,
  onlySlot,
  type ParameterSlot,
  type Pattern,
  startsWithReference,
} from '../model/pattern.ts'
import type { ArgumentPlace, Call, Expression } from '../model/program.ts'
import { isBaseName } from '../noise/noise.ts'
import { hasSlash, isTextual, isVague, isWithout, toPlace } from './expressions.ts'
import type { Follower } from './follow.ts'
import type { Names, ScopedValue } from './names.ts'

/** Reads the arguments of calls. */
export interface Arguments {
  /** The value of an argument as a string. */
  argument(call: Call, place: ArgumentPlace): Pattern | undefined
  argumentAt(call: Call, place: ArgumentPlace): ScopedValue | undefined
  /** Replaces parameters of the function `scope` by the arguments of a call of it. */
  fill(pattern: Pattern, at: { readonly call: Call; readonly scope: number }): Pattern
  /** Whether a value may be a path or a URL, without evaluating it. */
  mayBePath(scoped: ScopedValue): boolean
  /** Arguments with a known value, or with an address of another file; records by member. */
  argumentsOf(call: Call): readonly ArgumentValue[]
  /** Arguments whose values are accepted, records excluded. */
  selectArguments(call: Call, accepts: (value: Pattern) => boolean): readonly ArgumentValue[]
}

/** Creates a reader of the arguments of a program's calls. */
export function createArguments(
  values: Pick<Follower, 'follow' | 'member'> & {
    readonly names: Names
    readonly evaluate: (scoped: ScopedValue) => Pattern | undefined
  },
): Arguments {
  const { names, evaluate, follow, member } = values

  function argumentAt(call: Call, place: ArgumentPlace): ScopedValue | undefined {
    const { at, name, key } = place
    const named = name === undefined ? undefined : ownEntry(call.named, name)
    const positional = at === undefined ? undefined : call.args[at]
    const value = place.isReceiver ? call.receiver : (named ?? positional)
    if (!value) return undefined
    const whole = { value, scope: call.scope }
    const found = place.madeBy ? findMadeBy(whole, place.madeBy) : whole
    return found && key !== undefined ? member(found, key) : found
  }

  function findMadeBy(
    scoped: ScopedValue,
    makers: Readonly<Record<string, ArgumentPlace>>,
  ): ScopedValue | undefined {
    for (const { value } of follow(scoped)) {
      let call = value.kind === 'call' ? value.call : undefined
      for (let step = 0; call && step < MAX_CHAIN; step += 1) {
        const place = ownEntry(makers, call.callee)
        const found = place && argumentAt(call, place)
        if (found) return found
        call = call.receiver?.kind === 'call' ? call.receiver.call : undefined
      }
    }
    return undefined
  }

  function argument(call: Call, place: ArgumentPlace): Pattern | undefined {
    const found = argumentAt(call, place)
    if (found) return evaluate(found)
    const whole = place.at === undefined ? undefined : call.args[place.at]
    if (place.key === undefined || !whole || place.madeBy) return undefined
    // If a caller passes the record, the member is one of a parameter.
    const passed = { value: whole, scope: call.scope }
    for (const { value, scope } of [passed, ...follow(passed)]) {
      if (value.kind !== 'name') continue
      const open = evaluate({ value: { ...value, name: `${value.name}.${place.key}` }, scope })
      if (open !== undefined && hasSlots(open)) return open
    }
    return undefined
  }

  function fill(pattern: Pattern, { call, scope }: { call: Call; scope: number }): Pattern {
    return fillSlots(pattern, (slot) => {
      if (slot.scope !== scope) return undefined
      const omitted = slot.omitted !== undefined && omits(call, slot) ? slot.omitted : undefined
      const passed = argumentFor(slot, call) ?? omitted ?? defaultOf(slot)
      // A parameter of the caller has the same default.
      const parameter = onlySlot(passed)
      return parameter ? fromSlot({ ...slot, ...parameter }) : passed
    })
  }

  /** Whether a call passes no record for a parameter, or only ones without the member. */
  function omits(call: Call, slot: ParameterSlot): boolean {
    const whole = argumentAt(call, toPlace({ ...slot, key: '' }))
    return !whole || follow(whole).every(({ value }) => isWithout(value, slot.key))
  }

  /** Options may name the host in either of two ways. */
  const argumentFor = (slot: ParameterSlot, call: Call): Pattern | undefined =>
    argument(call, toPlace(slot)) ??
    (slot.key === 'hostname' ? argument(call, toPlace({ ...slot, key: 'host' })) : undefined)

  function mayBePath({ value, scope }: ScopedValue, level = 0): boolean {
    if (hasSlash(value)) return true
    switch (value.kind) {
      case 'join':
      case 'either':
        return true
      case 'call': {
        const { args, callee } = value.call
        if (args.some((arg) => hasSlash(arg)) || RETURNS_URL.test(callee)) return true
        return names.findFunction(callee, value.call.scope) !== undefined
      }
      case 'record':
        return Object.values(value.entries).some(
          (entry) => entry.kind === 'name' || hasSlash(entry),
        )
      case 'name': {
        const [definition] = names.find(value.name, { scope, index: value.place.index })
        if (!definition) return /^[A-Z]/.test(value.name)
        if (definition.kind !== 'value' || level > 2) return true
        return mayBePath(definition.binding, level + 1)
      }
      default:
        return false
    }
  }

  function selectArguments(call: Call, accepts: (value: Pattern) => boolean) {
    return listArguments(call).flatMap(({ at, name, expression }): readonly ArgumentValue[] => {
      const value = evaluate({ value: expression, scope: call.scope })
      return value !== undefined && accepts(value) ? [{ at, name, key: '', value }] : []
    })
  }

  function argumentsOf(call: Call): readonly ArgumentValue[] {
    const { scope } = call
    const found: ArgumentValue[] = []
    const add = (expression: Expression, place: Omit<ArgumentValue, 'value'>) => {
      const value = evaluate({ value: expression, scope })
      if (value === undefined) return
      const isOpenAddress = startsWithReference(value) && isAddress(expression)
      if (isOpenAddress || !isVague(value)) found.push({ ...place, value })
    }
    for (const { at, name, expression } of listArguments(call)) {
      add(expression, { at, name, key: '' })
      for (const { value } of follow({ value: expression, scope })) {
        if (value.kind !== 'record') continue
        for (const [key, entry] of Object.entries(value.entries).slice(0, MAX_MEMBERS)) {
          if (isTextual(entry) || entry.kind === 'name') add(entry, { at, name, key })
        }
      }
    }
    return found
  }

  return { argument, argumentAt, fill, mayBePath, argumentsOf, selectArguments }
}

/** Arguments by position, then by name. */
function listArguments({ args, named }: Call) {
  const positional = args.slice(0, MAX_ARGUMENTS)
  return [
    ...positional.map((expression, at) => ({ expression, at, name: '' })),
    ...Object.entries(named)
      .slice(0, MAX_MEMBERS)
      .map(([name, expression]) => ({ expression, at: -1, name })),
  ]
}

/** Whether the name of a variable or function is that of an address. */
function isAddress(value: Expression): boolean {
  if (value.kind === 'call') return RETURNS_URL.test(value.call.callee)
  const { name = '' } = value.kind === 'name' ? value : {}
  return isBaseName(name) || ADDRESSES.test(name) || CONSTANT.test(name)
}

/** Members of addresses: `Endpoints.Users`. */
const ADDRESSES = /(?:const(?:ant)?s?|ur[il]s?|endpoints?|apis?|routes?|paths?)\.[A-Z]\w*$/i
const CONSTANT = /(?:^|\.)[A-Z][A-Z_\d]+$/

/** Functions that return a URL, by their names. */
const RETURNS_URL = /ur[il]|endpoint|host/i

const MAX_CHAIN = 40
const MAX_ARGUMENTS = 8
/** Most members of a record, and most named arguments. */
const MAX_MEMBERS = 64
