import type { Binding, Expression, Import, Program, Scope } from '../model/program.ts'

/** A value, where names in it are looked up, and from where on. */
export interface ScopedValue {
  readonly value: Expression
  readonly scope: number
}

/** What a name means: a value of the file, a parameter of a function, or something elsewhere. */
export type Definition =
  | { readonly kind: 'value'; readonly binding: Binding; readonly rest: readonly string[] }
  | {
      readonly kind: 'parameter'
      readonly scope: number
      readonly at: number
      readonly name: string
      readonly rest: readonly string[]
    }
  | { readonly kind: 'import'; readonly from: Import; readonly rest: readonly string[] }

/** The names of a program, indexed. */
export interface Names {
  /** What a name may mean, the likelier first; empty for what the file does not bind. */
  find(name: string, at: { readonly scope: number; readonly index: number }): readonly Definition[]
  /** The function of that name, seen from a scope; `this.x` for methods. */
  findFunction(name: string, scope: number): number | undefined
  /** The class of that name. */
  findClass(name: string): number | undefined
  /** Method of a class or of the classes that it extends. */
  findMethod(classScope: number, name: string): number | undefined
  /** The functions of the same name in the same place, itself first. */
  overloadsOf(scope: number): readonly number[]
  /** How many parameters a function has. */
  arityOf(scope: number): number
  /** Nearest class around a scope. */
  classOf(scope: number): number | undefined
  /** Nearest function around a scope, itself included, -1 for none. */
  functionOf(scope: number): number
  /** What a function gives back. */
  returnsOf(scope: number): readonly Binding[]
  /** The import that binds the first name of a dotted name, with the names after it. */
  findImport(name: string): { readonly from: Import; readonly rest: readonly string[] } | undefined
}

/** Names of classes within each other that are looked at. */
const MAX_NESTED = 4

/** Deepest chain of scopes, classes or names that is followed. */
const MAX_CHAIN = 64

