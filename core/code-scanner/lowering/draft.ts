import type {
  Binding,
  Call,
  Expression,
  Import,
  LooseText,
  Program,
  Scope,
  TextRole,
} from '../model/program.ts'
import type { SyntaxNode } from '../model/syntax.ts'
import {
  type CallResult,
  holdsText,
  type NewBinding,
  type NewCall,
  placeOf,
  unknownAt,
} from './lowered.ts'
import { type NameUse, resolveMembers } from './members.ts'
import type { Rules } from './rules.ts'

/** Lowers a node; undefined for nodes without a value, such as statements. */
export type Lowering = (node: SyntaxNode, draft: Draft) => Expression | undefined

/** Deepest nesting that is lowered; deeper values are unknown. */
const MAX_DEPTH = 500

/** Latest bindings among which the value of a variable is searched. */
const MAX_LOOK_BACK = 200

/**
 * Builder of a program: walks a syntax tree by a table of lowerings and records their results.
 * Lower each node once, as that records its calls.
 */
export class Draft {
  /** The rules of the language. */
  readonly rules: Rules
  readonly #scopes: Scope[] = [{ kind: 'file', name: '', parent: -1 }]
  readonly #imports: Import[] = []
  readonly #bindings: Binding[] = []
  readonly #calls: Call[] = []
  readonly #loose: LooseText[] = []
  readonly #uses: NameUse[] = []
  /** Bindings of names that were declared elsewhere. */
  readonly #assigned = new Set<Binding>()
  /** Full names of members, by class scope and bare name. */
  readonly #members = new Map<number, Map<string, string>>()
  readonly #classes = new Map<string, number>()
  /** Scopes of objects with functions, by node. */
  readonly #objects = new Map<number, number>()
  #scope = 0
  #depth = 0
  #role: TextRole = 'other'
  #self: string | undefined
  /** Parts of the text that what is bound is not for. */
  #hidden: Pick<Binding, 'hiddenIn'> = {}

  constructor(rules: Rules) {
    this.rules = rules
  }

