import type { UnresolvedReference } from '../model/file-scan.ts'
import { lastName, matchNames } from '../model/name-patterns.ts'
import {
  concat,
  fromSlot,
  fromText,
  hasScheme,
  joinSegments,
  onlySlot,
  type Pattern,
  referencesIn,
  startsWithReference,
  toText,
  UNKNOWN,
} from '../model/pattern.ts'
import type { Call, Expression, Program } from '../model/program.ts'
import { fieldOfGetter } from '../model/setting-keys.ts'
import { isNoiseHost, isPlaceholder } from '../noise/noise.ts'
import { type Arguments, createArguments } from './arguments.ts'
import { configuresObject } from './constructions.ts'
import { isMoreSpecific } from './expressions.ts'
import { createExternalNames, MAY_RETURN_URL } from './external-names.ts'
import { fillFormat } from './fill-format.ts'
import {
  createFollower,
  type Effort,
  type Follower,
  isExhausted,
  MAX_OPTIONS,
  startEvaluation,
} from './follow.ts'
import { type Definition, indexNames, type Names, type ScopedValue, toReference } from './names.ts'
import { readsSetting } from './setting-names.ts'

/** Evaluates expressions of one program to patterns of URLs and paths. */
export interface Evaluator extends Arguments, Omit<Follower, 'select'> {
  readonly program: Program
  readonly names: Names
  /** The value as a string; undefined if no part of it is known. */
  evaluate(scoped: ScopedValue): Pattern | undefined
  /** The value that another file of the project may export under a name. */
  externalName(name: string): Pattern
  /** The value that callers in any file pass for a parameter of a class or its base classes. */
  externalParameter(
    reference: Pick<UnresolvedReference, 'name' | 'enclosingClass' | 'parameter'>,
  ): Pattern
  /** Whether subclasses in other files may define a part of a pattern. */
  dependsOnSubclass(pattern: Pattern): boolean
  /** The names that other files may define, by number. */
  readonly references: readonly UnresolvedReference[]
}

