import type { ArgumentValue, ExternalCall, UnresolvedReference } from '../model/file-scan.ts'
import { lastName } from '../model/name-patterns.ts'
import {
  hasReferences,
  hasScheme,
  lengthOf,
  type Pattern,
  toRawText,
  UNKNOWN,
} from '../model/pattern.ts'
import type { Call, Scope } from '../model/program.ts'
import { OPEN_KEY } from './argument-values.ts'
import type { Evaluator } from './evaluate.ts'
import {
  constructedClass,
  constructedName,
  isWithout,
  OWN_METHOD,
  placeOfText,
} from './expressions.ts'
import type { OwnBases } from './own-base.ts'
import type { CallReader } from './read-calls.ts'

/** A name in another file, and the method that is called on it; empty if it is called itself. */
type Target = Pick<ExternalCall, 'target' | 'member' | 'callerClass'>

/** Finds calls of names that other files define and that may send a request. */
export function findExternalCalls(input: {
  readonly evaluator: Evaluator
  readonly reader: CallReader
  readonly settled: ReadonlySet<Call>
  readonly ownBases: OwnBases
}): readonly ExternalCall[] {
  const { evaluator, reader, settled, ownBases } = input
  const { program, names } = evaluator
  const found: ExternalCall[] = []
  for (const call of program.calls) {
    if (found.length >= MAX_CALLS) break
    if (settled.has(call)) continue
    const inherited = findInherited(call, { evaluator, ownBases })
    const isPart = findOtherPart(call, evaluator) !== undefined
    const isInherited = inherited !== undefined || sendsByBaseClass(call, evaluator)
    if (!isInherited && !isPart && !mayHavePath(call, evaluator)) continue
    const target = inherited ?? findTarget(call, evaluator)
    if (!target) continue
    const rules = reader.readOpen(call).flatMap(({ rule: { receiver = [] }, url, method }) => {
      return url === undefined ? [] : [{ receivers: receiver, url, method }]
    })
    const known = evaluator.argumentsOf(call).filter(({ value }) => lengthOf(value) < MAX_LENGTH)
    const args = [...known, ...openArguments(call, evaluator)]
    const hasArguments = isPart ? known.length > 0 : known.some(mayBePathValue)
    if (!isInherited && rules.length === 0 && !hasArguments) continue
    const { line, column } = placeOfText(call, [...call.args, ...Object.values(call.named)])
    const owner = OWN_METHOD.test(call.callee) ? names.classAround(call.scope)?.name : ''
    found.push({
      ...{ ...target, ...(owner && { callerClass: owner }) },
      ...{ rules: rules.slice(0, MAX_RULES), args, line, column },
    })
  }
  return found
}

/** Arguments that may be records with a method that is not known. */
function openArguments({ args, scope }: Call, { follow }: Evaluator): readonly ArgumentValue[] {
  return args.slice(0, MAX_OPEN).flatMap((value, at) => {
    const isClosed =
      value.kind === 'text' ||
      follow({ value, scope }).every((one) => isWithout(one.value, 'method'))
    return isClosed ? [] : [{ at, name: '', key: OPEN_KEY, value: UNKNOWN }]
  })
}

/** A method of a base class in another file, called on the object itself, and the class's base. */
function findInherited(
  call: Call,
  { evaluator, ownBases }: { readonly evaluator: Evaluator; readonly ownBases: OwnBases },
): (Target & { readonly base: Pattern }) | undefined {
  const { names, functionOf } = evaluator
  const member = /^(?:this|super)\.(\w+)$/.exec(call.callee)?.[1]
  const base = member === undefined ? undefined : ownBases.of(call)
  if (member === undefined || base === undefined || functionOf(call) !== undefined) return undefined
  const [baseClass] = names.classAround(call.scope)?.extends ?? []
  return baseClass === undefined
    ? undefined
    : { target: names.externalName(baseClass), member, base }
}

/** Whether a call asks a base class in another file for a request. */
function sendsByBaseClass({ callee, scope }: Call, { names }: Evaluator): boolean {
  const isOwn = OWN_METHOD.test(callee) && SENDS.test(callee)
  return isOwn && names.classAround(scope)?.extends !== undefined
}

/** The class around a call of a method that another file defines, as Go and C# allow. */
function findOtherPart(call: Call, { names, functionOf }: Evaluator): Scope | undefined {
  if (!/^this\.\w+$/.test(call.callee)) return undefined
  const owner = names.classAround(call.scope)
  return owner?.isPart && functionOf(call) === undefined ? owner : undefined
}

