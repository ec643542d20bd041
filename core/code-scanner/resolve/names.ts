import { ListMap } from '../model/collections.ts'
import type { UnresolvedReference } from '../model/file-scan.ts'
import { lastName } from '../model/name-patterns.ts'
import type { Binding, Expression, Import, Program, Scope } from '../model/program.ts'
import { indexScopes, type Scopes } from './scopes.ts'

/** A value, and the scope in which its names are resolved. */
export interface ScopedValue {
  readonly value: Expression
  readonly scope: number
}

/** An import, and the members that a name selects of it. */
export interface ImportedName {
  readonly from: Import
  readonly members: readonly string[]
}

/** A value that a name is bound to, and the members that the name selects of it. */
export interface ValueDefinition {
  readonly kind: 'value'
  readonly binding: Binding
  readonly members: readonly string[]
}

/** The definition of a name: a value, a parameter of a function, or an import. */
export type Definition =
  | ValueDefinition
  | {
      readonly kind: 'parameter'
      readonly scope: number
      readonly at: number
      readonly name: string
      readonly members: readonly string[]
    }
  | (ImportedName & { readonly kind: 'import' })

/** The names of a program, indexed. */
export interface Names extends Scopes {
  /** The definitions of a name, the likelier first; empty for a name that the file does not bind. */
  find(name: string, at: { readonly scope: number; readonly index: number }): readonly Definition[]
  /** Values that a function returns. */
  returnsOf(scope: number): readonly Binding[]
  /** The import that binds the first name of a dotted name. */
  findImport(name: string): ImportedName | undefined
  /** A dotted name as its module exports it; undefined if its first name is not imported. */
  importedName(name: string): UnresolvedReference | undefined
  /** As `importedName`; a name of the file itself or its package if it is not imported. */
  externalName(name: string): UnresolvedReference
  /** Base classes of a class, at most six. */
  baseClassesOf(scope: Scope): readonly UnresolvedReference[]
}

/** A module of a Rust project, and a name in it. */
const CRATE = /^((?:crate|self|super)(?:\.[a-z_]\w*)+)\.(\w+)/

/** Most parts of a dotted name. */
const MAX_PARTS = 64
/** Deepest nesting of classes that a dotted name selects. */
const MAX_NESTED_CLASSES = 4
const MAX_BASE_CLASSES = 6
/** Most values of one name in one scope. */
const MAX_SAME_NAME = 24

/** A beginning of a dotted name, and the names after it. */
interface Split {
  readonly head: string
  readonly members: readonly string[]
}

type BindingTable = Map<number, ListMap<string, Binding>>

