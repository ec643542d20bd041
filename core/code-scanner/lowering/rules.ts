import { lookUpNames, matchNames } from '../model/name-patterns.ts'
import type { Binding, Expression, TextRole } from '../model/program.ts'
import type { SyntaxNode } from '../model/syntax.ts'
import { resultOf, TIDIES_URL } from './built-texts.ts'
import type { Draft, Lowering } from './draft.ts'
import { EFFECTS, type Effect, type EffectName, type LoweredCall } from './effects.ts'
import type { GivenArguments } from './given-arguments.ts'
import { isExtra, placeOf } from './lowered.ts'
import { byNodeType, type NameRule, type Part, partOf, readName } from './names.ts'

/** Rules of a language for its syntax tree; keys are node types, separated by spaces. */
export interface LanguageRules {
  /** Construct of each node type; of other nodes, the texts of their children are read. */
  readonly nodes: Readonly<Record<string, Lowering>>
  /** Nodes that are names, or members of something. */
  readonly names: Readonly<Record<string, NameRule>>
  /** Names of the own instance: `self cls`. */
  readonly own?: string
  readonly arguments?: {
    /** Arguments with a name. */
    readonly named?: Readonly<Record<string, { readonly name: Part; readonly value: Part }>>
    /** Nodes whose record's entries are named arguments: `**options`. */
    readonly spread?: string
    /** Names of arguments whose texts are for people, as name patterns. */
    readonly prose?: string
  }
  readonly types?: {
    /** Nodes of types that name a class. */
    readonly named: string
    /** Nodes whose child is the type: pointers, nullable types. */
    readonly wrapped?: Readonly<Record<string, Part>>
    /** Types that hold no client, as name patterns. */
    readonly plain: string
    /** Whether constructions are written as calls of the class, without `new`. */
    readonly isCalled?: true
  }
  /** Purpose of the texts in calls, by callee as name patterns; the first row that fits counts. */
  readonly roles: Rows<TextRole>
  /** Effects of library functions on texts; the first row that fits and applies counts. */
  readonly effects: Rows<EffectName>
  readonly quirks?: {
    /** Role of a call that depends on its arguments. */
    readonly role?: (callee: string, list: SyntaxNode | null) => TextRole | undefined
    /** Effects that no other language has; goes before `effects`. */
    readonly effect?: Effect
    /** Corrects the declaration that an assignment makes. */
    readonly target?: (row: TargetRow, given: { node: SyntaxNode; draft: Draft }) => TargetRow
    /** Class that a declared type names, by its text; undefined for none. */
    readonly className?: (text: string, draft: Draft) => string | undefined
  }
}

/** Callees as name patterns, by role or effect; in order. */
export type Rows<Name extends string> =
  | Readonly<Partial<Record<Name, string>>>
  | readonly (readonly [Name, string])[]

function rowsOf<Name extends string>(rows: Rows<Name>): readonly (readonly [Name, string])[] {
  if (Array.isArray(rows)) return rows
  return Object.entries(rows) as unknown as readonly (readonly [Name, string])[]
}

/** Name, kind and visibility of a name that an assignment declares. */
export type TargetRow = Pick<Binding, 'name' | 'kind' | 'isExported'>

/** The rules of a language, compiled; see `LanguageRules`. */
export class Rules {
  readonly lowerings: ReadonlyMap<string, Lowering>
  readonly #names: ReadonlyMap<string, NameRule>
  readonly #own: ReadonlySet<string>
  readonly #named: ReadonlyMap<string, { readonly name: Part; readonly value: Part }>
  readonly #wrapped: ReadonlyMap<string, Part>
  readonly #types: ReadonlySet<string>
  readonly #isProse: (name: string) => boolean
  readonly #isPlain: (name: string) => boolean
  readonly #roles: (callee: string) => TextRole | undefined
  readonly #effects: readonly { readonly fits: (callee: string) => boolean; readonly run: Effect }[]
  readonly #table: LanguageRules

