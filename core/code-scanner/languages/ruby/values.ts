import { anyOf, eitherOf, withoutLineEnds } from '../../lowering/built-texts.ts'
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
 * Name with dots of a variable, a constant, a reader without arguments or an element by a symbol or
 * text; undefined for what has none. `@x`, `@@x` and `self.x` are `this.x`, `A::B` is `A.B`.
 */
export function nameOf(node: SyntaxNode, depth = 0): string | undefined {
  if (depth > MAX_NAMES) return undefined
  switch (node.type) {
    case 'identifier':
    case 'constant':
    case 'global_variable':
      return node.text
    case 'self':
      return 'this'
    case 'instance_variable':
    case 'class_variable':
      return `this.${node.text.replace(/^@+/, '')}`
    case 'scope_resolution':
      return dotted(node.childForFieldName('scope'), {
        name: node.childForFieldName('name')?.text,
        depth,
      })
    case 'element_reference':
      return dotted(node.childForFieldName('object'), { name: keyOf(node.namedChild(1)), depth })
    case 'call':
      return readerOf(node, depth)
    default:
      return undefined
  }
}

function readerOf(node: SyntaxNode, depth: number): string | undefined {
  if (node.childForFieldName('arguments') || node.childForFieldName('block')) return undefined
  const method = node.childForFieldName('method')?.text
  const receiver = node.childForFieldName('receiver')
  if (!receiver) return undefined
  // `self.class.x` reads what the class has, as `self.x` what the instance has.
  return method === 'class'
    ? nameOf(receiver, depth + 1)
    : dotted(receiver, { name: method, depth })
}

function dotted(
  left: SyntaxNode | null,
  right: { readonly name: string | undefined; readonly depth: number },
): string | undefined {
  if (!left || right.name === undefined) return left ? undefined : right.name
  const name = nameOf(left, right.depth + 1)
  return name === undefined ? undefined : `${name}.${right.name}`
}

/** Most names that dots part; longer ones are not followed. */
const MAX_NAMES = 50

/** A symbol, plain text or number as a key. */
export function keyOf(node: SyntaxNode | null): string | undefined {
  if (!node) return undefined
  if (/^(?:integer|hash_key_symbol)$/.test(node.type)) return node.text
  if (node.type === 'simple_symbol') return node.text.slice(1)
  if (node.type !== 'string') return undefined
  return node.namedChildren.every((part) => part?.type === 'string_content')
    ? node.namedChildren.map((part) => part?.text ?? '').join('')
    : undefined
}

/** Texts and what is interpolated in them. */
function partsOf(node: SyntaxNode, draft: Draft, isRaw = false): readonly Expression[] {
  return node.namedChildren.flatMap((part) => {
    if (!part || part.type === 'heredoc_end') return []
    if (part.type !== 'interpolation') {
      return [textAt(isRaw ? part.text : unescapeText(part.text), part)]
    }
    const [value] = part.namedChildren
    return [value ? draft.lower(value) : unknownAt(part)]
  })
}

const lowerString: Lowering = (node, draft) => {
  const parts = partsOf(node, draft, node.text.startsWith("'"))
  const value = joinOf(parts)
  return value
    ? { ...value, place: parts.length === 1 ? value.place : placeOf(node) }
    : textAt('', node)
}

/** Lowers heredocs of a text: the first beginning has the first body, the next the next. */
export function heredocsOf(root: SyntaxNode): Lowering {
  const bodies = root.descendantsOfType('heredoc_body')
  const begins = root.descendantsOfType('heredoc_beginning')
  const bodyOf = new Map(begins.map((begin, index) => [begin?.id, bodies[index]]))
  return (node, draft) => {
    const body = bodyOf.get(node.id)
    return body ? (joinOf(partsOf(body, draft).map(trimmed)) ?? textAt('', node)) : undefined
  }
}

/** Without the line breaks and indentation around it. */
function trimmed(part: Expression): Expression {
  return part.kind === 'text' ? { ...part, text: withoutLineEnds(part.text) } : part
}

const lowerStrings: Lowering = (node, draft) =>
  joinOf(node.namedChildren.flatMap((part) => (part ? [draft.lower(part)] : [])))

const lowerSymbol: Lowering = (node) => textAt(node.text.slice(1), node)

const lowerName: Lowering = (node, draft) => {
  const name = nameOf(node)
  return name === undefined ? undefined : draft.name(name, node)
}

const lowerElement: Lowering = (node, draft) => {
  const [object, key] = node.namedChildren
  const name = nameOf(node)
  if (name !== undefined) return draft.name(name, node)
  const value = draft.lower(object ?? null)
  draft.lower(key ?? null)
  // `RestClient::Resource.new(url)['path']` is below the URL.
  if (value.kind !== 'call') return anyOf(value)
  const args = key ? [textAt(keyOf(key) ?? '{}', key)] : []
  return draft.call({ callee: '.[]', receiver: value, args, named: {}, place: placeOf(node) })
}

