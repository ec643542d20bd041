import {
  eitherOf,
  plainText,
  type RoleTable,
  roleOf,
  TIDIES_URL,
  withSeparator,
} from '../../lowering/built-texts.ts'
import type { Draft, Lowering } from '../../lowering/draft.ts'
import { type GivenArguments, lowerArguments } from '../../lowering/given-arguments.ts'
import { holdsText, placeOf } from '../../lowering/lowered.ts'
import type { Expression } from '../../model/program.ts'
import type { SyntaxNode } from '../../model/syntax.ts'
import { lowerBlock, pathOfBlock } from './blocks.ts'
import { declare } from './declarations.ts'
import { keyOf, nameOf } from './values.ts'

/** Calls whose texts are for people, browsers or tests. */
const ROLES: RoleTable = [
  [
    /^(?:raise|fail|abort|exit|expect|assert\w*|stub_request|a_request|describe|it|context|let!?|skip|pending|visit|eq|eql|match|contain_exactly|start_with|be_\w+|have_\w+|match_array)$/,
    'error',
  ],
  [/(?:Error|Exception)\.(?:new|exception)$/, 'error'],
  [
    /\.(?:start_with\?|end_with\?|include\?|match\??|eq|eql|to|not_to|start_with|stub_request)$/,
    'error',
  ],
  [
    /^(?:puts|print|p|pp|warn|desc|long_desc|say|banner|homepage|ohai|opoo|odie|summary|description|printf|task)$/,
    'documentation',
  ],
  [
    /(?:^|\.)(?:logger|log|Logger|LOGGER|ui|shell|stdout|stderr|\$stdout|\$stderr)\.\w+$|\.(?:puts|banner|description|summary|homepage|metadata|separator|logger)$/,
    'documentation',
  ],
  [/^(?:gem|source|git_source|git|url|mirror|head|livecheck|sha256)$/, 'documentation'],
  [
    /(?:^|\.)(?:Launchy\.open|redirect_to|redirect|link_to|link_to_if|link_to_unless|image_tag|button_to|javascript_include_tag|stylesheet_link_tag|content_tag|tag|favicon_link_tag|autolink|mail_to)$/,
    'link',
  ],
]

/** Keyword arguments that hold texts for people. */
const PROSE =
  /^(?:desc|description|help|message|summary|banner|homepage|documentation|label|title|placeholder|hint)$/

/** Calls that give back their first argument as far as a URL goes. */
const SAME =
  /^(?:Kernel\.)?(?:URI|String|Addressable\.URI\.(?:parse|encode|heuristic_parse)|URI\.(?:parse|encode|escape|HTTPS?)|CGI\.unescape|Pathname)$|^(?:Pathname|Addressable\.URI)\.new$/

/** Methods of a text or URL that leave a URL what it is. */
const SAME_RECEIVER =
  /^(?:freeze|dup|to_s|to_str|strip|chomp|squish|html_safe|presence|host|hostname|request_uri|normalize|downcase|delete_suffix|sub|gsub|tr|to_sym|with_indifferent_access|symbolize_keys|squiggly|origin|clone|itself|encode|force_encoding|strip_heredoc)$/

/** Joins of URLs and paths. */
const JOINS = /^(?:URI\.join|File\.join|Addressable\.URI\.join|URL\.join|Pathname\.join)$/

