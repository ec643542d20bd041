import { anyOf, eitherOf, plainText } from '../../lowering/built-texts.ts'
import type { Draft, Lowering } from '../../lowering/draft.ts'
import {
  joinOf,
  operandsOf,
  placeOf,
  textAt,
  unescapeText,
  unknownAt,
} from '../../lowering/lowered.ts'
import type { Expression } from '../../model/program.ts'
import type { SyntaxNode } from '../../model/syntax.ts'

/**
 * Name with dots of a variable, a constant, members and elements by texts; undefined for what has
 * none. `$this`, `self`, `static` and `parent` are `this`, `A::B` is `A.B`, `$a['b']` is `a.b`.
 */
export function nameOf(node: SyntaxNode, depth = 0): string | undefined {
  if (depth > MAX_NAMES) return undefined
  switch (node.type) {
    case 'name':
      return node.text
    case 'variable_name':
      return node.text.slice(1)
    case 'dynamic_variable_name':
      return node.namedChild(0)?.type === 'name' ? node.namedChild(0)?.text : undefined
    case 'relative_scope':
      return 'this'
    case 'qualified_name':
      return node.text.replace(/^\\/, '').replaceAll('\\', '.')
    case 'member_access_expression':
    case 'nullsafe_member_access_expression': {
      const name = node.childForFieldName('name')?.text
      return dotted(node.childForFieldName('object'), { name, depth })
    }
    case 'scoped_property_access_expression': {
      const name = node.childForFieldName('name')?.text.replace(/^\$/, '')
      return dotted(node.childForFieldName('scope'), { name, depth })
    }
    case 'class_constant_access_expression':
      return dotted(node.namedChild(0), { name: node.namedChild(1)?.text, depth })
    case 'subscript_expression':
      return dotted(node.namedChild(0), { name: keyOf(node.namedChild(1)), depth })
    case 'parenthesized_expression':
    case 'by_ref':
      return nameOf(node.namedChild(0) ?? node, depth + 1)
    default:
      return undefined
  }
}

function dotted(
  left: SyntaxNode | null,
  right: { readonly name: string | undefined; readonly depth: number },
): string | undefined {
  if (!left || right.name === undefined || right.name.startsWith('$')) return undefined
  const name = nameOf(left, right.depth + 1)
  return name === undefined ? undefined : `${name}.${right.name}`
}

/** Most names that dots part; longer ones are not followed. */
const MAX_NAMES = 50

/** A plain text or number as a key; bare words too, as interpolation has them. */
function keyOf(node: SyntaxNode | null): string | undefined {
  if (node?.type === 'integer') return node.text
  if (node?.type === 'name') return node.text
  if (node?.type !== 'string' && node?.type !== 'encapsed_string') return undefined
  const isPlain = node.namedChildren.every((part) => part?.type === 'string_content')
  return isPlain ? node.namedChildren.map((part) => part?.text ?? '').join('') : undefined
}

