import type { Draft, Lowering } from '../../lowering/draft.ts'
import { operandsOf, placeOf, textAt, unescapeText, unknownAt } from '../../lowering/lowered.ts'
import type { Expression } from '../../model/program.ts'
import type { SyntaxNode } from '../../model/syntax.ts'
import { bindGetter, lowerFunction } from './functions.ts'
import { dottedName, isFunction, unwrap } from './names.ts'

/** Lowerings of values, by node type. */
export const VALUES: readonly (readonly [string, Lowering])[] = [
  ['string', (node) => textAt(unescapeText(node.text.slice(1, -1)), node)],
  ['number', (node) => textAt(node.text, node)],
  ['template_string', lowerTemplate],
  ['identifier', lowerName],
  ['this', lowerName],
  ['shorthand_property_identifier', lowerName],
  ['member_expression', lowerMember],
  ['subscript_expression', lowerMember],
  ['binary_expression', lowerBinary],
  ['ternary_expression', lowerTernary],
  ['object', lowerObject],
  ['array', lowerArray],
  ['sequence_expression', lowerLast],
  ['parenthesized_expression', lowerInner],
  ['await_expression', lowerInner],
  ['as_expression', lowerInner],
  ['satisfies_expression', lowerInner],
  ['non_null_expression', lowerInner],
  ['type_assertion', lowerInner],
  ['spread_element', lowerInner],
]

/** Parts of a template, holes with their values. */
export function lowerTemplate(node: SyntaxNode, draft: Draft): Expression {
  const parts: Expression[] = []
  for (const child of node.namedChildren) {
    if (!child) continue
    if (child.type === 'string_fragment') parts.push(textAt(child.text, child))
    else if (child.type === 'escape_sequence') parts.push(textAt(unescapeText(child.text), child))
    else if (child.type === 'template_substitution') parts.push(draft.lower(child.namedChild(0)))
  }
  const [first] = parts
  if (!first) return textAt('', node)
  if (parts.length === 1 && first.kind === 'text') return { ...first, place: placeOf(node) }
  return { kind: 'join', parts, place: placeOf(node) }
}

function lowerName(node: SyntaxNode): Expression {
  return { kind: 'name', name: node.text, place: placeOf(node) }
}

function lowerMember(node: SyntaxNode, draft: Draft): Expression {
  const name = dottedName(node)
  if (name !== undefined) return { kind: 'name', name, place: placeOf(node) }
  const object = draft.lower(unwrap(node.childForFieldName('object')))
  const property = node.childForFieldName('property')?.text ?? ''
  return property === 'href' ? object : unknownAt(node)
}

function lowerBinary(node: SyntaxNode, draft: Draft): Expression | undefined {
  const operator = node.childForFieldName('operator')?.text ?? ''
  const place = placeOf(node)
  const operands = () => operandsOf(node, operator).map((operand) => draft.lower(operand))
  if (operator === '+') return { kind: 'join', parts: operands().flatMap(flatten), place }
  if (operator === '??' || operator === '||') return { kind: 'either', options: operands(), place }
  if (operator === '&&') return operands().at(-1)
  // What is compared is not used.
  return draft.children(node, 'documentation')
}

function flatten(part: Expression): readonly Expression[] {
  return part.kind === 'join' ? part.parts : [part]
}

function lowerTernary(node: SyntaxNode, draft: Draft): Expression {
  draft.statement(node.childForFieldName('condition'), 'documentation')
  const fields = ['consequence', 'alternative']
  const options = fields.map((field) => draft.lower(node.childForFieldName(field)))
  return { kind: 'either', options, place: placeOf(node) }
}

function lowerObject(node: SyntaxNode, draft: Draft): Expression {
  const entries: Record<string, Expression> = {}
  for (const child of node.namedChildren) {
    if (!child) continue
    if (child.type === 'pair') {
      const key = keyOf(child.childForFieldName('key'))
      const value = child.childForFieldName('value')
      if (key === 'computed' && value?.type === 'object') bindComputed(value, draft)
      entries[key] = isFunction(value) ? lowerEntryFunction(key, value, draft) : draft.lower(value)
    } else if (child.type === 'shorthand_property_identifier') {
      entries[child.text] = lowerName(child)
    } else if (child.type === 'spread_element') {
      entries['...'] = draft.lower(child.namedChild(0))
    } else if (child.type === 'method_definition') {
      const key = keyOf(child.childForFieldName('name'))
      const returned = lowerFunction(child, draft, key)
      if (RESULT_KEYS.has(key)) entries[key] = returned
    }
  }
  return { kind: 'record', entries, place: placeOf(node) }
}

/** Properties of a Vue component that are read as `this.name`. */
function bindComputed(node: SyntaxNode, draft: Draft): void {
  for (const child of node.namedChildren) {
    if (child?.type === 'method_definition') {
      bindGetter(child, draft, keyOf(child.childForFieldName('name')))
    }
  }
}

function lowerEntryFunction(key: string, node: SyntaxNode | null, draft: Draft): Expression {
  const returned = lowerFunction(node, draft, key)
  return RESULT_KEYS.has(key) ? returned : { kind: 'unknown', place: returned.place }
}

/** Keys whose functions stand for what they give back: options that may be computed. */
const RESULT_KEYS = new Set(['query', 'url', 'baseURL', 'baseUrl', 'prefixUrl', 'uri'])

/** The name of a property, without quotes; `*` for a computed one. */
export function keyOf(node: SyntaxNode | null): string {
  if (!node || node.type === 'computed_property_name') return '*'
  return node.type === 'string' ? node.text.slice(1, -1) : node.text.replace(/^#/, '')
}

function lowerArray(node: SyntaxNode, draft: Draft): Expression {
  const items = node.namedChildren.map((child) => draft.lower(child))
  return { kind: 'list', items, place: placeOf(node) }
}

function lowerLast(node: SyntaxNode, draft: Draft): Expression | undefined {
  return node.namedChildren.map((child) => draft.lower(child)).at(-1)
}

function lowerInner(node: SyntaxNode, draft: Draft): Expression {
  return draft.lower(node.type === 'type_assertion' ? node.namedChild(1) : node.namedChild(0))
}
