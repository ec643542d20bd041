import { ownEntry } from '../model/collections.ts'
import { lastName } from '../model/name-patterns.ts'
import { type Pattern, startsOpen } from '../model/pattern.ts'
import {
  type ArgumentPlace,
  type Call,
  type ClientRule,
  classKey,
  type Program,
  SELECTED,
} from '../model/program.ts'
import type { CallLinks } from './call-links.ts'
import type { Evaluator } from './evaluate.ts'

/** A call on a client. */
export interface ClientUse {
  readonly call: Call
  /** What made the client; undefined where it is not known. */
  readonly made: Call | undefined
  /** What the client is called; undefined where it has no name. */
  readonly name: string | undefined
}

/** Finds what clients are given beside their calls. */
export interface BaseReader {
  /** The base by `ClientRule.baseFrom`. */
  baseFrom(rule: ClientRule, on: ClientUse): Pattern | undefined
  /** A field that is set on the client's name, or given when it was made. */
  setByField(key: string, on: ClientUse): Pattern | undefined
  /** What a call of that callee gives, anywhere in the file, as `ClientRule.baseFrom` has it. */
  setAnywhere(callee: string, place: ArgumentPlace): Pattern | undefined
}

/** Creates a reader of the bases of a program's clients. */
export function createBaseReader(given: {
  readonly program: Program
  readonly evaluator: Evaluator
  readonly links: CallLinks
}): BaseReader {
  const { program, evaluator, links } = given
  const { names } = evaluator

  function baseFrom(rule: ClientRule, on: ClientUse): Pattern | undefined {
    for (const [key, place] of Object.entries(rule.baseFrom ?? {})) {
      const found =
        key === '@class'
          ? registered(on, rule)
          : key.endsWith('()')
            ? setAnywhere(key.slice(0, -2), place)
            : key.startsWith('.')
              ? setByCall(key, place, on)
              : setByField(key, on)
      if (found !== undefined && found !== '') return found
    }
    const elsewhere = settersOf(rule)
    return elsewhere.length === 0 ? undefined : evaluator.externalName(elsewhere.join('|'))
  }

  /** A call of that name anywhere in the file. */
  function setAnywhere(callee: string, place: ArgumentPlace): Pattern | undefined {
    const setter = links.findCall(callee)
    return setter && evaluator.argument(setter, place)
  }

  /** What another file registers for the class around, or for the name that a client is made by. */
  function registered({ call, made }: ClientUse, rule: ClientRule): Pattern | undefined {
    const selected = made?.named[SELECTED]
    if (selected?.kind === 'name') return evaluator.externalName(selected.name)
    const [key] = made?.callee.endsWith('.CreateClient') ? made.args : []
    const named = key && made && evaluator.argument(made, { at: 0 })
    const owner = names.classOf(call.scope)
    const isNamed = typeof named === 'string' && named !== ''
    // A constant names the client in all files.
    const constant = key?.kind === 'name' ? lastName(key.name) : undefined
    const name = constant ?? (isNamed ? named : program.scopes[owner ?? -1]?.name)
    const path = evaluator.argument(call, rule.url)
    const isOpen = path === undefined || startsOpen(path)
    // The open part may be a base of its own.
    const isDeclared = call.callee.startsWith('@')
    if (isOpen && !isDeclared && constant === undefined && !isNamed) return undefined
    const injected = isOpen ? [] : injectedNames(call, made)
    const keys = [name, ...injected].flatMap((key) => (key ? [classKey(key)] : []))
    // Where no file registers it, the only base of the project holds.
    const all = [...keys, ...settersOf(rule)]
    return keys.length > 0 ? evaluator.externalName(all.join('|')) : undefined
  }

  /** The name and type of a client that is injected. */
  function injectedNames(call: Call, made: Call | undefined): readonly (string | undefined)[] {
    const [, type] = /^new (\w+)$/.exec(made?.callee ?? '') ?? []
    return type === undefined ? [] : [rootOf(call), type]
  }

  /** The name of the client at the start of a chain of calls: `geoClient.get().uri(path)`. */
  function rootOf({ receiver }: Call): string | undefined {
    let at = receiver
    for (let step = 0; at?.kind === 'call' && step < MAX_CHAIN; step += 1) at = at.call.receiver
    return at?.kind === 'name' ? lastName(at.name) : undefined
  }

  /** Setters in the chain that made the client, or on its name. */
  function setByCall(key: string, place: ArgumentPlace, on: ClientUse): Pattern | undefined {
    const isSetter = (one: Call) => `.${lastName(one.callee)}` === key
    const chain = [...links.makersOf(on.call), ...links.chainAfter(on.made)]
    const known = links.calledOn(on.name)
    const local = on.name?.startsWith('this.') ? links.calledOn(on.name.slice(5)) : []
    for (const setter of [...chain, ...known, ...local].filter(isSetter)) {
      const found = evaluator.argument(setter, place)
      if (found !== undefined) return found
    }
    return undefined
  }

  function setByField(key: string, on: ClientUse): Pattern | undefined {
    if (on.made) {
      const named = ownEntry(on.made.named, key)
      if (named) return evaluator.evaluate({ value: named, scope: on.made.scope })
      for (const value of on.made.args) {
        const located = { value, scope: on.made.scope }
        // A name of another file may be anything: a member of it is no base.
        if (!evaluator.follow(located).some((one) => one.value.kind === 'record')) continue
        const entry = evaluator.member(located, key)
        const found = entry && evaluator.evaluate(entry)
        if (found !== undefined) return found
      }
    }
    if (on.name === undefined) return undefined
    const bound = on.made && links.nameOf(on.made)
    // The function that made it may have set it, under a name of its own.
    const uses = [{ name: on.name, call: on.call }]
    if (on.made && bound !== undefined) uses.push({ name: bound, call: on.made })
    for (const { name, call } of uses) {
      const { place, scope } = call
      const full = `${name}.${key}`
      const meanings = names.find(full, { scope, index: place.index })
      if (!meanings.some((one) => one.kind === 'value' && one.members.length === 0)) continue
      const found = evaluator.evaluate({ value: { kind: 'name', name: full, place }, scope })
      if (found !== undefined) return found
    }
    return undefined
  }

  return { baseFrom, setByField, setAnywhere }
}

/** Calls that set the base of a rule's client, anywhere in the project. */
function settersOf({ baseFrom = {} }: ClientRule): readonly string[] {
  return Object.keys(baseFrom).flatMap((key) => (key.endsWith('()') ? [key.slice(0, -2)] : []))
}

/** Longest chain of calls that is followed. */
const MAX_CHAIN = 8
