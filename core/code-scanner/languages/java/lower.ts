import { Draft, type Lowering } from '../../lowering/draft.ts'
import { placeOf, typedValue } from '../../lowering/lowered.ts'
import { loopOver, lowerReturn, nothing } from '../../lowering/lowerings.ts'
import type { Expression, Program } from '../../model/program.ts'
import type { SyntaxNode } from '../../model/syntax.ts'
import { clientAnnotation, lowerAnnotations, presetOf } from './annotations.ts'
import { lowerCreation, lowerInvocation, lowerThrow } from './calls.ts'
import { nameOf, VALUES } from './values.ts'

/** What a Java text says. */
export function lowerJava(root: SyntaxNode): Program {
  const draft = new Draft(LOWERINGS)
  draft.statement(root)
  return draft.program()
}

const lowerImport: Lowering = (node, draft) => {
  const path = node.namedChildren.find((child) => child?.type.endsWith('identifier'))?.text ?? ''
  const parts = path.split('.')
  const last = parts.at(-1) ?? ''
  const place = placeOf(node)
  const isAll = node.namedChildren.some((child) => child?.type === 'asterisk')
  if (isAll) return draft.import({ module: path, local: '*', imported: '*', place })
  if (!/^import\s+static\b/.test(node.text)) {
    return draft.import({ module: path, local: last, imported: last, place })
  }
  const imported = parts.slice(-2).join('.')
  return draft.import({ module: parts.slice(0, -1).join('.'), local: last, imported, place })
}

const lowerClass: Lowering = (node, draft) => {
  const name = node.childForFieldName('name')?.text ?? ''
  const bases = node.namedChildren.flatMap((child) =>
    child?.type === 'superclass' || child?.type.endsWith('interfaces')
      ? child.descendantsOfType('type_identifier').map((type) => type?.text ?? '')
      : [],
  )
  lowerAnnotations(node, { draft, of: undefined })
  draft.declare(name, node)
  const body = node.childForFieldName('body')
  draft.inside(draft.classScope(name, { bases }), () => {
    if (node.type === 'record_declaration') {
      for (const { name: parameter } of parametersOf(node)) {
        draft.member(draft.scope, { name: parameter, full: `this.${parameter}` })
      }
    }
    if (body) draft.children(body)
  })
  return undefined
}

/** Nearest class around a node, with its name. */
function classOf(node: SyntaxNode): SyntaxNode | undefined {
  let at = node.parent
  while (at && !/^(?:class|interface|enum|record)_declaration$/.test(at.type)) at = at.parent
  return at ?? undefined
}

const lowerField: Lowering = (node, draft) => {
  const modifiers = node.namedChild(0)
  const words = modifiers?.type === 'modifiers' ? modifiers.text : ''
  const isStatic = node.type === 'constant_declaration' || /\bstatic\b/.test(words)
  const owner = classOf(node)?.childForFieldName('name')?.text ?? ''
  const type = node.childForFieldName('type')
  const preset = presetOf(node)
  if (!preset) lowerAnnotations(node, { draft, of: undefined })
  for (const declarator of node.childrenForFieldName('declarator')) {
    const name = declarator?.childForFieldName('name')
    if (!declarator || !name) continue
    const full = isStatic ? `${owner}.${name.text}` : `this.${name.text}`
    const given = declarator.childForFieldName('value')
    const value = given ? draft.lower(given) : (preset ?? typeValue(type, draft))
    draft.member(draft.scope, { name: name.text, full })
    if (!value) continue
    draft.bind({
      name: full,
      value,
      kind: isStatic ? 'constant' : 'field',
      isExported: isStatic,
      place: placeOf(name),
      ...(isStatic ? { scope: 0 } : {}),
    })
  }
  return undefined
}

/** `PROD("https://…")` gives `Env.PROD.url` what the constructor's parameter of that place takes. */
const lowerEnumConstant: Lowering = (node, draft) => {
  const owner = classOf(node)
  const maker = owner
    ?.childForFieldName('body')
    ?.namedChildren.find((child) => child?.type === 'enum_body_declarations')
    ?.namedChildren.find((child) => child?.type === 'constructor_declaration')
  const names = maker ? parametersOf(maker).map(({ name }) => name) : []
  const constant = `${owner?.childForFieldName('name')?.text}.${node.childForFieldName('name')?.text}`
  for (const [index, argument] of argumentsOf(node).entries()) {
    const value = draft.lower(argument)
    const field = names[index]
    if (field === undefined) {
      draft.loose(value, 'other')
      continue
    }
    const place = value.place
    const name = `${constant}.${field}`
    draft.bind({ name, value, kind: 'constant', isExported: true, place, scope: 0 })
    draft.bind({ name: `this.${field}`, value, kind: 'field', isExported: false, place })
  }
  return draft.statement(node.childForFieldName('body'))
}

function argumentsOf(node: SyntaxNode): readonly (SyntaxNode | null)[] {
  return node.childForFieldName('arguments')?.namedChildren ?? []
}

