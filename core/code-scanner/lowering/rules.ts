import { lastName, lookUpNames, matchNames, rememberNames } from '../model/name-patterns.ts'
import type { Binding, Expression, Program, TextRole } from '../model/program.ts'
import type { SyntaxNode } from '../model/syntax.ts'
import { BRANCHED, exclusive } from './blocks.ts'
import { TIDIES_URL } from './built-texts.ts'
import type { Draft, Lowering } from './draft.ts'
import {
  type CallArguments,
  EFFECTS,
  type Effect,
  type EffectName,
  type LoweredCall,
} from './effects.ts'
import { type CallResult, placeOf, unknownAt, withoutExtras } from './lowered.ts'
import { byNodeType, type NameRule, nameReader, type Part, partOf } from './names.ts'

/** Rules for the syntax tree of a language; keys list node types, separated by spaces. */
export interface LanguageRules {
  /** Construct of each node type; children of other nodes are statements. */
  readonly nodes: Readonly<Record<string, Lowering>>
  /** Nodes that are names or members. */
  readonly names: Readonly<Record<string, NameRule>>
  /** Names of the own instance: `self cls`. */
  readonly own?: string
  readonly arguments?: {
    /** Arguments with a name. */
    readonly named?: Readonly<Record<string, { readonly name: Part; readonly value: Part }>>
    /** Nodes that spread a record to named arguments: `**options`. */
    readonly spread?: string
    /** Whether named arguments have a position, too. */
    readonly labels?: true
    /** Names of arguments for people, as name patterns. */
    readonly prose?: string
  }
  readonly types?: {
    /** Nodes of types that name a class. */
    readonly named: string
    /** Nodes around a type: pointers, nullable types. */
    readonly wrapped?: Readonly<Record<string, Part>>
    /** Generic types that contain their first argument: `Optional<Client>`, as name patterns. */
    readonly around?: string
    /** Types that are no clients, as name patterns. */
    readonly plain: string
    /** Whether a construction is a call of the class, without `new`. */
    readonly isCalled?: true
  }
  /** Role of the strings in calls, by callee as name patterns; the first match wins. */
  readonly roles: Rows<TextRole>
  /** Effects of library functions on strings; the first match that applies wins. */
  readonly effects: Rows<EffectName>
  readonly quirks?: {
    /** Returns the role of calls whose role depends on their arguments. */
    readonly role?: (callee: string, list: SyntaxNode | null) => TextRole | undefined
    /** Effects of any call, in this language alone; precede those of names. */
    readonly effects?: readonly Effect[]
    /** Corrects the declaration that an assignment makes. */
    readonly target?: (row: TargetRow, at: { node: SyntaxNode; draft: Draft }) => TargetRow
    /** Completes the program, where a statement has a meaning only beside all others. */
    readonly complete?: (program: Program) => Program
    /** Returns the full name of a callee without a receiver. */
    readonly callee?: (name: string, draft: Draft) => string
    /** Returns the class of a declared type; undefined if it is none. */
    readonly className?: (text: string, draft: Draft) => string | undefined
  }
}

/** Callees as name patterns by role or effect, in order. */
export type Rows<Name extends string> =
  | Readonly<Partial<Record<Name, string>>>
  | readonly (readonly [Name, string])[]

function rowsOf<Name extends string>(rows: Rows<Name>): readonly (readonly [Name, string])[] {
  if (Array.isArray(rows)) return rows
  return Object.entries(rows) as unknown as readonly (readonly [Name, string])[]
}

/** Name, kind and visibility of a name that an assignment declares. */
export type TargetRow = Pick<Binding, 'name' | 'kind' | 'isExported'>

/** Compiled rules of a language; see `LanguageRules`. */
export class Rules {
  readonly lowerings: ReadonlyMap<string, Lowering>
  /** Reads the dotted name of a node; `self` is the own instance of the enclosing method. */
  readonly nameOf: (node: SyntaxNode | null, self: string | undefined) => string | undefined
  readonly #names: ReadonlyMap<string, NameRule>
  readonly #named: ReadonlyMap<string, { readonly name: Part; readonly value: Part }>
  readonly #wrapped: ReadonlyMap<string, Part>
  readonly #types: ReadonlySet<string>
  readonly #isProse: (name: string) => boolean
  readonly #isPlain: (name: string) => boolean
  readonly #isAround: (name: string) => boolean
  readonly #roles: (callee: string) => TextRole | undefined
  readonly #effects: (callee: string) => readonly Effect[]
  readonly #table: LanguageRules

