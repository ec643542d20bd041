import { Draft, type Lowering } from '../../lowering/draft.ts'
import { placeOf, textAt, typedValue } from '../../lowering/lowered.ts'
import { lowerReturn, nothing } from '../../lowering/lowerings.ts'
import type { Expression, Program } from '../../model/program.ts'
import type { SyntaxNode } from '../../model/syntax.ts'
import { lowerCall } from './calls.ts'
import { lowerMacro } from './macros.ts'
import { lowerUse } from './uses.ts'
import { isValueType, nameOf, stringOf, VALUES } from './values.ts'

/** What a Rust text says. */
export function lowerRust(root: SyntaxNode): Program {
  const draft = new Draft(LOWERINGS)
  draft.statement(root)
  return draft.program()
}

/** Constants and statics; those of a type by its name for the whole project. */
const lowerConst: Lowering = (node, draft) => {
  const name = node.childForFieldName('name')
  const given = node.childForFieldName('value')
  if (!name || !given) return undefined
  const place = placeOf(name)
  const value = draft.lower(given)
  const owner = draft.self
  const full = owner === undefined ? name.text : `${owner}.${name.text}`
  return draft.bind({
    name: full,
    value,
    kind: 'constant',
    isExported: draft.scope === 0 || owner !== undefined,
    place,
    ...(owner === undefined ? {} : { scope: 0 }),
  })
}

/** Defaults that attributes of a field give it: `#[arg(default_value = "…")]`. */
const PRESET = /\bdefault_value(?:_t)?\s*=\s*(?:String::from\()?"((?:[^"\\]|\\.)*)"/

const lowerStruct: Lowering = (node, draft) => {
  const type = node.childForFieldName('name')?.text ?? ''
  const scope = draft.classScope(type, { isPart: true })
  draft.declare(type, node)
  let attributes = ''
  let attribute = node
  for (const field of node.childForFieldName('body')?.namedChildren ?? []) {
    if (field?.type === 'attribute_item') {
      attributes += field.text
      attribute = field
    }
    if (field?.type !== 'field_declaration') continue
    const name = field.childForFieldName('name')
    const preset = PRESET.exec(attributes)?.[1]
    const value =
      preset === undefined
        ? (filledBy(attributes, { node: field, draft }) ??
          typeValue(field.childForFieldName('type'), draft))
        : textAt(preset, attribute)
    attributes = ''
    if (!name || !value) continue
    const place = preset === undefined ? placeOf(name) : value.place
    draft.bind({ name: `this.${name.text}`, value, kind: 'field', isExported: false, place, scope })
  }
  return undefined
}

/** `#[serde(default = "default_url")]`: what that function gives. */
function filledBy(
  attributes: string,
  { node, draft }: { readonly node: SyntaxNode; readonly draft: Draft },
): Expression | undefined {
  const callee = /\bdefault\s*=\s*"(\w+)"/.exec(attributes)?.[1]
  if (callee === undefined) return undefined
  const place = placeOf(node)
  const call = { callee, receiver: undefined, args: [], named: {}, place, scope: draft.scope }
  return { kind: 'call', call, place }
}

const lowerImpl: Lowering = (node, draft) => {
  const type = node.childForFieldName('type') ?? node.childForFieldName('name')
  const name = type?.text.replace(/<.*$/s, '').split('::').at(-1) ?? ''
  const body = node.childForFieldName('body')
  if (!body) return undefined
  draft.inside(draft.classScope(name, { isPart: true }), () =>
    draft.withSelf(name, () => draft.statement(body)),
  )
  return undefined
}

