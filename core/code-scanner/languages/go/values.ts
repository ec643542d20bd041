import type { Draft, Lowering } from '../../lowering/draft.ts'
import { placeOf, textAt, unescapeText, unknownAt } from '../../lowering/lowered.ts'
import { lowerBinary } from '../../lowering/lowerings.ts'
import type { Expression } from '../../model/program.ts'
import type { SyntaxNode } from '../../model/syntax.ts'

/** Name with dots of an identifier or a chain of selectors; a method's own instance is `this`. */
export function nameOf(node: SyntaxNode, draft: Draft): string | undefined {
  if (node.type === 'identifier') return node.text === draft.self ? 'this' : node.text
  if (node.type === 'parenthesized_expression' || node.type === 'unary_expression') {
    const inner = node.namedChild(0)
    return inner ? nameOf(inner, draft) : undefined
  }
  if (node.type !== 'selector_expression') return undefined
  const operand = node.childForFieldName('operand')
  const left = operand ? nameOf(operand, draft) : undefined
  return left === undefined ? undefined : `${left}.${node.childForFieldName('field')?.text ?? ''}`
}

/**
 * A composite literal: a structure is a construction whose fields are keyword arguments, `url.URL`
 * a URL, a map a record, a slice a list.
 */
export const lowerComposite: Lowering = (node, draft) => {
  const type = node.childForFieldName('type')
  const body = node.childForFieldName('body')
  const place = placeOf(node)
  if (type?.type !== 'type_identifier' && type?.type !== 'qualified_type') {
    return lowerElements(body, draft)
  }
  const elements = lowerElements(body, draft)
  const named = elements.kind === 'record' ? elements.entries : {}
  if (type.text === 'url.URL') return joinUrl(named, node)
  const isHere = type.type === 'type_identifier'
  const scope = isHere ? draft.classScope(type.text, { isPart: true }) : undefined
  for (const [name, value] of Object.entries(scope === undefined ? {} : named)) {
    if (value.kind === 'unknown' || scope === undefined) continue
    const field = { name: `this.${name}`, kind: 'field' as const, isExported: false, of: scope }
    draft.bind({ ...field, value, place: value.place })
  }
  return draft.call({
    callee: `new ${type.text}`,
    receiver: undefined,
    args: elements.kind === 'list' ? elements.items : [],
    named,
    place,
  })
}

/** Keys under which texts for people stand: commands, flags, schemas. */
const PROSE = /^(?:Short|Long|Example|Usage|UsageText|Description|Help|Doc|Documentation|Hint)$/

function lowerElements(body: SyntaxNode | null, draft: Draft): Expression {
  if (!body) return draft.lower(body)
  const items: Expression[] = []
  const entries: Record<string, Expression> = {}
  for (const element of body.namedChildren) {
    if (element?.type !== 'keyed_element') {
      if (element && element.type !== 'comment') items.push(draft.lower(element))
      continue
    }
    const key = element.childForFieldName('key')
    const inner = key?.namedChild(0)
    const name = inner?.type.endsWith('string_literal') ? stringOf(inner) : (key?.text ?? '')
    const value = draft.lower(element.childForFieldName('value'))
    if (PROSE.test(name)) draft.loose(value, 'documentation')
    else entries[name] = value
  }
  const place = placeOf(body)
  if (items.length > 0) return { kind: 'list', items, place }
  return { kind: 'record', entries, place }
}

function joinUrl(parts: Readonly<Record<string, Expression>>, node: SyntaxNode): Expression {
  const { Scheme, Host, Path } = parts
  if (!Host) return unknownAt(node)
  const scheme = Scheme ?? { kind: 'text', text: 'https', place: Host.place }
  const mark: Expression = { kind: 'text', text: '://', place: scheme.place }
  const origin: Expression = { kind: 'join', parts: [scheme, mark, Host], place: Host.place }
  return Path ? { kind: 'path', parts: [origin, Path], place: Host.place } : origin
}

function stringOf(node: SyntaxNode): string {
  const inner = node.text.slice(1, -1)
  return node.type === 'interpreted_string_literal' ? unescapeText(inner) : inner
}

const lowerString: Lowering = (node) => textAt(stringOf(node), node)

const lowerName: Lowering = (node, draft) => draft.name(nameOf(node, draft) ?? '', node)

const lowerSelector: Lowering = (node, draft) => {
  const name = nameOf(node, draft)
  if (name === undefined) return draft.children(node)
  const method = /^http\.Method([A-Z]\w+)$/.exec(name)?.[1]
  return method ? textAt(method.toUpperCase(), node) : draft.name(name, node)
}

/** `hosts["eu"]`, and any of them where the key is not known. */
const lowerIndex: Lowering = (node, draft) => {
  const operand = node.childForFieldName('operand')
  const index = node.childForFieldName('index')
  const name = operand ? nameOf(operand, draft) : undefined
  if (!operand || name === undefined) return draft.lower(operand)
  const key = index?.type.endsWith('string_literal') ? stringOf(index) : '*'
  if (key === '*') draft.statement(index)
  return draft.name(`${name}.${/^[\w-]+$/.test(key) ? key : '*'}`, operand)
}

const lowerInner: Lowering = (node, draft) => draft.lower(node.namedChild(0))

const lowerOperand: Lowering = (node, draft) => draft.lower(node.childForFieldName('operand'))

/** Lowerings of values other than calls and constructions. */
export const VALUES: readonly (readonly [string, Lowering])[] = [
  ['interpreted_string_literal', lowerString],
  ['raw_string_literal', lowerString],
  ['identifier', lowerName],
  ['selector_expression', lowerSelector],
  ['binary_expression', lowerBinary],
  ['index_expression', lowerIndex],
  ['parenthesized_expression', lowerInner],
  ['literal_element', lowerInner],
  ['unary_expression', lowerOperand],
  ['type_assertion_expression', lowerOperand],
  ['literal_value', lowerElements],
]
