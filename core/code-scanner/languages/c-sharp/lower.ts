import { Draft, type Lowering } from '../../lowering/draft.ts'
import { joinOf, placeOf, setPath, typedValue } from '../../lowering/lowered.ts'
import { loopOver, lowerReturn, nothing } from '../../lowering/lowerings.ts'
import type { Expression, Program } from '../../model/program.ts'
import type { SyntaxNode } from '../../model/syntax.ts'
import { attributeOf, lowerAttributes } from './attributes.ts'
import { lowerCreation, lowerInvocation, lowerThrow } from './calls.ts'
import { nameOf, VALUES } from './values.ts'

/** What a C# text says. */
export function lowerCSharp(root: SyntaxNode): Program {
  const draft = new Draft(LOWERINGS)
  draft.statement(root)
  return draft.program()
}

const lowerUsing: Lowering = (node, draft) => {
  const alias = node.childForFieldName('name')?.text
  const module = node.namedChildren.at(-1)?.text ?? ''
  const place = placeOf(node)
  if (alias === undefined) return draft.import({ module, local: '*', imported: '*', place })
  return draft.import({ module, local: alias, imported: module.split('.').at(-1) ?? '', place })
}

const lowerClass: Lowering = (node, draft) => {
  const name = node.childForFieldName('name')?.text ?? ''
  const list = childOf(node, 'base_list')
  const bases = (list?.namedChildren ?? []).flatMap((base) =>
    base && /^(?:identifier|generic_name|qualified_name)$/.test(base.type)
      ? [base.text.replace(/<.*$/s, '')]
      : [],
  )
  lowerAttributes(node, { draft, of: undefined })
  draft.declare(name, node)
  const isPart = node.namedChildren.some((child) => child?.text === 'partial')
  draft.inside(draft.classScope(name, { bases, isPart }), () => {
    for (const parameter of parametersOf(childOf(node, 'parameter_list'))) {
      const full = `this.${parameter.name}`
      draft.member(draft.scope, { name: parameter.name, full })
      bindParameter({ ...parameter, name: full }, { draft, kind: 'field' })
    }
    if (list) draft.children(list)
    const body = node.childForFieldName('body')
    if (body) draft.children(body)
  })
  return undefined
}

function childOf(node: SyntaxNode, type: string): SyntaxNode | null {
  return node.namedChildren.find((child) => child?.type === type) ?? null
}

/** Nearest type declaration around a node. */
function ownerOf(node: SyntaxNode): SyntaxNode | null {
  let at = node.parent
  while (at && !/^(?:class|struct|record|interface)_declaration$/.test(at.type)) at = at.parent
  return at
}

/** Binds a member of a type: static ones by the type's name for the whole project. */
function bindMember(
  { node, name, value }: { node: SyntaxNode; name: SyntaxNode; value: Expression | undefined },
  draft: Draft,
): undefined {
  const words = node.namedChildren.flatMap((one) => (one?.type === 'modifier' ? [one.text] : []))
  const isStatic = words.includes('const') || words.includes('static')
  const owner = ownerOf(node)?.childForFieldName('name')?.text ?? ''
  const full = isStatic ? `${owner}.${name.text}` : `this.${name.text}`
  draft.member(draft.scope, { name: name.text, full })
  if (!value) return undefined
  return draft.bind({
    name: full,
    value,
    kind: isStatic ? 'constant' : 'field',
    isExported: isStatic,
    place: placeOf(name),
    ...(isStatic ? { scope: 0 } : {}),
  })
}

const lowerField: Lowering = (node, draft) => {
  const declaration = childOf(node, 'variable_declaration')
  const type = declaration?.childForFieldName('type') ?? null
  for (const declarator of declaration?.namedChildren ?? []) {
    const name = declarator?.childForFieldName('name')
    if (declarator?.type !== 'variable_declarator' || !name) continue
    bindMember({ node, name, value: declared(declarator, { type, draft }) }, draft)
  }
  return undefined
}

/** The value of a declarator, else what its type is. */
function declared(
  declarator: SyntaxNode,
  { type, draft }: { readonly type: SyntaxNode | null; readonly draft: Draft },
): Expression | undefined {
  const value = declarator.namedChildren.at(-1)
  if (declarator.namedChildCount > 1 && value) return draft.lower(value)
  return typeValue(type, draft)
}

const lowerProperty: Lowering = (node, draft) => {
  const name = node.childForFieldName('name')
  if (!name) return undefined
  const given = node.childForFieldName('value')
  const getter = given ? undefined : getterOf(node.childForFieldName('accessors'))
  const body = given ?? getter
  const value = body ? draft.lower(body) : typeValue(node.childForFieldName('type'), draft)
  return bindMember({ node, name, value }, draft)
}

/** What a getter that only returns gives. */
function getterOf(accessors: SyntaxNode | null): SyntaxNode | undefined {
  const getter = accessors?.namedChildren.find(
    (accessor) => accessor?.childForFieldName('name')?.text === 'get',
  )
  const body = getter?.childForFieldName('body')
  if (body?.type === 'arrow_expression_clause') return body
  const last = body?.namedChildren.at(-1)
  return last?.type === 'return_statement' ? (last.namedChild(0) ?? undefined) : undefined
}

