import { anyOf } from '../built-texts.ts'
import { Draft, type Lowering } from '../draft.ts'
import { placeOf, textAt, unknownAt } from '../lowered.ts'
import type { Call, Expression, Program } from '../program.ts'
import type { SyntaxNode } from '../syntax.ts'
import { CALLS } from './calls.ts'
import { nameOf, VALUES } from './values.ts'

/** What a PHP text says; the markup around it links. */
export function lowerPhp(root: SyntaxNode): Program {
  const draft = new Draft(LOWERINGS)
  draft.statement(root)
  return draft.program()
}

/** `use A\B\{C, D as E}`: one import of each class, function or constant. */
const lowerUse: Lowering = (node, draft) => {
  const prefix = node.namedChildren.find((one) => one?.type === 'namespace_name')?.text
  const group = node.childForFieldName('body') ?? node
  for (const clause of group.namedChildren) {
    if (clause?.type !== 'namespace_use_clause') continue
    const alias = clause.childForFieldName('alias')?.text
    const path = clause.namedChild(0)?.text ?? ''
    const whole = (prefix === undefined ? path : `${prefix}\\${path}`).replace(/^\\/, '')
    const at = whole.lastIndexOf('\\')
    const imported = whole.slice(at + 1)
    draft.import({
      module: at < 0 ? imported : whole.slice(0, at),
      local: alias ?? imported,
      imported: at < 0 ? '*' : imported,
      place: placeOf(clause),
    })
  }
  return undefined
}

/** `require __DIR__ . '/config.php'`: the file's names are names here. */
const lowerInclude: Lowering = (node, draft) => {
  const value = draft.lower(node.namedChild(0))
  const last = value.kind === 'join' ? value.parts.at(-1) : value
  if (last?.kind !== 'text') return undefined
  const module = `./${last.text.replace(/^\.?\//, '').replace(/\.php$/, '')}`
  return draft.import({ module, local: '*', imported: '*', place: placeOf(node) })
}

const lowerAssignment: Lowering = (node, draft) => {
  const left = node.childForFieldName('left')
  const right = node.childForFieldName('right')
  if (left?.type === 'list_literal' || left?.type === 'array_creation_expression') {
    const value = draft.lower(right)
    for (const [index, one] of left.namedChildren.entries()) {
      const item = value.kind === 'list' ? value.items[index] : undefined
      if (item) bindTo(one, { value: item, draft })
    }
    return undefined
  }
  const value = draft.lower(right)
  bindTo(left, { value, draft })
  return value
}

/** A statement's value is nobody's; an assignment's is bound already. */
const lowerStatement: Lowering = (node, draft) => {
  const inner = node.namedChild(0)
  if (inner?.type === 'assignment_expression') draft.lower(inner)
  else draft.statement(inner)
  return undefined
}

const lowerAdded: Lowering = (node, draft) => {
  const left = node.childForFieldName('left')
  const name = left ? nameOf(left) : undefined
  const operator = node.childForFieldName('operator')?.text
  const added = draft.lower(node.childForFieldName('right'))
  if (!left || name === undefined || !/^(?:\.=|\?\?=)$/.test(operator ?? '')) {
    return draft.loose(added, 'other')
  }
  if (operator === '??=') {
    bindTo(left, { value: added, draft })
    return draft.name(name, left)
  }
  const parts = [draft.name(name, left), added]
  return bindTo(left, { value: { kind: 'join', parts, place: added.place }, draft })
}

/** Gives a value to what stands left of `=`, if that has a name. */
function bindTo(
  target: SyntaxNode | null,
  { value, draft }: { readonly value: Expression; readonly draft: Draft },
): undefined {
  const name = target ? nameOf(target) : undefined
  if (!target || name === undefined) return draft.loose(value, 'other')
  return draft.bind({
    name,
    value,
    kind: name.startsWith('this.') ? 'field' : /\./.test(name) ? 'entry' : 'variable',
    isExported: draft.here.kind === 'file',
    place: placeOf(target),
  })
}

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
  return draft.scope === 0 && name !== '' ? exportScope(node, { name, draft }) : undefined
}

