import { Draft, type Lowering } from '../../lowering/draft.ts'
import { placeOf, setPath, textAt, typedValue } from '../../lowering/lowered.ts'
import { nothing } from '../../lowering/lowerings.ts'
import type { Expression, Program } from '../../model/program.ts'
import type { SyntaxNode } from '../../model/syntax.ts'
import { lowerCall } from './calls.ts'
import { lowerComposite, nameOf, VALUES } from './values.ts'

/** What a Go text says. */
export function lowerGo(root: SyntaxNode): Program {
  const draft = new Draft(LOWERINGS)
  draft.statement(root)
  return draft.program()
}

/** `https://x` of the tag `default:"https://x"`, as configuration libraries have them. */
const TAG_DEFAULT = /\b(?:default|envDefault|env-default):"((?:[^"\\]|\\.)*)"/

const lowerImport: Lowering = (node, draft) => {
  const path = node.childForFieldName('path')?.text.slice(1, -1) ?? ''
  const alias = node.childForFieldName('name')?.text
  const local = alias === undefined ? packageName(path) : alias === '.' ? '*' : alias
  return draft.import({
    module: path,
    local: local === '_' ? '' : local,
    imported: '*',
    place: placeOf(node),
  })
}

/** Name that a package has when it is imported without one: `resty` of `…/go-resty/resty/v2`. */
function packageName(path: string): string {
  const parts = path.split('/')
  if (parts.length > 1 && /^v\d+$/.test(parts.at(-1) ?? '')) parts.pop()
  return (parts.at(-1) ?? '').replace(/\.v\d+$/, '').replace(/^go-|[-.]go$/g, '')
}

const lowerSpec: Lowering = (node, draft) => {
  const names = node.childrenForFieldName('name').filter((name) => name?.isNamed)
  const values = node.childForFieldName('value')?.namedChildren ?? []
  const type = node.childForFieldName('type')
  const kind = node.type === 'const_spec' ? 'constant' : 'variable'
  for (const [index, name] of names.entries()) {
    if (!name) continue
    const given = values[index]
    const value = given ? draft.lower(given) : typeValue(type, draft)
    const isExported = draft.scope === 0
    if (value) draft.bind({ name: name.text, value, kind, isExported, place: placeOf(name) })
  }
  for (const value of values.slice(names.length)) draft.statement(value)
  return undefined
}

const lowerAssignment: Lowering = (node, draft) => {
  const names = node.childForFieldName('left')?.namedChildren ?? []
  const values = node.childForFieldName('right')?.namedChildren ?? []
  const isAdded = node.childForFieldName('operator')?.text === '+='
  for (const [index, given] of values.entries()) {
    const target = names[index]
    const name = target ? nameOf(target, draft) : undefined
    const value = draft.lower(given)
    if (!target || name === undefined || name === '_') {
      draft.loose(value, 'other')
      continue
    }
    if (setPath({ name, value, target }, draft)) continue
    const before = draft.name(name, target)
    draft.bind({
      name,
      value: isAdded ? { kind: 'join', parts: [before, value], place: value.place } : value,
      kind: name.startsWith('this.') ? 'field' : 'variable',
      isExported: false,
      place: placeOf(target),
    })
  }
  return undefined
}

const lowerType: Lowering = (node, draft) => {
  const type = node.childForFieldName('type')
  const name = node.childForFieldName('name')?.text ?? ''
  if (type?.type !== 'struct_type') return undefined
  draft.declare(name, node)
  const scope = draft.classScope(name, { isPart: true })
  for (const field of type.namedChild(0)?.namedChildren ?? []) {
    if (field?.type === 'field_declaration') bindField(field, { draft, scope })
  }
  return undefined
}

function bindField(field: SyntaxNode, { draft, scope }: { draft: Draft; scope: number }): void {
  const tag = field.childForFieldName('tag')
  const preset = tag ? TAG_DEFAULT.exec(tag.text)?.[1] : undefined
  const typed = typeValue(field.childForFieldName('type'), draft)
  const value = tag && preset !== undefined ? textAt(preset, tag) : typed
  if (!value) return
  for (const name of field.childrenForFieldName('name')) {
    if (!name?.isNamed) continue
    draft.bind({
      name: `this.${name.text}`,
      value,
      kind: 'field',
      isExported: false,
      place: placeOf(name),
      scope,
    })
  }
}

const lowerFunction: Lowering = (node, draft) => {
  const name = node.childForFieldName('name')?.text ?? ''
  const receiver = node.childForFieldName('receiver')?.namedChild(0)
  const type = receiver?.childForFieldName('type')?.text.replace(/^\*|\[.*$/g, '')
  const parent = type === undefined ? draft.scope : draft.classScope(type, { isPart: true })
  const self = receiver?.childForFieldName('name')?.text
  if (node.type === 'function_declaration') draft.declare(name, node)
  const list = node.childForFieldName('parameters')?.namedChildren ?? []
  const parameters = list.flatMap((parameter) =>
    (parameter?.childrenForFieldName('name') ?? []).flatMap((at) =>
      at?.isNamed
        ? [{ name: at.text, at, type: parameter?.childForFieldName('type') ?? null }]
        : [],
    ),
  )
  draft.within(
    { kind: 'function', name, parent, parameters: parameters.map((parameter) => parameter.name) },
    () => {
      for (const { name, at, type } of parameters) {
        const value = typeValue(type, draft)
        if (value) {
          draft.bind({ name, value, kind: 'variable', isExported: false, place: placeOf(at) })
        }
      }
      draft.withSelf(self, () => draft.statement(node.childForFieldName('body')))
    },
  )
  return undefined
}

/** What a variable of a type of another package holds; undefined for plain types. */
function typeValue(type: SyntaxNode | null, draft: Draft): Expression | undefined {
  const named = type?.type === 'pointer_type' ? type.namedChild(0) : type
  if (named?.type === 'qualified_type' || named?.type === 'type_identifier') {
    if (/^(?:string|int|bool|error|byte|any|float64|int64)$/.test(named.text)) return undefined
    return typedValue({ type: named.text, node: named, scope: draft.scope })
  }
  return undefined
}

const lowerReturn: Lowering = (node, draft) => {
  const values = node.namedChild(0)?.namedChildren ?? []
  for (const [index, value] of values.entries()) {
    if (index === 0) draft.giveBack(draft.lower(value))
    else draft.statement(value)
  }
  return undefined
}

const lowerRange: Lowering = (node, draft) => {
  const name = node.childForFieldName('left')?.namedChildren.at(-1)
  const value = draft.lower(node.childForFieldName('right'))
  if (!name || value.kind !== 'list') return draft.loose(value, 'other')
  return draft.bind({
    name: name.text,
    value: { kind: 'either', options: value.items, place: value.place },
    kind: 'variable',
    isExported: false,
    place: placeOf(name),
  })
}

const LOWERINGS = new Map<string, Lowering>([
  ...VALUES,
  ['comment', nothing],
  ['import_spec', lowerImport],
  ['const_spec', lowerSpec],
  ['var_spec', lowerSpec],
  ['short_var_declaration', lowerAssignment],
  ['assignment_statement', lowerAssignment],
  ['type_spec', lowerType],
  ['type_alias', nothing],
  ['function_declaration', lowerFunction],
  ['method_declaration', lowerFunction],
  ['func_literal', lowerFunction],
  ['return_statement', lowerReturn],
  ['range_clause', lowerRange],
  ['call_expression', lowerCall],
  ['composite_literal', lowerComposite],
])
