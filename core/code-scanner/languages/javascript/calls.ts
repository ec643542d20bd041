import { memberOf } from '../../lowering/built-texts.ts'
import type { Draft, Lowering } from '../../lowering/draft.ts'
import { placeOf, textAt, typedValue, unknownAt } from '../../lowering/lowered.ts'
import type { Call, Expression } from '../../model/program.ts'
import type { SyntaxNode } from '../../model/syntax.ts'
import { dottedName, isFunction, unwrap } from './names.ts'
import { lowerTemplate } from './values.ts'

/** Lowerings of calls, constructions and markup, by node type. */
export const CALLS: readonly (readonly [string, Lowering])[] = [
  ['call_expression', lowerCall],
  ['new_expression', lowerNew],
  ['throw_statement', (node, draft) => draft.children(node, 'error')],
  ['jsx_attribute', lowerAttribute],
  ['jsx_expression', (node, draft) => draft.lower(node.namedChild(0))],
]

function lowerCall(node: SyntaxNode, draft: Draft): Expression {
  const called = unwrap(node.childForFieldName('function'))
  const list = node.childForFieldName('arguments')
  if (!called || !list) return unknownAt(node)
  if (called.type === 'import' || called.text === 'require')
    return lowerModule(node, { draft, list })
  const { callee, receiver, place } = calleeOf(called, draft)
  const args =
    list.type === 'template_string' ? [lowerTemplate(list, draft)] : lowerArguments(list, draft)
  const value = draft.call({ callee, receiver, args, named: {}, place })
  if (callee === 'inject' && args[0]?.kind === 'name') {
    return typedValue({ type: args[0].name, node, scope: draft.scope })
  }
  if (list.type === 'template_string') return args[0] ?? value
  return builtText({ callee, receiver, args }, { node, place }) ?? value
}

function lowerNew(node: SyntaxNode, draft: Draft): Expression {
  const made = node.childForFieldName('constructor')
  const list = node.childForFieldName('arguments')
  const name = dottedName(made)
  if (name === undefined) draft.statement(made)
  const args = list ? lowerArguments(list, draft) : []
  const place = made ? placeOf(made) : placeOf(node)
  const callee = `new ${name ?? ''}`
  const value = draft.call({ callee, receiver: undefined, args, named: {}, place })
  const [path, base] = args
  if (callee === 'new URL' && path && base)
    return { kind: 'path', parts: [base, path], place: path.place }
  return value
}

/** Modules are no URLs of APIs. */
function lowerModule(
  node: SyntaxNode,
  { draft, list }: { readonly draft: Draft; readonly list: SyntaxNode },
): Expression {
  const first = list.namedChild(0)
  if (first?.type === 'string') {
    const module = first.text.slice(1, -1)
    draft.import({ module, local: '', imported: '*', place: placeOf(node) })
  } else if (first) {
    draft.statement(first, 'documentation')
  }
  return unknownAt(node)
}

function lowerArguments(list: SyntaxNode, draft: Draft): Expression[] {
  return list.namedChildren
    .filter((child) => child !== null && child.type !== 'comment')
    .map((child) => draft.lower(child))
}

function calleeOf(called: SyntaxNode, draft: Draft): Pick<Call, 'callee' | 'receiver' | 'place'> {
  if (called.type === 'member_expression' || called.type === 'subscript_expression') {
    const object = unwrap(called.childForFieldName('object'))
    const property = called.childForFieldName('property')
    const index = called.childForFieldName('index')
    const name = property?.text ?? (index?.type === 'string' ? index.text.slice(1, -1) : '[]')
    if (index && index.type !== 'string') draft.statement(index)
    const head = dottedName(object)
    const place = placeOf(property ?? called)
    const start = placeOf(called)
    if (head !== undefined && object) {
      const receiver: Expression = { kind: 'name', name: head, place: placeOf(object) }
      return { callee: `${head}.${name.replace(/^#/, '')}`, receiver, place: start }
    }
    return { callee: `.${name}`, receiver: draft.lower(object), place }
  }
  if (isFunction(called)) {
    draft.statement(called)
    return { callee: '', receiver: undefined, place: placeOf(called) }
  }
  const name = dottedName(called)
  if (name === undefined) {
    // What a call gives is called: `createFetch({ … })('/x')`.
    return { callee: '()', receiver: draft.lower(called), place: placeOf(called) }
  }
  return { callee: name, receiver: undefined, place: placeOf(called) }
}