  constructor(table: LanguageRules) {
    this.#table = table
    this.lowerings = byNodeType({ [BRANCHED]: exclusive, ...table.nodes })
    this.#names = byNodeType(table.names)
    this.nameOf = nameReader({ rules: this.#names, own: new Set(table.own?.split(' ')) })
    this.#named = byNodeType(table.arguments?.named ?? {})
    this.#wrapped = byNodeType(table.types?.wrapped ?? {})
    this.#types = new Set(table.types?.named.split(' '))
    this.#isProse = matchNames(table.arguments?.prose ?? '')
    this.#isPlain = matchNames(table.types?.plain ?? '')
    this.#isAround = matchNames(table.types?.around ?? '')
    this.#roles = lookUpNames(
      rowsOf(table.roles).map(([role, callees]) => [callees, role] as const),
    )
    const effects = rowsOf(table.effects).map(([name, callees]) => ({
      fits: matchNames(callees),
      run: EFFECTS[name],
    }))
    const tidies = { fits: (callee: string) => TIDIES_URL.test(callee), run: EFFECTS.same }
    const own = table.quirks?.effects ?? []
    this.#effects = rememberNames((callee) => [
      ...own,
      ...[...effects, tidies].flatMap(({ fits, run }) => (fits(callee) ? [run] : [])),
    ])
  }

  /** Returns the node within parentheses and other nodes that are named after their first child. */
  unwrap(node: SyntaxNode | null): SyntaxNode | null {
    let inner = node
    while (inner && this.#names.get(inner.type) === 'inner') inner = inner.namedChild(0)
    return inner
  }

  /** Returns object and name of a member node. */
  memberOf(
    node: SyntaxNode,
  ): { readonly object: SyntaxNode; readonly name: SyntaxNode } | undefined {
    const rule = this.#names.get(node.type)
    const inner = rule === 'inner' ? node.namedChild(0) : null
    if (inner) return this.memberOf(inner)
    if (!Array.isArray(rule)) return undefined
    const [object, name] = [partOf(node, rule[0]), partOf(node, rule[1])]
    return object && name ? { object, name } : undefined
  }

  /** Returns the declaration that an assignment to a name makes. */
  targetOf(name: string, at: { node: SyntaxNode; draft: Draft }): TargetRow {
    const isField = name.startsWith('this.')
    const other = name.includes('.') ? 'entry' : /^[A-Z_\d]+$/.test(name) ? 'constant' : 'variable'
    const isExported = at.draft.here.kind !== 'function'
    const row = { name, kind: isField ? ('field' as const) : other, isExported } as const
    return this.#table.quirks?.target?.(row, at) ?? row
  }

  roleOf(callee: string, list: SyntaxNode | null): TextRole | undefined {
    return this.#table.quirks?.role?.(callee, list) ?? this.#roles(callee)
  }

  /** Returns the string that a call only builds; undefined for other calls. */
  effectOf(parts: Omit<LoweredCall, 'method'>, draft: Draft): Expression | undefined {
    const effects = this.#effects(parts.callee)
    if (effects.length === 0) return undefined
    const call = { ...parts, method: lastName(parts.callee) }
    for (const run of effects) {
      const made = run(call, draft)
      if (made) return made
    }
    return undefined
  }

  /** Returns the full name of a callee without a receiver. */
  fullCallee(name: string, draft: Draft): string {
    const complete = this.#table.quirks?.callee
    if (!complete) return name
    return name.startsWith('new ') ? `new ${complete(name.slice(4), draft)}` : complete(name, draft)
  }

  /** Returns name and value of a named argument. */
  namedArgument(
    node: SyntaxNode,
  ): { readonly name: string; readonly value: SyntaxNode | null } | undefined {
    const rule = this.#named.get(node.type)
    const name = rule && partOf(node, rule.name)
    return rule && name ? { name: keyText(name.text), value: partOf(node, rule.value) } : undefined
  }

  /** Returns the arguments of a list; a value without a list is the only argument. */
  itemsOf(list: SyntaxNode | null): readonly SyntaxNode[] {
    if (list && this.lowerings.has(list.type)) return [list]
    return withoutExtras(list?.namedChildren ?? [])
  }

  /** Lowers arguments; those for people are loose strings instead. */
  readArguments(list: SyntaxNode | null, draft: Draft): CallArguments {
    const args: Expression[] = []
    const named: Record<string, Expression> = {}
    for (const argument of this.itemsOf(list)) {
      const pair = this.namedArgument(argument)
      if (pair) {
        const value = pair.value ? draft.lower(pair.value) : draft.name(pair.name, argument)
        const isProse = this.#isProse(pair.name)
        if (isProse) draft.loose(value, 'documentation')
        else named[pair.name] = value
        if (this.#table.arguments?.labels) args.push(isProse ? unknownAt(argument) : value)
      } else if (argument.type === this.#table.arguments?.spread) {
        const value = draft.lower(argument.namedChild(0))
        if (value.kind === 'record') Object.assign(named, value.entries)
      } else {
        args.push(draft.lower(argument))
      }
    }
    return { args, named }
  }

  /** Whether the value of a key is for people. */
  isProse(key: string): boolean {
    return this.#isProse(key)
  }

  /** Returns a construction of a declared type; undefined for plain types. */
  typed(node: SyntaxNode | null, draft: Draft): CallResult | undefined {
    let type = node
    for (let step = 0; type && step < MAX_WRAPPED; step += 1) {
      const inner: Part | undefined = this.#wrapped.get(type.type)
      const [, head, more] = /^(?:\w+(?:::|\.))*(\w+)\s*(<)?/.exec(type.text) ?? []
      const isAround = more !== undefined && this.#isAround(head ?? '')
      if (inner === undefined && !isAround) break
      const list = isAround
        ? type.namedChildren.find((child) => child.type.startsWith('type_arg'))
        : undefined
      type = inner === undefined ? (list?.namedChild(0) ?? null) : partOf(type, inner)
    }
    if (!type || !this.#types.has(type.type)) return undefined
    const text = type.text.replace(/<.*$/s, '')
    if (this.#isPlain(text)) return undefined
    const { quirks, types } = this.#table
    const name = quirks?.className ? quirks.className(text, draft) : text
    if (name === undefined) return undefined
    const callee = types?.isCalled ? name : `new ${name}`
    return draft.resultOf({ callee, place: placeOf(type) })
  }
}

/** Deepest nesting of types around types. */
const MAX_WRAPPED = 5

/** Removes quotes and colons of a key: `url:`, `"url"`, `:url`. */
function keyText(text: string): string {
  return text.replace(/^[:'"]+|['":]+$/g, '')
}