/** Indexes the names of a program. */
export function indexNames(program: Program): Names {
  const { scopes } = program
  const index = indexScopes(program)
  const { climb, ancestorsOf, classOf, findClass } = index
  const variables: BindingTable = new Map()
  const fields: BindingTable = new Map()
  const returns = new ListMap<number, Binding>(MAX_SAME_NAME)
  const imports = new Map<string, Import>()
  const splits = new Map<string, readonly Split[]>()
  for (const imported of program.imports) {
    if (imported.local !== '' && !imports.has(imported.local)) {
      imports.set(imported.local, imported)
    }
  }
  for (const binding of program.bindings) addBinding(binding)

  function addBinding(binding: Binding): void {
    const { name, scope, kind, of } = binding
    if (kind === 'return') {
      returns.add(scope, binding)
      return
    }
    if (isTrivial(binding)) return
    const field = name.startsWith('this.') ? name.slice(5) : undefined
    if (of !== undefined) {
      add(fields, { scope: of, name: name.slice(5), binding })
      return
    }
    add(variables, { scope, name, binding })
    const owner = classOf(scope)
    if (owner === undefined || (field === undefined && owner !== scope)) return
    add(fields, { scope: owner, name: field ?? name, binding })
  }

  /** Whether a binding only exports a class or function, or binds a name to itself. */
  function isTrivial({ name, value, scope }: Binding): boolean {
    if (value.kind === 'name') return value.name === name
    if (value.kind !== 'unknown') return false
    return findClass(name) !== undefined || index.isFunctionOf(name, scope)
  }

  /** The beginnings of a dotted name, longest first. */
  function splitsOf(name: string): readonly Split[] {
    const known = splits.get(name)
    if (known) return known
    const parts = name.split('.', MAX_PARTS)
    const found = parts.map((_, at) => ({
      head: at === 0 ? name : parts.slice(0, -at).join('.'),
      members: at === 0 ? [] : parts.slice(-at),
    }))
    splits.set(name, found)
    return found
  }

  function findField(classScope: number, name: string): readonly Definition[] {
    const found: Definition[] = []
    for (const owner of ancestorsOf(classScope)) {
      const table = fields.get(owner)
      for (const { head, members } of table ? splitsOf(name) : []) {
        for (const binding of table?.get(head) ?? [])
          found.push({ kind: 'value', binding, members })
      }
    }
    return found
  }

  function findIn(scope: number, name: string, index: number): readonly Definition[] {
    const found: Definition[] = []
    const table = variables.get(scope)
    for (const { head, members } of table ? splitsOf(name) : []) {
      for (const binding of inOrder(table?.get(head) ?? [], index)) {
        // An exported class has its members elsewhere.
        if (members.length > 0 && binding.value.kind === 'unknown') continue
        found.push({ kind: 'value', binding, members })
      }
    }
    const parameters = scopes[scope]?.parameters
    const { head = '', members = [] } = (parameters && splitsOf(name).at(-1)) ?? {}
    const at = parameters?.indexOf(head) ?? -1
    if (at >= 0) found.push({ kind: 'parameter', scope, at, name: head, members })
    return found
  }

  function findImport(name: string): ImportedName | undefined {
    for (const { head, members } of splitsOf(name)) {
      const from = imports.get(head)
      if (from) return { from, members }
    }
    // `crate::config::BASE` needs no import.
    const [local = '', module = '', imported = ''] = CRATE.exec(name) ?? []
    const members = name
      .slice(local.length + 1)
      .split('.')
      .filter(Boolean)
    const place = { index: 0, line: 1, column: 1 }
    return local === '' ? undefined : { from: { module, local, imported, place }, members }
  }

  function find(name: string, { scope: start, index }: { scope: number; index: number }) {
    const owner = classOf(start)
    if (owner !== undefined && /^(?:this|super)(?:\.|$)/.test(name)) {
      const fields = findField(owner, name.replace(/^\w+\.?/, ''))
      if (fields.length > 0 || !scopes[owner]?.isObject) return fields
    }
    const found = climb(start, (scope) => {
      if (scopes[scope]?.isObject) return undefined
      const isClass = scopes[scope]?.kind === 'class'
      const definitions = isClass ? findField(scope, name) : findIn(scope, name, index)
      return definitions.length > 0 ? definitions : undefined
    })
    return found ?? findElsewhere(name, index)
  }

  /** A member of a class, an import, or a constant of a module within the file. */
  function findElsewhere(name: string, index: number): readonly Definition[] {
    // `Config.Api.URL`
    let rest = name
    for (let step = 0; step < MAX_NESTED_CLASSES && rest.includes('.'); step += 1) {
      const owner = findClass(firstName(rest))
      rest = rest.slice(rest.indexOf('.') + 1)
      const found = owner === undefined ? [] : findField(owner, rest)
      if (found.length > 0) return found
    }
    const imported = findImport(name)
    if (imported) return [{ kind: 'import', ...imported }]
    // `consts::BASE`
    const isConstant = /^[a-z_]+\.[A-Z][A-Z_\d]*$/.test(name)
    return isConstant ? findIn(0, lastName(name), index) : []
  }

  function importedName(name: string): UnresolvedReference | undefined {
    const imported = findImport(name)
    return imported && toReference(imported)
  }

  const externalName = (name: string) => importedName(name) ?? { module: '', name }

  return {
    ...index,
    find,
    findImport,
    importedName,
    externalName,
    returnsOf: (scope) => returns.get(scope),
    baseClassesOf: (scope) => (scope.extends ?? []).slice(0, MAX_BASE_CLASSES).map(externalName),
  }
}

/** An imported name as its module exports it. */
export function toReference({ from, members }: ImportedName): UnresolvedReference {
  const { module, imported } = from
  const parts = imported === '*' ? members : [imported, ...members]
  return { module, name: parts.join('.') }
}

/** The last value before an index first, then the others; defaults and other branches at the end. */
function inOrder(bindings: readonly Binding[], index: number): readonly Binding[] {
  if (bindings.length < 2) return bindings
  const isLast = ({ kind, hiddenIn = [] }: Binding) =>
    kind === 'parameter-default' || hiddenIn.some(([start, end]) => index >= start && index < end)
  const values = bindings.filter((binding) => !isLast(binding))
  const before = values.filter(({ place }) => place.index < index).reverse()
  const after = values.filter(({ place }) => place.index >= index)
  return [...before, ...after, ...bindings.filter(isLast)]
}

function firstName(name: string): string {
  const dot = name.indexOf('.')
  return dot < 0 ? name : name.slice(0, dot)
}

function add(
  table: BindingTable,
  { scope, name, binding }: { scope: number; name: string; binding: Binding },
): void {
  const names = table.get(scope) ?? new ListMap<string, Binding>(MAX_SAME_NAME)
  table.set(scope, names)
  names.add(name, binding)
}
