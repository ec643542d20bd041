import { anyOf, resultOf } from '../../lowering/built-texts.ts'
import { Draft, type Lowering } from '../../lowering/draft.ts'
import { placeOf, unknownAt } from '../../lowering/lowered.ts'
import type { Expression, Program } from '../../model/program.ts'
import type { SyntaxNode } from '../../model/syntax.ts'
import { lowerCall } from './calls.ts'
import { nameOf, VALUES } from './values.ts'

/** What a Python text says. */
export function lowerPython(root: SyntaxNode): Program {
  const draft = new Draft(LOWERINGS)
  draft.statement(root)
  return draft.program()
}

const lowerImport: Lowering = (node, draft) => {
  for (const name of node.childrenForFieldName('name')) {
    if (!name) continue
    const isAliased = name.type === 'aliased_import'
    const module = isAliased ? (name.childForFieldName('name')?.text ?? '') : name.text
    const local = isAliased ? (name.childForFieldName('alias')?.text ?? '') : module
    draft.import({ module, local, imported: '*', place: placeOf(name) })
  }
  return undefined
}

const lowerImportFrom: Lowering = (node, draft) => {
  const module = node.childForFieldName('module_name')?.text ?? ''
  const place = placeOf(node)
  if (node.namedChildren.some((child) => child?.type === 'wildcard_import')) {
    return draft.import({ module, local: '*', imported: '*', place })
  }
  for (const name of node.childrenForFieldName('name')) {
    if (!name) continue
    const imported = name.childForFieldName('name')?.text ?? name.text
    const local = name.childForFieldName('alias')?.text ?? imported
    // Django hands a project's module of settings on under a name of its own.
    const isSettings = module === 'django.conf' && imported === 'settings'
    draft.import(
      isSettings
        ? { module: 'settings', local, imported: '*', place: placeOf(name) }
        : { module, local, imported, place: placeOf(name) },
    )
  }
  return undefined
}

/** A text that stands alone is documentation. */
const lowerExpressionStatement: Lowering = (node, draft) => {
  for (const child of node.namedChildren) {
    if (child?.type === 'assignment') {
      draft.lower(child)
      continue
    }
    const isText = child?.type === 'string' || child?.type === 'concatenated_string'
    draft.statement(child, isText ? 'documentation' : 'other')
  }
  return undefined
}

const lowerAssignment: Lowering = (node, draft) => {
  const left = node.childForFieldName('left')
  const right = node.childForFieldName('right')
  if (!left) return undefined
  if (!right) return bindType(left, { type: node.childForFieldName('type'), draft })
  const names = left.type.endsWith('_list') || left.type === 'tuple_pattern'
  if (names && right.namedChildCount === left.namedChildCount && isSeries(right)) {
    for (const [index, name] of left.namedChildren.entries()) {
      bindTo(name, { value: draft.lower(right.namedChild(index)), draft })
    }
    return undefined
  }
  const value = draft.lower(right)
  bindTo(left, { value, draft })
  return value
}

function isSeries(node: SyntaxNode): boolean {
  return node.type === 'expression_list' || node.type === 'tuple' || node.type === 'list'
}

