import { calleeNames, isCallee } from '../clients/client-rules.ts'
import type { Exported, ForwardedCall, WrappedCall } from '../model/file-scan.ts'
import {
  beginningOf,
  fillSlots,
  hasReferences,
  hasScheme,
  lengthOf,
  type Pattern,
  UNKNOWN,
} from '../model/pattern.ts'
import type { Binding, Call, Expression, Program, Scope } from '../model/program.ts'
import type { Constructions } from './constructions.ts'
import type { Evaluator } from './evaluate.ts'
import { ADDRESS_MEMBER, classNameOf, classReference, isWritten } from './expressions.ts'
import type { CallReader } from './read-calls.ts'
import { CONNECTOR } from './request-classes.ts'

/** What other files may use of a program's names, as far as it has to do with URLs. */
export function findExports(given: {
  readonly program: Program
  readonly evaluator: Evaluator
  readonly reader: CallReader
  readonly wrapped: ReadonlyMap<number, readonly WrappedCall[]>
  readonly passed: ReadonlyMap<number, readonly ForwardedCall[]>
  readonly constructions: Constructions
  /** Bases that requests of other files are below. */
  readonly connectors: readonly Pattern[]
}): Readonly<Record<string, Exported>> {
  const { program, evaluator, reader, wrapped, passed, constructions } = given
  const { names } = evaluator
  const found = new Map<string, Exported>()
  const fields = fieldsOfNames(program)

  function put(name: string, value: Exported): void {
    if (found.size >= MAX_EXPORTS || Object.keys(value).length === 0) return
    found.set(name, { ...found.get(name), ...value })
  }

  function putValue(name: string, located: { value: Expression; scope: number; depth: number }) {
    if (located.depth > MAX_DEPTH || found.size >= MAX_EXPORTS) return
    const own = evaluator.evaluate(located)
    const text = own && constructions.name(own)
    if (text !== undefined && isOfMember(name, text)) put(name, { value: text })
    for (const { value, scope } of evaluator.follow(located)) {
      if (value.kind === 'record') {
        for (const [key, entry] of Object.entries(value.entries)) {
          putValue(`${name}.${key}`, { value: entry, scope, depth: located.depth + 1 })
        }
      }
      if (value.kind === 'call') putMade(name, value.call)
      if (value.kind === 'name') putScopes(name, value.name)
    }
  }

  /** A client, or an object of a class of the file. */
  function putMade(name: string, made: Call): void {
    // A builder's last call gives the client, its first says which one.
    for (const maker of [made, ...reader.makersOf(made)]) {
      const known = calleeNames(maker.callee, names)
      const callee = reader
        .rulesMadeBy(maker)
        .flatMap(({ receiver }) => receiver?.filter((one) => isCallee(one, known)) ?? [])[0]
      if (callee === undefined) continue
      put(name, { client: { callee, base: reader.baseOf(maker, name) ?? '' } })
      break
    }
    const owner = names.findClass(classNameOf(made.callee))
    if (owner === undefined) return
    putMethods(name, owner, made)
    for (const binding of program.bindings) {
      if ((binding.of ?? binding.scope) !== owner || binding.kind === 'return') continue
      const text = evaluator.evaluate(binding)
      const field = `${name}.${binding.name.replace(/^this\./, '')}`
      if (text !== undefined && isWorthKeeping(text)) put(field, { value: text })
    }
  }

  /** What the methods of a class give back that are built of texts. */
  function putResults(name: string, owner: number): void {
    program.scopes.forEach((scope, index) => {
      if (scope.kind !== 'function' || scope.parent !== owner || scope.name === '') return
      for (const { value } of names.returnsOf(index)) {
        const text = evaluator.evaluate({ value, scope: index })
        if (text === undefined || !isOfMember(scope.name, text)) continue
        const returns = constructions.name(text, index)
        put(`${name}.${scope.name}`, { returns, ...placeOf(value, program.scopes[owner]) })
        return
      }
    })
  }

  function putMethods(name: string, owner: number, made: Call | undefined): void {
    for (const [index, calls] of wrapped) {
      const scope = program.scopes[index]
      if (scope?.parent !== owner || scope.kind !== 'function' || scope.name === '') continue
      const fill = (pattern: Pattern) =>
        fillSlots(pattern, (slot) => {
          if (slot.scope === index) return undefined
          // What a constructor is given, which nobody calls here.
          if (!made) return UNKNOWN
          const place = { at: slot.at, name: slot.name }
          return evaluator.argument(made, slot.key === '' ? place : { ...place, key: slot.key })
        })
      put(`${name}.${scope.name}`, {
        calls: calls.map(({ url, method }) => ({ url: fill(url), method })),
      })
    }
  }

  /** A function or class of the file. */
  function putScopes(name: string, local: string): void {
    const target = names.findFunction(local, 0)
    if (target !== undefined) {
      const calls = wrapped.get(target)
      const returned = names.returnsOf(target).map(({ value }) => {
        const text = evaluator.evaluate({ value, scope: target })
        if (value.kind === 'record') putValue(`${name}()`, { value, scope: target, depth: 0 })
        for (const field of value.kind === 'name' ? (fields.get(target) ?? []) : []) {
          const [holder, ...keys] = field.name.split('.')
          if (value.kind !== 'name' || holder !== value.name) continue
          putValue(`${name}().${keys.join('.')}`, { ...field, depth: 1 })
        }
        if (value.kind === 'call' || value.kind === 'name') {
          for (const end of evaluator.follow({ value, scope: target })) {
            if (end.value.kind === 'call') putMade(`${name}()`, end.value.call)
          }
        }
        return text
      })
      const returns = returned.find((text) => text !== undefined && isWorthKeeping(text))
      const passes = passed.get(target)
      put(name, {
        ...(calls && { calls }),
        ...(passes && { forwards: passes }),
        ...(returns !== undefined && { returns }),
      })
    }
    const owner = names.findClass(local)
    if (owner !== undefined) putMethods(name, owner, undefined)
  }

  for (const binding of program.bindings) {
    const { name, value, scope, of } = binding
    const owner = program.scopes[of ?? scope]
    if (owner?.kind === 'class' && binding.kind !== 'return' && owner.name !== '') {
      const member = `${owner.name}.${name.replace(/^this\./, '')}`
      putValue(member, { value, scope, depth: 0 })
      if (found.has(member)) put(member, placeOf(value, owner))
    }
    if (!binding.isExported || binding.kind === 'return') continue
    putValue(name, { value, scope, depth: 0 })
    if (value.kind === 'unknown') putScopes(name, name)
  }
  program.scopes.forEach(({ kind, name, isPart, extends: above }, index) => {
    if (kind !== 'class' || name === '') return
    if (isPart) putMethods(name, index, undefined)
    putResults(name, index)
    put(`${name}^`, { baseClasses: (above ?? []).map((one) => classReference(one, names)) })
  })
  for (const [name, { calls, of }] of constructions.given) {
    put(name, { argumentLists: calls, ...(of && { baseClasses: [of] }) })
  }
  if (given.connectors.length > 0) {
    put(CONNECTOR, {
      argumentLists: given.connectors.map((value) => [{ at: 0, name: '', key: '', value }]),
    })
  }
  for (const [name, text] of reader.basesElsewhere()) {
    if (hasScheme(text) || hasReferences(text)) put(name, { value: text })
  }
  return Object.fromEntries(found)
}

