import type { Draft, Lowering } from '../../lowering/draft.ts'
import { placeOf } from '../../lowering/lowered.ts'
import type { Call, Expression } from '../../model/program.ts'
import type { SyntaxNode } from '../../model/syntax.ts'

/** Lowerings of constants, properties, functions and classes. */
export const DECLARATIONS: readonly (readonly [string, Lowering])[] = [
  ['const_element', (node, draft) => lowerConstant(node, draft)],
  ['enum_case', (node, draft) => lowerConstant(node, draft)],
  ['property_declaration', (node, draft) => lowerProperty(node, draft)],
  ['function_definition', (node, draft) => lowerFunction(node, draft)],
  ['method_declaration', (node, draft) => lowerFunction(node, draft)],
  ['anonymous_function', (node, draft) => lowerFunction(node, draft)],
  ['arrow_function', (node, draft) => lowerFunction(node, draft)],
  ['class_declaration', (node, draft) => lowerClass(node, draft)],
  ['trait_declaration', (node, draft) => lowerClass(node, draft)],
  ['interface_declaration', (node, draft) => lowerClass(node, draft)],
  ['enum_declaration', (node, draft) => lowerClass(node, draft)],
  ['anonymous_class', (node, draft) => lowerClass(node, draft)],
]

/** A constant, at the file or in a class: its name and value are its two children. */
const lowerConstant: Lowering = (node, draft) => {
  const name = node.childForFieldName('name') ?? node.namedChild(0)
  const value = node.childForFieldName('value') ?? node.namedChild(1)
  if (!name || !value) return undefined
  return draft.bind({
    name: draft.here.kind === 'class' ? `this.${name.text}` : name.text,
    value: draft.lower(value),
    kind: 'constant',
    isExported: true,
    place: placeOf(name),
  })
}

const lowerProperty: Lowering = (node, draft) => {
  for (const element of propertiesOf(node)) {
    const given = element.childForFieldName('default_value')
    if (given && given.type !== 'null') bindProperty(element, { value: draft.lower(given), draft })
  }
  return undefined
}

function propertiesOf(node: SyntaxNode): readonly SyntaxNode[] {
  return node.namedChildren.flatMap((one) => (one?.type === 'property_element' ? [one] : []))
}

function bindProperty(
  element: SyntaxNode,
  { value, draft }: { readonly value: Expression; readonly draft: Draft },
): undefined {
  const name = element.childForFieldName('name')
  if (!name) return undefined
  return draft.bind({
    name: `this.${name.text.slice(1)}`,
    value,
    kind: 'field',
    isExported: true,
    place: placeOf(name),
  })
}

/** Declared types of properties, after what the class gives them itself, which says more. */
function bindTypes(body: SyntaxNode | null, draft: Draft): void {
  for (const node of body?.namedChildren ?? []) {
    if (node?.type !== 'property_declaration') continue
    for (const element of propertiesOf(node)) {
      const value = madeBy(node.childForFieldName('type'), draft)
      if (value && !element.childForFieldName('default_value')) {
        bindProperty(element, { value, draft })
      }
    }
  }
}

/** A declared class, `?Client` and `Client|null` too: what its construction gives. */
function madeBy(type: SyntaxNode | null, draft: Draft): Expression | undefined {
  const name = type?.text.replace(/^\?|\|null$|^null\|/g, '').replaceAll('\\', '.')
  if (!type || !name || !/^\.?(?:\w+\.)*[A-Z]\w*$/.test(name)) return undefined
  const callee = `new ${name.replace(/^\./, '')}`
  const place = placeOf(type)
  const call: Call = { callee, receiver: undefined, args: [], named: {}, place, scope: draft.scope }
  return { kind: 'call', call, place }
}

const lowerFunction: Lowering = (node, draft) => {
  const name = node.childForFieldName('name')?.text ?? ''
  const given = node.childForFieldName('parameters')?.namedChildren ?? []
  const parameters = given.map((one) => one?.childForFieldName('name')?.text.slice(1) ?? '')
  draft.within({ kind: 'function', name, parameters }, () => {
    given.forEach((one, index) => {
      bindParameter(one, { name: parameters[index] ?? '', draft })
    })
    const body = node.childForFieldName('body')
    if (node.type === 'arrow_function') draft.giveBack(draft.lower(body))
    else draft.statement(body)
  })
  return draft.scope === 0 && name !== '' ? draft.declare(name, node) : undefined
}

function bindParameter(
  node: SyntaxNode | null,
  { name, draft }: { readonly name: string; readonly draft: Draft },
): void {
  const given = node?.childForFieldName('default_value')
  const type = node?.childForFieldName('type') ?? null
  const value = given && given.type !== 'null' ? draft.lower(given) : madeBy(type, draft)
  if (!node) return
  const place = placeOf(node)
  if (value) draft.bind({ name, value, kind: 'parameter-default', isExported: false, place })
  if (node.type !== 'property_promotion_parameter') return
  const parameter = draft.name(name, node.childForFieldName('name') ?? node)
  draft.bind({ name: `this.${name}`, value: parameter, kind: 'field', isExported: false, place })
}

const lowerClass: Lowering = (node, draft) => {
  const name = node.childForFieldName('name')?.text ?? ''
  const bases = node.namedChildren
    .filter((child) => child?.type === 'base_clause')
    .flatMap((clause) => clause?.namedChildren ?? [])
    .flatMap((base) => (base ? [base.text.slice(base.text.lastIndexOf('\\') + 1)] : []))
  if (draft.scope === 0 && name !== '') draft.declare(name, node)
  return draft.within(
    { kind: 'class', name, ...(bases.length > 0 ? { extends: bases } : {}) },
    () => {
      const body = node.childForFieldName('body') ?? node.namedChildren.at(-1) ?? null
      draft.statement(body)
      bindTypes(body, draft)
      return undefined
    },
  )
}
