import type { Pattern, PendingArgument, Reference } from './file-scan.ts'
import { fillFormat } from './format-text.ts'
import { indexNames, type Located, type Meaning, type Names } from './names.ts'
import {
  concat,
  ENVIRONMENT_LANGUAGE,
  fillSlots,
  fromReference,
  fromSlot,
  fromText,
  hasReferences,
  hasScheme,
  hasSlots,
  joinSegments,
  type Slot,
  startsOpen,
  UNKNOWN,
} from './pattern.ts'
import type { ArgumentPlace, Call, Expression, Program } from './program.ts'

/** Tells what expressions of one program are, as far as its text tells. */
export interface Evaluator {
  readonly names: Names
  /** The value as text; undefined when nothing of it is known. */
  text(located: Located): Pattern | undefined
  /** What a name, or one of two, comes to in the end: anything but a name or a choice. */
  follow(located: Located): readonly Located[]
  /** Member of a value by its key. */
  member(located: Located, key: string): Located | undefined
  /** The text at a place of a call. */
  argument(call: Call, place: ArgumentPlace): Pattern | undefined
  /** The expression at a place of a call. */
  argumentAt(call: Call, place: ArgumentPlace): Located | undefined
  /** What a call gives for the parameters of a function that it calls. */
  fill(pattern: Pattern, given: { readonly call: Call; readonly scope: number }): Pattern
  /** Whether a value may be a path or a URL, by a quick look. */
  mayBePath(located: Located): boolean
  /** Arguments of a call that say something, records member by member. */
  argumentsOf(call: Call): readonly PendingArgument[]
  /** The function of the file that a call calls. */
  functionOf(call: Call): number | undefined
  /** The number of a reference, the same for the same. */
  reference(reference: Reference): number
  readonly references: readonly Reference[]
}