/** The text that a call only puts together. */
function builtText(
  { callee, receiver, args }: Pick<Call, 'callee' | 'receiver' | 'args'>,
  at: { readonly node: SyntaxNode; readonly place: Expression['place'] },
): Expression | undefined {
  const place = receiver?.place ?? args[0]?.place ?? at.place
  const [first, second] = args
  const last = callee.slice(callee.lastIndexOf('.') + 1)
  if (last === 'join' && receiver?.kind === 'list' && first?.kind === 'text') {
    if (first.text === '/') return { kind: 'path', parts: receiver.items, place }
    const separator = textAt(first.text, at.node)
    const parts = receiver.items.flatMap((item, index) =>
      index === 0 ? [item] : [separator, item],
    )
    return { kind: 'join', parts, place }
  }
  if (last === 'concat' && receiver && receiver.kind !== 'list') {
    return { kind: 'join', parts: [receiver, ...args], place }
  }
  if (PATH_JOINERS.test(callee) && args.length > 0) return { kind: 'path', parts: args, place }
  if (/(?:^|\.)(?:withBase|withoutBase)$/.test(callee) && first && second) {
    return { kind: 'path', parts: [second, first], place }
  }
  if (/^(?:url|URL)\.format$/.test(callee) && first) return formattedUrl(first)
  if (/^(?:util\.format|format|sprintf|vsprintf|printf)$/.test(callee) && first) {
    return { kind: 'format', format: first, values: args.slice(1), named: {}, place }
  }
  if (/(?:^|\.)(?:stringifyUrl)$/.test(callee) && first?.kind === 'record') return first.entries.url
  if (
    /(?:^|\.)(?:withQuery|withTrailingSlash|withoutTrailingSlash|addQueryParams?|appendQuery|generatePath)$/.test(
      callee,
    )
  ) {
    return first
  }
  return undefined
}

/** `url.format({ protocol, host, pathname })`, and that of a record with a name. */
function formattedUrl(record: Expression): Expression | undefined {
  if (record.kind !== 'record' && record.kind !== 'name') return undefined
  const { place } = record
  const scheme = memberOf(record, 'protocol')
  const isPlain = scheme.kind === 'text' && /^http:?$/.test(scheme.text)
  const head: Expression = { kind: 'text', text: isPlain ? 'http://' : 'https://', place }
  const options = [memberOf(record, 'host'), memberOf(record, 'hostname')]
  const origin: Expression = {
    kind: 'join',
    parts: [head, { kind: 'either', options, place }],
    place,
  }
  const path = record.kind === 'record' ? record.entries.pathname : undefined
  return path ? { kind: 'path', parts: [origin, path], place } : origin
}

/** Functions that join parts of paths. */
const PATH_JOINERS =
  /^(?:(?:path|posix|path\.posix)\.join|url\.resolve|urlJoin|urljoin|joinURL|joinUrl|joinPaths?|url_join|resolveURL)$/

function lowerAttribute(node: SyntaxNode, draft: Draft): undefined {
  const name = node.namedChild(0)?.text ?? ''
  return draft.statement(node.namedChild(1), LINKS.test(name) ? 'link' : 'other')
}

/** Attributes whose URLs a browser follows, loads or shows. */
const LINKS =
  /^(?:href|src|srcSet|to|xmlns\S*|xlink\S*|poster|cite|content|placeholder|title|alt|label|link|url|image|avatar|icon|logo|background|as|helpText|description)$/