interface Parameter {
  readonly name: string
  readonly node: SyntaxNode
  readonly type: SyntaxNode | null
}

function parametersOf(node: SyntaxNode): readonly Parameter[] {
  const list = node.childForFieldName('parameters')
  if (!list) return []
  if (list.type === 'identifier') return [{ name: list.text, node: list, type: null }]
  return list.namedChildren.flatMap((parameter) => {
    if (!parameter) return []
    if (parameter.type === 'identifier')
      return [{ name: parameter.text, node: parameter, type: null }]
    const name = parameter.childForFieldName('name')?.text
    return name === undefined
      ? []
      : [{ name, node: parameter, type: parameter.childForFieldName('type') }]
  })
}

const lowerMethod: Lowering = (node, draft) => {
  const owner = classOf(node)
  lowerAnnotations(node, { draft, of: owner ? clientAnnotation(owner, draft) : undefined })
  if (/^[^(]*\bstatic\b/.test(node.namedChild(0)?.text ?? '')) {
    const names = [owner?.childForFieldName('name')?.text, node.childForFieldName('name')?.text]
    draft.declare(names.join('.'), node)
  }
  return lowerFunction(node, draft)
}

const lowerFunction: Lowering = (node, draft) => {
  const parameters = parametersOf(node)
  const name = node.childForFieldName('name')?.text ?? ''
  const scope = { kind: 'function' as const, name, parameters: parameters.map((one) => one.name) }
  return draft.within(scope, () => {
    for (const parameter of parameters) bindParameter(parameter, draft)
    const body = node.childForFieldName('body')
    if (!body || body.type.endsWith('block') || body.type === 'constructor_body') {
      return draft.statement(body)
    }
    const value = draft.lower(body)
    draft.giveBack(value)
    // The value of a lambda is what it gives back: `uri(builder -> builder.path("/x").build())`.
    return value
  })
}

function bindParameter({ name, node, type }: Parameter, draft: Draft): void {
  const preset = presetOf(node)
  const value = preset ?? typeValue(type, draft)
  if (!value) return
  const kind = preset ? 'parameter-default' : 'variable'
  draft.bind({ name, value, kind, isExported: false, place: placeOf(node) })
}

const PLAIN = /^(?:String|Integer|Long|Boolean|Object|List|Map|Set|Optional|var|byte|char)\b/

function typeValue(type: SyntaxNode | null, draft: Draft): Expression | undefined {
  if (!type || !/^(?:type_identifier|generic_type|scoped_type_identifier)$/.test(type.type)) {
    return undefined
  }
  if (PLAIN.test(type.text)) return undefined
  return typedValue({ type: type.text.replace(/<.*$/s, ''), node: type, scope: draft.scope })
}

const lowerLocal: Lowering = (node, draft) => {
  const type = node.childForFieldName('type')
  const isResource = node.type === 'resource'
  for (const declarator of isResource ? [node] : node.childrenForFieldName('declarator')) {
    const name = declarator?.childForFieldName('name')
    const given = declarator?.childForFieldName('value')
    const value = given ? draft.lower(given) : typeValue(type, draft)
    if (!value || !name) continue
    draft.bind({
      name: name.text,
      value,
      kind: 'variable',
      isExported: false,
      place: placeOf(name),
    })
  }
  return undefined
}

const lowerAssignment: Lowering = (node, draft) => {
  const left = node.childForFieldName('left')
  const name = left ? nameOf(left) : undefined
  const value = draft.lower(node.childForFieldName('right'))
  if (!left || name === undefined) return value
  const isAdded = node.childForFieldName('operator')?.text === '+='
  const whole: Expression = isAdded
    ? { kind: 'join', parts: [draft.name(name, left), value], place: value.place }
    : value
  return draft.assign({ name, value: whole, place: placeOf(left) })
}

const lowerAssert: Lowering = (node, draft) => draft.children(node, 'error')

const LOWERINGS = new Map<string, Lowering>([
  ...VALUES,
  ...['line_comment', 'block_comment', 'package_declaration', 'modifiers', 'class_literal'].map(
    (type) => [type, nothing] as const,
  ),
  ['import_declaration', lowerImport],
  ['class_declaration', lowerClass],
  ['interface_declaration', lowerClass],
  ['enum_declaration', lowerClass],
  ['record_declaration', lowerClass],
  ['annotation_type_declaration', nothing],
  ['field_declaration', lowerField],
  ['constant_declaration', lowerField],
  ['enum_constant', lowerEnumConstant],
  ['method_declaration', lowerMethod],
  ['constructor_declaration', lowerFunction],
  ['lambda_expression', lowerFunction],
  ['local_variable_declaration', lowerLocal],
  ['resource', lowerLocal],
  ['assignment_expression', lowerAssignment],
  ['return_statement', lowerReturn],
  ['enhanced_for_statement', loopOver({ name: 'name', value: 'value' })],
  ['assert_statement', lowerAssert],
  ['throw_statement', lowerThrow],
  ['method_invocation', lowerInvocation],
  ['object_creation_expression', lowerCreation],
])