/** A call, or what it gives when it is one that makes texts. */
export const lowerCall: Lowering = (node, draft) => {
  const method = node.childForFieldName('method')
  const receiverNode = node.childForFieldName('receiver')
  const list = node.childForFieldName('arguments')
  const left = receiverNode ? ownerOf(receiverNode) : undefined
  const name = method?.text ?? 'call'
  const callee = !receiverNode ? name : left === undefined ? `.${name}` : `${left}.${name}`
  const place = placeOf(method ?? node)
  const role = roleOf(callee, ROLES)
  if (role) {
    if (left === undefined) draft.statement(receiverNode)
    if (list) draft.children(list, role)
    return lowerBlock(node, { made: undefined, draft })
  }
  const reader = nameOf(node)
  const receiver = receiverNode ? draft.lower(receiverNode) : undefined
  if (receiver && (SAME_RECEIVER.test(name) || (name === 'path' && /ur[il]$/i.test(left ?? '')))) {
    if (list) draft.children(list, 'error')
    return receiver
  }
  const given = withVerb(callee, { given: readArguments(list, draft), place })
  const made = makeText(callee, { ...given, receiver, node, draft })
  if (made) return made
  if (reader !== undefined && !isMaker(name)) return draft.name(reader, node)
  if (!receiverNode && declare(name, { ...given, node, draft })) return undefined
  if (/\.(?:send|public_send|__send__)$/.test(callee) && receiver) {
    const sent = callee.slice(0, callee.lastIndexOf('.'))
    return sendTo(sent, { ...given, receiver, place, draft })
  }
  const path = given.args.length === 0 ? pathOfBlock(node) : undefined
  const args = path ? [draft.lower(path)] : given.args
  const call = isOwnRequest(callee, args)
    ? draft.call({ ...given, callee: `this.${name}`, receiver: ownAt(node), args, place })
    : draft.call({ ...given, callee, receiver, args, place })
  lowerBlock(node, { made: call, draft })
  return call
}

/** `Foo.new`, `http.get` without arguments are calls; other names without arguments are readers. */
function isMaker(name: string): boolean {
  return /^(?:new|get|post|put|patch|delete|head|call|execute|perform|run|open|create|build|instance|start|default)$/.test(
    name,
  )
}

function ownerOf(receiver: SyntaxNode): string | undefined {
  return receiver.type === 'call' && isMaker(receiver.childForFieldName('method')?.text ?? '')
    ? undefined
    : nameOf(receiver)
}

function readArguments(list: SyntaxNode | null, draft: Draft): GivenArguments {
  const given = list?.namedChildren ?? []
  return lowerArguments(
    given.filter((one) => one?.type !== 'heredoc_body'),
    {
      draft,
      nameOf: (one) =>
        one.type === 'pair' ? (keyOf(one.childForFieldName('key')) ?? '') : undefined,
      spread: 'hash_splat_argument',
      prose: PROSE,
    },
  )
}

function makeText(
  callee: string,
  given: GivenArguments & {
    readonly receiver: Expression | undefined
    readonly node: SyntaxNode
    readonly draft: Draft
  },
): Expression | undefined {
  const { receiver, args, named, node, draft } = given
  const [first, second] = args
  const place = first?.place ?? placeOf(node)
  if (/^(?:Kernel\.)?(?:format|sprintf)$/.test(callee) && first) {
    return { kind: 'format', format: first, values: args.slice(1), named, place }
  }
  if (JOINS.test(callee)) return { kind: 'path', parts: args, place }
  if (callee.endsWith('.join') && receiver) {
    // `base.join('x')` of a URI, `[a, b].join('/')` of a list.
    if (receiver.kind === 'list') return withSeparator(receiver, plainText(first) ?? '')
    return first ? { kind: 'path', parts: [receiver, first], place: receiver.place } : receiver
  }
  if (/\.(?:concat|\+)$/.test(callee) && receiver && first) {
    return { kind: 'join', parts: [receiver, ...args], place: receiver.place }
  }
  if (
    /^URI\.?(?:HTTPS?)\.build$|^URI\.HTTPS?$|^Addressable\.URI\.new$/.test(callee) &&
    named.host
  ) {
    return urlOf(named)
  }
  if ((SAME.test(callee) || TIDIES_URL.test(callee)) && first) return first
  if (callee === 'ENV.fetch' || callee === 'ENV.[]') {
    const fallback = second ?? blockValue(node, draft)
    return fallback ?? undefined
  }
  if (/\.(?:fetch|dig)$/.test(callee) && receiver && first && !isRequest(args)) {
    return readBy(given)
  }
  if (/(?:options|opts|params|config|hash|args)\.delete$/.test(callee) && first)
    return readBy(given)
  if (/^\.(?:open|read)$/.test(callee) && receiver && holdsText(receiver)) {
    // `URI(url).open`, whose URI is its text.
    return draft.call({ callee: 'URI.open', receiver, args: [receiver], named, place })
  }
  if (/(?:^|\.)Net\.HTTP\.(?:get|get_response|get_print)$/.test(callee) && second) {
    const whole: Expression = { kind: 'path', parts: [first ?? second, second], place }
    return draft.call({ callee, receiver, args: [whole], named, place: placeOf(node) })
  }
  return undefined
}