const lowerBinary: Lowering = (node, draft) => {
  const operator = node.childForFieldName('operator')?.text ?? ''
  if (operator === '+') return joinOf(operandsOf(node, '+').map((one) => draft.lower(one)))
  const left = draft.lower(node.childForFieldName('left'))
  const right = draft.lower(node.childForFieldName('right'))
  if (operator === '||' || operator === 'or') return eitherOf([left, right])
  if (operator === '&&' || operator === 'and') return right
  if (operator === '/') return { kind: 'path', parts: [left, right], place: left.place }
  if (operator === '<<') return appended(node, { left, right, draft })
  if (operator === '%') {
    return {
      kind: 'format',
      format: left,
      values: right.kind === 'list' ? right.items : right.kind === 'record' ? [] : [right],
      named: right.kind === 'record' ? right.entries : {},
      place: left.place,
    }
  }
  draft.loose(left, 'error')
  return draft.loose(right, 'error')
}

/** `url << '/x'` gives the name a longer value. */
function appended(
  node: SyntaxNode,
  given: { readonly left: Expression; readonly right: Expression; readonly draft: Draft },
): undefined {
  const { left, right, draft } = given
  const target = node.childForFieldName('left')
  const name = target ? nameOf(target) : undefined
  if (!target || name === undefined) return draft.loose(right, 'other')
  return draft.bind({
    name,
    value: { kind: 'join', parts: [left, right], place: right.place },
    kind: 'variable',
    isExported: false,
    place: placeOf(target),
  })
}

const lowerConditional: Lowering = (node, draft) => {
  draft.statement(node.childForFieldName('condition'), 'error')
  return eitherOf([
    draft.lower(node.childForFieldName('consequence')),
    draft.lower(node.childForFieldName('alternative')),
  ])
}

/** The values of all branches: `case`, `begin`, `then`. */
const lowerBranches: Lowering = (node, draft) => {
  const options: Expression[] = []
  const value = node.childForFieldName('value')
  for (const child of node.namedChildren) {
    if (!child || child.type === 'comment' || child.type === 'heredoc_body') continue
    if (child.id === value?.id || child.type === 'pattern') draft.statement(child, 'error')
    else options.push(draft.lower(child))
  }
  if (node.type === 'case' || node.type === 'begin') return eitherOf(options)
  for (const option of options.slice(0, -1)) draft.loose(option, 'other')
  return options.at(-1)
}

const lowerHash: Lowering = (node, draft) => {
  const entries: Record<string, Expression> = {}
  for (const pair of node.namedChildren) {
    if (pair?.type === 'hash_splat_argument') entries['...'] = draft.lower(pair.namedChild(0))
    if (pair?.type !== 'pair') continue
    const key = pair.childForFieldName('key')
    const name = keyOf(key)
    if (name === undefined) draft.statement(key)
    entries[name ?? `${key?.text.slice(0, 80)}`] = draft.lower(pair.childForFieldName('value'))
  }
  return { kind: 'record', entries, place: placeOf(node) }
}

const lowerInner: Lowering = (node, draft) => draft.lower(node.namedChild(0))

/** Commands in backticks are the shell's. */
const lowerCommand: Lowering = (node, draft) => {
  const value = joinOf(partsOf(node, draft))
  return value ? draft.loose(value, 'other') : undefined
}

const lowerPattern: Lowering = (node, draft) => {
  partsOf(node, draft)
  return undefined
}

/** Lowerings of values other than calls. */
export const VALUES: readonly (readonly [string, Lowering])[] = [
  ['string', lowerString],
  ['bare_string', lowerString],
  ['delimited_symbol', lowerString],
  ['chained_string', lowerStrings],
  ['simple_symbol', lowerSymbol],
  ['hash_key_symbol', (node) => textAt(node.text, node)],
  ['subshell', lowerCommand],
  ['regex', lowerPattern],
  ['identifier', lowerName],
  ['constant', lowerName],
  ['instance_variable', lowerName],
  ['class_variable', lowerName],
  ['global_variable', lowerName],
  ['self', lowerName],
  ['scope_resolution', lowerName],
  ['element_reference', lowerElement],
  ['binary', lowerBinary],
  ['conditional', lowerConditional],
  ['case', lowerBranches],
  ['when', lowerBranches],
  ['else', lowerBranches],
  ['then', lowerBranches],
  ['begin', lowerBranches],
  ['hash', lowerHash],
  ['array', lowerList],
  ['string_array', lowerList],
  ['right_assignment_list', lowerList],
  ['parenthesized_statements', lowerInner],
  ['unary', lowerInner],
  ['splat_argument', lowerInner],
  ['block_argument', lowerInner],
]