  constructor(table: LanguageRules) {
    this.#table = table
    this.lowerings = byNodeType(table.nodes)
    this.#names = byNodeType(table.names)
    this.#own = new Set(table.own?.split(' '))
    this.#named = byNodeType(table.arguments?.named ?? {})
    this.#wrapped = byNodeType(table.types?.wrapped ?? {})
    this.#types = new Set(table.types?.named.split(' '))
    this.#isProse = matchNames(table.arguments?.prose ?? '')
    this.#isPlain = matchNames(table.types?.plain ?? '')
    this.#roles = lookUpNames(
      rowsOf(table.roles).map(([role, callees]) => [callees, role] as const),
    )
    this.#effects = rowsOf(table.effects).map(([name, callees]) => ({
      fits: matchNames(callees),
      run: EFFECTS[name],
    }))
  }

  /** As `readName`; `self` is the name of the own instance in the enclosing method. */
  nameOf(node: SyntaxNode | null, self: string | undefined): string | undefined {
    const isOwn = (name: string) => name === self || this.#own.has(name)
    return readName(node, { rules: this.#names, isOwn })
  }

  /** Object and name of a node that is a member of something. */
  memberOf(
    node: SyntaxNode,
  ): { readonly object: SyntaxNode; readonly name: SyntaxNode } | undefined {
    const rule = this.#names.get(node.type)
    if (!Array.isArray(rule)) return undefined
    const [object, name] = [partOf(node, rule[0]), partOf(node, rule[1])]
    return object && name ? { object, name } : undefined
  }

  /** The declaration that an assignment to a name makes. */
  targetOf(name: string, given: { node: SyntaxNode; draft: Draft }): TargetRow {
    const isField = name.startsWith('this.')
    const other = name.includes('.') ? 'entry' : /^[A-Z_\d]+$/.test(name) ? 'constant' : 'variable'
    const isExported = given.draft.here.kind !== 'function'
    const row = { name, kind: isField ? ('field' as const) : other, isExported } as const
    return this.#table.quirks?.target?.(row, given) ?? row
  }

  roleOf(callee: string, list: SyntaxNode | null): TextRole | undefined {
    return this.#table.quirks?.role?.(callee, list) ?? this.#roles(callee)
  }

  /** The text that a call only builds; undefined for other calls. */
  effectOf(call: LoweredCall, draft: Draft): Expression | undefined {
    const own = this.#table.quirks?.effect?.(call, draft)
    if (own) return own
    for (const { fits, run } of this.#effects) {
      const made = fits(call.callee) ? run(call, draft) : undefined
      if (made) return made
    }
    const [first] = call.args
    return first && TIDIES_URL.test(call.callee) ? first : undefined
  }

  /** Name and value of an argument that has a name. */
  namedArgument(
    node: SyntaxNode,
  ): { readonly name: string; readonly value: SyntaxNode | null } | undefined {
    const rule = this.#named.get(node.type)
    const name = rule && partOf(node, rule.name)
    return rule && name ? { name: keyText(name.text), value: partOf(node, rule.value) } : undefined
  }

  /** Arguments of a list; a value without a list around it is the only argument. */
  itemsOf(list: SyntaxNode | null): readonly SyntaxNode[] {
    if (list && this.lowerings.has(list.type)) return [list]
    return (list?.namedChildren ?? []).flatMap((one) => (one && !isExtra(one) ? [one] : []))
  }

  /** Lowers arguments; texts for people are loose, not arguments. */
  readArguments(list: SyntaxNode | null, draft: Draft): GivenArguments {
    const args: Expression[] = []
    const named: Record<string, Expression> = {}
    for (const one of this.itemsOf(list)) {
      const pair = this.namedArgument(one)
      if (pair) {
        const value = draft.lower(pair.value)
        if (this.#isProse(pair.name)) draft.loose(value, 'documentation')
        else named[pair.name] = value
      } else if (one.type === this.#table.arguments?.spread) {
        const value = draft.lower(one.namedChild(0))
        if (value.kind === 'record') Object.assign(named, value.entries)
      } else {
        args.push(draft.lower(one))
      }
    }
    return { args, named }
  }

  /** Whether texts under a key are for people. */
  isProse(key: string): boolean {
    return this.#isProse(key)
  }

  /** Value of a variable of a declared type, as a construction; undefined for plain types. */
  typed(node: SyntaxNode | null, draft: Draft): Expression | undefined {
    let type = node
    for (let step = 0; type && step < MAX_WRAPPED; step += 1) {
      const inner: Part | undefined = this.#wrapped.get(type.type)
      if (inner === undefined) break
      type = partOf(type, inner)
    }
    if (!type || !this.#types.has(type.type)) return undefined
    const text = type.text.replace(/<.*$/s, '')
    if (this.#isPlain(text)) return undefined
    const { quirks, types } = this.#table
    const name = quirks?.className ? quirks.className(text, draft) : text
    if (name === undefined) return undefined
    const callee = types?.isCalled ? name : `new ${name}`
    return resultOf(callee, { place: placeOf(type), scope: draft.scope })
  }
}

/** Types around types that are looked through. */
const MAX_WRAPPED = 5

/** A key without quotes and marks: `url:`, `"url"`, `:url`. */
function keyText(text: string): string {
  return text.replace(/^[:'"]+|['":]+$/g, '')
}
