import { calleeNames, isCallee } from '../clients/client-rules.ts'
import { ListMap } from '../model/collections.ts'
import type { Exported, ForwardedCall, WrappedCall } from '../model/file-scan.ts'
import {
  beginningOf,
  defaultOf,
  fillSlots,
  hasReferences,
  hasScheme,
  lengthOf,
  type Pattern,
} from '../model/pattern.ts'
import { type Binding, type Call, type Expression, MAIN, type Scope } from '../model/program.ts'
import { isOptionsClass } from '../model/setting-keys.ts'
import { CONSTRUCTORS, type Constructions, configuresObject } from './constructions.ts'
import type { Evaluator } from './evaluate.ts'
import { ADDRESS_MEMBER, constructedName, isWritten, toPlace } from './expressions.ts'
import { withoutGlobal } from './external-names.ts'
import type { ForwardedCalls } from './forwarded-calls.ts'
import type { ScopedValue } from './names.ts'
import type { CallReader } from './read-calls.ts'
import { CONNECTOR } from './request-classes.ts'

/** Finds the values, clients and functions of a program that other files may need for URLs. */
export function findExports(input: {
  readonly evaluator: Evaluator
  readonly reader: CallReader
  readonly wrapped: ReadonlyMap<number, readonly WrappedCall[]>
  readonly forwarded: ForwardedCalls['byFunction']
  readonly constructions: Constructions
  /** Bases of request classes in other files. */
  readonly connectors: readonly Pattern[]
}): Readonly<Record<string, Exported>> {
  const { evaluator, reader, wrapped, forwarded, constructions } = input
  const { program, names } = evaluator
  const found = new Map<string, Exported>()
  const memberBindings = new ListMap<number, Binding>()
  for (const binding of program.bindings) {
    if (binding.name.includes('.')) memberBindings.add(binding.scope, binding)
  }

  function add(name: string, exported: Exported): void {
    if (found.size >= MAX_EXPORTS || Object.keys(exported).length === 0) return
    found.set(name, { ...found.get(name), ...exported })
  }

  function addValue(name: string, scoped: ScopedValue, depth = 0): void {
    if (depth > MAX_DEPTH || found.size >= MAX_EXPORTS) return
    const own =
      (name.startsWith('@class ') ? reader.baseSetIn(scoped) : undefined) ??
      evaluator.evaluate(scoped) ??
      settingsOf(scoped.value)
    const value = own && constructions.toExternal(own)
    if (value !== undefined && mayBeMember(name, value)) add(name, { value })
    for (const { value, scope } of evaluator.follow(scoped)) {
      if (value.kind === 'record') {
        if (value.methods !== undefined) {
          addMethods(name, value.methods)
          addResults(name, value.methods)
        }
        for (const [key, entry] of Object.entries(value.entries)) {
          addValue(`${name}.${key}`, { value: entry, scope }, depth + 1)
        }
      }
      if (value.kind === 'call') addObject(name, value.call)
      if (value.kind === 'name') addDeclared(name, value.name)
    }
  }

  /** The class of another file of whose settings a value is an instance. */
  function settingsOf(value: Expression): Pattern | undefined {
    const made = value.kind === 'call' ? value.call.callee.replace(/^new /, '') : ''
    const isElsewhere = isOptionsClass(made) && names.findClass(made) === undefined
    return isElsewhere ? evaluator.externalName(made) : undefined
  }

  /** Adds a client, or an object of a class of the file. */
  function addObject(name: string, made: Call): void {
    // A builder's last call returns the client, its first names the class.
    const clients = [made, ...reader.makersOf(made)].flatMap((maker) => {
      const known = calleeNames(maker.callee, names)
      const callee = reader
        .rulesMadeBy(maker)
        .flatMap(({ receiver = [] }) => receiver)
        .find((each) => isCallee(each, known))
      return callee === undefined ? [] : [{ callee, base: reader.baseOf(maker, name) ?? '' }]
    })
    const client = clients.find(({ base }) => base !== '') ?? clients[0]
    if (client) add(name, { client })
    const owner = names.findClass(constructedName(made.callee))
    if (owner === undefined) return
    addMethods(name, owner, made)
    for (const binding of program.bindings) {
      if ((binding.of ?? binding.scope) !== owner || binding.kind === 'return') continue
      const value = evaluator.evaluate(binding)
      if (value !== undefined && mayBeAddress(value)) add(memberKey(name, binding), { value })
    }
  }

  /** Adds the strings that methods of a class return. */
  function addResults(ownerName: string, owner: number): void {
    const from = program.scopes[owner]
    program.scopes.forEach(({ kind, name, parent }, scope) => {
      if (kind !== 'function' || parent !== owner || name === '') return
      for (const { value } of names.returnsOf(scope)) {
        const own = evaluator.evaluate({ value, scope })
        if (own === undefined || !mayBeMember(name, own)) continue
        const returns = constructions.toExternal(own, scope)
        add(`${ownerName}.${name}`, { returns, ...(from && placeOf(value, from)) })
        return
      }
    })
  }

  /** Adds the calls of a class's methods, with the arguments of its construction if known. */
  function addMethods(name: string, owner: number, made?: Call): void {
    for (const [index, calls] of wrapped) {
      const scope = program.scopes[index]
      if (scope?.parent !== owner || scope.kind !== 'function' || scope.name === '') continue
      const fill = (pattern: Pattern) =>
        fillSlots(pattern, (slot) => {
          if (slot.scope === index) return undefined
          return made ? evaluator.argument(made, toPlace(slot)) : defaultOf(slot)
        })
      add(`${name}.${scope.name}`, {
        calls: calls.map(({ url, method }) => ({ url: fill(url), method })),
      })
    }
  }

  /** Adds a function or class of the file. */
  function addDeclared(name: string, local: string): void {
    const scope = names.findFunction(local, 0)
    if (scope !== undefined) {
      // Creating a client is no request.
      const calls = configuresObject(program, scope) ? undefined : wrapped.get(scope)
      const forwards: readonly ForwardedCall[] = forwarded.get(scope)
      const returned = names.returnsOf(scope).map(({ value }) => {
        const own = evaluator.evaluate({ value, scope })
        addReturned(`${name}()`, { value, scope })
        return own
      })
      const returns = returned.find((own) => own !== undefined && mayBeAddress(own))
      add(name, {
        ...(calls && { calls }),
        ...(forwards.length > 0 && { forwards }),
        ...(returns !== undefined && { returns }),
      })
    }
    const owner = names.findClass(local)
    if (owner !== undefined) addMethods(name, owner)
  }

  /** Adds members of a returned record, or of a variable that is returned: `settings.url = …`. */
  function addReturned(name: string, scoped: ScopedValue): void {
    const { value, scope } = scoped
    if (value.kind === 'record') addValue(name, scoped)
    if (value.kind === 'name') {
      for (const binding of memberBindings.get(scope)) {
        const [variable, ...keys] = binding.name.split('.')
        if (variable === value.name) addValue(`${name}.${keys.join('.')}`, binding, 1)
      }
    }
    if (value.kind !== 'call' && value.kind !== 'name') return
    for (const end of evaluator.follow(scoped)) {
      if (end.value.kind === 'call') addObject(name, end.value.call)
    }
  }

  // Of several objects of one type, none is known to be injected.
  const provided = program.bindings.filter(({ name }) => name.startsWith('@class '))
  const repeated = provided.filter(({ name, value }, at) =>
    provided.some(
      (other, index) => index !== at && other.name === name && isOwnResult(value, other.value),
    ),
  )
  const main = wrapped.get(0)
  if (main) add(MAIN, { calls: main })
  for (const binding of program.bindings) {
    const { name, value, scope, kind, of } = binding
    if (kind === 'return') continue
    const at = program.scopes[of ?? scope]
    const isSet = at && CONSTRUCTORS.has(at.name) && name.startsWith('this.')
    const owner = isSet ? program.scopes[at.parent] : at
    if (owner?.kind === 'class' && owner.name !== '') {
      const member = memberKey(owner.name, binding)
      addValue(member, { value, scope })
      if (found.has(member)) add(member, placeOf(value, owner))
    }
    const shared = scope === 0 ? sharedName(name) : undefined
    if (shared !== undefined) addValue(shared, { value, scope })
    if (!binding.isExported || repeated.includes(binding)) continue
    addValue(name, { value, scope })
    if (value.kind === 'unknown') addDeclared(name, name)
  }
  program.scopes.forEach((scope, index) => {
    if (scope.kind !== 'class' || scope.name === '') return
    if (scope.isPart) addMethods(scope.name, index)
    addResults(scope.name, index)
    add(`${scope.name}^`, { baseClasses: names.baseClassesOf(scope) })
  })
  for (const [name, exported] of constructions.exports) add(name, exported)
  if (input.connectors.length > 0) {
    add(CONNECTOR, {
      argumentLists: input.connectors.map((value) => [{ at: 0, name: '', key: '', value }]),
    })
  }
  for (const [name, value] of reader.basesElsewhere()) {
    if (hasScheme(value) || hasReferences(value)) add(name, { value })
  }
  return Object.fromEntries(found)
}

