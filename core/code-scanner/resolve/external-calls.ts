import type {
  ArgumentValue,
  ExternalCall,
  ReceiverRule,
  UnresolvedReference,
} from '../model/file-scan.ts'
import { hasReferences, hasScheme, lengthOf, type Pattern, toRawText } from '../model/pattern.ts'
import type { Call, Program } from '../model/program.ts'
import type { Evaluator } from './evaluate.ts'
import {
  ADDRESS_MEMBER,
  classNameOf,
  classReference,
  placeOfText,
  toReference,
} from './expressions.ts'
import type { OwnBases } from './own-base.ts'
import type { CallReader } from './read-calls.ts'

/** Finds the calls of what other files define, such that these files may explain them. */
export function findExternalCalls(given: {
  readonly program: Program
  readonly evaluator: Evaluator
  readonly reader: CallReader
  readonly settled: ReadonlySet<Call>
  readonly ownBases: OwnBases
}): readonly ExternalCall[] {
  const { program, evaluator, reader, settled } = given
  const found: ExternalCall[] = []
  const givers = findGivers(program)
  for (const call of program.calls) {
    if (found.length >= MAX_PENDING) break
    if (settled.has(call)) continue
    const above = inheritedOf(call, given)
    const isMember = isOfPart(call, { program, evaluator })
    const heir = above ? undefined : heirOf(call, { program, evaluator, givers })
    if (!above && !isMember && heir === undefined && !mayName(call, evaluator)) continue
    const target = above ?? targetOf(call, { program, evaluator })
    if (!target) continue
    const rules: ReceiverRule[] = []
    for (const { rule, url, method } of reader.readOpen(call)) {
      if (url !== undefined) rules.push({ receivers: rule.receiver ?? [], url, method })
    }
    const args = evaluator.argumentsOf(call).filter(({ value }) => lengthOf(value) < MAX_TEXT)
    const isPath = ({ value }: ArgumentValue) =>
      toRawText(value).includes('/') || hasScheme(value) || hasReferences(value)
    const isKnown = above !== undefined || heir !== undefined || rules.length > 0
    if (!isKnown && !(isMember ? args.length > 0 : args.some(isPath))) continue
    const { line, column } = placeOfText(call, [...call.args, ...Object.values(call.named)])
    const of = OWN_CALL.test(call.callee) ? classNameAround(call, { program, evaluator }) : ''
    found.push({
      ...target,
      ...(of !== '' && { callerClass: of }),
      rules: rules.slice(0, MAX_RULES),
      args,
      line,
      column,
    })
  }
  return found
}

/** A method of a class of another file that the class here extends, called on itself. */
function inheritedOf(
  call: Call,
  given: {
    readonly program: Program
    readonly evaluator: Evaluator
    readonly ownBases: OwnBases
  },
): (Pick<ExternalCall, 'target' | 'member'> & { readonly base: Pattern }) | undefined {
  const { program, evaluator, ownBases } = given
  const member = /^(?:this|super)\.(\w+)$/.exec(call.callee)?.[1]
  const base = member === undefined ? undefined : ownBases.of(call)
  if (member === undefined || base === undefined) return undefined
  if (evaluator.functionOf(call) !== undefined) return undefined
  const owner = evaluator.names.classOf(call.scope)
  const above = owner === undefined ? undefined : program.scopes[owner]?.extends?.[0]
  if (above === undefined) return undefined
  const imported = evaluator.names.findImport(above)
  const target = imported ? toReference(imported) : { module: '', name: above }
  return { target, member, base }
}

/** The function of another file that a field holds: `call = helper.call`, then `this.call(…)`. */
function heldBy(
  { callee, scope, place }: Call,
  { names }: Evaluator,
): UnresolvedReference | undefined {
  for (const one of names.find(callee, { scope, index: place.index })) {
    if (one.kind !== 'value' || one.rest.length > 0 || one.binding.value.kind !== 'name') continue
    const imported = names.findImport(one.binding.value.name)
    if (imported) return toReference(imported)
  }
  return undefined
}

/** The class around a call that asks a class above it for a request, whose parts it gives. */
function heirOf(
  call: Call,
  given: {
    readonly program: Program
    readonly evaluator: Evaluator
    readonly givers: ReadonlySet<number>
  },
): number | undefined {
  if (!OWN_CALL.test(call.callee) || !SENDS.test(call.callee)) return undefined
  const owner = given.evaluator.names.classOf(call.scope)
  if (owner === undefined || !given.givers.has(owner)) return undefined
  return given.evaluator.functionOf(call) === undefined ? owner : undefined
}

/** Classes that extend others and have members that may be a URL, or a part of one. */
function findGivers(program: Program): ReadonlySet<number> {
  const { scopes } = program
  const found = new Set<number>()
  if (!scopes.some((scope) => scope.extends)) return found
  const ownerOf = (scope: number): number => {
    for (let at = scope, step = 0; at >= 0 && step < MAX_NESTED; step += 1) {
      if (scopes[at]?.kind === 'class') return scopes[at]?.extends ? at : -1
      at = scopes[at]?.parent ?? -1
    }
    return -1
  }
  const keep = (scope: number, name: string): void => {
    if (ADDRESS_MEMBER.test(name)) found.add(ownerOf(scope))
  }
  for (const { kind, name, parent } of scopes) if (kind === 'function') keep(parent, name)
  for (const { name, scope } of program.bindings) keep(scope, name)
  for (const { callee, scope, args } of program.calls) {
    if (args.length > 0 && OWN_CALL.test(callee)) keep(scope, ABOVE.test(callee) ? 'base' : callee)
  }
  found.delete(-1)
  return found
}

