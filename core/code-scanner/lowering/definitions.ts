import type { Expression, Scope } from '../model/program.ts'
import type { SyntaxNode } from '../model/syntax.ts'
import { bindEach, giveLast } from './blocks.ts'
import type { Draft, Lowering } from './draft.ts'
import { joinOf, placeOf, setPath } from './lowered.ts'
import { type Part, partOf } from './names.ts'

/** A parameter of a function. */
export interface Parameter {
  readonly name: string
  readonly node: SyntaxNode
  readonly type?: SyntaxNode | null
  readonly preset?: SyntaxNode | null
}

/**
 * Syntax of parameters by node type: `text` if the node is the name, else its parts. A field that
 * occurs several times declares as many parameters of one type.
 */
export type ParameterShapes = Readonly<
  Record<string, 'text' | { readonly name: Part; readonly type?: Part; readonly preset?: Part }>
>

export function readParameters(
  list: SyntaxNode | null,
  shapes: ParameterShapes,
): readonly Parameter[] {
  const nodes = list && shapes[list.type] === 'text' ? [list] : (list?.namedChildren ?? [])
  return nodes.flatMap((node): readonly Parameter[] => {
    const shape = shapes[node.type]
    if (!shape) return []
    if (shape === 'text') return [{ name: node.text, node }]
    const names =
      typeof shape.name === 'string' && !/^[<.]/.test(shape.name)
        ? node.childrenForFieldName(shape.name)
        : [partOf(node, shape.name)]
    const type = shape.type === undefined ? null : partOf(node, shape.type)
    const preset = shape.preset === undefined ? null : partOf(node, shape.preset)
    return names.flatMap((name) =>
      name?.isNamed ? [{ name: name.text.replace(/^\*+/, ''), node: name, type, preset }] : [],
    )
  })
}

/** Reads the default of a parameter from an annotation. */
export type PresetOf = (parameter: Parameter) => Expression | undefined

/** Binds parameters to their defaults, or to constructions of their types. */
function bindParameters(
  parameters: readonly Parameter[],
  { draft, presetOf }: { readonly draft: Draft; readonly presetOf?: PresetOf | undefined },
): void {
  for (const parameter of parameters) {
    const { name, node, type } = parameter
    const preset = parameter.preset ? draft.lower(parameter.preset) : presetOf?.(parameter)
    const isGiven = preset !== undefined && preset.kind !== 'unknown'
    const value = isGiven ? preset : draft.typed(type ?? null)
    const kind = isGiven ? 'parameter-default' : 'variable'
    if (value) draft.bind({ name, value, kind, place: placeOf(node) })
  }
}

/** Syntax of functions. A body that is not in `blocks` is the function's result. */
export interface FunctionShape {
  readonly name?: Part
  readonly parameters: Part
  readonly shapes: ParameterShapes
  readonly body: Part
  /** Types of bodies that are blocks of statements. */
  readonly blocks: string
  /** Statements with branches, in languages where the last value of a body is the result. */
  readonly branches?: string
  /** Types of parameters that declare fields: `constructor(private url)`. */
  readonly promoted?: string
  /** Whether other files can import functions by name. */
  readonly isDeclared?: true
  /** Declared type of the result, which is constructed. */
  readonly result?: Part
}

/**
 * Lowers a function in its own scope. Returns the result of a function without a name if the body
 * is an expression.
 */
