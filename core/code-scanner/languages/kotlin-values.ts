import type { Lowering } from '../lowering/draft.ts'
import type { Effect } from '../lowering/effects.ts'
import { trailingLambdas } from '../lowering/lambdas.ts'
import { placeOf, unknownAt } from '../lowering/lowered.ts'
import { partOf } from '../lowering/names.ts'
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

/** An item of a list. */
const itemOf: Effect = ({ method, node }) =>
  method === 'get' && /^\(\d+\)$/.test(partOf(node, -1)?.text ?? '') ? unknownAt(node) : undefined

/** Members of objects are static. */
export function modifiersOf(node: SyntaxNode): readonly string[] {
  let at = node.parent
  while (at && !/^(?:companion_object|(?:class|object)_declaration|function_body)$/.test(at.type)) {
    at = at.parent
  }
  return at?.type.includes('object') ? ['static'] : []
}

/** Effects of any call. */
export const effects = [itemOf, keepImplementation, LAMBDAS.effect, buildUrl]

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
export function besideOf({ id, parent }: SyntaxNode, distance: number): SyntaxNode | null {
  const at = parent?.namedChildren.findIndex((sibling) => sibling.id === id) ?? 0
  return parent?.namedChildren[at + distance] ?? null
}