const lowerFunction: Lowering = (node, draft) => {
  const list = node.childForFieldName('parameters')?.namedChildren ?? []
  const parameters = list.flatMap((parameter) => {
    const pattern =
      parameter?.type === 'parameter' ? parameter.childForFieldName('pattern') : parameter
    return pattern?.type === 'identifier'
      ? [{ name: pattern.text, pattern, type: parameter?.childForFieldName('type') ?? null }]
      : []
  })
  const name = node.childForFieldName('name')?.text ?? ''
  const scope = { kind: 'function' as const, name, parameters: parameters.map((one) => one.name) }
  if (draft.scope === 0 && name !== '') draft.declare(name, node)
  return draft.within(scope, () => {
    for (const { name, pattern, type } of parameters) {
      const value = typeValue(type, draft)
      const place = placeOf(pattern)
      if (value) draft.bind({ name, value, kind: 'variable', isExported: false, place })
    }
    const value = draft.lower(node.childForFieldName('body'))
    draft.giveBack(value)
    const client = clientOf(node, draft)
    if (client) draft.giveBack(client)
    // A closure given to a call is worth what it gives back: `unwrap_or_else(|_| "…".into())`.
    return node.parent?.type === 'arguments' ? value : undefined
  })
}

/** What a function gives whose type says that it is a client. */
function clientOf(node: SyntaxNode, draft: Draft): Expression | undefined {
  const type = node.childForFieldName('return_type')
  return type && CLIENT_TYPE.test(type.text) ? typeValue(type, draft) : undefined
}

const CLIENT_TYPE = /(?:Client|ClientBuilder|Agent|ClientWithMiddleware)>?$/

/** Types that hold no client. */
const PLAIN =
  /^(?:str|String|Self|Result|Vec|HashMap|BTreeMap|Cow|PathBuf|Path|Duration|Value|T|F|Url)$/

/** Types that stand for what is in them. */
const AROUND = /^(?:Option|Arc|Rc|Box|Mutex|RwLock|Data|State|Extension|Lazy|OnceCell|LazyLock)$/

function typeValue(type: SyntaxNode | null, draft: Draft): Expression | undefined {
  let at = type
  for (let steps = 0; at && steps < 5; steps += 1) {
    const head = at.childForFieldName('type')
    if (at.type === 'reference_type') at = head
    else if (at.type === 'generic_type' && AROUND.test(head?.text.split('::').at(-1) ?? '')) {
      at = at.childForFieldName('type_arguments')?.namedChild(0) ?? null
    } else break
  }
  const named = at?.type === 'generic_type' ? at.childForFieldName('type') : at
  if (!named || !/^(?:scoped_)?type_identifier$/.test(named.type)) return undefined
  if (PLAIN.test(named.text)) return undefined
  return typedValue({ type: pathOf(named.text, draft), node: named, scope: draft.scope })
}

function pathOf(text: string, draft: Draft): string {
  const [first = '', ...rest] = text.split('::')
  return [draft.imported(first) ?? first, ...rest].join('.')
}

const lowerLet: Lowering = (node, draft) => {
  const pattern = node.childForFieldName('pattern')
  const given = node.childForFieldName('value')
  const value = given ? draft.lower(given) : typeValue(node.childForFieldName('type'), draft)
  // `let … else { … }`.
  draft.statement(node.childForFieldName('alternative'))
  if (!value || !pattern) return undefined
  if (pattern.type === 'tuple_pattern' && value.kind === 'list') {
    for (const [index, item] of value.items.entries()) {
      const name = pattern.namedChild(index)
      if (name) bindVariable(name, { value: item, draft })
    }
    return undefined
  }
  const names = pattern.type === 'identifier' ? [pattern] : pattern.descendantsOfType('identifier')
  const name = names.at(-1)
  return name ? bindVariable(name, { value, draft }) : draft.loose(value, 'other')
}

function bindVariable(
  name: SyntaxNode,
  { value, draft }: { readonly value: Expression; readonly draft: Draft },
): undefined {
  const place = placeOf(name)
  return draft.bind({ name: name.text, value, kind: 'variable', isExported: false, place })
}

const lowerAssignment: Lowering = (node, draft) => {
  const left = node.childForFieldName('left')
  const name = left ? nameOf(left, draft) : undefined
  const value = draft.lower(node.childForFieldName('right'))
  if (!left || name === undefined) return draft.loose(value, 'other')
  const isAdded = node.childForFieldName('operator')?.text === '+='
  const whole: Expression = isAdded
    ? { kind: 'join', parts: [draft.name(name, left), value], place: value.place }
    : value
  return draft.assign({ name, value: whole, place: placeOf(left) })
}