/** Whether `fetch` is given a URL or a method of HTTP rather than a key. */
function isRequest([first, second]: readonly Expression[]): boolean {
  const head = first?.kind === 'join' ? first.parts[0] : first
  return (
    /^https?:\/\//.test(plainText(head) ?? '') ||
    /^(?:get|post|put|patch|delete)$/i.test(plainText(second) ?? '')
  )
}

/** `{ host:, path: }` as a URL. */
function urlOf(parts: Readonly<Record<string, Expression>>): Expression | undefined {
  const { host, path, scheme } = parts
  if (!host) return undefined
  const mark: Expression = { kind: 'text', text: '://', place: host.place }
  const first = scheme ?? { kind: 'text', text: 'https', place: host.place }
  const origin: Expression = { kind: 'join', parts: [first, mark, host], place: host.place }
  return path ? { kind: 'path', parts: [origin, path], place: host.place } : origin
}

/** `options.fetch(:url, 'https://…')`: the member, or the fall-back. */
function readBy({
  receiver,
  args,
  node,
  draft,
}: GivenArguments & {
  readonly receiver: Expression | undefined
  readonly node: SyntaxNode
  readonly draft: Draft
}): Expression | undefined {
  if (receiver?.kind !== 'name') return undefined
  const isDig = node.childForFieldName('method')?.text === 'dig'
  const keys = (isDig ? args : args.slice(0, 1)).map((one) => plainText(one) ?? '*')
  if (keys.includes('*') && receiver.name === 'ENV') return undefined
  const member: Expression = { ...receiver, name: [receiver.name, ...keys].join('.') }
  const fallback = isDig ? undefined : (args[1] ?? blockValue(node, draft))
  return eitherOf([member, ...(fallback ? [fallback] : [])])
}

/** `ENV.fetch('X') { 'https://…' }`: what the block gives. */
function blockValue(node: SyntaxNode, draft: Draft): Expression | undefined {
  const body = node.childForFieldName('block')?.childForFieldName('body')
  const last = body?.namedChildren.at(-1)
  return last ? draft.lower(last) : undefined
}

/** `client.send(:get, url)` is `client.get(url)`; with a method that is not known, a request. */
function sendTo(
  owner: string,
  given: GivenArguments & {
    readonly receiver: Expression
    readonly place: ReturnType<typeof placeOf>
    readonly draft: Draft
  },
): Expression {
  const { args, named, receiver, place, draft } = given
  const method = plainText(args[0])
  return method === undefined
    ? draft.call({ callee: `${owner}.send`, receiver, args, named, place })
    : draft.call({ callee: `${owner}.${method}`, receiver, args: args.slice(1), named, place })
}

/** `get '/x'` is called on the class itself, as HTTParty's classes do. */
function isOwnRequest(callee: string, args: readonly Expression[]): boolean {
  return args.length > 0 && /^(?:get|post|put|patch|delete|head|options)$/.test(callee)
}

function ownAt(node: SyntaxNode): Expression {
  return { kind: 'name', name: 'this', place: placeOf(node) }
}

/** The method that a request object is made for: `Net::HTTP::Post.new` as `verb: 'post'`. */
function withVerb(
  callee: string,
  { given, place }: { readonly given: GivenArguments; readonly place: ReturnType<typeof placeOf> },
): GivenArguments {
  const verb = /(?:^|\.)Net\.HTTP\.([A-Z]\w+)\.new$/.exec(callee)?.[1]
  if (verb === undefined) return given
  return {
    ...given,
    named: { ...given.named, verb: { kind: 'text', text: verb.toLowerCase(), place } },
  }
}
