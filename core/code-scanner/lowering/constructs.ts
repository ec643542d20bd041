import type { Expression, TextRole } from '../model/program.ts'
import type { SyntaxNode } from '../model/syntax.ts'
import { anyOf, eitherOf, isOtherEnvironment, mergeRecords } from './built-texts.ts'
import { giveRole } from './calls.ts'
import { bindTo } from './definitions.ts'
import type { Draft, Lowering } from './draft.ts'
import {
  isExtra,
  joinOf,
  operandsOf,
  placeOf,
  textAt,
  unknownAt,
  wholeText,
  withoutExtras,
} from './lowered.ts'
import { type Part, partOf } from './names.ts'

/** Nodes without calls and URLs. */
export const skip: Lowering = () => undefined

/** Nodes whose strings share a role: comparisons, assertions. */
export function texts(role: TextRole): Lowering {
  return (node, draft) => draft.children(node, role)
}

/** The value of one child, by default the first; `type` is a stated type, whose instance goes first. */
export function inner(part?: Part, type?: Part): Lowering {
  return (node, draft) => {
    const first = () => node.namedChildren.find((child) => !isExtra(child)) ?? null
    const value = draft.lower(part === undefined ? first() : partOf(node, part))
    return type === undefined ? value : (draft.typed(partOf(node, type)) ?? value)
  }
}

/** An unknown value; calls in a part of it count. */
export function unknown(part: Part): Lowering {
  return (node, draft) => void draft.lower(partOf(node, part))
}

/** A string without interpolation. */
export function text(read: (node: SyntaxNode) => string): Lowering {
  return (node) => textAt(read(node), node)
}

/**
 * A string with interpolation. `content` lists the nodes of literal text. `values` maps the nodes
 * of values to the part with the value; `others` means that all other children are values.
 */
export interface TemplateShape {
  readonly content: string
  readonly values:
    | 'others'
    | Readonly<Record<string, Part | ((child: SyntaxNode) => SyntaxNode | null)>>
  /** Returns the text of a content node without escapes. */
  readonly read: (child: SyntaxNode, node: SyntaxNode) => string
}

export function template(how: TemplateShape): Lowering {
  const content = new Set(how.content.split(' '))
  return (node, draft) => {
    const parts = node.namedChildren.flatMap((child): readonly Expression[] => {
      if (content.has(child.type)) return [textAt(how.read(child, node), child)]
      if (how.values === 'others') return [draft.lower(child)]
      const part = how.values[child.type]
      if (part === undefined) return []
      return [draft.lower(typeof part === 'function' ? part(child) : partOf(child, part))]
    })
    return wholeText(parts, node)
  }
}

/** Reads keys: numbers, and strings without interpolation. */
export function literalKey(
  types: string,
  how: TemplateShape,
): (node: SyntaxNode) => string | undefined {
  const content = new Set(how.content.split(' '))
  const strings = new Set(types.split(' '))
  return (node) => {
    if (/^\d+$/.test(node.text)) return node.text
    const { values } = how
    const isValue = ({ type }: SyntaxNode) =>
      values === 'others' ? !content.has(type) : type in values
    if (!strings.has(node.type) || node.namedChildren.some(isValue)) return undefined
    const parts = node.namedChildren.filter(({ type }) => content.has(type))
    return parts.map((part) => how.read(part, node)).join('')
  }
}

/** Joins adjacent strings. */
export const adjacent: Lowering = (node, draft) => {
  const whole = joinOf(itemsOf(node, draft))
  return whole?.kind === 'join' ? wholeText(whole.parts, node) : whole
}

/**
 * A name or a chain of members; without a name, its object is lowered. `verb` matches the method in
 * constants: `http.MethodPost`.
 */
export function name(how: { readonly verb?: RegExp } = {}): Lowering {
  return (node, draft) => {
    const full = draft.nameOf(node)
    if (full === undefined) {
      draft.lower(draft.rules.memberOf(node)?.object ?? node.namedChild(0))
      return undefined
    }
    const verb = how.verb?.exec(full)?.[1]
    return verb ? textAt(verb.toUpperCase(), node) : draft.name(full, node)
  }
}

/**
 * `urls["eu"]`: a name, or any of the values if the key is unknown. With `keyOf`, an index into the
 * result of a call is a call too: `RestClient::Resource.new(url)['path']`.
 */
export function element(
  object: Part,
  key: Part,
  keyOf?: (node: SyntaxNode) => string | undefined,
): Lowering {
  return (node, draft) => {
    const full = draft.nameOf(node)
    if (full !== undefined) return draft.name(full, node)
    const value = draft.lower(partOf(node, object))
    const index = partOf(node, key)
    if (keyOf && index && value.kind === 'call') {
      const args = [textAt(keyOf(index) ?? '{}', index)]
      return draft.call({ callee: '.[]', receiver: value, args, named: {}, place: placeOf(node) })
    }
    draft.statement(index, 'error')
    return anyOf(value)
  }
}

/** Operators by effect; other operators compare, and compared strings are not called. */
export interface Operators {
  readonly join?: string
  readonly path?: string
  readonly either?: string
  readonly last?: string
  readonly format?: string
  /** Operators that merge records, and are arithmetic for other values. */
  readonly merge?: string
}