/** Creates the evaluator of a program. Its work is bounded for any program. */
export function createEvaluator(program: Program): Evaluator {
  const names = indexNames(program)
  const external = createExternalNames(names)
  const { references, refer } = external
  const complete = new Map<Expression, Pattern | undefined>()
  /** Results within the outermost evaluation that a cycle or a limit made incomplete. */
  const incomplete = new Map<Expression, Pattern | undefined>()
  const active = new Set<Expression>()
  const effort: Effort = { steps: 0, limit: 0, depth: 0, cuts: 0 }
  const { select, follow, member, functionOf } = createFollower(names, effort)

  /** Caches by expression, as an expression has one scope. */
  function evaluate({ value, scope }: ScopedValue): Pattern | undefined {
    if (value.kind === 'text') return fromText(value.text)
    if (complete.has(value)) return complete.get(value)
    if (incomplete.has(value)) return incomplete.get(value)
    if (active.has(value)) {
      effort.cuts += 1
      return undefined
    }
    startEvaluation(effort)
    if (isExhausted(effort)) return undefined
    const before = effort.cuts
    active.add(value)
    effort.depth += 1
    effort.steps += 1
    const found = compute(value, scope)
    effort.depth -= 1
    active.delete(value)
    const isOutermost = active.size === 0
    ;(effort.cuts === before || isOutermost ? complete : incomplete).set(value, found)
    if (isOutermost) incomplete.clear()
    return found
  }

  function compute(value: Expression, scope: number): Pattern | undefined {
    const evaluatePart = (part: Expression) => evaluate({ value: part, scope }) ?? UNKNOWN
    switch (value.kind) {
      case 'join':
        return concat(value.parts.slice(0, MAX_PARTS).map(evaluatePart))
      case 'path':
        return joinSegments(value.parts.slice(0, MAX_PARTS).map(evaluatePart))
      case 'format':
        return evaluateFormat(value, scope)
      case 'either': {
        const evaluateOption = (option: Expression) => evaluate({ value: option, scope })
        const found = findBest(value.options, evaluateOption)
        const [first] = value.options
        const own = first && evaluateOption(first)
        const isOpen = found !== undefined && found === own && !hasScheme(found)
        const any = isOpen ? external.ofAny(value.options.map(evaluateOption)) : undefined
        return withDefault(own, any ?? found)
      }
      case 'name':
        return evaluateName(value, scope)
      case 'call':
        return evaluateCall(value.call)
      default:
        return undefined
    }
  }

  function evaluateFormat(value: FormatExpression, scope: number): Pattern | undefined {
    const format = evaluate({ value: value.format, scope })
    if (format === undefined) return undefined
    const evaluatePart = (part: Expression) => evaluate({ value: part, scope }) ?? UNKNOWN
    const named = Object.entries(value.named).map(([name, part]) => [name, evaluatePart(part)])
    const values = value.values.map(evaluatePart)
    return fillFormat(format, { values, named: Object.fromEntries(named) })
  }

  function evaluateName(value: NameExpression, scope: number): Pattern | undefined {
    const definitions = names.find(value.name, { scope, index: value.place.index })
    const found = findBest(definitions, evaluateDefinition)
    const parameter = definitions.find(({ kind }) => kind === 'parameter')
    const isPreset = definitions.every(
      (each) => each.kind !== 'value' || each.binding.kind === 'parameter-default',
    )
    if (parameter && isPreset) return withDefault(evaluateDefinition(parameter), found)
    // A subclass may define a field that has no value here.
    const isOpen = definitions.length === 0 || (value.name.startsWith('this.') && !found)
    return isOpen ? (external.ofName(value.name, scope) ?? found) : found
  }

  /** Lets callers of a function replace the default of its parameter. */
  function withDefault(parameter: Pattern | undefined, found: Pattern | undefined) {
    const slot = parameter && onlySlot(parameter)
    if (!slot || typeof found !== 'string' || configuresObject(program, slot.scope)) return found
    if (!hasScheme(found) && !REQUEST_PART.test(slot.key || slot.name)) return found
    return fromSlot({ ...slot, preset: found })
  }

  function evaluateDefinition(definition: Definition): Pattern | undefined {
    switch (definition.kind) {
      case 'parameter': {
        const { scope, at, name, members } = definition
        return members.length > 1 ? undefined : fromSlot({ scope, at, name, key: members[0] ?? '' })
      }
      case 'import':
        return refer(toReference(definition))
      default:
        return findBest(select(definition), evaluate)
    }
  }

  /** The result of a function of this or another file, or of one that converts its argument. */
  function evaluateCall(call: Call): Pattern | undefined {
    const { callee, receiver, args, scope } = call
    const evaluateHere = (value: Expression) => evaluate({ value, scope })
    const target = functionOf(call)
    if (target !== undefined) {
      // An empty string is returned with an error: `return "", err`.
      const returned = names.returnsOf(target).filter(({ value }) => !isEmpty(value))
      const found = findBest(returned, ({ value }) => evaluate({ value, scope: target }))
      if (found !== undefined) return reader.fill(found, { call, scope: target })
      if (names.classOf(target) === undefined || !MAY_RETURN_URL.test(callee)) return undefined
    }
    const converted = convertsText(callee) && args[0] ? evaluateHere(args[0]) : undefined
    if (converted !== undefined) return converted
    if (RETURNS_DEFAULT.test(callee) || readsSetting(callee)) {
      const found = findBest(args, evaluateHere)
      if (found !== undefined && hasScheme(found)) return found
    }
    if (receiver && returnsSameText(callee)) return evaluateHere(receiver)
    const reference = external.ofFunction(call) ?? methodElsewhere(call)
    if (!reference) return evaluateField(call)
    const hasPath = args.some(
      (value) => value.kind === 'text' || reader.mayBePath({ value, scope }),
    )
    const passed = hasPath ? reader.argumentsOf(call) : []
    return refer({ ...reference, name: `${reference.name}()`, args: passed })
  }

  /** The field of the file that a getter returns. */
  function evaluateField(call: Call): Pattern | undefined {
    if (!/\.get[A-Z]/.test(call.callee)) return undefined
    const value = { kind: 'call', call, place: call.place } as const
    const ends = follow({ value, scope: call.scope }).filter((end) => end.value !== value)
    return findBest(ends, ({ value: end, scope }) =>
      end.kind === 'call' && end.call === call ? undefined : evaluate({ value: end, scope }),
    )
  }

  /** The method of an object whose class another file defines: `settings.getBaseUrl()`. */
  function methodElsewhere({ callee, receiver, scope }: Call): UnresolvedReference | undefined {
    const method = lastName(callee)
    if (!receiver || !MAY_RETURN_URL.test(method)) return undefined
    for (const { value } of follow({ value: receiver, scope })) {
      const owner = value.kind === 'call' ? objectElsewhere(value.call, 0) : undefined
      if (owner) return { ...owner, name: `${owner.name}.${method}` }
      if (value.kind === 'name') return external.ofMethod(value.name, { method, scope })
    }
    return undefined
  }

  /** An object of a class in another file, or one that it has: `settings.provider()`. */
  function objectElsewhere(
    { callee, receiver, args, scope }: Call,
    depth: number,
  ): UnresolvedReference | undefined {
    const made = /^new ([A-Z]\w*)$/.exec(callee)?.[1]
    if (made !== undefined) {
      return names.findClass(made) === undefined ? names.externalName(made) : undefined
    }
    if (!receiver || args.length > 0 || depth > MAX_NESTED_OBJECTS) return undefined
    const member = lastName(callee)
    for (const { value } of follow({ value: receiver, scope })) {
      const owner = value.kind === 'call' ? objectElsewhere(value.call, depth + 1) : undefined
      if (owner) return { ...owner, name: `${owner.name}.${fieldOfGetter(member) ?? member}` }
    }
    return undefined
  }

  const reader = createArguments({ names, evaluate, follow, member })

  return {
    ...reader,
    program,
    names,
    evaluate,
    follow,
    member,
    functionOf,
    references,
    externalName: (name) => refer({ module: '', name }),
    externalParameter: (parameter) => refer({ module: '', ...parameter }),
    dependsOnSubclass: (pattern) =>
      referencesIn(pattern).some((index) => references[index]?.enclosingClass !== undefined),
  }
}