export function lowerFunction(
  node: SyntaxNode,
  options: {
    readonly shape: FunctionShape
    readonly draft: Draft
    readonly scope?: Partial<Scope>
    readonly parameters?: readonly Parameter[]
    readonly presetOf?: PresetOf
    /** Runs in the function's scope before its body is lowered. */
    readonly before?: () => void
    /** Whether the last value that a block returns is the result. */
    readonly hasResult?: boolean
  },
): Expression | undefined {
  const { shape, draft, scope } = options
  const read = options.parameters ?? readParameters(partOf(node, shape.parameters), shape.shapes)
  const parameters = read.map((parameter) => ({
    ...parameter,
    name: draft.nameOf(parameter.node) ?? parameter.name,
  }))
  const name = (shape.name === undefined ? null : partOf(node, shape.name))?.text ?? ''
  const names = parameters.map((parameter) => parameter.name)
  if (shape.isDeclared && draft.scope === 0 && name !== '') draft.declare(name, node)
  return draft.within({ kind: 'function', name, parameters: names, ...scope }, () => {
    bindParameters(parameters, { draft, presetOf: options.presetOf })
    for (const { name, node: target } of parameters) {
      if (!shape.promoted?.split(' ').includes(target.parent?.type ?? '')) continue
      draft.bind({ name: `this.${name}`, value: draft.name(name, target) })
    }
    options.before?.()
    const made = shape.result === undefined ? undefined : draft.typed(partOf(node, shape.result))
    if (made) draft.giveBack(made)
    const body = partOf(node, shape.body)
    if (body && shape.branches !== undefined) return giveLast(body, { ...shape, draft })
    if (!body || shape.blocks.split(' ').includes(body.type)) {
      draft.statement(body)
      return options.hasResult ? draft.localValue('return') : undefined
    }
    const value = draft.lower(body)
    draft.giveBack(value)
    return name === '' ? value : undefined
  })
}

export function func(shape: FunctionShape): Lowering {
  return (node, draft) => lowerFunction(node, { shape, draft })
}

/** A return statement: the function's result, or a plain statement outside of functions. */
export const gives: Lowering = (node, draft) => {
  const first = node.namedChild(0)
  const value = first?.type === 'argument_list' ? first.namedChild(0) : first
  if (!value) return undefined
  return draft.here.kind === 'file' ? draft.statement(value) : draft.giveBack(draft.lower(value))
}

/** A return of several values, of which the first is the result and others are errors. */
export function givesFirst(values: Part): Lowering {
  return (node, draft) => {
    const [first, ...others] = partOf(node, values)?.namedChildren ?? []
    if (first) draft.giveBack(draft.lower(first))
    for (const value of others) draft.statement(value)
    return undefined
  }
}

/** Declared variables: each has a value, or a construction of its type. */
export function variables(how: {
  /** Field of the declarators; undefined if the node is a declarator itself. */
  readonly each?: string
  readonly name: Part
  readonly value: Part
  readonly type?: Part
}): Lowering {
  return (node, draft) => {
    const type = how.type === undefined ? null : partOf(node, how.type)
    for (const declarator of how.each === undefined
      ? [node]
      : node.childrenForFieldName(how.each)) {
      const name = partOf(declarator, how.name)
      const assigned = partOf(declarator, how.value)
      const value = assigned ? draft.lower(assigned) : draft.typed(type)
      if (!value || !name) continue
      draft.bind({ name: draft.nameOf(name) ?? name.text, value, place: placeOf(name) })
    }
    return undefined
  }
}

/** An assignment to a declared name. `appends` is the operator that appends, `+=` by default. */
export function assignment(
  how: { readonly left?: Part; readonly right?: Part; readonly appends?: string } = {},
): Lowering {
  return (node, draft) => {
    const left = partOf(node, how.left ?? 'left')
    const name = draft.nameOf(left)
    const value = draft.lower(partOf(node, how.right ?? 'right'))
    const operator = node.childForFieldName('operator') ?? node.children[1]
    if (!left || name === undefined) return value
    const isAdded = operator?.text === (how.appends ?? '+=')
    if (setPath({ name, value, target: left, isAdded }, draft)) return value
    const whole = isAdded ? (joinOf([draft.name(name, left), value]) ?? value) : value
    return draft.assign({ name, value: whole, place: placeOf(left) })
  }
}

/** Binds a node with a name to a value; without a name, strings of the value are loose. */
export function bindTo(
  node: SyntaxNode | null,
  { value, draft }: { readonly value: Expression; readonly draft: Draft },
): Expression | undefined {
  const name = draft.nameOf(node)
  if (!node || name === undefined) {
    if (node) draft.children(node)
    return draft.loose(value, 'other')
  }
  const row = draft.rules.targetOf(name, { node, draft })
  draft.bind({ ...row, value, place: placeOf(node) })
  return draft.name(row.name, node)
}

