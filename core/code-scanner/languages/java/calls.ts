import type { Draft, Lowering } from '../../lowering/draft.ts'
import { placeOf } from '../../lowering/lowered.ts'
import type { Expression, TextRole } from '../../model/program.ts'
import type { SyntaxNode } from '../../model/syntax.ts'
import { makeText, wrapText } from './texts.ts'
import { nameOf } from './values.ts'

/** Calls whose texts are for people or browsers, by callee. */
const ROLES: readonly (readonly [RegExp, TextRole])[] = [
  [/^(?:log|logger|LOG|LOGGER|_?log\w*|Log|Timber|Logger)\.\w+$/, 'documentation'],
  [/(?:^|\.)(?:log|logger|LOG|LOGGER)\.\w+$/, 'documentation'],
  [/^System\.(?:out|err)\.\w+$/, 'documentation'],
  [/^(?:Assert|Assertions|Preconditions|Validate|Objects\.requireNonNull)(?:\.\w+)?$/, 'error'],
  [/^(?:assert\w*|check\w*|require\w*|fail|expect)$/, 'error'],
  [/\.(?:browse|launchUrl|showDocument|openURL|openUrl|openWebpage|openLink)$/, 'link'],
  [/^(?:browse|openURL|openUrl|openWebpage|openLink|openBrowser|startActivity)$/, 'link'],
]

/** A call of a method, or what it gives when it is one of those that make texts. */
export const lowerInvocation: Lowering = (node, draft) => {
  const object = node.childForFieldName('object')
  const method = node.childForFieldName('name')?.text ?? ''
  const owner = object ? nameOf(object) : undefined
  const callee = owner === undefined ? (object ? `.${method}` : method) : `${owner}.${method}`
  const given = argumentsOf(node)
  const role = ROLES.find(([pattern]) => pattern.test(callee))?.[1]
  if (role) {
    for (const argument of given) draft.statement(argument, role)
    return object ? draft.statement(object) : undefined
  }
  const receiver = object ? draft.lower(object) : undefined
  const args = given.map((argument) => draft.lower(argument))
  if (method === 'append' && receiver?.kind === 'name' && args[0]) {
    const value: Expression = { kind: 'join', parts: [receiver, args[0]], place: args[0].place }
    draft.assign({ name: receiver.name, value, place: receiver.place })
    return receiver
  }
  if (changeUrl({ method, receiver, value: args[0] }, draft)) return receiver
  const made = makeText({ callee, method, receiver, args, node })
  if (made) return made
  const place = placeOf(node.childForFieldName('name') ?? node)
  return draft.call({ callee, receiver, args, named: {}, place })
}

/** `builder.setHost("…")`, `url.addPathSegment("…")`: the variable has another value from here on. */
function changeUrl(
  given: {
    readonly method: string
    readonly receiver: Expression | undefined
    readonly value: Expression | undefined
  },
  draft: Draft,
): boolean {
  const { method, receiver, value } = given
  if (receiver?.kind !== 'name' || !value || !CHANGES.test(method)) return false
  const before = draft.localValue(receiver.name)
  if (!before || !isUrlLike(before)) return false
  const { place } = value
  const scheme: Expression = { kind: 'text', text: 'https://', place }
  const changed: Expression = /host|authority/i.test(method)
    ? { kind: 'join', parts: [scheme, value], place }
    : { kind: 'path', parts: [receiver, value], place }
  draft.assign({ name: receiver.name, value: changed, place: receiver.place })
  return true
}

/** Methods of builders of URLs that change them. */
const CHANGES =
  /^(?:setHost|host|authority|encodedAuthority|setPath|addPathSegments?|addEncodedPathSegments?|appendPath|appendEncodedPath|pathSegment)$/

function isUrlLike(value: Expression): boolean {
  if (value.kind !== 'call') return /^(?:text|join|format|path|either)$/.test(value.kind)
  return /^new (?:HttpUrl\.Builder|URIBuilder|Uri\.Builder)$/.test(value.call.callee)
}

/** `new X(…)`. */
export const lowerCreation: Lowering = (node, draft) => {
  const type = node.childForFieldName('type')
  const name = type?.text.replace(/<.*$/s, '') ?? ''
  const given = argumentsOf(node)
  const body = node.namedChildren.find((child) => child?.type === 'class_body')
  const role = /(?:Exception|Error)$/.test(name) ? 'error' : name === 'Intent' ? 'link' : undefined
  if (role) {
    for (const argument of given) draft.statement(argument, role)
    return undefined
  }
  const args = given.map((argument) => draft.lower(argument))
  if (body) draft.within({ kind: 'class', name: '' }, () => draft.children(body))
  return (
    wrapText(name, args) ??
    draft.call({
      callee: `new ${name}`,
      receiver: undefined,
      args,
      named: {},
      place: placeOf(node),
    })
  )
}

/** `throw new X("…")`: the texts of what is thrown are an error's. */
export const lowerThrow: Lowering = (node, draft) => {
  const value = node.namedChild(0)
  if (value?.type !== 'object_creation_expression') return draft.statement(value, 'error')
  for (const argument of argumentsOf(value)) draft.statement(argument, 'error')
  return undefined
}

function argumentsOf(node: SyntaxNode): readonly SyntaxNode[] {
  const list = node.childForFieldName('arguments')?.namedChildren ?? []
  return list.filter(
    (argument) => argument !== null && !argument.type.endsWith('comment'),
  ) as SyntaxNode[]
}