/** The first URL, preferably no placeholder, else the most specific pattern. */
function findBest<Option>(
  options: readonly Option[],
  read: (option: Option) => Pattern | undefined,
): Pattern | undefined {
  let best: Pattern | undefined
  for (const option of options.slice(0, MAX_OPTIONS)) {
    const found = read(option)
    if (found === undefined) continue
    const isUrl = hasScheme(found)
    // A setting goes before the address of this machine that is its default.
    if (isUrl && best !== undefined && startsWithReference(best) && isNoiseHost(toText(found)))
      continue
    if (isUrl && (options.length === 1 || !isPlaceholder(toText(found)))) return found
    if (best === undefined || (isUrl ? !hasScheme(best) : isMoreSpecific(found, best))) best = found
  }
  return best
}

function isEmpty(value: Expression): boolean {
  return value.kind === 'text' && value.text === ''
}

/** Calls of a URL that return the URL itself. */
const returnsSameText = matchNames(`
  .{toString,to_string,to_s,ToString,String,as_str,as_string,valueOf,geturl,href,set,expand}
  .{trim,trimEnd,strip,rstrip,chomp,replace,TrimEnd,Trim,presence,format_map,toURL,toURI,toUri}
  .{as_ref,into,to_owned,clone,unwrap,unwrap_or_default,expect,build,freeze}
`)

/** Calls that return the URL of their first argument. */
const convertsText = matchNames(`
  {*.,new:}{URL,URI,Uri,Url,HttpUrl,String,str,create,parse,Parse,ParseRequestURI,from_str,from}
  *.{valueOf,toHttpUrl,toHttpUrlOrNull,encodeURI,freeze,asURL,unescape,trim,rtrim,TrimRight}
  *.{TrimSuffix,trimEnd,trimmingCharacters,as_ref,Some,Ok} new:*{Uri,Url,URI,URL,UriTemplate}
`)

/** Functions that return a default if their first argument is not set. */
const RETURNS_DEFAULT =
  /(?:env|setting|option|config|or)_?default|default_?(?:when|if|to)|fallback|coalesce/i

/** Parameters, and members of them, that contain a host, a path or a method. */
const REQUEST_PART = /^(?:\w+_)?(?:host(?:name)?|path|endpoint|route|resource|method|verb)$/i

type NameExpression = Extract<Expression, { readonly kind: 'name' }>
type FormatExpression = Extract<Expression, { readonly kind: 'format' }>

/** Deepest nesting of the objects whose members are read. */
const MAX_NESTED_OBJECTS = 3

/** Most parts of a string. */
const MAX_PARTS = 64
