import { TIDIES_URL } from '../lowering/built-texts.ts'
import type { UnresolvedReference } from '../model/file-scan.ts'
import {
  concat,
  ENVIRONMENT_LANGUAGE,
  fromReference,
  fromSlot,
  fromText,
  hasScheme,
  joinSegments,
  type Pattern,
  referencesIn,
  UNKNOWN,
} from '../model/pattern.ts'
import type { Call, Expression, Program } from '../model/program.ts'
import { type Arguments, createArguments } from './arguments.ts'
import {
  ADDRESS_MEMBER,
  BROWSER,
  CONVERSIONS,
  classReference,
  ENVIRONMENT,
  SAME_TEXT_CALLS,
  saysMore,
  toReference,
} from './expressions.ts'
import { createFollower, type Effort, type Follower, isSpent, MAX_OPTIONS } from './follow.ts'
import { fillFormat } from './format-text.ts'
import { type Definition, indexNames, type Names, type ScopedValue } from './names.ts'
import { createReferences } from './references.ts'
import { readsSetting } from './setting-names.ts'

/** Tells what expressions of one program are, as far as its text tells. */
export interface Evaluator extends Arguments, Omit<Follower, 'walk'> {
  readonly names: Names
  /** The value as text; undefined when nothing of it is known. */
  evaluate(located: ScopedValue): Pattern | undefined
  /** What another file of the project may say by itself, under a name that no import binds. */
  externalName(name: string): Pattern
  /** What is given elsewhere for a parameter, to a class of the program or by those below it. */
  externalParameter(
    reference: Pick<UnresolvedReference, 'name' | 'enclosingClass' | 'parameter'>,
  ): Pattern
  /** Whether classes that extend those of the program may say a part of a pattern. */
  dependsOnSubclass(pattern: Pattern): boolean
  /** The names that other files may explain, by number. */
  readonly references: readonly UnresolvedReference[]
}

