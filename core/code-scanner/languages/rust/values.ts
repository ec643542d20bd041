import type { Draft, Lowering } from '../../lowering/draft.ts'
import { placeOf, textAt, unescapeText } from '../../lowering/lowered.ts'
import { lowerBinary } from '../../lowering/lowerings.ts'
import type { Expression } from '../../model/program.ts'
import type { SyntaxNode } from '../../model/syntax.ts'

/** Name with dots of a path, a chain of fields, or the own instance; `Self` is the type's name. */
export function nameOf(node: SyntaxNode, draft: Draft): string | undefined {
  switch (node.type) {
    case 'identifier':
    case 'type_identifier':
    case 'crate':
    case 'super':
      return node.text === 'Self' ? (draft.self ?? 'Self') : node.text
    case 'self':
      return 'this'
    case 'generic_type':
      return joinNames([node.childForFieldName('type')], draft)
    case 'scoped_identifier':
    case 'scoped_type_identifier':
      return joinNames([node.childForFieldName('path'), node.childForFieldName('name')], draft)
    case 'field_expression': {
      const left = joinNames([node.childForFieldName('value')], draft)
      const field = node.childForFieldName('field')?.text
      return left === undefined ? undefined : `${left}.${field ?? ''}`
    }
    case 'reference_expression':
    case 'parenthesized_expression':
    case 'unary_expression':
      return joinNames([node.namedChildren.at(-1) ?? null], draft)
    default:
      return undefined
  }
}

function joinNames(nodes: readonly (SyntaxNode | null)[], draft: Draft): string | undefined {
  const names: string[] = []
  for (const node of nodes) {
    if (!node) continue
    const name = nameOf(node, draft)
    if (name === undefined) return undefined
    names.push(name)
  }
  return names.join('.')
}

/** The text of a literal, with or without escapes. */
export function stringOf(literal: string): string {
  const raw = /^[bc]?r(#*)"([\s\S]*)"\1$/.exec(literal)
  if (raw) return raw[2] ?? ''
  // A backslash at a line's end swallows the white space that follows.
  const inner = literal.replace(/^[bc]?"/, '').replace(/"$/, '')
  return unescapeText(inner.replaceAll(/\\\r?\n\s*/g, ''))
}

/** Whether a node at the end of a block is its value. */
export function isValueType(type: string): boolean {
  return (
    /(?:_expression|_literal|^identifier|^scoped_identifier|^self|^macro_invocation|^block|async_block|unsafe_block)$/.test(
      type,
    ) && !/^(?:expression_statement|for_expression|while_expression|loop_expression)$/.test(type)
  )
}

const lowerName: Lowering = (node, draft) => {
  const name = nameOf(node, draft)
  if (name === undefined) {
    return (
      draft.lower(node.childForFieldName('value') ?? node.childForFieldName('path')) && undefined
    )
  }
  const method = /(?:^|\.)Method\.([A-Z]+)$/.exec(name)?.[1]
  return method ? textAt(method, node) : draft.name(name, node)
}

/** `C { a: b, c }`: a construction whose fields are keyword arguments, and fields of its type. */
const lowerStructure: Lowering = (node, draft) => {
  const type = node.childForFieldName('name')
  const name = (type ? nameOf(type, draft) : undefined) ?? ''
  const named: Record<string, Expression> = {}
  for (const field of node.childForFieldName('body')?.namedChildren ?? []) {
    if (field?.type === 'field_initializer') {
      const key = field.childForFieldName('field')?.text ?? ''
      named[key] = draft.lower(field.childForFieldName('value'))
    } else if (field?.type === 'shorthand_field_initializer') {
      named[field.text] = draft.name(field.text, field)
    } else draft.statement(field)
  }
  if (draft.hasClass(name)) {
    const scope = draft.classScope(name)
    for (const [key, value] of Object.entries(named)) {
      if (value.kind === 'unknown') continue
      const field = { name: `this.${key}`, kind: 'field' as const, isExported: false, of: scope }
      draft.bind({ ...field, value, place: value.place })
    }
  }
  const callee = `new ${draft.imported(name) ?? name}`
  return draft.call({ callee, receiver: undefined, args: [], named, place: placeOf(node) })
}

const lowerItems: Lowering = (node, draft) => {
  const items = node.namedChildren.map((item) => draft.lower(item))
  return { kind: 'list', items, place: placeOf(node) }
}

const lowerInner: Lowering = (node, draft) => draft.lower(node.namedChildren.at(-1) ?? null)

const lowerFirst: Lowering = (node, draft) => draft.lower(node.namedChild(0))

const lowerValue: Lowering = (node, draft) => draft.lower(node.childForFieldName('value'))

/** Lowerings of values other than calls. */
export const VALUES: readonly (readonly [string, Lowering])[] = [
  ['identifier', lowerName],
  ['self', lowerName],
  ['scoped_identifier', lowerName],
  ['field_expression', lowerName],
  ['struct_expression', lowerStructure],
  ['binary_expression', lowerBinary],
  ['array_expression', lowerItems],
  ['tuple_expression', lowerItems],
  ['reference_expression', lowerValue],
  ['type_cast_expression', lowerValue],
  ['let_condition', lowerValue],
  ['unary_expression', lowerInner],
  ['parenthesized_expression', lowerInner],
  ['async_block', lowerInner],
  ['unsafe_block', lowerInner],
  ['try_expression', lowerFirst],
  ['await_expression', lowerFirst],
]
