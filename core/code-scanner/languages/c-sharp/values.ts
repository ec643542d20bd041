import { withoutLineEnds } from '../../lowering/built-texts.ts'
import type { Draft, Lowering } from '../../lowering/draft.ts'
import { joinOf, operandsOf, placeOf, textAt, unescapeText } from '../../lowering/lowered.ts'
import type { Expression } from '../../model/program.ts'
import type { SyntaxNode } from '../../model/syntax.ts'

/** Name with dots of an identifier, a chain of members, or the own instance. */
export function nameOf(node: SyntaxNode): string | undefined {
  switch (node.type) {
    case 'identifier':
    case 'predefined_type':
    case 'qualified_name':
      return node.text
    case 'generic_name':
      return node.namedChild(0)?.text
    case 'this':
    case 'base':
      return 'this'
    case 'postfix_unary_expression':
    case 'parenthesized_expression': {
      const inner = node.namedChild(0)
      return inner ? nameOf(inner) : undefined
    }
    case 'member_access_expression':
    case 'conditional_access_expression': {
      const object = node.childForFieldName('expression') ?? node.childForFieldName('condition')
      const left = object ? nameOf(object) : undefined
      const name = memberOf(node)
      return left === undefined || name === undefined ? undefined : `${left}.${name}`
    }
    default:
      return undefined
  }
}

/** Last name of a member access, without type arguments. */
export function memberOf(node: SyntaxNode): string | undefined {
  const last =
    node.type === 'conditional_access_expression'
      ? node.namedChildren.at(-1)?.childForFieldName('name')
      : node.childForFieldName('name')
  return last ? nameOf(last) : undefined
}

/** Arguments by position and by name, in parentheses or of an attribute. */
export function readArguments(
  list: SyntaxNode | null,
  draft: Draft,
): { readonly args: readonly Expression[]; readonly named: Readonly<Record<string, Expression>> } {
  const args: Expression[] = []
  const named: Record<string, Expression> = {}
  for (const argument of list?.namedChildren ?? []) {
    if (!argument?.type.endsWith('argument')) continue
    const name = argument.childForFieldName('name')?.text
    const value = draft.lower(argument.namedChildren.at(-1) ?? null)
    if (name === undefined) args.push(value)
    else named[name] = value
  }
  return { args, named }
}