/** The name by which other scripts read a global or a member of one: `window.API`, `APP.api`. */
function sharedName(name: string): string | undefined {
  const shared = withoutGlobal(name)
  return shared !== name || /^[A-Z]\w*\./.test(name) ? shared : undefined
}

/** Whether two values are results of different methods of a class. */
function isOwnResult(one: Expression, other: Expression): boolean {
  if (one.kind !== 'call' || other.kind !== 'call') return false
  const { callee } = one.call
  return (
    callee.startsWith('this.') && /^this\./.test(other.call.callee) && callee !== other.call.callee
  )
}

function memberKey(owner: string, { name }: Binding): string {
  return `${owner}.${name.replace(/^this\./, '')}`
}

/** Where a derived class defines a value, if it is written there. */
function placeOf(value: Expression, owner: Scope): Pick<Exported, 'place'> {
  if (!owner.extends || !isWritten(value)) return {}
  const { line, column } = value.place
  return { place: { line, column } }
}

/** Whether a value may be a URL, or a part of one with a path or a host. */
function mayBeAddress(value: Pattern): boolean {
  if (lengthOf(value) > MAX_LENGTH) return false
  return (
    hasScheme(value) ||
    hasReferences(value) ||
    /^[\w{}-]+(?:\.[\w{}-]+)+|^\/?[\w{}.-]*\//.test(beginningOf(value))
  )
}

/** As `mayBeAddress`; a member with the name of an address may be a path of one word. */
function mayBeMember(name: string, value: Pattern): boolean {
  if (mayBeAddress(value)) return true
  if (typeof value !== 'string' || value.length >= MAX_LENGTH) return false
  return /^[\w{}.?=&-]+$/.test(value) && ADDRESS_MEMBER.test(name)
}

const MAX_EXPORTS = 500
const MAX_DEPTH = 5
const MAX_LENGTH = 500
