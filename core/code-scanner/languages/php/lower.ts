import { anyOf } from '../../lowering/built-texts.ts'
import { Draft, type Lowering } from '../../lowering/draft.ts'
import { placeOf, textAt } from '../../lowering/lowered.ts'
import type { Expression, Program } from '../../model/program.ts'
import type { SyntaxNode } from '../../model/syntax.ts'
import { CALLS } from './calls.ts'
import { DECLARATIONS } from './declarations.ts'
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
  ...DECLARATIONS,
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
