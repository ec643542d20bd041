import type { Call, Expression } from '../model/program.ts'
import { classNameOf, isTextual, SAME_TEXT_MEMBERS } from './expressions.ts'
import type { Definition, Names, ScopedValue } from './names.ts'

/** What was done so far to read the values of one program. */
export interface Effort {
  /** Of all that was read. */
  steps: number
  /** Texts that are being read, one within the other. */
  depth: number
}

/** Whether no more is to be done. */
export function isSpent({ steps, depth }: Effort): boolean {
  return depth > MAX_DEPTH || steps > MAX_STEPS
}

/** Follows the names of one program. */
export interface Follower {
  /** The values that a binding's members lead to. */
  walk(meaning: Extract<Definition, { readonly kind: 'value' }>): readonly ScopedValue[]
  /** What a name, or one of two, comes to in the end: anything but a name or a choice. */
  follow(located: ScopedValue): readonly ScopedValue[]
  /** Member of a value by its key. */
  member(located: ScopedValue, key: string): ScopedValue | undefined
  /** The function of the file that a call calls. */
  functionOf(call: Call): number | undefined
}

/** Creates a follower of a program's names, which takes its part of the effort. */
export function createFollower(names: Names, effort: Effort): Follower {
  const functions = new Map<Call, number | undefined>()
  const asked = new Set<Call>()
  const followed = new Map<Expression, readonly ScopedValue[]>()
  const members = new Map<Expression, Map<string, Expression>>()
  /** Functions whose results are being looked into. */
  const open = new Set<number>()

  function walk(meaning: Extract<Definition, { readonly kind: 'value' }>): readonly ScopedValue[] {
    let found: readonly ScopedValue[] = [
      { value: meaning.binding.value, scope: meaning.binding.scope },
    ]
    for (const key of meaning.rest) {
      if (SAME_TEXT_MEMBERS.has(key) && found.every(({ value }) => isTextual(value))) continue
      found = found.flatMap((one) => membersOf(one, key)).slice(0, MAX_OPTIONS)
    }
    return found
  }

  function membersOf({ value, scope }: ScopedValue, key: string): readonly ScopedValue[] {
    if (isSpent(effort)) return []
    effort.steps += 1
    if (value.kind === 'record') {
      const entry = Object.hasOwn(value.entries, key) ? value.entries[key] : undefined
      if (entry) return [{ value: entry, scope }]
      if (key === '*') return Object.values(value.entries).map((one) => ({ value: one, scope }))
      const spread = Object.hasOwn(value.entries, '...') ? value.entries['...'] : undefined
      return spread ? membersOf({ value: spread, scope }, key) : []
    }
    if (value.kind === 'list') {
      const items = key === '*' ? value.items : value.items.slice(Number(key), Number(key) + 1)
      return /^(?:\*|\d+)$/.test(key) ? items.map((one) => ({ value: one, scope })) : []
    }
    if (value.kind === 'name') return [{ value: nameOf(value, `${value.name}.${key}`), scope }]
    if (value.kind === 'either') {
      return value.options.flatMap((one) => membersOf({ value: one, scope }, key))
    }
    if (value.kind === 'call') {
      const owner = names.findClass(classNameOf(value.call.callee))
      const target = owner === undefined ? functionOf(value.call) : undefined
      if (target !== undefined) {
        if (open.has(target)) return []
        open.add(target)
        const given = names.returnsOf(target).slice(0, MAX_RETURNS)
        const found = given.flatMap((one) => membersOf({ value: one.value, scope: target }, key))
        open.delete(target)
        return found
      }
      const schema = SCHEMAS.test(value.call.callee) ? schemaOf(value.call) : []
      if (schema.length > 0) {
        return schema.flatMap((one) => membersOf({ value: one, scope: value.call.scope }, key))
      }
      if (owner === undefined) {
        // Of another file: a class's members go by its name, a function's by `()` after its own.
        const { callee } = value.call
        const isGiven = !callee.startsWith('new ') && names.findImport(callee) !== undefined
        const made = isGiven ? `${callee}()` : /^new ([A-Z]\w*)$/.exec(callee)?.[1]
        return made === undefined ? [] : [{ value: nameOf(value, `${made}.${key}`), scope }]
      }
      return [{ value: nameOf(value, `this.${key}`), scope: owner }]
    }
    return []
  }

  /** A name that stands for a member of a value: the same for the same, so that it is read once. */
  function nameOf(value: Expression, name: string): Expression {
    const made = members.get(value) ?? new Map<string, Expression>()
    members.set(value, made)
    const found = made.get(name) ?? { kind: 'name', name, place: value.place }
    made.set(name, found)
    return found
  }

  function functionOf(call: Call): number | undefined {
    if (functions.has(call)) return functions.get(call)
    // What a call is made on may be the call itself: `parts = parts.text.split('-')`.
    if (asked.has(call) || isSpent(effort)) return undefined
    asked.add(call)
    const found = overloadOf(findFunctionOf(call), call)
    asked.delete(call)
    if (effort.depth === 0 && asked.size === 0) functions.set(call, found)
    return found
  }

  function findFunctionOf(call: Call): number | undefined {
    if (call.callee.startsWith('new ') || call.callee.startsWith('@')) return undefined
    if (!call.callee.startsWith('.')) {
      const found = names.findFunction(call.callee, call.scope)
      if (found !== undefined) return found
    }
    if (!call.receiver) return undefined
    for (const made of follow({ value: call.receiver, scope: call.scope })) {
      if (made.value.kind !== 'call') continue
      const owner = names.findClass(classNameOf(made.value.call.callee))
      if (owner === undefined) continue
      return names.findMethod(owner, call.callee.slice(call.callee.lastIndexOf('.') + 1))
    }
    return undefined
  }

  /** Of functions of one name the one that takes as much as the call gives. */
  function overloadOf(found: number | undefined, call: Call): number | undefined {
    const all = found === undefined ? [] : names.overloadsOf(found)
    if (all.length < 2) return found
    const given = call.args.length + Object.keys(call.named).length
    return all.find((one) => names.arityOf(one) === given) ?? found
  }

  /** The function of the file that a call names itself: no method of an object. */
  function ownFunction(call: Call): number | undefined {
    if (/^(?:new |@|\.)/.test(call.callee)) return undefined
    return names.findFunction(call.callee, call.scope)
  }

  /** Memoised by expression, but not what nesting may have cut short. */
  function follow(located: ScopedValue): readonly ScopedValue[] {
    const { kind } = located.value
    if (kind !== 'name' && kind !== 'either' && kind !== 'call') return [located]
    const known = followed.get(located.value)
    if (known) return known
    const ends = endsOf(located)
    if (effort.depth === 0 && asked.size === 0) followed.set(located.value, ends)
    return ends
  }

  function endsOf(located: ScopedValue): readonly ScopedValue[] {
    const ends: ScopedValue[] = []
    const queue = [located]
    const seen = new Set<Expression>()
    while (queue.length > 0 && seen.size < MAX_OPTIONS) {
      const next = queue.shift()
      if (!next || seen.has(next.value)) continue
      const { value, scope } = next
      seen.add(value)
      if (value.kind === 'either') {
        const options = value.options.slice(0, MAX_OPTIONS)
        queue.push(...options.map((option) => ({ value: option, scope })))
      } else if (value.kind === 'name') {
        const meanings = names.find(value.name, { scope, index: value.place.index })
        const inner = meanings.flatMap((one) => (one.kind === 'value' ? walk(one) : []))
        if (inner.length === 0) ends.push(next)
        queue.push(...inner)
      } else {
        ends.push(next)
        if (value.kind === 'call' && SCHEMAS.test(value.call.callee)) {
          queue.push(...schemaOf(value.call).map((one) => ({ value: one, scope })))
        }
        // What a function of the file gives back, where it makes a client.
        const target = value.kind === 'call' ? ownFunction(value.call) : undefined
        if (target !== undefined) {
          queue.push(...names.returnsOf(target).map((one) => ({ value: one.value, scope: target })))
        }
      }
    }
    return ends
  }

  function member(located: ScopedValue, key: string): ScopedValue | undefined {
    let found: ScopedValue | undefined = located
    for (const part of key.split('.', MAX_DEPTH)) {
      found = found && follow(found).flatMap((one) => membersOf(one, part))[0]
    }
    return found
  }

  return { walk, follow, member, functionOf }
}

/** Calls that read the environment by a schema: `z.object({ … }).parse(process.env)`. */
const SCHEMAS = /(?:^|\.)(?:object|parse|safeParse|createEnv|cleanEnv|envsafe|strictObject)$/

/** The schemas of such a call, in options too. */
function schemaOf({ receiver, args }: Call): readonly Expression[] {
  const records = args.flatMap((one) =>
    one.kind === 'record' ? [one, one.entries.server, one.entries.client] : [],
  )
  return [receiver, ...records].flatMap((one) => (one && one.kind !== 'text' ? [one] : []))
}

/** Values of one name that are looked at. */
export const MAX_OPTIONS = 12

/** Values that a function gives back whose members are looked at. */
const MAX_RETURNS = 4

/** Deepest nesting, steps of all that are read. */
const MAX_DEPTH = 40
const MAX_STEPS = 200_000
