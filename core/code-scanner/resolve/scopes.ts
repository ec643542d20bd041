import { lastName } from '../model/name-patterns.ts'
import type { Program, Scope } from '../model/program.ts'

/** The classes and functions of a program, indexed. */
export interface Scopes {
  /** The function that a name means in a scope; `this.x` for methods. */
  findFunction(name: string, scope: number): number | undefined
  findClass(name: string): number | undefined
  /** Method of a class or of the classes that it extends. */
  findMethod(classScope: number, name: string): number | undefined
  /** The functions of the same name and parent, itself included. */
  overloadsOf(scope: number): readonly number[]
  /** Whether a scope directly contains a function of the name. */
  isFunctionOf(name: string, parent: number): boolean
  /** Number of a function's parameters. */
  arityOf(scope: number): number
  /** Scope of the nearest class around a scope. */
  classOf(scope: number): number | undefined
  /** The nearest class around a scope. */
  classAround(scope: number): Scope | undefined
  /** Nearest function around a scope, itself included; -1 for none. */
  functionOf(scope: number): number
  /** A class, and the classes of the file that it extends. */
  ancestorsOf(classScope: number): readonly number[]
  /** The first result for a scope or one of those around it. */
  climb<Found>(start: number, visit: (scope: number) => Found | undefined): Found | undefined
}

/** Indexes the classes and functions of a program. */
export function indexScopes({ scopes }: Program): Scopes {
  const classes = new Map<string, number>()
  const functions = new Map<string, Map<number, number>>()
  const overloads = new Map<number, number[]>()
  const ancestors = new Map<number, readonly number[]>()
  const classOfScope = scopes.map((_, scope) => climb(scope, (at) => isOfKind(at, 'class')))

  scopes.forEach(({ kind, name, parent }, index) => {
    if (name === '') return
    if (kind === 'class' && !classes.has(name)) classes.set(name, index)
    if (kind !== 'function') return
    const byParent = functions.get(name) ?? new Map<number, number>()
    functions.set(name, byParent)
    const first = byParent.get(parent) ?? index
    const all = overloads.get(first) ?? []
    if (all.length < MAX_OVERLOADS) all.push(index)
    overloads.set(index, all)
    byParent.set(parent, first)
  })

  function climb<Found>(start: number, visit: (scope: number) => Found | undefined) {
    let scope = start
    for (let step = 0; step < MAX_DEPTH && scope >= 0; step += 1) {
      const found = visit(scope)
      if (found !== undefined) return found
      scope = scopes[scope]?.parent ?? -1
    }
    return undefined
  }

  function isOfKind(scope: number, kind: Scope['kind']): number | undefined {
    return scopes[scope]?.kind === kind ? scope : undefined
  }

  function ancestorsOf(classScope: number): readonly number[] {
    const known = ancestors.get(classScope)
    if (known) return known
    const found = [classScope]
    for (let step = 0; step < found.length && step < MAX_ANCESTORS; step += 1) {
      for (const name of scopes[found[step] ?? -1]?.extends ?? []) {
        const base = classes.get(name) ?? classes.get(lastName(name))
        if (base !== undefined && !found.includes(base)) found.push(base)
      }
    }
    ancestors.set(classScope, found)
    return found
  }

  function findMethod(classScope: number, name: string): number | undefined {
    const byParent = functions.get(name)
    const owner = byParent && ancestorsOf(classScope).find((scope) => byParent.has(scope))
    return owner === undefined ? undefined : byParent?.get(owner)
  }

  function findFunction(name: string, from: number): number | undefined {
    const dot = name.lastIndexOf('.')
    if (dot >= 0) {
      const head = name.slice(0, dot)
      const isOwn = head === 'this' || head === 'super'
      const owner = isOwn ? classOfScope[from] : classes.get(head)
      return owner === undefined ? undefined : findMethod(owner, name.slice(dot + 1))
    }
    const byParent = functions.get(name)
    if (!byParent) return undefined
    return climb(from, (scope) => {
      const { kind, isObject } = scopes[scope] ?? {}
      if (isObject) return undefined
      return kind === 'class' ? findMethod(scope, name) : byParent.get(scope)
    })
  }

  return {
    findFunction,
    findMethod,
    ancestorsOf,
    climb,
    isFunctionOf: (name, parent) => functions.get(name)?.has(parent) === true,
    findClass: (name) => classes.get(name),
    overloadsOf: (scope) => overloads.get(scope) ?? [],
    arityOf: (scope) => scopes[scope]?.parameters?.length ?? 0,
    classOf: (scope) => classOfScope[scope],
    classAround: (scope) => scopes[classOfScope[scope] ?? -1],
    functionOf: (scope) => climb(scope, (at) => isOfKind(at, 'function')) ?? -1,
  }
}

/** Deepest nesting of scopes. */
const MAX_DEPTH = 64
/** Most ancestors of a class within the file. */
const MAX_ANCESTORS = 8
/** Most functions of one name and parent. */
const MAX_OVERLOADS = 24
