import { type Arguments, createArguments } from './arguments.ts'
import {
  BROWSER,
  CONVERSIONS,
  classNameOf,
  classReference,
  ENVIRONMENT,
  isTextual,
  SAME_TEXT_CALLS,
  SAME_TEXT_MEMBERS,
  saysMore,
  toReference,
} from './expressions.ts'
import type { Pattern, Reference } from './file-scan.ts'
import { fillFormat } from './format-text.ts'
import { indexNames, type Located, type Meaning, type Names } from './names.ts'
import {
  concat,
  ENVIRONMENT_LANGUAGE,
  fromReference,
  fromSlot,
  fromText,
  hasScheme,
  joinSegments,
  UNKNOWN,
} from './pattern.ts'
import type { Call, Expression, Program } from './program.ts'
import { createReferences } from './references.ts'

/** Tells what expressions of one program are, as far as its text tells. */
export interface Evaluator extends Arguments {
  readonly names: Names
  /** The value as text; undefined when nothing of it is known. */
  text(located: Located): Pattern | undefined
  /** What a name, or one of two, comes to in the end: anything but a name or a choice. */
  follow(located: Located): readonly Located[]
  /** Member of a value by its key. */
  member(located: Located, key: string): Located | undefined
  /** The function of the file that a call calls. */
  functionOf(call: Call): number | undefined
  /** What another file of the project may say by itself, under a name that no import binds. */
  elsewhere(name: string): Pattern
  /** The names that other files may explain, by number. */
  readonly references: readonly Reference[]
}

/** Creates the evaluator of a program. Its work is bounded, whatever the program holds. */
export function createEvaluator(program: Program): Evaluator {
  const names = indexNames(program)
  const { reference, references } = createReferences()
  const known = new Map<Expression, Pattern | undefined>()
  const attempted = new Map<Expression, Pattern | undefined>()
  const functions = new Map<Call, number | undefined>()
  const followed = new Map<Expression, readonly Located[]>()
  const active = new Set<Expression>()
  const members = new Map<Expression, Map<string, Expression>>()
  let steps = 0
  let depth = 0
  let cuts = 0

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
      case 'join':
        return concat(value.parts.slice(0, MAX_PARTS).map((part) => partText(part, scope)))
      case 'path':
        return joinSegments(value.parts.slice(0, MAX_PARTS).map((part) => partText(part, scope)))
      case 'format':
        return formatText(value, scope)
      case 'either':
        return best(value.options, (option) => text({ value: option, scope }))
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

  function nameText(value: NameExpression, scope: number): Pattern | undefined {
    const meanings = names.find(value.name, { scope, index: value.place.index })
    if (meanings.length === 0) return freeText(value.name, scope)
    return best(meanings, meaningText)
  }

  function freeText(name: string, scope: number): Pattern | undefined {
    const variable = ENVIRONMENT.exec(name)?.[1]
    if (variable !== undefined) {
      return fromReference(reference({ module: ENVIRONMENT_LANGUAGE, name: variable }))
    }
    const owner = program.scopes[names.classOf(scope) ?? -1]
    if (name.startsWith('this.') && owner?.isPart && owner.name !== '') {
      return fromReference(reference({ module: '', name: `${owner.name}.${name.slice(5)}` }))
    }
    const above = owner?.extends?.slice(0, MAX_ABOVE).map((one) => classReference(one, names))
    if (name.startsWith('this.') && above) {
      return fromReference(reference({ module: '', name: `^.${name.slice(5)}`, above }))
    }
    if (BROWSER.test(name) || name.startsWith('this.') || !/^[A-Za-z_]/.test(name)) {
      return undefined
    }
    return fromReference(reference({ module: '', name, ...(above && { above }) }))
  }

  function meaningText(meaning: Meaning): Pattern | undefined {
    if (meaning.kind === 'parameter') {
      const { scope, at, name, rest } = meaning
      return rest.length > 1 ? undefined : fromSlot({ scope, at, name, key: rest[0] ?? '' })
    }
    if (meaning.kind === 'import') {
      return fromReference(reference(toReference(meaning)))
    }
    return best(walk(meaning), text)
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
    if (value.kind === 'name') return [{ value: nameOf(value, `${value.name}.${key}`), scope }]
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
      // An empty text goes with an error: `return "", err`.
      const given = names.returnsOf(target).filter(({ value }) => !isEmpty(value))
      const found = best(given, ({ value }) => text({ value, scope: target }))
      return found === undefined ? undefined : fill(found, { call, scope: target })
    }
    if (CONVERSIONS.test(call.callee)) {
      const first = call.args[0]
      const converted = first && text({ value: first, scope: call.scope })
      if (converted !== undefined) return converted
    }
    const { receiver, scope } = call
    if (receiver && SAME_TEXT_CALLS.test(call.callee)) return text({ value: receiver, scope })
    const imported = names.findImport(call.callee)
    if (!imported || call.callee.startsWith('new ')) return undefined
    const name = toReference(imported)
    const says = (value: Expression) => value.kind === 'text' || mayBePath({ value, scope })
    const args = call.args.some(says) ? argumentsOf(call) : []
    return fromReference(reference({ module: name.module, name: `${name.name}()`, args }))
  }

  function functionOf(call: Call): number | undefined {
    if (functions.has(call)) return functions.get(call)
    const found = findFunctionOf(call)
    if (depth === 0) functions.set(call, found)
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

  /** The function of the file that a call names itself: no method of an object. */
  function ownFunction(call: Call): number | undefined {
    if (/^(?:new |@|\.)/.test(call.callee)) return undefined
    return names.findFunction(call.callee, call.scope)
  }

  const reader = createArguments({ names, text, follow, member })
  const { fill, mayBePath, argumentsOf } = reader

  /** Memoised as texts are, but not what nesting may have cut short. */
  function follow(located: Located): readonly Located[] {
    const { kind } = located.value
    if (kind !== 'name' && kind !== 'either' && kind !== 'call') return [located]
    const known = followed.get(located.value)
    if (known) return known
    const ends = endsOf(located)
    if (depth === 0) followed.set(located.value, ends)
    return ends
  }

  function endsOf(located: Located): readonly Located[] {
    const ends: Located[] = []
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

  return {
    ...reader,
    names,
    text,
    follow,
    member,
    functionOf,
    elsewhere: (name) => fromReference(reference({ module: '', name })),
    references,
  }
}

/** The first that is a URL, else the first that says anything. */
function best<Option>(
  options: readonly Option[],
  read: (option: Option) => Pattern | undefined,
): Pattern | undefined {
  let first: Pattern | undefined
  for (const option of options.slice(0, MAX_OPTIONS)) {
    const found = read(option)
    if (found === undefined) continue
    if (hasScheme(found)) return found
    if (first === undefined || saysMore(found, first)) first = found
  }
  return first
}

function isEmpty(value: Expression): boolean {
  return value.kind === 'text' && value.text === ''
}

type NameExpression = Extract<Expression, { readonly kind: 'name' }>

/** Deepest nesting, parts of one text, values of one name, steps of all that are read. */
const MAX_DEPTH = 40
const MAX_PARTS = 64
const MAX_OPTIONS = 12
const MAX_STEPS = 200_000
/** Most classes that one class extends. */
const MAX_ABOVE = 6