/** Texts and what is interpolated in them. */
function partsOf(node: SyntaxNode, draft: Draft, isRaw = false): readonly Expression[] {
  return node.namedChildren.flatMap((part) => {
    if (!part || part.type === 'heredoc_end' || part.type === 'heredoc_start') return []
    if (!/^(?:string_content|nowdoc_string|escape_sequence)$/.test(part.type)) {
      return [draft.lower(part)]
    }
    return [
      textAt(isRaw ? part.text.replaceAll(/\\([\\'])/g, '$1') : unescapeText(part.text), part),
    ]
  })
}

const lowerString: Lowering = (node, draft) => {
  const parts = partsOf(node, draft, node.type === 'string')
  if (parts.every((part) => part.kind === 'text')) {
    return textAt(parts.map((part) => plainText(part) ?? '').join(''), node)
  }
  const value = joinOf(parts) ?? unknownAt(node)
  return parts.length === 1 ? value : { ...value, place: placeOf(node) }
}

const lowerHeredoc: Lowering = (node, draft) => {
  const body = node.childForFieldName('value')
  const value = body ? joinOf(partsOf(body, draft, node.type === 'nowdoc')) : undefined
  return value && { ...value, place: placeOf(node) }
}

const lowerName: Lowering = (node, draft) => {
  const name = nameOf(node)
  if (name !== undefined) return draft.name(name, node)
  return void draft.lower(node.namedChild(0))
}

const lowerElement: Lowering = (node, draft) => {
  const name = nameOf(node)
  if (name !== undefined) return draft.name(name, node)
  const value = draft.lower(node.namedChild(0))
  draft.statement(node.namedChild(1), 'error')
  return anyOf(value)
}

const lowerBinary: Lowering = (node, draft) => {
  const operator = node.childForFieldName('operator')?.text ?? ''
  if (operator === '.') return joinOf(operandsOf(node, '.').map((one) => draft.lower(one)))
  const left = draft.lower(node.childForFieldName('left'))
  const right = draft.lower(node.childForFieldName('right'))
  if (operator === '??' || operator === '||' || operator === 'or') return eitherOf([left, right])
  if (operator === '&&' || operator === 'and') return right
  draft.loose(left, 'error')
  return draft.loose(right, 'error')
}

/** `a ? b : c`, and `a ?: c`, which is `a` unless that says nothing. */
const lowerConditional: Lowering = (node, draft) => {
  const condition = node.childForFieldName('condition')
  const body = node.childForFieldName('body')
  const first = draft.lower(body ?? condition)
  if (body) draft.statement(condition, 'error')
  return eitherOf([first, draft.lower(node.childForFieldName('alternative'))])
}

const lowerMatch: Lowering = (node, draft) => {
  draft.statement(node.childForFieldName('condition'), 'error')
  const options: Expression[] = []
  for (const arm of node.childForFieldName('body')?.namedChildren ?? []) {
    draft.statement(arm?.childForFieldName('conditional_expressions') ?? null, 'error')
    const value = arm?.childForFieldName('return_expression')
    if (value) options.push(draft.lower(value))
  }
  return eitherOf(options)
}

/** Keys under which texts for people stand. */
const PROSE = /^(?:description|label|help|message|title|placeholder|tooltip|docs?|homepage)$/

const lowerArray: Lowering = (node, draft) => {
  const entries: Record<string, Expression> = {}
  const items: Expression[] = []
  for (const element of node.namedChildren) {
    if (element?.type !== 'array_element_initializer') continue
    const [first, second] = element.namedChildren
    if (!second) {
      items.push(draft.lower(first ?? null))
      continue
    }
    const value = draft.lower(second)
    const name = keyOf(first ?? null) ?? first?.text.slice(0, 80) ?? ''
    if (PROSE.test(name)) draft.loose(value, 'documentation')
    else entries[name.slice(name.lastIndexOf('::') + 1).replace(/^[:]/, '')] = value
  }
  const place = placeOf(node)
  return Object.keys(entries).length > 0 || items.length === 0
    ? { kind: 'record', entries, place }
    : { kind: 'list', items, place }
}

const lowerInner: Lowering = (node, draft) => draft.lower(node.namedChildren.at(-1) ?? null)

/** Lowerings of values other than calls. */
export const VALUES: readonly (readonly [string, Lowering])[] = [
  ['string', lowerString],
  ['encapsed_string', lowerString],
  ['heredoc', lowerHeredoc],
  ['nowdoc', lowerHeredoc],
  ['name', lowerName],
  ['qualified_name', lowerName],
  ['variable_name', lowerName],
  ['dynamic_variable_name', lowerName],
  ['member_access_expression', lowerName],
  ['nullsafe_member_access_expression', lowerName],
  ['scoped_property_access_expression', lowerName],
  ['class_constant_access_expression', lowerName],
  ['subscript_expression', lowerElement],
  ['binary_expression', lowerBinary],
  ['conditional_expression', lowerConditional],
  ['match_expression', lowerMatch],
  ['array_creation_expression', lowerArray],
  ['parenthesized_expression', lowerInner],
  ['cast_expression', lowerInner],
  ['error_suppression_expression', lowerInner],
  ['clone_expression', lowerInner],
  ['by_ref', lowerInner],
  ['argument', lowerInner],
]