const lowerString: Lowering = (node) => {
  const { text } = node
  if (node.type === 'verbatim_string_literal') {
    return textAt(text.slice(2, -1).replaceAll('""', '"'), node)
  }
  if (node.type === 'raw_string_literal') {
    return textAt(
      text
        .replace(/^"+/, '')
        .replace(/(?<!")"+(?:u8)?$/, '')
        .trim(),
      node,
    )
  }
  return textAt(unescapeText(text.slice(1, text.endsWith('u8') ? -3 : -1)), node)
}

const lowerInterpolated: Lowering = (node, draft) => {
  const start = node.namedChild(0)?.text ?? ''
  const isRaw = node.namedChildren.some((child) => child?.type === 'interpolation_quote')
  const parts: Expression[] = []
  for (const child of node.namedChildren) {
    if (child?.type === 'interpolation') {
      parts.push(draft.lower(child.namedChildren.find((one) => isValue(one)) ?? null))
    } else if (child && /^(?:string_content|escape_sequence)$/.test(child.type)) {
      parts.push(textAt(contentOf(child.text, isRaw ? 'raw' : start), child))
    }
  }
  const place = placeOf(node)
  const [first] = parts
  // A text that begins with a value has its place at the quotes, as its reader sees it.
  return first && parts.length === 1 && first.kind === 'text'
    ? { ...first, place }
    : { kind: 'join', parts, place }
}

function isValue(node: SyntaxNode | null): boolean {
  return node !== null && !/^interpolation_/.test(node.type)
}

function contentOf(text: string, start: string): string {
  if (start === 'raw') return withoutLineEnds(text)
  const plain = start.includes('@') ? text.replaceAll('""', '"') : unescapeText(text)
  return plain.replaceAll('{{', '{').replaceAll('}}', '}')
}

const lowerName: Lowering = (node, draft) => {
  const name = nameOf(node)
  if (name === undefined) {
    return draft.lower(node.childForFieldName('expression') ?? node.namedChild(0)) && undefined
  }
  const method = /(?:^|\.)(?:HttpMethod|Method)\.([A-Z]\w*)$/.exec(name)?.[1]
  return method ? textAt(method.toUpperCase(), node) : draft.name(name, node)
}

const lowerBinary: Lowering = (node, draft) => {
  const operator = node.childForFieldName('operator')?.text ?? ''
  if (operator === '+' || operator === '??') {
    const operands = operandsOf(node, operator).map((operand) => draft.lower(operand))
    if (operator === '+') return joinOf(operands)
    // `a ?? b ?? c` nests to the right.
    const options = operands.flatMap((one) => (one.kind === 'either' ? one.options : [one]))
    return { kind: 'either', options, place: placeOf(node) }
  }
  // Comparisons: what is called in them counts, what they compare to does not.
  draft.lower(node.childForFieldName('left'))
  draft.lower(node.childForFieldName('right'))
  return undefined
}

const lowerConditional: Lowering = (node, draft) => {
  draft.lower(node.childForFieldName('condition'))
  const options = [node.childForFieldName('consequence'), node.childForFieldName('alternative')]
  return { kind: 'either', options: options.map((one) => draft.lower(one)), place: placeOf(node) }
}

const lowerSwitch: Lowering = (node, draft) => {
  const arms = node.namedChildren.filter((child) => child?.type === 'switch_expression_arm')
  draft.lower(node.namedChild(0))
  const options = arms.map((arm) => draft.lower(arm?.namedChildren.at(-1) ?? null))
  return { kind: 'either', options, place: placeOf(node) }
}

/** `{ Key = value }` and `{ ["key"] = value }` make a record, all else a list. */
const lowerElements: Lowering = (node, draft) => {
  const entries: Record<string, Expression> = {}
  const items: Expression[] = []
  for (const child of node.namedChildren) {
    if (child?.type !== 'assignment_expression') {
      if (child && child.type !== 'comment') items.push(draft.lower(child))
      continue
    }
    const key = child.childForFieldName('left')?.text.replace(/^\[?"?|"?\]?$/g, '') ?? ''
    entries[key] = draft.lower(child.childForFieldName('right'))
  }
  const place = placeOf(node)
  if (items.length > 0) return { kind: 'list', items, place }
  return { kind: 'record', entries, place }
}

/** `new { Url = "…" }`. */
const lowerAnonymous: Lowering = (node, draft) => {
  const entries: Record<string, Expression> = {}
  const children = node.children
  for (const [index, child] of children.entries()) {
    const name = children[index - 1]
    if (child?.type !== '=' || name === undefined) continue
    entries[name?.text ?? ''] = draft.lower(children[index + 1] ?? null)
  }
  return { kind: 'record', entries, place: placeOf(node) }
}

/** `settings["Api:Url"]`: which setting it is says nothing of its value. */
const lowerElement: Lowering = (node, draft) => {
  draft.lower(node.childForFieldName('expression'))
  return undefined
}

const lowerPattern: Lowering = (node, draft) =>
  draft.lower(node.childForFieldName('expression')) && undefined

const lowerInner: Lowering = (node, draft) => draft.lower(node.namedChild(0))

const lowerLast: Lowering = (node, draft) => draft.lower(node.namedChildren.at(-1) ?? null)

const lowerLeft: Lowering = (node, draft) => draft.lower(node.childForFieldName('left'))

const lowerValue: Lowering = (node, draft) => draft.lower(node.childForFieldName('value'))

/** Lowerings of values other than calls and constructions. */
export const VALUES: readonly (readonly [string, Lowering])[] = [
  ['string_literal', lowerString],
  ['verbatim_string_literal', lowerString],
  ['raw_string_literal', lowerString],
  ['interpolated_string_expression', lowerInterpolated],
  ['identifier', lowerName],
  ['this', lowerName],
  ['member_access_expression', lowerName],
  ['conditional_access_expression', lowerName],
  ['binary_expression', lowerBinary],
  ['conditional_expression', lowerConditional],
  ['switch_expression', lowerSwitch],
  ['initializer_expression', lowerElements],
  ['element_binding_expression', lowerElements],
  ['anonymous_object_creation_expression', lowerAnonymous],
  ['element_access_expression', lowerElement],
  ['is_pattern_expression', lowerPattern],
  ['as_expression', lowerLeft],
  ['cast_expression', lowerValue],
  ['array_creation_expression', lowerLast],
  ['implicit_array_creation_expression', lowerLast],
  ['argument', lowerLast],
  ['arrow_expression_clause', lowerInner],
  ['await_expression', lowerInner],
  ['parenthesized_expression', lowerInner],
  ['postfix_unary_expression', lowerInner],
]
