import type { Binding, Expression, Scope } from '../model/program.ts'
import type { SyntaxNode } from '../model/syntax.ts'
import { anyOf } from './built-texts.ts'
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
 * Parameters of a list by node type: those that are their name, and those with parts. A part that
 * names several parameters of one type gives each.
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
    const shape = node ? shapes[node.type] : undefined
    if (!node || !shape) return []
    if (shape === 'text') return [{ name: node.text, node }]
    const names =
      typeof shape.name === 'string' && !shape.name.startsWith('<')
        ? node.childrenForFieldName(shape.name)
        : [partOf(node, shape.name)]
    const type = shape.type === undefined ? null : partOf(node, shape.type)
    const preset = shape.preset === undefined ? null : partOf(node, shape.preset)
    return names.flatMap((name) =>
      name?.isNamed ? [{ name: name.text, node: name, type, preset }] : [],
    )
  })
}

/** Gives parameters their defaults, or what their types hold. */
export function bindParameters(parameters: readonly Parameter[], draft: Draft): void {
  for (const { name, node, type, preset } of parameters) {
    const value = preset ? draft.lower(preset) : draft.typed(type ?? null)
    const kind = preset ? 'parameter-default' : 'variable'
    if (value) draft.bind({ name, value, kind, isExported: false, place: placeOf(node) })
  }
}

/** How functions are written; a body that is no block is what the function gives. */
export interface FunctionShape {
  readonly name?: Part
  readonly parameters: Part
  readonly shapes: ParameterShapes
  readonly body: Part
  /** Types of bodies that are statements. */
  readonly blocks: string
}

/** A function in a scope of its own; the value is what it gives, where that is an expression. */
export function lowerFunction(
  node: SyntaxNode,
  given: {
    readonly shape: FunctionShape
    readonly draft: Draft
    readonly scope?: Partial<Scope>
    readonly parameters?: readonly Parameter[]
  },
): Expression | undefined {
  const { shape, draft, scope } = given
  const parameters =
    given.parameters ?? readParameters(partOf(node, shape.parameters), shape.shapes)
  const name = (shape.name === undefined ? null : partOf(node, shape.name))?.text ?? ''
  const names = parameters.map((one) => one.name)
  return draft.within({ kind: 'function', name, parameters: names, ...scope }, () => {
    bindParameters(parameters, draft)
    const body = partOf(node, shape.body)
    if (!body || shape.blocks.split(' ').includes(body.type)) return draft.statement(body)
    const value = draft.lower(body)
    draft.giveBack(value)
    return value
  })
}

export function func(shape: FunctionShape): Lowering {
  return (node, draft) => lowerFunction(node, { shape, draft })
}

/** A return: what the function gives, in files a statement. */
export const gives: Lowering = (node, draft) => {
  const value = node.namedChild(0)
  if (!value) return undefined
  return draft.here.kind === 'file' ? draft.statement(value) : draft.giveBack(draft.lower(value))
}

/** Declared variables: each declarator with a name and a value, or what its type holds. */
export function variables(how: {
  /** Field of the declarators; undefined where the node is one. */
  readonly each?: string
  readonly name: Part
  readonly value: Part
  readonly type?: Part
  readonly kind?: Binding['kind']
}): Lowering {
  return (node, draft) => {
    const type = how.type === undefined ? null : partOf(node, how.type)
    for (const one of how.each === undefined ? [node] : node.childrenForFieldName(how.each)) {
      const name = one && partOf(one, how.name)
      const given = one && partOf(one, how.value)
      const value = given ? draft.lower(given) : draft.typed(type)
      if (!value || !name) continue
      const kind = how.kind ?? 'variable'
      draft.bind({ name: name.text, value, kind, isExported: false, place: placeOf(name) })
    }
    return undefined
  }
}

/**
 * An assignment of `left` and `right` to what was declared before: the value, appended where the
 * operator says so.
 */
export function assignment(how: { readonly appends?: string } = {}): Lowering {
  return (node, draft) => {
    const left = node.childForFieldName('left')
    const name = draft.nameOf(left)
    const value = draft.lower(node.childForFieldName('right'))
    if (!left || name === undefined) return value
    if (setPath({ name, value, target: left }, draft)) return value
    const isAppended = node.childForFieldName('operator')?.text === (how.appends ?? '+=')
    const whole = isAppended ? (joinOf([draft.name(name, left), value]) ?? value) : value
    return draft.assign({ name, value: whole, place: placeOf(left) })
  }
}

/** A loop over values, whose name stands for any of them. */
export function loop(name: Part, values: Part, body?: Part): Lowering {
  return (node, draft) => {
    const target = partOf(node, name)
    const value = draft.lower(partOf(node, values))
    const one = anyOf(value)
    if (target && one && draft.nameOf(target) !== undefined) {
      const place = placeOf(target)
      draft.bind({ name: target.text, value: one, kind: 'variable', isExported: false, place })
    } else draft.loose(value, 'other')
    return body === undefined ? undefined : draft.statement(partOf(node, body))
  }
}
