import { ownEntry } from '../model/collections.ts'
import { lastName } from '../model/name-patterns.ts'
import type { Call, Expression } from '../model/program.ts'
import { fieldOfGetter } from '../model/setting-keys.ts'
import { constructedName, isTextual, SAME_TEXT_MEMBERS } from './expressions.ts'
import type { Names, ScopedValue, ValueDefinition } from './names.ts'

/** The work done so far to evaluate one program. */
export interface Effort {
  /** Evaluations and member selections. */
  steps: number
  /** Number of steps at which the evaluation that is running ends. */
  limit: number
  /** Nesting of the evaluation that is running. */
  depth: number
  /** Results that cycles or limits made incomplete. Others are cached. */
  cuts: number
}

/** Limits the steps of an evaluation that is not part of another. */
export function startEvaluation(effort: Effort): void {
  if (effort.depth === 0) effort.limit = Math.min(effort.steps + MAX_STEPS_OF_ONE, MAX_STEPS)
}

/** Whether the limits of depth or steps are reached; counts as a cut then. */
export function isExhausted(effort: Effort): boolean {
  const isOver = effort.depth > MAX_DEPTH || effort.steps > effort.limit
  if (isOver) effort.cuts += 1
  return isOver
}

/** Follows the names of one program to their values. */
export interface Follower {
  /** The values that a definition's members lead to. */
  select(definition: ValueDefinition): readonly ScopedValue[]
  /** The values of a name or a choice: anything but a name or a choice, unless unresolved. */
  follow(scoped: ScopedValue): readonly ScopedValue[]
  /** Member of a value by its key, which may have dots. */
  member(scoped: ScopedValue, key: string): ScopedValue | undefined
  /** The function of the file that a call calls. */
  functionOf(call: Call): number | undefined
}