/** Where a class that extends another one says a value, if that is written there. */
function placeOf(value: Expression, owner: Scope | undefined): Pick<Exported, 'place'> {
  if (!owner?.extends || !isWritten(value)) return {}
  const { line, column } = value.place
  return { place: { line, column } }
}

/** What functions give to members of names, by the functions' scopes: `settings.url = …`. */
function fieldsOfNames(program: Program): ReadonlyMap<number, readonly Binding[]> {
  const found = new Map<number, Binding[]>()
  for (const binding of program.bindings) {
    if (!binding.name.includes('.')) continue
    const known = found.get(binding.scope)
    if (known) known.push(binding)
    else found.set(binding.scope, [binding])
  }
  return found
}

const MAX_EXPORTS = 500
const MAX_DEPTH = 5
const MAX_TEXT = 500

/** Whether a value may be a URL, or a part of one that has a path or a host. */
function isWorthKeeping(text: Pattern): boolean {
  if (lengthOf(text) > MAX_TEXT) return false
  return (
    hasScheme(text) ||
    hasReferences(text) ||
    /^[\w{}-]+(?:\.[\w{}-]+)+|^\/?[\w{}.-]*\//.test(beginningOf(text))
  )
}

/** Whether a value may be what a member of a class is asked for, which may be a path of one word. */
function isOfMember(name: string, text: Pattern): boolean {
  if (isWorthKeeping(text)) return true
  if (typeof text !== 'string' || text.length >= MAX_TEXT) return false
  return /^[\w{}.?=&-]+$/.test(text) && ADDRESS_MEMBER.test(name)
}
