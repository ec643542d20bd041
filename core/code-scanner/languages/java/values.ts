import type { Lowering } from '../../lowering/draft.ts'
import { placeOf, textAt, unescapeText } from '../../lowering/lowered.ts'
import { lowerBinary } from '../../lowering/lowerings.ts'
import type { Expression } from '../../model/program.ts'
import type { SyntaxNode } from '../../model/syntax.ts'

/** Name with dots of an identifier, a chain of fields, or the own instance. */
export function nameOf(node: SyntaxNode): string | undefined {
  if (node.type === 'identifier') return node.text
  if (node.type === 'this' || node.type === 'super') return 'this'
  if (node.type === 'parenthesized_expression') {
    const inner = node.namedChild(0)
    return inner ? nameOf(inner) : undefined
  }
  if (node.type !== 'field_access') return undefined
  const object = node.childForFieldName('object')
  const left = object ? nameOf(object) : undefined
  return left === undefined ? undefined : `${left}.${node.childForFieldName('field')?.text ?? ''}`
}

/** A string literal's or text block's text. */
export function stringOf(node: SyntaxNode): string {
  const { text } = node
  if (!text.startsWith('"""')) return unescapeText(text.slice(1, -1))
  const lines = text
    .slice(3, -3)
    .replace(/^[^\n]*\n/, '')
    .split('\n')
  const indents = lines.filter((line) => line.trim()).map((line) => line.search(/\S/))
  const indent = indents.reduce((least, one) => Math.min(least, one), Infinity)
  return unescapeText(lines.map((line) => line.slice(indent)).join('\n'))
}

const lowerString: Lowering = (node) => textAt(stringOf(node), node)

const lowerName: Lowering = (node, draft) => {
  const name = nameOf(node)
  if (name === undefined) return draft.lower(node.childForFieldName('object')) && undefined
  const method = /Method\.([A-Z]+)$/.exec(name)?.[1]
  return method ? textAt(method, node) : draft.name(name, node)
}

const lowerTernary: Lowering = (node, draft) => {
  draft.lower(node.childForFieldName('condition'))
  const options = [node.childForFieldName('consequence'), node.childForFieldName('alternative')]
  return { kind: 'either', options: options.map((one) => draft.lower(one)), place: placeOf(node) }
}

const lowerItems: Lowering = (node, draft) => {
  const items: Expression[] = node.namedChildren.map((item) => draft.lower(item))
  return { kind: 'list', items, place: placeOf(node) }
}

const lowerInner: Lowering = (node, draft) => draft.lower(node.namedChild(0))

const lowerValue: Lowering = (node, draft) => draft.lower(node.childForFieldName('value'))

/** Lowerings of values other than calls and constructions. */
export const VALUES: readonly (readonly [string, Lowering])[] = [
  ['string_literal', lowerString],
  ['identifier', lowerName],
  ['this', lowerName],
  ['field_access', lowerName],
  ['binary_expression', lowerBinary],
  ['ternary_expression', lowerTernary],
  ['parenthesized_expression', lowerInner],
  ['cast_expression', lowerValue],
  ['array_creation_expression', lowerValue],
  ['array_initializer', lowerItems],
]