const lowerFor: Lowering = (node, draft) => {
  const pattern = node.childForFieldName('pattern')
  const value = draft.lower(node.childForFieldName('value'))
  if (pattern?.type === 'identifier' && value.kind === 'list') {
    bindVariable(pattern, {
      value: { kind: 'either', options: value.items, place: value.place },
      draft,
    })
  } else draft.loose(value, 'other')
  return draft.statement(node.childForFieldName('body'))
}

/** A block gives what its last expression gives. */
const lowerBlock: Lowering = (node, draft) => {
  const children = node.namedChildren
  const last = children.at(-1)
  for (const child of children.slice(0, -1)) draft.statement(child)
  if (!last) return undefined
  // A `match` or `if` at the end is a statement to the grammar, and a value all the same.
  if (last.type === 'expression_statement' && last.children.at(-1)?.type !== ';') {
    return draft.lower(last.namedChild(0))
  }
  return isValueType(last.type) ? draft.lower(last) : draft.statement(last)
}

/** Items one by one; modules and functions for tests alone are left out. */
const lowerItems: Lowering = (node, draft) => {
  let isTest = false
  for (const item of node.namedChildren) {
    if (item?.type === 'attribute_item') {
      isTest ||= /^#\[(?:cfg\(test\)|(?:\w+::)?test\b)/.test(item.text)
      continue
    }
    if (!isTest) draft.statement(item)
    isTest = false
  }
  return undefined
}

/** Either of the values that the arms give. */
const lowerMatch: Lowering = (node, draft) => {
  const matched = draft.lower(node.childForFieldName('value'))
  const options: Expression[] = []
  for (const arm of node.childForFieldName('body')?.namedChildren ?? []) {
    if (arm?.type !== 'match_arm') continue
    const pattern = arm.childForFieldName('pattern')?.namedChild(0)
    // `Ok(ref client) => client`: what is in it is worth what it is in.
    const name =
      matched.kind === 'name' && pattern && /^(?:Ok|Some)\(/.test(pattern.text)
        ? pattern.descendantsOfType('identifier').at(-1)
        : undefined
    if (name && !/^(?:Ok|Some)$/.test(name.text)) bindVariable(name, { value: matched, draft })
    options.push(draft.lower(arm.childForFieldName('value')))
  }
  return { kind: 'either', options, place: placeOf(node) }
}

const lowerIf: Lowering = (node, draft) => {
  draft.lower(node.childForFieldName('condition'))
  const options = [draft.lower(node.childForFieldName('consequence'))]
  const otherwise = node.childForFieldName('alternative')
  if (otherwise) options.push(draft.lower(otherwise.namedChild(0)))
  return { kind: 'either', options, place: placeOf(node) }
}

const lowerString: Lowering = (node) => textAt(stringOf(node.text), node)

const LOWERINGS = new Map<string, Lowering>([
  ...VALUES,
  ...[
    'line_comment',
    'block_comment',
    'attribute_item',
    'inner_attribute_item',
    'enum_item',
    'macro_definition',
    'extern_crate_declaration',
    'match_pattern',
  ].map((type) => [type, nothing] as const),
  ['source_file', lowerItems],
  ['declaration_list', lowerItems],
  ['use_declaration', lowerUse],
  ['const_item', lowerConst],
  ['static_item', lowerConst],
  ['struct_item', lowerStruct],
  ['impl_item', lowerImpl],
  ['trait_item', lowerImpl],
  ['function_item', lowerFunction],
  ['function_signature_item', lowerFunction],
  ['closure_expression', lowerFunction],
  ['let_declaration', lowerLet],
  ['assignment_expression', lowerAssignment],
  ['compound_assignment_expr', lowerAssignment],
  ['return_expression', lowerReturn],
  ['for_expression', lowerFor],
  ['block', lowerBlock],
  ['match_expression', lowerMatch],
  ['if_expression', lowerIf],
  ['string_literal', lowerString],
  ['raw_string_literal', lowerString],
  ['call_expression', lowerCall],
  ['macro_invocation', lowerMacro],
])