/** Creates the evaluator of a program. Its work is bounded, whatever the program holds. */
export function createEvaluator(program: Program): Evaluator {
  const names = indexNames(program)
  const { reference, references } = createReferences()
  const known = new Map<Expression, Pattern | undefined>()
  const attempted = new Map<Expression, Pattern | undefined>()
  const active = new Set<Expression>()
  const effort: Effort = { steps: 0, depth: 0 }
  const { walk, follow, member, functionOf } = createFollower(names, effort)
  let cuts = 0

  /** Memoised by expression: an expression stands in one scope. */
  function text({ value, scope }: ScopedValue): Pattern | undefined {
    if (value.kind === 'text') return fromText(value.text)
    if (known.has(value)) return known.get(value)
    if (attempted.has(value)) return attempted.get(value)
    if (active.has(value) || isSpent(effort)) {
      cuts += 1
      return undefined
    }
    const before = cuts
    active.add(value)
    effort.depth += 1
    effort.steps += 1
    const found = evaluate(value, scope)
    effort.depth -= 1
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
    const found = best(meanings, meaningText)
    // A class below may give its own value for what has none here.
    const isOpen = meanings.length === 0 || (value.name.startsWith('this.') && !found)
    return isOpen ? (freeText(value.name, scope) ?? found) : found
  }

  /** The classes that the class around a scope extends, and its own name where others may extend it. */
  function classAround(
    scope: number,
    member: string,
  ): Pick<UnresolvedReference, 'baseClasses' | 'enclosingClass'> {
    const owner = program.scopes[names.classOf(scope) ?? -1]
    const above = owner?.extends?.slice(0, MAX_ABOVE).map((one) => classReference(one, names))
    const isOpen = owner !== undefined && owner.name !== '' && ADDRESS_MEMBER.test(member)
    return { ...(above && { baseClasses: above }), ...(isOpen && { enclosingClass: owner.name }) }
  }

  function freeText(name: string, scope: number): Pattern | undefined {
    const variable = ENVIRONMENT.exec(name)?.[1]
    if (variable !== undefined) {
      return fromReference(reference({ module: ENVIRONMENT_LANGUAGE, name: variable }))
    }
    const result = /^([\w.]+)\(\)(\..+)$/.exec(name)
    const giver = result?.[1] === undefined ? undefined : names.findImport(result[1])
    if (result && giver) {
      const { module, name: called } = toReference(giver)
      return fromReference(reference({ module, name: `${called}()${result[2]}` }))
    }
    const owner = program.scopes[names.classOf(scope) ?? -1]
    if (name.startsWith('this.') && owner?.isPart && owner.name !== '') {
      return fromReference(reference({ module: '', name: `${owner.name}.${name.slice(5)}` }))
    }
    const around = classAround(scope, name)
    if (name.startsWith('this.') && (around.baseClasses || around.enclosingClass !== undefined)) {
      return fromReference(reference({ module: '', name: `^.${name.slice(5)}`, ...around }))
    }
    if (BROWSER.test(name) || name.startsWith('this.') || !/^[A-Za-z_]/.test(name)) {
      return undefined
    }
    const plain = name.replace(RAILS_CONFIGURATION, 'config.')
    return fromReference(reference({ module: '', name: plain, ...around }))
  }

  function meaningText(meaning: Definition): Pattern | undefined {
    if (meaning.kind === 'parameter') {
      const { scope, at, name, rest } = meaning
      return rest.length > 1 ? undefined : fromSlot({ scope, at, name, key: rest[0] ?? '' })
    }
    if (meaning.kind === 'import') {
      return fromReference(reference(toReference(meaning)))
    }
    return best(walk(meaning), text)
  }

  /** The function of another file that a call calls: imported, of the same package, of a class above. */
  function functionElsewhere({ callee, scope }: Call): UnresolvedReference | undefined {
    const imported = names.findImport(callee)
    if (imported) return callee.startsWith('new ') ? undefined : toReference(imported)
    const owner = program.scopes[names.classOf(scope) ?? -1]
    const own = /^this\.(\w+)$/.exec(callee)?.[1]
    if (own !== undefined) {
      if (owner?.isPart) return { module: '', name: `${owner.name}.${own}` }
      return owner && MAKES_URL.test(own)
        ? { module: '', name: `^.${own}`, ...classAround(scope, own) }
        : undefined
    }
    const isMaker = /^(?:[A-Z]\w*\.)?[A-Za-z_]\w*$/.test(callee) && MAKES_URL.test(callee)
    if (!isMaker || TIDIES_URL.test(callee)) return undefined
    return { module: '', name: callee, ...(!callee.includes('.') && classAround(scope, callee)) }
  }

  /** What a call gives back: of a function of the file, or of one that only converts. */
  function resultText(call: Call): Pattern | undefined {
    const target = functionOf(call)
    if (target !== undefined) {
      // An empty text goes with an error: `return "", err`.
      const given = names.returnsOf(target).filter(({ value }) => !isEmpty(value))
      const found = best(given, ({ value }) => text({ value, scope: target }))
      if (found !== undefined) return fill(found, { call, scope: target })
      const isOpen = names.classOf(target) !== undefined && MAKES_URL.test(call.callee)
      if (!isOpen) return undefined
    }
    if (CONVERSIONS.test(call.callee)) {
      const first = call.args[0]
      const converted = first && text({ value: first, scope: call.scope })
      if (converted !== undefined) return converted
    }
    if (GIVES_DEFAULT.test(call.callee) || readsSetting(call.callee)) {
      const given = best(call.args, (value) => text({ value, scope: call.scope }))
      if (given !== undefined && hasScheme(given)) return given
    }
    const { receiver, scope } = call
    if (receiver && SAME_TEXT_CALLS.test(call.callee)) return text({ value: receiver, scope })
    const name = functionElsewhere(call)
    if (!name) return undefined
    const says = (value: Expression) => value.kind === 'text' || mayBePath({ value, scope })
    const args = call.args.some(says) ? argumentsOf(call) : []
    return fromReference(reference({ ...name, name: `${name.name}()`, args }))
  }

  const reader = createArguments({ names, text, follow, member })
  const { fill, mayBePath, argumentsOf } = reader

  return {
    ...reader,
    names,
    evaluate: text,
    follow,
    member,
    functionOf,
    externalName: (name) => fromReference(reference({ module: '', name })),
    dependsOnSubclass: (pattern) =>
      referencesIn(pattern).some((index) => references[index]?.enclosingClass !== undefined),
    externalParameter: (one) => fromReference(reference({ module: '', ...one })),
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

/** What an application's own file calls `config`. */
const RAILS_CONFIGURATION = /^Rails\.(?:configuration|application\.config)\./

/** Functions that make a URL, by their names. */
const MAKES_URL = /ur[il]|endpoint|base|host|api|path|address/i

/** Functions that give a default where their first argument is not set. */
const GIVES_DEFAULT =
  /(?:env|setting|option|config|or)_?default|default_?(?:when|if|to)|fallback|coalesce/i

type NameExpression = Extract<Expression, { readonly kind: 'name' }>

/** Most parts of one text. */
const MAX_PARTS = 64
/** Most classes that one class extends. */
const MAX_ABOVE = 6