/** Creates a follower of a program's names. Its work is bounded by `effort`. */
export function createFollower(names: Names, effort: Effort): Follower {
  const functions = new Map<Call, number | undefined>()
  const followed = new Map<Expression, readonly ScopedValue[]>()
  const members = new Map<Expression, Map<string, Expression>>()
  /** Calls and functions that are being resolved. */
  const active = new Set<Call | number>()

  /** Returns undefined if the resolution of `key` is running already. */
  function guard<Result>(key: Call | number, resolve: () => Result): Result | undefined {
    if (active.has(key)) {
      effort.cuts += 1
      return undefined
    }
    active.add(key)
    const found = resolve()
    active.delete(key)
    return found
  }

  /** Whether a result is the same wherever it is asked for. */
  function isComplete(cutsBefore: number): boolean {
    return effort.cuts === cutsBefore || (effort.depth === 0 && active.size === 0)
  }

  function select({ binding, members: keys }: ValueDefinition): readonly ScopedValue[] {
    let found: readonly ScopedValue[] = [{ value: binding.value, scope: binding.scope }]
    for (const key of keys) {
      if (SAME_TEXT_MEMBERS.has(key) && found.every(({ value }) => isTextual(value))) continue
      found = found.flatMap((scoped) => membersOf(scoped, key)).slice(0, MAX_OPTIONS)
    }
    return found
  }

  function membersOf({ value, scope }: ScopedValue, key: string): readonly ScopedValue[] {
    if (isExhausted(effort)) return []
    effort.steps += 1
    switch (value.kind) {
      case 'record': {
        const entry = ownEntry(value.entries, key)
        if (entry) return [{ value: entry, scope }]
        if (key === '*') return Object.values(value.entries).map((each) => ({ value: each, scope }))
        const spread = ownEntry(value.entries, '...')
        return spread ? membersOf({ value: spread, scope }, key) : []
      }
      case 'list': {
        if (!/^(?:\*|\d+)$/.test(key)) return []
        const items = key === '*' ? value.items : value.items.slice(Number(key), Number(key) + 1)
        return items.map((item) => ({ value: item, scope }))
      }
      case 'name':
        return [{ value: memberName(value, `${value.name}.${key}`), scope }]
      case 'either':
        return value.options.flatMap((option) => membersOf({ value: option, scope }, key))
      case 'call':
        return membersOfResult(value, key)
      default:
        return []
    }
  }

  function membersOfResult(value: CallExpression, key: string): readonly ScopedValue[] {
    const { call } = value
    const { callee, scope, args } = call
    const [address] = args
    if (address && HOST_KEY.test(key) && parsesAddress(callee)) return [{ value: address, scope }]
    const owner = names.findClass(constructedName(callee))
    if (owner !== undefined) return [{ value: memberName(value, `this.${key}`), scope: owner }]
    const target = functionOf(call)
    if (target !== undefined) {
      const read = () =>
        names
          .returnsOf(target)
          .slice(0, MAX_RETURNS)
          .flatMap((returned) => membersOf({ value: returned.value, scope: target }, key))
      return guard(target, read) ?? []
    }
    const schema = schemasOf(call)
    if (schema.length > 0) return schema.flatMap((each) => membersOf({ value: each, scope }, key))
    // Members of a class are named after it, those of a function's result after the function.
    const isFunction = !callee.startsWith('new ') && names.findImport(callee) !== undefined
    const made = isFunction ? `${callee}()` : /^new (?:\w+\.)*([A-Z]\w*)$/.exec(callee)?.[1]
    return made === undefined ? [] : [{ value: memberName(value, `${made}.${key}`), scope }]
  }

  /** A name for a member of a value: the same object each time, so that it is evaluated once. */
  function memberName(value: Expression, name: string): Expression {
    const known = members.get(value) ?? new Map<string, Expression>()
    members.set(value, known)
    const found = known.get(name) ?? { kind: 'name', name, place: value.place }
    known.set(name, found)
    return found
  }

  function functionOf(call: Call): number | undefined {
    if (functions.has(call)) return functions.get(call)
    if (isExhausted(effort)) return undefined
    const before = effort.cuts
    // A call may be its own receiver: `parts = parts.text.split('-')`.
    const found = guard(call, () => selectOverload(findCalled(call), call))
    if (isComplete(before)) functions.set(call, found)
    return found
  }

  function findCalled(call: Call): number | undefined {
    const own = findNamed(call)
    if (own !== undefined || !call.receiver || /^(?:new |@)/.test(call.callee)) return own
    for (const { value, scope } of follow({ value: call.receiver, scope: call.scope })) {
      // `const self = this`
      if (value.kind === 'name' && value.name === 'this') {
        return names.findFunction(`this.${lastName(call.callee)}`, scope)
      }
      const owner =
        value.kind === 'call'
          ? names.findClass(constructedName(value.call.callee))
          : value.kind === 'record'
            ? value.methods
            : undefined
      if (owner !== undefined) return names.findMethod(owner, lastName(call.callee))
    }
    return undefined
  }

  /** The function that a callee names by itself, without the receiver's type. */
  function findNamed({ callee, scope }: Call): number | undefined {
    return /^(?:new |@|\.)/.test(callee) ? undefined : names.findFunction(callee, scope)
  }

  /** The overload with as many parameters as the call has arguments. */
  function selectOverload(found: number | undefined, call: Call): number | undefined {
    const all = found === undefined ? [] : names.overloadsOf(found)
    if (all.length < 2) return found
    const count = call.args.length + Object.keys(call.named).length
    return all.find((overload) => names.arityOf(overload) === count) ?? found
  }

  function follow(scoped: ScopedValue): readonly ScopedValue[] {
    startEvaluation(effort)
    const { kind } = scoped.value
    if (kind !== 'name' && kind !== 'either' && kind !== 'call') return [scoped]
    const known = followed.get(scoped.value)
    if (known) return known
    const before = effort.cuts
    const found = findEnds(scoped)
    if (isComplete(before)) followed.set(scoped.value, found)
    return found
  }

  function findEnds(start: ScopedValue): readonly ScopedValue[] {
    const ends: ScopedValue[] = []
    const queue = [start]
    const seen = new Set<Expression>()
    for (let at = 0; at < queue.length && seen.size < MAX_OPTIONS; at += 1) {
      const next = queue[at]
      if (!next || seen.has(next.value)) continue
      const { value, scope } = next
      seen.add(value)
      if (value.kind === 'either') {
        queue.push(...value.options.slice(0, MAX_OPTIONS).map((each) => ({ value: each, scope })))
      } else if (value.kind === 'name') {
        const definitions = names.find(value.name, { scope, index: value.place.index })
        const values = definitions.flatMap((each) => (each.kind === 'value' ? select(each) : []))
        if (values.length === 0) ends.push(next)
        queue.push(...values)
      } else {
        ends.push(next)
        if (value.kind === 'call') queue.push(...resultsOf(value.call, scope))
      }
    }
    return ends
  }

  /** The field of a getter without a function in the file: `settings.getTiles()`. */
  function fieldsOf(call: Call): readonly ScopedValue[] {
    const { callee, receiver, args, scope } = call
    const field = receiver && args.length === 0 ? fieldOfGetter(lastName(callee)) : undefined
    if (!receiver || field === undefined) return []
    // A call may be its own receiver: `cause = cause.getCause()`.
    const read = () => follow({ value: receiver, scope }).flatMap((each) => membersOf(each, field))
    return guard(call, read) ?? []
  }

  /** The schemas of a call, and the values that a function of the file returns. */
  function resultsOf(call: Call, scope: number): readonly ScopedValue[] {
    const target = findNamed(call)
    const returned = target === undefined ? [] : names.returnsOf(target)
    return [
      ...(target === undefined ? fieldsOf(call) : []),
      ...schemasOf(call).map((value) => ({ value, scope })),
      ...returned.map(({ value }) => ({ value, scope: target ?? scope })),
    ]
  }

  function member(scoped: ScopedValue, key: string): ScopedValue | undefined {
    let found: ScopedValue | undefined = scoped
    for (const part of key.split('.', MAX_DEPTH)) {
      found = found && follow(found).flatMap((each) => membersOf(each, part))[0]
    }
    return found
  }

  return { select, follow, member, functionOf }
}

type CallExpression = Extract<Expression, { readonly kind: 'call' }>

/** Calls that read the environment by a schema: `z.object({ … }).parse(process.env)`. */
const SCHEMAS = /(?:^|\.)(?:object|parse|safeParse|createEnv|cleanEnv|envsafe|strictObject)$/

/** The schemas of such a call, those in options included. */
function schemasOf({ callee, receiver, args }: Call): readonly Expression[] {
  if (!SCHEMAS.test(callee)) return []
  const records = args.flatMap((value) =>
    value.kind === 'record' ? [value, value.entries.server, value.entries.client] : [],
  )
  return [receiver, ...records].flatMap((value) => (value && value.kind !== 'text' ? [value] : []))
}

/** The host of an address that a class parses: `new HostParser(url).host`. */
const HOST_KEY = /^host(?:name)?$/
const ADDRESS_CLASS = /(?:Ur[il]|UR[IL]|(?:Host|Ur[il]|UR[IL]|Address|Endpoint)Parser)$/

function parsesAddress(callee: string): boolean {
  return callee.startsWith('new ') && ADDRESS_CLASS.test(callee)
}

/** Most values of one name. */
export const MAX_OPTIONS = 12

/** Most returned values of a function whose members are selected. */
const MAX_RETURNS = 4

const MAX_DEPTH = 40
const MAX_STEPS = 200_000
const MAX_STEPS_OF_ONE = 5000