interface Parameter {
  readonly name: string
  readonly node: SyntaxNode
}

function parametersOf(list: SyntaxNode | null): readonly Parameter[] {
  if (!list) return []
  if (list.type === 'implicit_parameter') return [{ name: list.text, node: list }]
  return list.namedChildren.flatMap((node) => {
    const name = node?.childForFieldName('name')?.text
    return node && name !== undefined ? [{ name, node }] : []
  })
}

function bindParameter(
  { name, node }: Parameter,
  { draft, kind }: { readonly draft: Draft; readonly kind: 'field' | 'variable' },
): void {
  const last = node.namedChildren.at(-1)
  const preset = node.children.some((child) => child?.type === '=') ? last : undefined
  const value = preset ? draft.lower(preset) : typeValue(node.childForFieldName('type'), draft)
  if (!value) return
  const sort = preset && kind === 'variable' ? 'parameter-default' : kind
  draft.bind({ name, value, kind: sort, isExported: false, place: placeOf(node) })
}

const lowerMethod: Lowering = (node, draft) => {
  const owner = ownerOf(node)
  lowerAttributes(node, { draft, of: owner ? attributeOf(owner, draft) : undefined })
  if (node.namedChildren.some((one) => one?.type === 'modifier' && one.text === 'static')) {
    const names = [owner?.childForFieldName('name')?.text, node.childForFieldName('name')?.text]
    draft.declare(names.join('.'), node)
  }
  return lowerFunction(node, draft)
}

const lowerFunction: Lowering = (node, draft) => {
  const parameters = parametersOf(node.childForFieldName('parameters'))
  const name = node.childForFieldName('name')?.text ?? ''
  const scope = { kind: 'function' as const, name, parameters: parameters.map((one) => one.name) }
  return draft.within(scope, () => {
    for (const parameter of parameters) bindParameter(parameter, { draft, kind: 'variable' })
    draft.statement(childOf(node, 'constructor_initializer'))
    const body = node.childForFieldName('body')
    if (!body || body.type === 'block') return draft.statement(body)
    const value = draft.lower(body)
    return draft.giveBack(value)
  })
}

const lowerInitializer: Lowering = (node, draft) => {
  const list = childOf(node, 'argument_list')
  const args = (list?.namedChildren ?? []).map((argument) => draft.lower(argument))
  draft.call({ callee: 'super', receiver: undefined, args, named: {}, place: placeOf(node) })
  return undefined
}

const PLAIN =
  /^(?:String|Task|List|IEnumerable|Dictionary|IDictionary|Guid|DateTime|CancellationToken)\b/

function typeValue(type: SyntaxNode | null, draft: Draft): Expression | undefined {
  const named = type?.type === 'nullable_type' ? type.namedChild(0) : type
  if (!named || !/^(?:identifier|generic_name|qualified_name)$/.test(named.type)) return undefined
  if (PLAIN.test(named.text)) return undefined
  return typedValue({ type: named.text.replace(/<.*$/s, ''), node: named, scope: draft.scope })
}

const lowerVariables: Lowering = (node, draft) => {
  const type = node.childForFieldName('type')
  for (const declarator of node.namedChildren) {
    const name = declarator?.childForFieldName('name')
    if (declarator?.type !== 'variable_declarator' || !name) continue
    const value = declared(declarator, { type, draft })
    const place = placeOf(name)
    if (value) draft.bind({ name: name.text, value, kind: 'variable', isExported: false, place })
  }
  return undefined
}

const lowerAssignment: Lowering = (node, draft) => {
  const left = node.childForFieldName('left')
  const name = left ? nameOf(left) : undefined
  const value = draft.lower(node.childForFieldName('right'))
  if (!left || name === undefined || setPath({ name, value, target: left }, draft)) return value
  const isAdded = node.childForFieldName('operator')?.text === '+='
  const whole = isAdded ? (joinOf([draft.name(name, left), value]) ?? value) : value
  return draft.assign({ name, value: whole, place: placeOf(left) })
}

const LOWERINGS = new Map<string, Lowering>([
  ...VALUES,
  ['comment', nothing],
  ['using_directive', lowerUsing],
  ...['class', 'struct', 'record', 'interface'].map(
    (type) => [`${type}_declaration`, lowerClass] as const,
  ),
  ['enum_declaration', nothing],
  ['field_declaration', lowerField],
  ['property_declaration', lowerProperty],
  ['method_declaration', lowerMethod],
  ['constructor_declaration', lowerFunction],
  ['local_function_statement', lowerFunction],
  ['lambda_expression', lowerFunction],
  ['anonymous_method_expression', lowerFunction],
  ['constructor_initializer', lowerInitializer],
  ['variable_declaration', lowerVariables],
  ['assignment_expression', lowerAssignment],
  ['return_statement', lowerReturn],
  ['foreach_statement', loopOver({ name: 'left', value: 'right' })],
  ['throw_statement', lowerThrow],
  ['throw_expression', lowerThrow],
  ['invocation_expression', lowerInvocation],
  ['object_creation_expression', lowerCreation],
  ['implicit_object_creation_expression', lowerCreation],
])