  /** Dotted name of a node; undefined if it has none. */
  nameOf(node: SyntaxNode | null): string | undefined {
    return this.rules.nameOf(node, this.#self)
  }

  /** Value of a variable of a declared type; undefined for plain types. */
  typed(type: SyntaxNode | null): CallResult | undefined {
    return this.rules.typed(type, this)
  }

  /** Scope that is being lowered: index into `Program.scopes`. */
  get scope(): number {
    return this.#scope
  }

  /** The scope that is being lowered. */
  get here(): Scope {
    return this.#scopes[this.#scope] ?? { kind: 'file', name: '', parent: -1 }
  }

  /** Lowers a node by its type; without a lowering, its children are statements. */
  lower(node: SyntaxNode | null): Expression {
    if (!node) return { kind: 'unknown', place: { index: 0, line: 1, column: 1 } }
    if (this.#depth >= MAX_DEPTH) return unknownAt(node)
    this.#depth += 1
    const lowering = this.rules.lowerings.get(node.type)
    const value = lowering ? lowering(node, this) : this.children(node)
    this.#depth -= 1
    return value ?? unknownAt(node)
  }

  /** Lowers a node whose value is unused: its strings are loose. */
  statement(node: SyntaxNode | null, role: TextRole = this.#role): undefined {
    if (!node) return undefined
    const outer = this.#role
    this.#role = role
    this.loose(this.lower(node), role)
    this.#role = outer
    return undefined
  }

  /** Lowers all named children as statements. */
  children(node: SyntaxNode, role: TextRole = this.#role): undefined {
    if (node.namedChildCount === 0) return undefined
    for (const child of node.namedChildren) this.statement(child, role)
    return undefined
  }

  /** Runs within a new scope. */
  within<Value>(
    scope: Omit<Scope, 'parent'> & { readonly parent?: number },
    run: () => Value,
  ): Value {
    return this.inside(this.#open(scope), run)
  }

  /** Runs within an existing scope. */
  inside<Value>(scope: number, run: () => Value): Value {
    const outer = { scope: this.#scope, role: this.#role }
    this.#scope = scope
    this.#role = 'other'
    const value = run()
    this.#scope = outer.scope
    this.#role = outer.role
    return value
  }

  /** Runs with another name of the own instance; undefined keeps the outer name. */
  withSelf<Value>(self: string | undefined, run: () => Value): Value {
    const outer = this.#self
    this.#self = self ?? outer
    const value = run()
    this.#self = outer
    return value
  }

  /** Runs for a branch, whose bindings the other branches cannot read. */
  branch(others: NonNullable<Binding['hiddenIn']>, run: () => undefined): undefined {
    const outer = this.#hidden
    this.#hidden = { hiddenIn: [...(outer.hiddenIn ?? []), ...others] }
    run()
    this.#hidden = outer
  }

  /** Returns the scope of a class in this file, which is opened on first use. Bases are added. */
  classScope(
    name: string,
    { bases = [], isPart = false }: { bases?: readonly string[]; isPart?: boolean } = {},
  ): number {
    const part = isPart ? ({ parent: 0, isPart } as const) : {}
    const known = this.#classes.get(name) ?? this.#open({ kind: 'class', name, ...part })
    const scope = this.#scopes[known]
    if (scope && bases.length > 0) {
      this.#scopes[known] = { ...scope, extends: [...(scope.extends ?? []), ...bases] }
    }
    return known
  }

  /** Opens the scope of an object's functions, or takes that of the class `name`. */
  openObject(node: number, name?: string): number {
    const scope =
      name === undefined
        ? this.#open({ kind: 'class', name: '', isObject: true })
        : this.classScope(name)
    this.#objects.set(node, scope)
    return scope
  }

  /** Returns the scope of an object's functions; undefined if it was not opened. */
  objectScopeOf(node: number): number | undefined {
    return this.#objects.get(node)
  }

  /** Whether a class of that name was opened. */
  hasClass(name: string): boolean {
    return this.#classes.has(name)
  }

  import(value: Import): undefined {
    this.#imports.push(value)
    return undefined
  }

  /** Binds a variable, or a field if the name begins with `this.`, at the position of its value. */
  bind(binding: NewBinding): undefined {
    this.#bind(binding)
    return undefined
  }

  /** Assigns a value to a declared member or variable. */
  assign(assignment: NewBinding): undefined {
    this.#assigned.add(this.#bind(assignment))
    return undefined
  }

  /** Binds a constant that other files can use. */
  export(constant: NewBinding): undefined {
    return this.bind({ kind: 'constant', isExported: true, ...constant })
  }

  /** Lets other files use a function or class of this one. */
  declare(name: string, node: SyntaxNode): undefined {
    return this.export({ name, value: unknownAt(node), scope: 0 })
  }

  /** Adds a result of the function. */
  giveBack(value: Expression): undefined {
    return this.bind({ name: 'return', value, kind: 'return' })
  }

  /** Makes a bare name mean a member in a class scope and below it: `url` is `this.url`. */
  member(
    scope: number,
    { name, full }: { readonly name: string; readonly full: string },
  ): undefined {
    const names = this.#members.get(scope) ?? new Map<string, string>()
    this.#members.set(scope, names.set(name, full))
    return undefined
  }

  /** Records the use of a name. */
  name(name: string, node: SyntaxNode): Expression {
    const expression = { kind: 'name' as const, name, place: placeOf(node) }
    if (!name.startsWith('this.')) this.#uses.push({ expression, scope: this.#scope })
    return expression
  }

  /** Returns the last value of a variable of this scope; undefined for other names. */
  localValue(name: string): Expression | undefined {
    const isSame = (binding: Binding) => binding.scope === this.#scope && binding.name === name
    return this.#bindings.slice(-MAX_LOOK_BACK).findLast(isSame)?.value
  }

  /** Returns the entries of a record variable of this scope, also those that are set one by one. */
  localEntries(name: string): Readonly<Record<string, Expression>> {
    const entries: Record<string, Expression> = {}
    for (const { name: full, value, scope } of this.#bindings.slice(-MAX_LOOK_BACK)) {
      if (scope !== this.#scope) continue
      if (full.startsWith(`${name}.`)) entries[full.slice(name.length + 1)] = value
      else if (full === name && value.kind === 'record') Object.assign(entries, value.entries)
    }
    return entries
  }

  /** Returns the full path of an imported name: `reqwest.Client` of `Client`. */
  imported(name: string): string | undefined {
    const found = this.#imports.findLast(({ local }) => local === name && local !== '*')
    if (!found || name === '') return undefined
    return found.imported === '*' ? found.module : `${found.module}.${found.imported}`
  }

  /** Records a call and returns its result. */
  call(value: NewCall): Expression {
    const result = this.resultOf(value)
    this.#calls.push(result.call)
    return result
  }

  /** Returns the result of a call that is not recorded: of a property, a getter, a declared type. */
  resultOf(value: NewCall): CallResult {
    const call = { receiver: undefined, args: [], named: {}, scope: this.#scope, ...value }
    return { kind: 'call', call, place: call.place }
  }

  /** Records the strings of a value that is neither named nor an argument. */
  loose(value: Expression, role: TextRole): undefined {
    const isOpened = role === 'link' && value.kind === 'name'
    if (isOpened || holdsText(value)) this.#loose.push({ value, role, scope: this.#scope })
    return undefined
  }

  /** Returns the program, in the order of the source. */
  program(): Program {
    const names = {
      ...{ scopes: this.#scopes, bindings: this.#bindings, assigned: this.#assigned },
      ...{ members: this.#members, uses: this.#uses },
    }
    return {
      scopes: this.#scopes,
      imports: this.#imports,
      bindings: this.#members.size > 0 ? resolveMembers(names) : this.#bindings,
      calls: this.#calls.toSorted((a, b) => a.place.index - b.place.index),
      loose: this.#loose,
    }
  }

  #bind(binding: NewBinding): Binding {
    const kind = binding.name.startsWith('this.') ? 'field' : 'variable'
    const { place } = binding.value
    const defaults = { kind, isExported: false, place, scope: this.#scope } as const
    const whole = { ...defaults, ...binding, ...this.#hidden }
    this.#bindings.push(whole)
    return whole
  }

  #open(scope: Omit<Scope, 'parent'> & { readonly parent?: number }): number {
    const index = this.#scopes.push({ parent: this.#scope, ...scope }) - 1
    if (scope.kind === 'class' && scope.name) this.#classes.set(scope.name, index)
    return index
  }
}