const lowerAugmented: Lowering = (node, draft) => {
  const left = node.childForFieldName('left')
  const added = draft.lower(node.childForFieldName('right'))
  const name = left ? nameOf(left) : undefined
  if (!left || name === undefined || node.childForFieldName('operator')?.text !== '+=') {
    return draft.loose(added, 'other')
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
  if (!target || name === undefined) {
    if (target) draft.children(target)
    return draft.loose(value, 'other')
  }
  const isClass = draft.here.kind === 'class'
  const isFile = draft.here.kind === 'file'
  const isField = isClass || name.startsWith('this.')
  return draft.bind({
    name: isClass && !name.startsWith('this.') ? `this.${name}` : name,
    value,
    kind: isField
      ? 'field'
      : target.type === 'subscript'
        ? 'entry'
        : /^[A-Z_\d]+$/.test(name)
          ? 'constant'
          : 'variable',
    isExported: isFile || isClass,
    place: placeOf(target),
  })
}

/** A declared type: what makes a value of it. */
function bindType(
  target: SyntaxNode,
  { type, draft }: { readonly type: SyntaxNode | null; readonly draft: Draft },
): undefined {
  const value = madeBy(type, draft)
  return value ? bindTo(target, { value, draft }) : undefined
}

/** Longest type that is read. */
const MAX_TYPE = 200

/** `httpx.Client`, also within `Optional[…]` and `… | None`: what its construction gives. */
function madeBy(type: SyntaxNode | null, draft: Draft): Expression | undefined {
  const written = type?.text ?? ''
  if (written.length > MAX_TYPE) return undefined
  const name = written.replace(/^["']|["']$/g, '').replace(/^Optional\[|\]$|\s*\|\s*None$/g, '')
  if (!type || !name || !/^(?:\w+\.)*[A-Z]\w*$/.test(name)) return undefined
  return resultOf(name, { place: placeOf(type), scope: draft.scope })
}

const lowerFunction: Lowering = (node, draft) => {
  const name = node.childForFieldName('name')?.text ?? ''
  const owner = draft.here.kind === 'class' ? draft.scope : undefined
  const given = (node.childForFieldName('parameters')?.namedChildren ?? []).filter(
    (one, index) => !(owner !== undefined && index === 0 && /^(?:self|cls)$/.test(one?.text ?? '')),
  )
  const parameters = given.map((one) => parameterName(one))
  draft.within({ kind: 'function', name, parameters }, () => {
    for (const one of given) bindParameter(one, draft)
    const body = node.childForFieldName('body')
    if (node.type === 'lambda') draft.giveBack(draft.lower(body))
    else draft.statement(body)
  })
  if (draft.scope === 0 && name !== '') draft.declare(name, node)
  const isProperty =
    node.parent?.type === 'decorated_definition' && /^@\w*property\b/m.test(node.parent.text)
  if (owner !== undefined && isProperty) {
    const place = placeOf(node)
    const value = resultOf(`this.${name}`, { place, scope: owner })
    draft.bind({ name: `this.${name}`, value, kind: 'field', isExported: false, place })
  }
  return undefined
}

function parameterName(node: SyntaxNode | null): string {
  const name = node?.childForFieldName('name') ?? node?.namedChild(0) ?? node
  return name?.text.replace(/^\*+/, '') ?? ''
}

function bindParameter(node: SyntaxNode | null, draft: Draft): undefined {
  const given = node?.childForFieldName('value')
  const default_ = given && given.type !== 'none' ? draft.lower(given) : undefined
  const value = default_ ?? madeBy(node?.childForFieldName('type') ?? null, draft)
  if (!node || !value) return undefined
  return draft.bind({
    name: parameterName(node),
    value,
    kind: 'parameter-default',
    isExported: false,
    place: placeOf(node),
  })
}

const lowerClass: Lowering = (node, draft) => {
  const name = node.childForFieldName('name')?.text ?? ''
  const bases = (node.childForFieldName('superclasses')?.namedChildren ?? []).flatMap((base) =>
    base && /^[\w.]+$/.test(base.text) ? [base.text] : [],
  )
  const body = node.childForFieldName('body')
  if (draft.scope === 0) draft.declare(name, node)
  return draft.within(
    { kind: 'class', name, ...(bases.length > 0 ? { extends: bases } : {}) },
    () => draft.statement(body),
  )
}

const lowerReturn: Lowering = (node, draft) => {
  const value = node.namedChild(0)
  if (!value) return undefined
  if (draft.here.kind === 'file') return draft.statement(value)
  return draft.giveBack(draft.lower(value))
}

/** What an error says is not called; its making neither. */
const lowerRaise: Lowering = (node, draft) => {
  for (const child of node.namedChildren) {
    const list = child?.type === 'call' ? child.childForFieldName('arguments') : undefined
    if (list) draft.children(list, 'error')
    else draft.statement(child, 'error')
  }
  return undefined
}

const lowerFor: Lowering = (node, draft) => {
  const left = node.childForFieldName('left')
  const value = draft.lower(node.childForFieldName('right'))
  const one = anyOf(value)
  if (left && nameOf(left) !== undefined && one) bindTo(left, { value: one, draft })
  else draft.loose(value, 'other')
  if (node.type === 'for_in_clause') return undefined
  draft.statement(node.childForFieldName('body'))
  return draft.statement(node.childForFieldName('alternative'))
}

const lowerComprehension: Lowering = (node, draft) => {
  const body = node.childForFieldName('body')
  for (const child of node.namedChildren) {
    if (child && child.id !== body?.id) draft.statement(child)
  }
  if (body?.type === 'pair') return draft.children(body)
  const value = draft.lower(body)
  return { kind: 'list', items: [value], place: placeOf(node) }
}

/** `value as name`, in `with` too: the value, bound. */
const lowerAs: Lowering = (node, draft) => {
  const value = draft.lower(node.namedChild(0))
  const target = node.childForFieldName('alias')?.namedChild(0)
  if (target && nameOf(target) !== undefined) bindTo(target, { value, draft })
  return value.kind === 'call' ? value : unknownAt(node)
}

const lowerNamed: Lowering = (node, draft) => {
  const value = draft.lower(node.childForFieldName('value'))
  bindTo(node.childForFieldName('name'), { value, draft })
  return value
}

const skip: Lowering = () => undefined

const LOWERINGS: ReadonlyMap<string, Lowering> = new Map([
  ...VALUES,
  ['call', lowerCall],
  ['import_statement', lowerImport],
  ['import_from_statement', lowerImportFrom],
  ['future_import_statement', skip],
  ['comment', skip],
  ['type', skip],
  ['expression_statement', lowerExpressionStatement],
  ['assignment', lowerAssignment],
  ['augmented_assignment', lowerAugmented],
  ['named_expression', lowerNamed],
  ['function_definition', lowerFunction],
  ['lambda', lowerFunction],
  ['class_definition', lowerClass],
  ['return_statement', lowerReturn],
  ['raise_statement', lowerRaise],
  ['assert_statement', (node, draft) => draft.children(node, 'error')],
  ['for_statement', lowerFor],
  ['for_in_clause', lowerFor],
  ['list_comprehension', lowerComprehension],
  ['set_comprehension', lowerComprehension],
  ['generator_expression', lowerComprehension],
  ['dictionary_comprehension', lowerComprehension],
  ['as_pattern', lowerAs],
])
