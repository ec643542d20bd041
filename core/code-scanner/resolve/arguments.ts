import type { ArgumentValue } from '../model/file-scan.ts'
import {
  fillSlots,
  hasSlots,
  type Pattern,
  startsWithReference,
  UNKNOWN,
} from '../model/pattern.ts'
import type { ArgumentPlace, Call, Expression } from '../model/program.ts'
import { isBaseName } from '../noise/noise.ts'
import { hasSlash, isTextual, isVague, toPlace } from './expressions.ts'
import type { Names, ScopedValue } from './names.ts'

/** Reads the arguments of calls. */
export interface Arguments {
  /** The text at a place of a call. */
  argument(call: Call, place: ArgumentPlace): Pattern | undefined
  /** The expression at a place of a call. */
  argumentAt(call: Call, place: ArgumentPlace): ScopedValue | undefined
  /** What a call gives for the parameters of a function that it calls. */
  fill(pattern: Pattern, given: { readonly call: Call; readonly scope: number }): Pattern
  /** Whether a value may be a path or a URL, by a quick look. */
  mayBePath(located: ScopedValue): boolean
  /** Arguments of a call that say something, records member by member. */
  argumentsOf(call: Call): readonly ArgumentValue[]
}

/** Creates a reader of arguments over what tells the values of expressions. */
export function createArguments(values: {
  readonly names: Names
  text(located: ScopedValue): Pattern | undefined
  follow(located: ScopedValue): readonly ScopedValue[]
  member(located: ScopedValue, key: string): ScopedValue | undefined
}): Arguments {
  const { names, text, follow, member } = values

  function argumentAt(call: Call, place: ArgumentPlace): ScopedValue | undefined {
    const { scope } = call
    const byName = place.name !== undefined && Object.hasOwn(call.named, place.name)
    const whole = place.isReceiver
      ? call.receiver
      : byName
        ? call.named[place.name ?? '']
        : place.at === undefined
          ? undefined
          : call.args[place.at]
    if (!whole) return undefined
    let found: ScopedValue | undefined = { value: whole, scope }
    if (place.madeBy) found = madeBy(found, place.madeBy)
    return found && place.key !== undefined ? member(found, place.key) : found
  }

  function madeBy(
    located: ScopedValue,
    makers: Readonly<Record<string, ArgumentPlace>>,
  ): ScopedValue | undefined {
    for (const { value } of follow(located)) {
      let call = value.kind === 'call' ? value.call : undefined
      for (let step = 0; call && step < MAX_DEPTH; step += 1) {
        const place = Object.hasOwn(makers, call.callee) ? makers[call.callee] : undefined
        const found = place && argumentAt(call, place)
        if (found) return found
        call = call.receiver?.kind === 'call' ? call.receiver.call : undefined
      }
    }
    return undefined
  }

  function argument(call: Call, place: ArgumentPlace): Pattern | undefined {
    const found = argumentAt(call, place)
    if (found) return text(found)
    if (place.key === undefined || place.at === undefined) return undefined
    const whole = call.args[place.at]
    if (!whole || place.madeBy) return undefined
    // A record that a caller gives: its member is one of the parameter's.
    for (const { value, scope } of follow({ value: whole, scope: call.scope })) {
      if (value.kind !== 'name') continue
      const name = `${value.name}.${place.key}`
      const open = text({ value: { kind: 'name', name, place: value.place }, scope })
      if (open !== undefined && hasSlots(open)) return open
    }
    return undefined
  }

  function fill(pattern: Pattern, given: { readonly call: Call; readonly scope: number }): Pattern {
    return fillSlots(pattern, (slot) => {
      if (slot.scope !== given.scope) return undefined
      return argument(given.call, toPlace(slot)) ?? UNKNOWN
    })
  }

  function mayBePath(located: ScopedValue, level = 0): boolean {
    const { value, scope } = located
    if (hasSlash(value, 0)) return true
    switch (value.kind) {
      case 'join':
        return true
      case 'call':
        return (
          value.call.args.some((one) => hasSlash(one, 0)) ||
          GIVES_URL.test(value.call.callee) ||
          names.findFunction(value.call.callee, value.call.scope) !== undefined
        )
      case 'record':
        return Object.values(value.entries).some((one) => hasSlash(one, 0) || one.kind === 'name')
      case 'name': {
        const [meaning] = names.find(value.name, { scope, index: value.place.index })
        if (!meaning) return /^[A-Z]/.test(value.name)
        if (meaning.kind !== 'value' || level > 2) return true
        const { binding } = meaning
        return mayBePath({ value: binding.value, scope: binding.scope }, level + 1)
      }
      default:
        return value.kind === 'either'
    }
  }

  function argumentsOf(call: Call): readonly ArgumentValue[] {
    const found: ArgumentValue[] = []
    const take = (value: Expression, where: { at: number; name: string; key: string }) => {
      const pattern = text({ value, scope: call.scope })
      if (pattern === undefined) return
      // A name of a third file says something where it is called as an address is.
      if ((startsWithReference(pattern) && isAddress(value)) || !isVague(pattern))
        found.push({ ...where, value: pattern })
    }
    const each = (value: Expression, where: { at: number; name: string }) => {
      take(value, { ...where, key: '' })
      for (const one of follow({ value, scope: call.scope })) {
        if (one.value.kind !== 'record') continue
        for (const [key, entry] of Object.entries(one.value.entries).slice(0, MAX_PARTS)) {
          if (isTextual(entry) || entry.kind === 'name') take(entry, { ...where, key })
        }
      }
    }
    call.args.slice(0, MAX_ARGUMENTS).forEach((value, at) => {
      each(value, { at, name: '' })
    })
    for (const [name, value] of Object.entries(call.named).slice(0, MAX_PARTS)) {
      each(value, { at: -1, name })
    }
    return found
  }

  return { argument, argumentAt, fill, mayBePath, argumentsOf }
}

/** Whether a name or a call is called as what holds a URL, or gives one. */
function isAddress(value: Expression): boolean {
  if (value.kind === 'call') return GIVES_URL.test(value.call.callee)
  return value.kind === 'name' && (isBaseName(value.name) || ADDRESSES.test(value.name))
}

/** Members of what holds addresses, or constants, by its name: `Endpoints.USERS`. */
const ADDRESSES = /(?:const(?:ant)?s?|ur[il]s?|endpoints?|apis?|routes?|paths?)\.[A-Z]\w*$/i

/** Functions that give a URL, by their names. */
const GIVES_URL = /ur[il]|endpoint/i

/** Longest chain of calls that is followed, most members of a record, most arguments of a call. */
const MAX_DEPTH = 40
const MAX_PARTS = 64
const MAX_ARGUMENTS = 8