/** Binds names to the items of a list; false if there are not as many. */
export function bindItems(
  targets: readonly SyntaxNode[],
  { value, draft }: { readonly value: Expression; readonly draft: Draft },
): boolean {
  const items = value.kind === 'list' ? value.items : []
  if (targets.length === 0 || items.length !== targets.length) return false
  for (const [index, item] of items.entries())
    bindTo(targets[index] ?? null, { value: item, draft })
  return true
}

/** Functions that read an object of the declared type from a text. */
const READS = /(?:^|\.)(?:from_(?:str|slice|reader|json|value)|(?:try_)?deserialize|extract)$/

/**
 * An assignment that declares names. Lists are assigned item by item. Without a value, the declared
 * type is constructed.
 */
export function declaration(
  how: {
    /** Defaults to `left`. */
    readonly name?: Part
    /** Defaults to `right`. */
    readonly value?: Part
    /** Statements for values that do not match. */
    readonly otherwise?: Part
    /** Operator that assigns to unset names. */
    readonly defaults?: string
  } = {},
): Lowering {
  return (node, draft) => {
    const left = partOf(node, how.name ?? 'left')
    const right = partOf(node, how.value ?? 'right')
    const typed = draft.typed(node.childForFieldName('type'))
    const read = right ? draft.lower(right) : typed
    // The declared type has the defaults of its fields.
    const value = typed && read?.kind === 'call' && READS.test(read.call.callee) ? typed : read
    if (how.otherwise) draft.statement(partOf(node, how.otherwise))
    if (!left || !value) return undefined
    const targets = /_list$|_pattern$|^list_/.test(left.type) ? left.namedChildren : []
    if (bindItems(targets, { value, draft })) return undefined
    const operator = node.childForFieldName('operator')?.text ?? '='
    if (operator === '=' || operator === how.defaults) return bindTo(left, { value, draft })
    const name = draft.nameOf(left)
    if (name === undefined || !/^(?:[+.]=|<<)$/.test(operator)) {
      draft.statement(left)
      return draft.loose(value, 'other')
    }
    const whole = joinOf([draft.name(name, left), value]) ?? value
    return bindTo(left, { value: { ...whole, place: value.place }, draft })
  }
}

/** A class; the children of `bases` name the classes that it extends. */
export function classes(how: {
  readonly name: Part
  readonly bases: Part
  readonly body: Part
  /** Selects the list of further bases, such as traits, of a declaration in the body. */
  readonly mixins?: (declaration: SyntaxNode) => SyntaxNode | null
  /** Whether other files can import classes by name. */
  readonly isDeclared?: true
  /** Whether calls outside of the body count: decorators, computed base classes. */
  readonly hasCalls?: true
}): Lowering {
  return (node, draft) => {
    const full = draft.nameOf(partOf(node, how.name)) ?? ''
    const body = partOf(node, how.body)
    for (const child of how.hasCalls ? node.namedChildren : []) {
      if (child.id !== body?.id) draft.statement(child)
    }
    const { mixins: select } = how
    const mixins = select ? (body?.namedChildren ?? []).map(select) : []
    const bases = [partOf(node, how.bases), ...mixins].flatMap((list) =>
      (list?.namedChildren ?? []).flatMap((base) => draft.nameOf(base) ?? []),
    )
    const at = full.lastIndexOf('.')
    const name = full.slice(at + 1)
    if (how.isDeclared && draft.scope === 0 && name !== '') draft.declare(name, node)
    const scope: Omit<Scope, 'parent'> = {
      ...{ kind: 'class', name },
      ...(bases.length > 0 && { extends: bases }),
      ...(at > 0 && { namespace: full.slice(0, at) }),
    }
    return draft.within(scope, () => draft.statement(body))
  }
}

/** A loop over values, whose variable is any of them. */
export function loop(name: Part, values: Part, ...bodies: readonly Part[]): Lowering {
  return (node, draft) => {
    bindEach(partOf(node, name), { value: draft.lower(partOf(node, values)), draft })
    for (const body of bodies) draft.statement(partOf(node, body))
    return undefined
  }
}