/** Creates the evaluator of a program. Its work is bounded, whatever the program holds. */
export function createEvaluator(program: Program): Evaluator {
  const names = indexNames(program)
  const references: Reference[] = []
  const referenceOf = new Map<string, number>()
  const known = new Map<Expression, Pattern | undefined>()
  const attempted = new Map<Expression, Pattern | undefined>()
  const active = new Set<Expression>()
  const members = new Map<Expression, Map<string, Expression>>()
  let steps = 0
  let depth = 0
  let cuts = 0

  function reference(wanted: Reference): number {
    const key = `${wanted.module}\n${wanted.name}\n${JSON.stringify(wanted.args ?? [])}`
    const found = referenceOf.get(key)
    if (found !== undefined) return found
    const index = references.push(wanted) - 1
    referenceOf.set(key, index)
    return index
  }

  /** Memoised by expression: an expression stands in one scope. */
  function text({ value, scope }: Located): Pattern | undefined {
    if (value.kind === 'text') return fromText(value.text)
    if (known.has(value)) return known.get(value)
    if (attempted.has(value)) return attempted.get(value)
    if (active.has(value) || depth > MAX_DEPTH || steps > MAX_STEPS) {
      cuts += 1
      return undefined
    }
    const before = cuts
    active.add(value)
    depth += 1
    steps += 1
    const found = evaluate(value, scope)
    depth -= 1
    active.delete(value)
    // What was cut short may be more when it is asked for from elsewhere, but not from here.
    if (cuts === before || active.size === 0) known.set(value, found)
    else attempted.set(value, found)
    if (active.size === 0) attempted.clear()
    return found
  }

  function evaluate(value: Expression, scope: number): Pattern | undefined {
    switch (value.kind) {
      case 'text':
        return fromText(value.text)
      case 'join':
        return concat(value.parts.slice(0, MAX_PARTS).map((part) => partText(part, scope)))
      case 'path':
        return joinSegments(value.parts.slice(0, MAX_PARTS).map((part) => partText(part, scope)))
      case 'format':
        return formatText(value, scope)
      case 'either':
        return best(value.options.map((option) => ({ value: option, scope })))
      case 'name':
        return nameText(value, scope)
      case 'call':
        return resultText(value.call)
      default:
        return undefined
    }
  }

  function partText(value: Expression, scope: number): Pattern {
    return text({ value, scope }) ?? UNKNOWN
  }

  function formatText(
    value: Extract<Expression, { readonly kind: 'format' }>,
    scope: number,
  ): Pattern | undefined {
    const format = text({ value: value.format, scope })
    if (format === undefined) return undefined
    const named: Record<string, Pattern> = {}
    for (const [key, one] of Object.entries(value.named)) named[key] = partText(one, scope)
    return fillFormat(format, { values: value.values.map((one) => partText(one, scope)), named })
  }

  /** The first that is a URL, else the first that says anything. */
  function best(options: readonly Located[]): Pattern | undefined {
    let first: Pattern | undefined
    for (const option of options.slice(0, MAX_OPTIONS)) {
      const found = text(option)
      if (found === undefined) continue
      if (hasScheme(found)) return found
      if (first === undefined || saysMore(found, first)) first = found
    }
    return first
  }

  function nameText(value: NameExpression, scope: number): Pattern | undefined {
    const meanings = names.find(value.name, { scope, index: value.place.index })
    if (meanings.length === 0) return freeText(value.name)
    let first: Pattern | undefined
    for (const meaning of meanings.slice(0, MAX_OPTIONS)) {
      const found = meaningText(meaning)
      if (found === undefined) continue
      if (hasScheme(found)) return found
      if (first === undefined || saysMore(found, first)) first = found
    }
    return first
  }

  function freeText(name: string): Pattern | undefined {
    const variable = ENVIRONMENT.exec(name)?.[1]
    if (variable !== undefined) {
      return fromReference(reference({ module: ENVIRONMENT_LANGUAGE, name: variable }))
    }
    if (BROWSER.test(name) || name.startsWith('this.') || !/^[A-Za-z_]/.test(name)) {
      return undefined
    }
    return fromReference(reference({ module: '', name }))
  }

  function meaningText(meaning: Meaning): Pattern | undefined {
    if (meaning.kind === 'parameter') {
      const { scope, at, name, rest } = meaning
      return rest.length > 1 ? undefined : fromSlot({ scope, at, name, key: rest[0] ?? '' })
    }
    if (meaning.kind === 'import') {
      return fromReference(reference(toReference(meaning)))
    }
    const found = walk(meaning)
    if (found.length > 0) return best(found)
    return undefined
  }

  /** The values that a binding's members lead to. */
  function walk(meaning: Extract<Meaning, { readonly kind: 'value' }>): readonly Located[] {
    let found: readonly Located[] = [{ value: meaning.binding.value, scope: meaning.binding.scope }]
    for (const key of meaning.rest) {
      if (SAME_TEXT_MEMBERS.has(key) && found.every(({ value }) => isTextual(value))) continue
      found = found.flatMap((one) => membersOf(one, key)).slice(0, MAX_OPTIONS)
    }
    return found
  }

  function membersOf({ value, scope }: Located, key: string): readonly Located[] {
    if (depth > MAX_DEPTH || steps > MAX_STEPS) return []
    steps += 1
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
    if (value.kind === 'name') {
      return [{ value: nameOf(value, `${value.name}.${key}`), scope }]
    }
    if (value.kind === 'either') {
      return value.options.flatMap((one) => membersOf({ value: one, scope }, key))
    }
    if (value.kind === 'call') {
      const owner = names.findClass(classNameOf(value.call.callee))
      if (owner === undefined) {
        // A class of another file: its members go by its name.
        const made = /^new ([A-Z]\w*)$/.exec(value.call.callee)?.[1]
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

  /** What a call gives back: of a function of the file, or of one that only converts. */
  function resultText(call: Call): Pattern | undefined {
    const target = functionOf(call)
    if (target !== undefined) {
      const found = best(names.returnsOf(target).map(({ value }) => ({ value, scope: target })))
      return found === undefined ? undefined : fill(found, { call, scope: target })
    }
    if (CONVERSIONS.test(call.callee)) {
      const first = call.args[0]
      const converted = first && text({ value: first, scope: call.scope })
      if (converted !== undefined) return converted
    }
    const { receiver } = call
    if (receiver && SAME_TEXT_CALLS.test(call.callee)) {
      return text({ value: receiver, scope: call.scope })
    }
    const imported = names.findImport(call.callee)
    if (!imported || call.callee.startsWith('new ')) return undefined
    const name = toReference(imported)
    const isTold = call.args.some((value) => mayBePath({ value, scope: call.scope }))
    const args = isTold ? argumentsOf(call) : []
    return fromReference(reference({ module: name.module, name: `${name.name}()`, args }))
  }

  function functionOf(call: Call): number | undefined {
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

  /** The function of the file that a call names itself: no method of an object. */
  function ownFunction(call: Call): number | undefined {
    if (/^(?:new |@|\.)/.test(call.callee)) return undefined
    return names.findFunction(call.callee, call.scope)
  }

  function follow(located: Located): readonly Located[] {
    const ends: Located[] = []
    const queue = [located]
    const seen = new Set<Expression>()
    while (queue.length > 0 && seen.size < MAX_OPTIONS) {
      const next = queue.shift()
      if (!next || seen.has(next.value)) continue
      const { value, scope } = next
      seen.add(value)
      if (value.kind === 'either') {
        queue.push(...value.options.map((option) => ({ value: option, scope })))
      } else if (value.kind === 'name') {
        const meanings = names.find(value.name, { scope, index: value.place.index })
        const inner = meanings.flatMap((one) => (one.kind === 'value' ? walk(one) : []))
        if (inner.length === 0) ends.push(next)
        queue.push(...inner)
      } else {
        ends.push(next)
        // What a function of the file gives back, where it makes a client.
        const target = value.kind === 'call' ? ownFunction(value.call) : undefined
        if (target !== undefined) {
          queue.push(...names.returnsOf(target).map((one) => ({ value: one.value, scope: target })))
        }
      }
    }
    return ends
  }

  function member(located: Located, key: string): Located | undefined {
    let found: Located | undefined = located
    for (const part of key.split('.', MAX_DEPTH)) {
      found = found && follow(found).flatMap((one) => membersOf(one, part))[0]
    }
    return found
  }

  function argumentAt(call: Call, place: ArgumentPlace): Located | undefined {
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
    let found: Located | undefined = { value: whole, scope }
    if (place.madeBy) found = madeBy(found, place.madeBy)
    return found && place.key !== undefined ? member(found, place.key) : found
  }

  function madeBy(
    located: Located,
    makers: Readonly<Record<string, ArgumentPlace>>,
  ): Located | undefined {
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

  function mayBePath(located: Located, level = 0): boolean {
    const { value, scope } = located
    if (hasSlash(value, 0)) return true
    switch (value.kind) {
      case 'join':
        return true
      case 'call':
        return (
          value.call.args.some((one) => hasSlash(one, 0)) ||
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

  function argumentsOf(call: Call): readonly PendingArgument[] {
    const found: PendingArgument[] = []
    const take = (value: Expression, where: { at: number; name: string; key: string }) => {
      const pattern = text({ value, scope: call.scope })
      if (pattern !== undefined && !isVague(pattern)) found.push({ ...where, value: pattern })
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

  return {
    names,
    text,
    follow,
    member,
    argument,
    argumentAt,
    fill,
    mayBePath,
    argumentsOf,
    functionOf,
    reference,
    references,
  }
}

/** What an import's name is in the module that it comes from. */
export function toReference(meaning: {
  readonly from: { readonly module: string; readonly imported: string }
  readonly rest: readonly string[]
}): Reference {
  const { module, imported } = meaning.from
  const parts = imported === '*' ? meaning.rest : [imported, ...meaning.rest]
  return { module, name: parts.join('.') }
}

/** Where a call gives the value of a parameter. */
export function toPlace(slot: Slot): ArgumentPlace {
  const place = { at: slot.at, name: slot.name }
  return slot.key === '' ? place : { ...place, key: slot.key }
}

/** The class that a construction names: `new a.Foo`, `Foo.new`, `Foo`. */
export function classNameOf(callee: string): string {
  const name = callee.replace(/^new /, '').replace(/\.new$/, '')
  return name.slice(name.lastIndexOf('.') + 1)
}

type NameExpression = Extract<Expression, { readonly kind: 'name' }>

/** Deepest nesting, parts of one text, values of one name, arguments, steps of all that are read. */
const MAX_DEPTH = 40
const MAX_PARTS = 64
const MAX_OPTIONS = 12
const MAX_ARGUMENTS = 8
const MAX_STEPS = 200_000

/** Members that leave a URL what it is. */
const SAME_TEXT_MEMBERS = new Set(['href', 'toString', 'AbsoluteUri', 'value'])

const SAME_TEXT_CALLS =
  /\.(?:toString|to_string|to_s|trim|trimEnd|strip|rstrip|chomp|replace|toURL|toURI|toUri|href|String|as_str|as_ref|into|to_owned|clone|unwrap|unwrap_or_default|expect|build|freeze|format_map|TrimEnd|Trim|ToString|geturl|valueOf|as_string|presence)$/

/** Calls that make a URL of a text. */
const CONVERSIONS =
  /(?:^|[. ])(?:URL|URI|Uri|Url|HttpUrl|String|str|create|parse|Parse|ParseRequestURI|from_str|from|valueOf|toHttpUrl|toHttpUrlOrNull|encodeURI|freeze|asURL|Uri\.parse|unescape|trim|rtrim|TrimRight|TrimSuffix|trimEnd|trimmingCharacters|as_ref|Some|Ok)$/

/** Names of environment variables. */
const ENVIRONMENT = /^(?:process\.env|import\.meta\.env|Deno\.env|Bun\.env|os\.environ|ENV)\.(\w+)$/

/** Names whose values only a running program knows. */
const BROWSER =
  /^(?:process|import\.meta|Deno|Bun|os|ENV|(?:window\.)?location|window|globalThis|document)\b/

/** Whether a slash stands in a text of a value. */
export function hasSlash(value: Expression, level: number): boolean {
  switch (value.kind) {
    case 'text':
      return value.text.includes('/')
    case 'join':
    case 'path':
      return value.kind === 'path' || value.parts.some((part) => hasSlash(part, level + 1))
    case 'format':
      return (
        hasSlash(value.format, level + 1) || value.values.some((one) => hasSlash(one, level + 1))
      )
    case 'either':
      return level < 4 && value.options.some((one) => hasSlash(one, level + 1))
    default:
      return false
  }
}

function isTextual(value: Expression): boolean {
  return /^(?:text|join|format|path|either|call)$/.test(value.kind)
}

/** Whether a pattern says more than another: texts, then names of other files, then parameters. */
function saysMore(found: Pattern, first: Pattern): boolean {
  if (!isVague(first)) return false
  return !isVague(found) || (hasReferences(found) && !hasReferences(first))
}

/** Whether a pattern says nothing of its own. */
function isVague(pattern: Pattern): boolean {
  return pattern === '' || pattern === UNKNOWN || startsOpen(pattern)
}
