import { below, isTextLike } from '../lowering/built-texts.ts'
import { assignment, bindTo } from '../lowering/definitions.ts'
import type { Lowering } from '../lowering/draft.ts'
import { type Effect, originOf } from '../lowering/effects.ts'
import { trailingLambdas } from '../lowering/lambdas.ts'
import { joinOf, placeOf, unknownAt } from '../lowering/lowered.ts'
import { partOf } from '../lowering/names.ts'
import type { Expression } from '../model/program.ts'
import type { SyntaxNode } from '../model/syntax.ts'

export const LAMBDAS = trailingLambdas({
  call: 'call_expression',
  lambda: '<call_suffix>/<lambda_literal>',
  parameters: 'type/<lambda_function_type_parameters>',
  statements: '<statements>',
  implicit: '$0',
  returnsResult: '*.{run,withLock,flatMap}',
  passesReceiver: '*.{map,flatMap}',
  requests: '',
})

/** The node after an equals sign that follows a node. */
export function presetAfter(node: SyntaxNode | null): SyntaxNode | null {
  const siblings = node?.parent?.children ?? []
  const at = siblings.findIndex(({ id }) => id === node?.id)
  return siblings[at + 1]?.type === '=' ? (siblings[at + 2] ?? null) : null
}

/** Conditions that may declare names, and the statements after them: `if let url = …`. */
export const lowerConditions: Lowering = (node, draft) => {
  let bound: SyntaxNode | null = null
  for (const child of node.namedChildren) {
    if (child.id === bound?.id || child.type === 'value_binding_pattern') continue
    bound = child.type === 'simple_identifier' ? presetAfter(child) : null
    if (bound) bindTo(child, { value: draft.lower(bound), draft })
    else
      draft.statement(child, /^(?:statements|if_statement)$/.test(child.type) ? 'other' : 'error')
  }
  return undefined
}

export const lowerDictionary: Lowering = (node, draft) => {
  const values = node.childrenForFieldName('value')
  const entries = node.childrenForFieldName('key').map((key, index) => {
    const name = key.text.replaceAll('"', '').slice(0, MAX_KEY)
    return [name, draft.lower(values[index] ?? null)] as const
  })
  return { kind: 'record', entries: Object.fromEntries(entries), place: placeOf(node) }
}

/** Characters of a key that are stored at most. */
const MAX_KEY = 80

/** A link in a text: `addAttribute(.link, value: url)`. */
export function roleOf(callee: string, list: SyntaxNode | null): 'link' | undefined {
  return callee.endsWith('.addAttribute') && list?.text.startsWith('(.link') ? 'link' : undefined
}

const assign = assignment({ left: 'target', right: 'result' })

/** `components.host = "…"` and `components.path = "…"` set parts of a URL. */
export const lowerAssignment: Lowering = (node, draft) => {
  const target = partOf(node, 'target')
  const [, owner, part] = URL_PART.exec(draft.nameOf(target) ?? '') ?? []
  const before = owner === undefined ? undefined : draft.localValue(owner)
  if (!target || owner === undefined || !before || !isUrlValue(before)) return assign(node, draft)
  const value = draft.lower(partOf(node, 'result'))
  const place = placeOf(target)
  const origin = before.kind === 'path' ? (before.parts[0] ?? before) : before
  const path = before.kind === 'call' ? value : { ...below(origin, value), place }
  const whole = part === 'host' ? originOf({ host: value }) : path
  return whole && draft.assign({ name: owner, value: whole, place })
}

const URL_PART = /^(\w+)\.(host|path|percentEncodedPath)$/

/** Whether a value is a string, or a builder of URLs without parts. */
export function isUrlValue(value: Expression): boolean {
  const isBuilder = value.kind === 'call' && value.call.callee === 'new URLComponents'
  return isBuilder || isTextLike(value)
}

const construct: Effect = ({ callee, args, named, node, place }, draft) => {
  const [first] = args
  if (callee === 'super.init') {
    return draft.call({ callee: 'super', args, named, place })
  }
  if (!first || !/^new (?:NSURL|URL|URI|URLComponents|String)$/.test(callee)) return undefined
  if (named.fileURLWithPath) return unknownAt(node)
  if (named.contentsOf) return undefined
  if (named.format) {
    return { kind: 'format', format: first, values: args.slice(1), named: {}, place: first.place }
  }
  if (named.host) return originOf({ scheme: named.scheme, host: named.host, path: named.path })
  return named.relativeTo ? below(named.relativeTo, first) : first
}

/** Methods that append to a string or URL. */
const append: Effect = ({ method, receiver, args: [first], named, place }, draft) => {
  if (!receiver || !first || !/^append/.test(method)) return undefined
  if (named.queryItems) return receiver
  const isPath = /Path/.test(method) || named.path || named.component || named.components
  const value = isPath ? below(receiver, first) : joinOf([receiver, first])
  if (method.startsWith('appending')) return value
  if (!value || receiver.kind !== 'name') return undefined
  const before = draft.localValue(receiver.name)
  if (isPath || (before && isTextLike(before))) {
    draft.assign({ name: receiver.name, value, place })
  }
  return receiver
}

/** Effects of any call: constructors and methods of strings and URLs. */
export const effects = [LAMBDAS.effect, construct, append]
