import { anyOf, eitherOf } from '../../lowering/built-texts.ts'
import type { Draft, Lowering } from '../../lowering/draft.ts'
import {
  joinOf,
  operandsOf,
  placeOf,
  textAt,
  unescapeText,
  unknownAt,
} from '../../lowering/lowered.ts'
import { lowerList } from '../../lowering/lowerings.ts'
import type { Expression } from '../../model/program.ts'
import type { SyntaxNode } from '../../model/syntax.ts'

/**
 * Name with dots of an identifier, attributes and subscripts by texts or numbers; undefined for
 * what has none. `self` and `cls` are `this`.
 */
export function nameOf(node: SyntaxNode, depth = 0): string | undefined {
  if (node.type === 'identifier') return /^(?:self|cls)$/.test(node.text) ? 'this' : node.text
  const isAttribute = node.type === 'attribute'
  if (!(isAttribute || node.type === 'subscript') || depth > MAX_NAMES) return undefined
  const object = node.childForFieldName(isAttribute ? 'object' : 'value')
  const left = object ? nameOf(object, depth + 1) : undefined
  const key = isAttribute
    ? node.childForFieldName('attribute')?.text
    : keyOf(node.childForFieldName('subscript'))
  return left === undefined || key === undefined ? undefined : `${left}.${key}`
}

/** Most names that dots part; longer ones are not followed. */
const MAX_NAMES = 50

/** A plain text or number as a key. */
function keyOf(node: SyntaxNode | null): string | undefined {
  if (node?.type === 'integer') return node.text
  if (node?.type !== 'string') return undefined
  const value = stringOf(node, undefined)
  return value.kind === 'text' ? value.text : undefined
}

/** A string; without a draft, what is interpolated is unknown. */
function stringOf(node: SyntaxNode, draft: Draft | undefined): Expression {
  const prefix = node.namedChild(0)?.text ?? ''
  const isRaw = /^\w*r/i.test(prefix)
  const parts: Expression[] = []
  for (const child of node.namedChildren) {
    if (child?.type === 'string_content') {
      const text = /^\w*f/i.test(prefix) ? child.text.replaceAll(/([{}])\1/g, '$1') : child.text
      parts.push(textAt(isRaw ? text : unescapeText(text), node))
    } else if (child?.type === 'interpolation') {
      parts.push(draft?.lower(child.childForFieldName('expression')) ?? unknownAt(child))
    }
  }
  if (parts.length === 0) return textAt('', node)
  const value = joinOf(parts) ?? unknownAt(node)
  // `f"{x}"` begins where its text does.
  return parts.length === 1 ? value : { ...value, place: placeOf(node) }
}

const lowerString: Lowering = (node, draft) => stringOf(node, draft)

/** Adjacent strings are one; what is all text is one text. */
const lowerStrings: Lowering = (node, draft) => {
  const whole = joinOf(
    node.namedChildren.flatMap((part) =>
      part && part.type !== 'comment' ? [draft.lower(part)] : [],
    ),
  )
  if (whole?.kind !== 'join' || !whole.parts.every((part) => part.kind === 'text')) return whole
  return textAt(whole.parts.map((part) => (part.kind === 'text' ? part.text : '')).join(''), node)
}

const lowerName: Lowering = (node, draft) => draft.name(nameOf(node) ?? '', node)

/** Parts of a URL that stand for the whole where it is taken apart and put together again. */
const PARTS = /^(?:netloc|hostname)$/

const lowerAttribute: Lowering = (node, draft) => {
  const attribute = node.childForFieldName('attribute')?.text ?? ''
  const object = node.childForFieldName('object')
  if (PARTS.test(attribute)) return draft.lower(object)
  const name = nameOf(node)
  // The value of an enumeration's member is the member's.
  const full = name?.replace(/(\.[A-Z][A-Z\d_]*)\.value$/, '$1')
  if (full !== undefined) return draft.name(full, node)
  draft.lower(object)
  return undefined
}

const lowerSubscript: Lowering = (node, draft) => {
  const name = nameOf(node)
  if (name !== undefined) return draft.name(name, node)
  const value = draft.lower(node.childForFieldName('value'))
  draft.statement(node.childForFieldName('subscript'), 'error')
  return anyOf(value)
}

const lowerBinary: Lowering = (node, draft) => {
  const operator = node.childForFieldName('operator')?.text
  if (operator === '+') return joinOf(operandsOf(node, '+').map((one) => draft.lower(one)))
  if (operator === '/') {
    const parts = operandsOf(node, '/').map((one) => draft.lower(one))
    const [first] = parts
    return first && { kind: 'path', parts, place: first.place }
  }
  const left = draft.lower(node.childForFieldName('left'))
  const right = draft.lower(node.childForFieldName('right'))
  if (operator !== '%') return undefined
  return {
    kind: 'format',
    format: left,
    values: right.kind === 'list' ? right.items : right.kind === 'record' ? [] : [right],
    named: right.kind === 'record' ? right.entries : {},
    place: left.place,
  }
}

const lowerBoolean: Lowering = (node, draft) => {
  const left = draft.lower(node.childForFieldName('left'))
  const right = draft.lower(node.childForFieldName('right'))
  return node.childForFieldName('operator')?.text === 'or' ? eitherOf([left, right]) : right
}

const lowerConditional: Lowering = (node, draft) => {
  const [yes, condition, no] = node.namedChildren
  const options = [draft.lower(yes ?? null), draft.lower(no ?? null)]
  draft.statement(condition ?? null, 'error')
  return eitherOf(options)
}

const lowerDictionary: Lowering = (node, draft) => {
  const entries: Record<string, Expression> = {}
  for (const pair of node.namedChildren) {
    if (pair?.type === 'dictionary_splat') entries['...'] = draft.lower(pair.namedChild(0))
    if (pair?.type !== 'pair') continue
    const key = pair.childForFieldName('key')
    const value = draft.lower(pair.childForFieldName('value'))
    const name = keyOf(key)
    if (name === undefined) draft.statement(key)
    entries[name ?? `${key?.text.slice(0, 80)}`] = value
  }
  return { kind: 'record', entries, place: placeOf(node) }
}

/** What is compared to is not called. */
const lowerComparison: Lowering = (node, draft) => draft.children(node, 'error')

const lowerInner: Lowering = (node, draft) =>
  draft.lower(node.namedChildren.find((child) => child?.type !== 'comment') ?? null)

/** Lowerings of values other than calls. */
export const VALUES: readonly (readonly [string, Lowering])[] = [
  ['string', lowerString],
  ['concatenated_string', lowerStrings],
  ['identifier', lowerName],
  ['attribute', lowerAttribute],
  ['subscript', lowerSubscript],
  ['binary_operator', lowerBinary],
  ['boolean_operator', lowerBoolean],
  ['conditional_expression', lowerConditional],
  ['comparison_operator', lowerComparison],
  ['dictionary', lowerDictionary],
  ['list', lowerList],
  ['tuple', lowerList],
  ['set', lowerList],
  ['expression_list', lowerList],
  ['parenthesized_expression', lowerInner],
  ['await', lowerInner],
  ['yield', lowerInner],
  ['list_splat', lowerInner],
]
