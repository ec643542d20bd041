import type { Draft, Lowering } from '../../lowering/draft.ts'
import { placeOf, typedValue, unknownAt } from '../../lowering/lowered.ts'
import type { Expression } from '../../model/program.ts'
import type { SyntaxNode } from '../../model/syntax.ts'
import { isFunction } from './names.ts'
import { bindPattern } from './patterns.ts'
import { keyOf } from './values.ts'

/** Lowerings of functions and classes, by node type. */
export const FUNCTIONS: readonly (readonly [string, Lowering])[] = [
  ['arrow_function', lowerUnnamed],
  ['function_expression', lowerUnnamed],
  ['generator_function', lowerUnnamed],
  ['function_declaration', lowerNamed],
  ['generator_function_declaration', lowerNamed],
  ['method_definition', lowerNamed],
  ['class_declaration', lowerClass],
  ['abstract_class_declaration', lowerClass],
  ['class', lowerClass],
  ['public_field_definition', lowerField],
  ['field_definition', lowerField],
  ['internal_module', lowerNamespace],
  ['module', lowerNamespace],
  ['return_statement', lowerReturn],
]

/**
 * Lowers a function of a name; the value is what it gives back last, unknown if nothing. Names of
 * its own in that value mean nothing outside.
 */
export function lowerFunction(node: SyntaxNode | null, draft: Draft, name: string): Expression {
  if (!node) return draft.lower(node)
  const formal = node.childForFieldName('parameters') ?? node.childForFieldName('parameter')
  const list = formal?.type === 'identifier' ? [formal] : (formal?.namedChildren ?? [])
  const nodes = list.filter((one) => one !== null && one.type !== 'comment')
  const parameters = nodes.map((one, at) => parameterName(one, at))
  const body = node.childForFieldName('body')
  return draft.within({ kind: 'function', name, parameters }, () => {
    nodes.forEach((one, at) => {
      if (one) bindParameter(one, { draft, at })
    })
    if (body?.type === 'statement_block') {
      const outer = returned.get(draft)
      returned.delete(draft)
      draft.children(body)
      const value = returned.get(draft)
      if (outer) returned.set(draft, outer)
      return value ?? unknownAt(node)
    }
    const value = draft.lower(body)
    draft.giveBack(value)
    return value
  })
}

/** What the function that a draft is in gives back, as far as it was read. */
const returned = new WeakMap<Draft, Expression>()

function lowerReturn(node: SyntaxNode, draft: Draft): undefined {
  const child = node.namedChild(0)
  if (!child) return undefined
  const value = draft.lower(child)
  returned.set(draft, value)
  return draft.giveBack(value)
}

function lowerUnnamed(node: SyntaxNode, draft: Draft): undefined {
  lowerFunction(node, draft, node.childForFieldName('name')?.text ?? '')
  return undefined
}

function lowerNamed(node: SyntaxNode, draft: Draft): undefined {
  const name = keyOf(node.childForFieldName('name'))
  lowerFunction(node, draft, name)
  const isGetter =
    node.type === 'method_definition' && /^(?:static\s+)?get\s/.test(node.text.slice(0, 40))
  return isGetter ? bindGetter(node, draft, `this.${name}`) : undefined
}

/** Gives the name of a function what the function gives, without a call. */
export function bindGetter(node: SyntaxNode, draft: Draft, callee: string): undefined {
  const place = placeOf(node)
  const call = { callee, receiver: undefined, args: [], named: {}, place, scope: draft.scope }
  const name = callee.replace(/^this\./, '')
  return draft.bind(fieldOf(name, { kind: 'call', call, place }))
}

function lowerClass(node: SyntaxNode, draft: Draft): undefined {
  const name = node.childForFieldName('name')?.text ?? ''
  const heritage = node.namedChildren.find((child) => child?.type === 'class_heritage')
  const parent = /\bextends\s+([\w.$]+)/.exec(heritage?.text ?? '')?.[1]
  for (const child of node.namedChildren) {
    if (child && child.type !== 'class_body') draft.statement(child)
  }
  return draft.within(
    { kind: 'class', name, ...(parent === undefined ? {} : { extends: [parent] }) },
    () => draft.children(node.childForFieldName('body') ?? node),
  )
}

/** A namespace's names are reached as a class's static fields are. */
function lowerNamespace(node: SyntaxNode, draft: Draft): undefined {
  const name = node.childForFieldName('name')?.text ?? ''
  return draft.within({ kind: 'class', name }, () =>
    draft.children(node.childForFieldName('body') ?? node),
  )
}

function lowerField(node: SyntaxNode, draft: Draft): undefined {
  const key = keyOf(node.childForFieldName('name') ?? node.childForFieldName('property'))
  const value = node.childForFieldName('value')
  if (isFunction(value)) {
    lowerFunction(value, draft, key)
    return undefined
  }
  const given = value ? draft.lower(value) : typed(node, draft)
  return given ? draft.bind(fieldOf(key, given)) : undefined
}

function fieldOf(name: string, value: Expression) {
  return {
    name: `this.${name}`,
    value,
    kind: 'field' as const,
    isExported: false,
    place: value.place,
  }
}

function parameterName(node: SyntaxNode | null, at: number): string {
  const pattern = patternOf(node)
  return pattern?.type === 'identifier' ? pattern.text : `argument${at}`
}

function patternOf(node: SyntaxNode | null): SyntaxNode | null {
  if (node?.type === 'assignment_pattern') return node.childForFieldName('left')
  return node?.childForFieldName('pattern') ?? node
}

function bindParameter(node: SyntaxNode, given: { readonly draft: Draft; readonly at: number }) {
  const { draft, at } = given
  const pattern = patternOf(node)
  const name = parameterName(node, at)
  const value = node.childForFieldName('value') ?? node.childForFieldName('right')
  const place = placeOf(node)
  const parameter: Expression = { kind: 'name', name, place }
  if (value && !isFunction(value)) {
    const kind = 'parameter-default'
    draft.bind({ name, value: draft.lower(value), kind, isExported: false, place })
  }
  if (pattern?.type === 'object_pattern') {
    bindPattern(pattern, { draft, from: parameter, isExported: false, place })
  }
  const type = typed(node, draft)
  if (type) draft.bind({ name, value: type, kind: 'variable', isExported: false, place })
  if (/^\s*(?:@\S+\s+)*(?:public|private|protected|readonly)\s/.test(node.text.slice(0, 100))) {
    draft.bind(fieldOf(name, parameter))
  }
}

/** A client that a declared type names. */
function typed(node: SyntaxNode, draft: Draft): Expression | undefined {
  const type = /^:\s*([A-Z]\w*(?:Client|Axios|Instance|Http|Service|Api|Fetch))\b/.exec(
    node.childForFieldName('type')?.text ?? '',
  )?.[1]
  return type === undefined ? undefined : typedValue({ type, node, scope: draft.scope })
}