/** Whether an argument may be a path. */
function mayHavePath(call: Call, { mayBePath }: Evaluator): boolean {
  const { scope, args, named, callee } = call
  // The path of a client's call may have no slash.
  if (args[0]?.kind === 'text' && CLIENT_NAME.test(callee)) return true
  return [...args, ...Object.values(named)].some((value) => mayBePath({ value, scope }))
}

function mayBePathValue({ value }: ArgumentValue): boolean {
  return toRawText(value).includes('/') || hasScheme(value) || hasReferences(value)
}

/** The name in another file that a call calls. */
export function findTarget(call: Call, evaluator: Evaluator): Target | undefined {
  const { callee, receiver, scope } = call
  const { names } = evaluator
  if (/^(?:new |@)/.test(callee)) return undefined
  if (!receiver) return findFunctionTarget(call, evaluator)
  const member = lastName(callee)
  const part = findOtherPart(call, evaluator)
  if (part && !part.extends) return { target: { module: '', name: part.name }, member }
  if (/^(?:this|super)\.\w+$/.test(callee)) return findMethodTarget(call, evaluator)
  for (const { value } of evaluator.follow({ value: receiver, scope })) {
    const inherited = value.kind === 'call' && findInheritedMethod(value.call, member, evaluator)
    if (inherited) return inherited
    const target =
      value.kind === 'name'
        ? (names.importedName(value.name) ?? toClass(value.name))
        : value.kind === 'call'
          ? findResultTarget(value.call.callee, evaluator)
          : undefined
    if (target) return { target, member }
  }
  return undefined
}

/** A method that a class of the file has from a class of another file. */
function findInheritedMethod(
  made: Call,
  member: string,
  { names, program }: Evaluator,
): Target | undefined {
  const owner = program.scopes[names.findClass(constructedName(made.callee)) ?? -1]
  if (!owner?.extends) return undefined
  const target = { module: '', name: `^.${member}`, baseClasses: names.baseClassesOf(owner) }
  return { target, member: '', callerClass: owner.name }
}

function findFunctionTarget({ callee, scope }: Call, { names }: Evaluator): Target | undefined {
  if (callee.startsWith('.')) return undefined
  const imported = names.importedName(callee)
  if (imported) return { target: imported, member: '' }
  if (names.findFunction(callee, scope) !== undefined) return undefined
  const baseClasses = /^\w+$/.test(callee) ? findClasses(scope, names) : []
  const target = { module: '', name: callee, ...(baseClasses.length > 0 && { baseClasses }) }
  return { target, member: '' }
}

/** A function that a field contains (`call = helper.call`), or a method of a base class. */
function findMethodTarget(call: Call, { names, functionOf }: Evaluator): Target | undefined {
  const { callee, scope, place } = call
  for (const definition of names.find(callee, { scope, index: place.index })) {
    if (definition.kind !== 'value' || definition.members.length > 0) continue
    const { value } = definition.binding
    const target = value.kind === 'name' ? names.importedName(value.name) : undefined
    if (target) return { target, member: '' }
  }
  const baseClasses = findClasses(scope, names)
  if (baseClasses.length === 0 || functionOf(call) !== undefined) return undefined
  return { target: { module: '', name: `^.${lastName(callee)}`, baseClasses }, member: '' }
}

/** The class of a construction, or the result of an imported function. */
function findResultTarget(callee: string, { names }: Evaluator): UnresolvedReference | undefined {
  const name = constructedClass(callee)
  const imported = names.importedName(name)
  if (!imported) return toClass(name)
  const isClass = name !== callee || /^[A-Z]/.test(constructedName(callee))
  return isClass ? imported : { ...imported, name: `${imported.name}()` }
}

function toClass(name: string): UnresolvedReference | undefined {
  return /^[A-Z]\w*$/.test(name) ? { module: '', name } : undefined
}

/** Classes of other files whose methods the class around may call: its other parts, its bases. */
function findClasses(scope: number, names: Evaluator['names']): readonly UnresolvedReference[] {
  const owner = names.classAround(scope)
  if (!owner) return []
  const own = owner.isPart ? [{ module: '', name: owner.name }] : []
  return [...own, ...names.baseClassesOf(owner)]
}

/** A method of a client, or a function that is named like one. */
const CLIENT_NAME =
  /\.(?:get|post|put|patch|delete|head|request)$|^\w*(?:api|client|http|request|fetch|axios|ky|got)\w*$/i

/** Methods that may send a request. */
const SENDS = /get|post|put|patch|delete|send|request|fetch|call|query|execute|load|api|commit/i

const MAX_CALLS = 2000
const MAX_RULES = 4
const MAX_OPEN = 4
const MAX_LENGTH = 500
