import type { Draft, Lowering } from '../lowering/draft.ts'
import type { Effect } from '../lowering/effects.ts'
import { trailingLambdas } from '../lowering/lambdas.ts'
import { placeOf, unknownAt } from '../lowering/lowered.ts'
import { keepImplementation } from '../lowering/registrations.ts'
import { urlBuilders } from '../lowering/url-builders.ts'
import type { SyntaxNode } from '../model/syntax.ts'

/** `"key" to value` is a record. */
export const lowerPair: Lowering = (node, draft) => {
  const [key, operator, value] = node.namedChildren
  if (operator?.text !== 'to' || !key || !value) return draft.children(node)
  const name = key.text.replaceAll('"', '')
  return { kind: 'record', entries: { [name]: draft.lower(value) }, place: placeOf(node) }
}

export const LAMBDAS = trailingLambdas({
  call: 'call_expression',
  lambda: '<call_suffix>/<annotated_lambda>/<lambda_literal>',
  parameters: '<lambda_parameters>',
  statements: '<statements>',
  implicit: 'it',
  returnsResult: '*.{lazy,run,let,with,runCatching,withContext,runBlocking,async,use}',
  passesReceiver: '.{let,also,takeIf,use}',
  requests: `
    .{get,post,put,patch,delete,head,request,prepareGet,preparePost,prepareRequest} *.defaultRequest
    *.{url,HttpRequestBuilder,URLBuilder,buildUrl} .{takeFrom,Builder}`,
})

const buildUrl = urlBuilders({
  begin: 'new:{HttpUrl.Builder,Uri.Builder,URLBuilder}',
  hosts: 'host authority encodedAuthority',
  paths:
    'path appendPath appendEncodedPath addPathSegment{,s} addEncodedPathSegment{,s} encodedPath',
})

/** Effects of lambdas and URL builders. */
export const buildValue: Effect = (made, draft) => {
  const { method, node } = made
  // An item of a list.
  if (method === 'get' && /^\(\d+\)$/.test(node.namedChildren.at(-1)?.text ?? ''))
    return unknownAt(node)
  keepImplementation(made, draft)
  return LAMBDAS.effect(made, draft) ?? buildUrl(made, draft)
}

/** Members of objects are static. */
export function modifiersOf(node: SyntaxNode): readonly string[] {
  let at = node.parent
  while (at && !/^(?:companion_object|(?:class|object)_declaration|function_body)$/.test(at.type)) {
    at = at.parent
  }
  return at?.type.includes('object') ? ['static'] : []
}

/** Also exports extension functions as members of their classes: `HttpClient.fetch`. */
export const withExtension =
  (lower: Lowering): Lowering =>
  (node, draft) => {
    bindExtension(node, draft)
    return lower(node, draft)
  }

function bindExtension(node: SyntaxNode, draft: Draft): void {
  const { namedChildren } = node
  const at = namedChildren.findIndex((child) => child?.type === 'simple_identifier')
  const name = namedChildren[at]
  const receiver = at > 0 ? namedChildren[at - 1] : null
  if (!name || receiver?.type !== 'user_type') return
  const type = receiver.text.replace(/<.*/s, '')
  const place = placeOf(name)
  const value = { kind: 'name', name: name.text, place } as const
  draft.bind({ name: `${type}.${name.text}`, value, kind: 'constant', isExported: true, place })
}

/**
 * Rewrites strings that interpolate after several `$` to plain ones, which the grammar reads: in
 * `$$"$a/$$b"` only `b` is a name. Lines stay.
 */
export function plainStrings(text: string): string {
  return text.replace(MULTI_DOLLAR, (_, dollars: string, quoted: string) => {
    const isName = (run: string) => run.length >= dollars.length
    const plain = quoted.replace(/\$+(?=[\w{`])/g, (run) =>
      isName(run) ? '$' : '_'.repeat(run.length),
    )
    return ' '.repeat(dollars.length) + plain
  })
}

const MULTI_DOLLAR = /(\${2,9})("""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*")/g

/** The sibling at a distance. */
export function besideOf(node: SyntaxNode, distance: number): SyntaxNode | null {
  const siblings = node.parent?.namedChildren ?? []
  return siblings[siblings.findIndex((sibling) => sibling?.id === node.id) + distance] ?? null
}