/** An operator with operands in `left` and `right`. */
export function binary(operators: Operators): Lowering {
  const effects = new Map(
    Object.entries(operators).flatMap(([effect, marks]) =>
      marks.split(' ').map((mark: string) => [mark, effect] as const),
    ),
  )
  return (node, draft) => {
    const operator = node.childForFieldName('operator')?.text ?? ''
    const effect = effects.get(operator)
    if (effect === undefined) return draft.children(node, 'error')
    const operands = operandsOf(node, operator).map((operand) => draft.lower(operand))
    const [first, second] = operands
    if (!first || !second) return first
    if (effect === 'join') return joinOf(operands)
    if (effect === 'path') return { kind: 'path', parts: operands, place: first.place }
    if (effect === 'last') return operands.at(-1)
    if (effect === 'merge') return mergeRecords(operands)
    if (effect === 'either') {
      return eitherOf(
        operands.flatMap((operand) => (operand.kind === 'either' ? operand.options : [operand])),
      )
    }
    const values = second.kind === 'list' ? second.items : second.kind === 'record' ? [] : [second]
    const named = second.kind === 'record' ? second.entries : {}
    return { kind: 'format', format: first, values, named, place: first.place }
  }
}

/** `condition ? yes : no`; without `yes`, the condition is the first alternative. */
export function conditional(condition: Part, yes: Part, no: Part): Lowering {
  return (node, draft) => {
    const test = partOf(node, condition)
    const first = partOf(node, yes)
    if (first) draft.statement(test, 'error')
    const options = [draft.lower(first ?? test), draft.lower(partOf(node, no))]
    return eitherOf(first && isOtherEnvironment(test) ? options.reverse() : options)
  }
}

/** A list of values. */
export const list: Lowering = (node, draft) => ({
  kind: 'list',
  items: itemsOf(node, draft),
  place: placeOf(node),
})

function itemsOf(node: SyntaxNode, draft: Draft): readonly Expression[] {
  return withoutExtras(node.namedChildren).map((item) => draft.lower(item))
}

/** Pairs of a record, by node type. */
export interface RecordShape {
  readonly pairs: Readonly<Record<string, { readonly key: Part; readonly value: Part }>>
  /** Nodes that spread another record. */
  readonly spread?: string
  /** Returns the text of a key; undefined for computed keys. */
  readonly keyOf?: (node: SyntaxNode) => string | undefined
}

/** A record of pairs, or a list if there are only items. Texts for people are left out. */
export function record(shape: RecordShape): Lowering {
  return (node, draft) => readRecord(node, { shape, draft })
}

function readRecord(
  node: SyntaxNode,
  { shape, draft }: { readonly shape: RecordShape; readonly draft: Draft },
): Expression {
  const entries: Record<string, Expression> = {}
  const items: Expression[] = []
  for (const child of withoutExtras(node.namedChildren)) {
    const pair = shape.pairs[child.type]
    if (child.type === shape.spread) {
      entries['...'] = draft.lower(child.namedChild(0))
    } else if (pair) {
      const key = partOf(child, pair.key)
      const value = partOf(child, pair.value)
      if (!value && child.type !== 'pair') {
        items.push(draft.lower(key))
        continue
      }
      const known = key && shape.keyOf?.(key)
      if (known === undefined && shape.keyOf) draft.statement(key)
      const name = known ?? key?.text.slice(0, MAX_KEY) ?? ''
      // `{ url: }` is `{ url: url }`.
      const lowered = value ? draft.lower(value) : draft.name(name, child)
      if (draft.rules.isProse(name)) draft.loose(lowered, 'documentation')
      else entries[name] = lowered
    } else {
      items.push(draft.lower(child))
    }
  }
  const place = placeOf(node)
  const isList = items.length > 0 && Object.keys(entries).length === 0
  return isList ? { kind: 'list', items, place } : { kind: 'record', entries, place }
}

/** Characters of a key that are stored at most. */
const MAX_KEY = 80

/** A thrown error, whose strings are not called. `args` is the part with its arguments. */
export function throws(made: string, args: Part): Lowering {
  const types = new Set(made.split(' '))
  return (node, draft) => {
    for (const child of node.namedChildren) {
      const list = types.has(child.type) ? partOf(child, args) : null
      if (list) giveRole(list, { role: 'error', draft })
      else draft.statement(child, 'error')
    }
    return undefined
  }
}

/** Statements in order; leaves out those after an attribute that matches. */
export function statementsUnless(attribute: string, skips: RegExp): Lowering {
  return (node, draft) => {
    let isSkipped = false
    for (const child of node.namedChildren) {
      if (child.type === attribute) isSkipped ||= skips.test(child.text)
      else {
        if (!isSkipped) draft.statement(child)
        isSkipped = false
      }
    }
    return undefined
  }
}

/**
 * A switch or match: the value of any arm. `within` is the part with the arms. A pattern with a name
 * names the matched value: `match url { Ok(url) => url }`.
 */
export function choice(arm: string, value: Part, within?: Part): Lowering {
  const arms = new Set(arm.split(' '))
  return (node, draft) => {
    const options: Expression[] = []
    const body = within === undefined ? node : partOf(node, within)
    const others = body === node ? [] : node.namedChildren.filter(({ id }) => id !== body?.id)
    const matched = node.childForFieldName('value')
    const full = draft.nameOf(matched)
    for (const child of [...others, ...(body?.namedChildren ?? [])]) {
      const pattern = child.childForFieldName('pattern')
      if (matched && full !== undefined && draft.nameOf(pattern) !== undefined) {
        bindTo(pattern, { value: draft.name(full, matched), draft })
      }
      if (arms.has(child.type)) options.push(draft.lower(partOf(child, value)))
      else draft.statement(child, 'error')
    }
    return eitherOf(options) ?? unknownAt(node)
  }
}