/** Other files may name the function or class. */
function exportScope(
  node: SyntaxNode,
  { name, draft }: { readonly name: string; readonly draft: Draft },
): undefined {
  const value = unknownAt(node)
  return draft.bind({ name, value, kind: 'constant', isExported: true, place: value.place })
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
  if (draft.scope === 0 && name !== '') exportScope(node, { name, draft })
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

/** Configuration files give back what they hold: each entry is a name of the file. */
const lowerReturn: Lowering = (node, draft) => {
  const value = node.namedChild(0)
  if (!value) return undefined
  const lowered = draft.lower(value)
  if (draft.here.kind === 'function') return draft.giveBack(lowered)
  if (lowered.kind !== 'record') return draft.loose(lowered, 'other')
  for (const [name, entry] of Object.entries(lowered.entries)) {
    draft.bind({ name, value: entry, kind: 'entry', isExported: true, place: entry.place })
  }
  return undefined
}

/** What an error says is not called; its making neither. */
const lowerThrow: Lowering = (node, draft) => {
  const made = node.namedChild(0)
  if (made?.type !== 'object_creation_expression') return draft.statement(made, 'error')
  const list = made.namedChildren.find((child) => child?.type === 'arguments')
  return list ? draft.children(list, 'error') : undefined
}

const lowerForeach: Lowering = (node, draft) => {
  const [source, target] = node.namedChildren
  const value = draft.lower(source ?? null)
  const one = anyOf(value)
  const name = target?.type === 'pair' ? target.namedChild(1) : target
  if (one && name) bindTo(name, { value: one, draft })
  else draft.loose(value, 'other')
  return draft.statement(node.childForFieldName('body'))
}

const lowerStatic: Lowering = (node, draft) => {
  const value = node.childForFieldName('value')
  return value
    ? bindTo(node.childForFieldName('name'), { value: draft.lower(value), draft })
    : undefined
}

/** Markup: what it links to is no call. */
const lowerMarkup: Lowering = (node, draft) =>
  node.text.includes('://') ? draft.loose(textAt(node.text, node), 'link') : undefined

const lowerEcho: Lowering = (node, draft) => draft.children(node, 'link')

const lowerCondition: Lowering = (node, draft) => {
  const condition = node.childForFieldName('condition')
  for (const child of node.namedChildren) {
    draft.statement(child, child?.id === condition?.id ? 'error' : 'other')
  }
  return undefined
}

const skip: Lowering = () => undefined

const LOWERINGS: ReadonlyMap<string, Lowering> = new Map([
  ...VALUES,
  ...CALLS,
  ['comment', skip],
  ['php_tag', skip],
  ['text', lowerMarkup],
  ['text_interpolation', lowerEcho],
  ['namespace_definition', (node, draft) => draft.statement(node.childForFieldName('body'))],
  ['namespace_use_declaration', lowerUse],
  ['use_declaration', skip],
  ['require_expression', lowerInclude],
  ['require_once_expression', lowerInclude],
  ['include_expression', lowerInclude],
  ['include_once_expression', lowerInclude],
  ['expression_statement', lowerStatement],
  ['assignment_expression', lowerAssignment],
  ['augmented_assignment_expression', lowerAdded],
  ['const_element', lowerConstant],
  ['enum_case', lowerConstant],
  ['property_declaration', lowerProperty],
  ['function_definition', lowerFunction],
  ['method_declaration', lowerFunction],
  ['anonymous_function', lowerFunction],
  ['arrow_function', lowerFunction],
  ['class_declaration', lowerClass],
  ['trait_declaration', lowerClass],
  ['interface_declaration', lowerClass],
  ['enum_declaration', lowerClass],
  ['anonymous_class', lowerClass],
  ['attribute_list', skip],
  ['return_statement', lowerReturn],
  ['throw_expression', lowerThrow],
  ['foreach_statement', lowerForeach],
  ['static_variable_declaration', lowerStatic],
  ['echo_statement', lowerEcho],
  ['print_intrinsic', lowerEcho],
  ['exit_statement', (node, draft) => draft.children(node, 'error')],
  ['if_statement', lowerCondition],
  ['while_statement', lowerCondition],
])