/** Indexes the names of a program. */
export function indexNames(program: Program): Names {
  const { scopes } = program
  const bindings = new Map<string, Binding[]>()
  const fields = new Map<string, Binding[]>()
  const returns = new Map<number, Binding[]>()
  const functions = new Map<string, Map<number, number>>()
  const overloads = new Map<number, number[]>()
  const classes = new Map<string, number>()
  const imports = new Map<string, Import>()
  const heads = new Map<number, Set<string>>()
  const importHeads = new Set<string>()
  const classOfScope = scopes.map((_, scope) => climb(scope, 'class'))

  scopes.forEach((scope, index) => {
    if (scope.name === '') return
    if (scope.kind === 'class') setOnce(classes, scope.name, index)
    if (scope.kind !== 'function') return
    const known = functions.get(scope.name) ?? new Map<number, number>()
    functions.set(scope.name, known)
    const first = known.get(scope.parent)
    if (first === undefined) {
      known.set(scope.parent, index)
      return
    }
    const all = overloads.get(first) ?? [first]
    if (all.length >= MAX_SAME_NAME) return
    all.push(index)
    for (const one of all) overloads.set(one, all)
  })
  for (const one of program.imports) {
    if (one.local === '') continue
    setOnce(imports, one.local, one)
    importHeads.add(headOf(one.local))
  }
  for (const binding of program.bindings) {
    if (binding.kind === 'return') {
      push(returns, binding.scope, binding)
      continue
    }
    if (saysNothing(binding)) continue
    if (binding.of !== undefined) {
      push(fields, `${binding.of}|${binding.name.slice(5)}`, binding)
      continue
    }
    push(bindings, `${binding.scope}|${binding.name}`, binding)
    const known = heads.get(binding.scope) ?? new Set()
    heads.set(binding.scope, known.add(headOf(binding.name)))
    const owner = classOfScope[binding.scope]
    if (owner === undefined) continue
    if (binding.name.startsWith('this.')) push(fields, `${owner}|${binding.name.slice(5)}`, binding)
    else if (owner === binding.scope) push(fields, `${owner}|${binding.name}`, binding)
  }

  /** What only says that a class or function is exported, or that a name is itself. */
  function saysNothing({ name, value, scope }: Binding): boolean {
    if (value.kind === 'name') return value.name === name
    if (value.kind !== 'unknown') return false
    return classes.has(name) || functions.get(name)?.has(scope) === true
  }

  function climb(start: number, kind: Scope['kind']): number | undefined {
    let at = start
    for (let step = 0; step < MAX_CHAIN && at >= 0; step += 1) {
      if (scopes[at]?.kind === kind) return at
      at = scopes[at]?.parent ?? -1
    }
    return undefined
  }

  /** A class and those that it extends, as far as the file has them. */
  function lineage(classScope: number): readonly number[] {
    const line = [classScope]
    for (let step = 0; step < line.length && step < 8; step += 1) {
      for (const name of scopes[line[step] ?? -1]?.extends ?? []) {
        const parent = classes.get(name) ?? classes.get(name.slice(name.lastIndexOf('.') + 1))
        if (parent !== undefined && !line.includes(parent)) line.push(parent)
      }
    }
    return line
  }

  function findField(classScope: number, names: readonly string[]): readonly Definition[] {
    const found: Definition[] = []
    for (const owner of lineage(classScope)) {
      for (let size = names.length; size > 0; size -= 1) {
        const key = `${owner}|${names.slice(0, size).join('.')}`
        for (const binding of fields.get(key) ?? []) {
          found.push({ kind: 'value', binding, rest: names.slice(size) })
        }
      }
    }
    return found
  }

  function findIn(scope: number, names: readonly string[], index: number): readonly Definition[] {
    const head = names[0] ?? ''
    const at = scopes[scope]?.parameters?.indexOf(head) ?? -1
    if (at < 0 && !heads.get(scope)?.has(head)) return []
    const found: Definition[] = []
    for (let size = names.length; size > 0; size -= 1) {
      const known = bindings.get(`${scope}|${names.slice(0, size).join('.')}`)
      if (!known) continue
      const ordered = known.length === 1 ? known : order(known, index)
      const rest = names.slice(size)
      for (const binding of ordered) {
        // A class that is only exported has its members elsewhere.
        if (rest.length > 0 && binding.value.kind === 'unknown') continue
        found.push({ kind: 'value', binding, rest })
      }
    }
    if (at >= 0) {
      found.push({ kind: 'parameter', scope, at, name: names[0] ?? '', rest: names.slice(1) })
    }
    return found
  }

  function findImport(name: string): ReturnType<Names['findImport']> {
    if (!importHeads.has(headOf(name))) return undefined
    const names = name.split('.')
    for (let size = names.length; size > 0; size -= 1) {
      const from = imports.get(names.slice(0, size).join('.'))
      if (from) return { from, rest: names.slice(size) }
    }
    return undefined
  }

  function find(name: string, place: { scope: number; index: number }): readonly Definition[] {
    const names = name.split('.', MAX_CHAIN)
    if (names[0] === 'this' || names[0] === 'super') {
      const owner = classOfScope[place.scope]
      if (owner !== undefined) return findField(owner, names.slice(1))
    }
    let scope = place.scope
    for (let step = 0; step < MAX_CHAIN && scope >= 0; step += 1) {
      const isClass = scopes[scope]?.kind === 'class'
      const found = isClass ? findField(scope, names) : findIn(scope, names, place.index)
      if (found.length > 0) return found
      scope = scopes[scope]?.parent ?? -1
    }
    // Of a class, or of one within it: `Config.Api.URL`.
    for (let at = 0; at < Math.min(names.length - 1, MAX_NESTED); at += 1) {
      const owner = classes.get(names[at] ?? '')
      const found = owner === undefined ? [] : findField(owner, names.slice(at + 1))
      if (found.length > 0) return found
    }
    const imported = findImport(name)
    if (imported) return [{ kind: 'import', ...imported }]
    // Of a module within the file, whose names are the file's here: `consts::BASE`.
    const isConstant = names.length === 2 && /^[a-z_]+\.[A-Z][A-Z_\d]*$/.test(name)
    return isConstant ? findIn(0, names.slice(1), place.index) : []
  }

  function findMethod(classScope: number, name: string): number | undefined {
    const known = functions.get(name)
    if (!known) return undefined
    for (const owner of lineage(classScope)) {
      const found = known.get(owner)
      if (found !== undefined) return found
    }
    return undefined
  }

  return {
    find,
    findImport,
    findMethod,
    overloadsOf: (scope) => overloads.get(scope) ?? [scope],
    arityOf: (scope) => scopes[scope]?.parameters?.length ?? 0,
    findClass: (name) => classes.get(name),
    classOf: (scope) => classOfScope[scope],
    functionOf: (scope) => climb(scope, 'function') ?? -1,
    returnsOf: (scope) => returns.get(scope) ?? [],
    findFunction(name, from) {
      const dot = name.lastIndexOf('.')
      if (dot >= 0) {
        const head = name.slice(0, dot)
        const isOwn = head === 'this' || head === 'super'
        const owner = isOwn ? classOfScope[from] : classes.get(head)
        return owner === undefined ? undefined : findMethod(owner, name.slice(dot + 1))
      }
      const known = functions.get(name)
      if (!known) return undefined
      let scope = from
      for (let step = 0; step < MAX_CHAIN && scope >= 0; step += 1) {
        const isClass = scopes[scope]?.kind === 'class'
        const found = isClass ? findMethod(scope, name) : known.get(scope)
        if (found !== undefined) return found
        scope = scopes[scope]?.parent ?? -1
      }
      return undefined
    },
  }
}

/** The value given last before a place first, then the others, defaults at the end. */
function order(known: readonly Binding[], index: number): readonly Binding[] {
  const given = known.filter(({ kind }) => kind !== 'parameter-default')
  const before = given.filter(({ place }) => place.index < index).reverse()
  const after = given.filter(({ place }) => place.index >= index)
  const defaults = known.filter(({ kind }) => kind === 'parameter-default')
  return [...before, ...after, ...defaults]
}

function headOf(name: string): string {
  const dot = name.indexOf('.')
  return dot < 0 ? name : name.slice(0, dot)
}

function push<Key>(map: Map<Key, Binding[]>, key: Key, binding: Binding): void {
  const known = map.get(key)
  if (!known) map.set(key, [binding])
  else if (known.length < MAX_SAME_NAME) known.push(binding)
}

/** Values that one name is given in one scope that are looked at. */
const MAX_SAME_NAME = 24

function setOnce<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
  if (!map.has(key)) map.set(key, value)
}