function classNameAround(
  call: Call,
  { program, evaluator }: { readonly program: Program; readonly evaluator: Evaluator },
): string {
  return program.scopes[evaluator.names.classOf(call.scope) ?? -1]?.name ?? ''
}

/** Whether it calls a method of its own class that another file has. */
function isOfPart(
  call: Call,
  { program, evaluator }: { readonly program: Program; readonly evaluator: Evaluator },
): boolean {
  if (!/^this\.\w+$/.test(call.callee)) return false
  const owner = program.scopes[evaluator.names.classOf(call.scope) ?? -1]
  return owner?.isPart === true && evaluator.functionOf(call) === undefined
}

/** The classes of other files whose methods a class calls by their names: its own part, those above. */
function aboveOf(
  call: Call,
  { program, evaluator }: { readonly program: Program; readonly evaluator: Evaluator },
): readonly UnresolvedReference[] {
  const { names } = evaluator
  const owner = program.scopes[names.classOf(call.scope) ?? -1]
  if (!owner) return []
  const above = (owner.extends ?? []).slice(0, MAX_ABOVE)
  const own = owner.isPart ? [{ module: '', name: owner.name }] : []
  return [...own, ...above.map((one) => classReference(one, names))]
}

/** Whether some argument may be a path. */
function mayName(call: Call, evaluator: Evaluator): boolean {
  const { scope } = call
  // A path may have no slash where a client is called.
  if (call.args[0]?.kind === 'text' && CLIENT_NAME.test(call.callee)) return true
  return (
    call.args.some((value) => evaluator.mayBePath({ value, scope })) ||
    Object.values(call.named).some((value) => evaluator.mayBePath({ value, scope }))
  )
}

/** A method of a client, or a function that is named like one. */
const CLIENT_NAME =
  /\.(?:get|post|put|patch|delete|head|request)$|^\w*(?:api|client|http|request|fetch|axios|ky|got)\w*$/i

/** What a call calls in another file: the thing there, and the method on it. */
export function targetOf(
  call: Call,
  { program, evaluator }: { readonly program: Program; readonly evaluator: Evaluator },
): { readonly target: UnresolvedReference; readonly member: string } | undefined {
  const { names } = evaluator
  if (call.callee.startsWith('new ') || call.callee.startsWith('@')) return undefined
  const member = call.callee.slice(call.callee.lastIndexOf('.') + 1)
  if (!call.receiver) {
    if (call.callee.startsWith('.')) return undefined
    const imported = names.findImport(call.callee)
    if (imported) return { target: toReference(imported), member: '' }
    if (names.findFunction(call.callee, call.scope) !== undefined) return undefined
    const above = /^\w+$/.test(call.callee) ? aboveOf(call, { program, evaluator }) : []
    const target = { module: '', name: call.callee }
    return { target: above.length > 0 ? { ...target, baseClasses: above } : target, member: '' }
  }
  if (isOfPart(call, { program, evaluator })) {
    const name = program.scopes[names.classOf(call.scope) ?? -1]?.name ?? ''
    return { target: { module: '', name }, member }
  }
  if (/^(?:this|super)\.\w+$/.test(call.callee)) {
    const held = heldBy(call, evaluator)
    if (held) return { target: held, member: '' }
    const above = aboveOf(call, { program, evaluator })
    const isOpen = above.length > 0 && evaluator.functionOf(call) === undefined
    return isOpen
      ? { target: { module: '', name: `^.${member}`, baseClasses: above }, member: '' }
      : undefined
  }
  for (const { value } of evaluator.follow({ value: call.receiver, scope: call.scope })) {
    if (value.kind === 'name') {
      const imported = names.findImport(value.name)
      if (imported) return { target: toReference(imported), member }
      if (/^[A-Z]\w*$/.test(value.name)) return { target: { module: '', name: value.name }, member }
    }
    if (value.kind === 'call') {
      const isNew = /^new |\.new$/.test(value.call.callee)
      const callee = value.call.callee.replace(/^new /, '').replace(/\.new$/, '')
      if (callee.startsWith('.')) continue
      const imported = names.findImport(callee)
      if (imported) {
        const target = toReference(imported)
        // A call of a function gives something of its own; a construction is the class itself.
        const isClass = isNew || /^[A-Z]/.test(classNameOf(callee))
        return { target: isClass ? target : { ...target, name: `${target.name}()` }, member }
      }
      if (/^[A-Z]\w*$/.test(callee)) return { target: { module: '', name: callee }, member }
    }
  }
  return undefined
}

/** A call of a method of the own class, or of one above it. */
const OWN_CALL = /^(?:(?:this|super|self|parent)\.)?\w+$/

/** The constructor of the class above. */
const ABOVE = /(?:^|\.)(?:super|__init__|__construct)$/

/** Methods that may send a request. */
const SENDS = /get|post|put|patch|delete|send|request|fetch|call|query|execute|load|api|commit/i

/** Scopes within each other that are looked at. */
const MAX_NESTED = 16

/** Most classes that one class extends. */
const MAX_ABOVE = 6
const MAX_PENDING = 2000
const MAX_RULES = 4
const MAX_TEXT = 500
