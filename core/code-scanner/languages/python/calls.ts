import {
  eitherOf,
  memberOf,
  plainText,
  type RoleTable,
  roleOf,
  TIDIES_URL,
  withSeparator,
} from '../../lowering/built-texts.ts'
import type { Draft, Lowering } from '../../lowering/draft.ts'
import { type GivenArguments, lowerArguments } from '../../lowering/given-arguments.ts'
import { placeOf } from '../../lowering/lowered.ts'
import type { Expression } from '../../model/program.ts'
import type { SyntaxNode } from '../../model/syntax.ts'
import { nameOf } from './values.ts'

/** Calls whose texts are for people, browsers or tests. */
const ROLES: RoleTable = [
  [/(?:Error|Exception|Warning|Fault|Http404|HTTPException)$/, 'error'],
  [/(?:^|\.)(?:abort|fail|sys\.exit|exit|pytest\.\w+|assert\w*|parametrize|raises)$/, 'error'],
  [/\.(?:startswith|endswith|find|index|count)$|(?:^|\.)(?:isinstance|hasattr)$/, 'error'],
  [/^re\.\w+$|(?:^|\.)(?:re_path|RegexValidator)$/, 'documentation'],
  [
    /(?:^|\.)(?:\w*log(?:ger|ging)?|LOG(?:GER)?|app\.logger|_logger|console|messages|echo)\.\w+$/,
    'documentation',
  ],
  [
    /(?:^|\.)(?:print|pprint|echo|secho|warn|warn_explicit|gettext\w*|ugettext\w*|_|write_?line|stdout\.write|stderr\.write|markdown|mark_safe)$/,
    'documentation',
  ],
  [/(?:^|\.)(?:setup|add_argument|ArgumentParser|add_parser|option|FastAPI)$/, 'documentation'],
  [/^(?:responses|respx|httpretty|requests_mock|respx_mock|httpx_mock|rsps)\.\w+$/, 'error'],
  [/^(?:mock\.|mocker\.)?patch(?:\.\w+)?$/, 'error'],
  [
    /(?:^|\.)(?:webbrowser\.\w+|open_new_tab|openUrl|startfile|redirect|HttpResponseRedirect|RedirectResponse|format_html)$/,
    'link',
  ],
  [/(?:^|\.)(?:Embed|InlineKeyboardButton|set_(?:thumbnail|author|image|footer))$/, 'link'],
]

/** Keyword arguments that hold texts for people. */
const PROSE =
  /^(?:help|help_text|description|epilog|verbose_name|label|placeholder|doc|docs?_url|homepage|long_description|terms_of_service|footer|docstring)$/

/** Calls that give back their first argument as far as a URL goes. */
const SAME =
  /^(?:str|yarl\.URL|URL|furl|furl\.furl|httpx\.URL|AnyHttpUrl|HttpUrl|AnyUrl|SecretStr|Secret|cast|typing\.cast|deepcopy|(?:\w+\.)*(?:urlparse|urlsplit|urldefrag|url_normalize|parse_url|format_url))$/

/** Methods of a text that leave a URL what it is. */
const SAME_RECEIVER =
  /^(?:strip|rstrip|lstrip|encode|decode|lower|replace|removesuffix|removeprefix|geturl|human_repr|copy|unicode_string|get_secret_value)$/

/** Joins of URLs and paths. */
const JOINS =
  /^(?:(?:\w+\.)*(?:urljoin|url_path_join|join_url|urljoin_\w+)|(?:os\.path|path|posixpath)\.join)$/

/** Readers of the environment or of settings, by name, the fall-back second. */
const READERS =
  /^(?:os\.(?:getenv|environ\.(?:get|setdefault|pop))|getenv|environ\.get|(?:\w+\.)*(?:env|config|decouple\.config|Env)(?:\.(?:str|url|get|value))?|get_?env\w*|get_setting|(?:\w+\.)*getattr)$/

/** Receivers whose `get` reads a member: not a client, however much it looks like one. */
const MAPPING =
  /(?:environ|config|configuration|settings|setting|conf|cfg|kwargs|options|opts|params|args|data|env|secrets|headers|extra|kw|credentials|creds|entry|payload|context|attrs|URLS|ENDPOINTS|HOSTS)$/i

/** Tables of addresses, whose `get` gives one of them. */
const TABLES = /(?:urls|uris|hosts|endpoints|apis|bases|servers)$/i

/** Declarations of fields that name a default. */
const FIELDS =
  /^(?:pydantic\.|dataclasses\.|attr\.|attrs\.|models\.|serializers\.|fields\.|click\.|typer\.|sa\.|db\.)?(?:Field|field|ib|attrib|URLField|CharField|TextField|Column|Option|Argument|Param|Attr|Setting)$/

/** Calls that call what they are given, with the arguments after it. */
const CALLERS =
  /(?:^|\.)(?:to_thread|submit|partial|run_in_threadpool|spawn|map|apply_async|retry_call|call_with_retry|sync_to_async|run_sync|defer|deferToThread|start_soon)$/

/** A call, or what it gives when it is one that makes texts. */
export const lowerCall: Lowering = (node, draft) => {
  const target = node.childForFieldName('function')
  const list = node.childForFieldName('arguments')
  if (!target || !list) return draft.children(node)
  const attribute = target.type === 'attribute' ? target.childForFieldName('attribute') : null
  const name = nameOf(target)
  const callee = target.type === 'subscript' ? undefined : name
  const shown = callee ?? `.${attribute?.text ?? ''}`
  const role = roleOf(shown, ROLES)
  if (role) {
    for (const one of list.namedChildren) {
      draft.statement(one?.type === 'keyword_argument' ? one.childForFieldName('value') : one, role)
    }
    if (callee === undefined) draft.statement(target.childForFieldName('object'))
    return undefined
  }
  const chosen = target.type === 'call' ? chosenMethod(target, draft) : undefined
  if (chosen) return callChosen(chosen, { list, draft })
  const receiver = attribute ? draft.lower(target.childForFieldName('object')) : undefined
  if (!attribute && callee === undefined) draft.lower(target)
  const { args, named } = readArguments(list, draft)
  const made = makeText(shown, { receiver, args, named, node })
  if (made) return made
  const place = placeOf(attribute ?? target)
  const option = attribute?.text === 'setopt' && args[0]?.kind === 'name' ? args[0] : undefined
  if (option) {
    // pycurl: an option of a handle as a call on it, `c.setopt(c.URL, x)` as `pycurl.URL(x)`.
    const callee = `pycurl.${option.name.slice(option.name.lastIndexOf('.') + 1)}`
    return draft.call({ callee, receiver, args: args.slice(1), named, place })
  }
  callGiven(shown, { args, named, draft })
  return draft.call({ callee: shown, receiver, args, named, place })
}

/** What `getattr(client, method)` gives: a method of the client that is chosen later. */
function chosenMethod(
  target: SyntaxNode,
  draft: Draft,
): readonly [client: Expression, method: Expression] | undefined {
  if (target.childForFieldName('function')?.text !== 'getattr') return undefined
  const [client, method] = target.childForFieldName('arguments')?.namedChildren ?? []
  if (!client || !method || nameOf(client) === undefined) return undefined
  return [draft.lower(client), draft.lower(method)]
}

function callChosen(
  [client, method]: readonly [client: Expression, method: Expression],
  { list, draft }: { readonly list: SyntaxNode; readonly draft: Draft },
): Expression {
  const { args, named } = readArguments(list, draft)
  const owner = client.kind === 'name' ? client.name : ''
  return draft.call({
    callee: `${owner}.request`,
    receiver: client,
    args: [method, ...args],
    named,
    place: client.place,
  })
}

function readArguments(list: SyntaxNode, draft: Draft): GivenArguments {
  // `get(x for x in y)` has its generator in place of the list.
  return lowerArguments(list.type === 'argument_list' ? list.namedChildren : [list], {
    draft,
    nameOf: (one) =>
      one.type === 'keyword_argument' ? (one.childForFieldName('name')?.text ?? '') : undefined,
    spread: 'dictionary_splat',
    prose: PROSE,
  })
}

function makeText(
  callee: string,
  given: GivenArguments & { readonly receiver: Expression | undefined; readonly node: SyntaxNode },
): Expression | undefined {
  const { receiver, args, named, node } = given
  const [first, second] = args
  const method = callee.slice(callee.lastIndexOf('.') + 1)
  if (method === 'format' && receiver) {
    return { kind: 'format', format: receiver, values: args, named, place: receiver.place }
  }
  if (method === 'format_map' && receiver && first?.kind === 'record') {
    const place = receiver.place
    return { kind: 'format', format: receiver, values: [], named: first.entries, place }
  }
  if (JOINS.test(callee)) return { kind: 'path', parts: args, place: first?.place ?? placeOf(node) }
  if (method === 'join' && receiver && first) {
    const separator = plainText(receiver)
    if (separator !== undefined) return withSeparator(first, separator)
  }
  if (method === 'joinpath' && receiver) {
    return { kind: 'path', parts: [receiver, ...args], place: receiver.place }
  }
  const base = named.base_url ?? named.url
  if (FIELDS.test(callee)) return named.default ?? named.server_default ?? first
  if (READERS.test(callee) && isKey(first ?? base)) return readBy(callee, given)
  if (/^(?:get|pop|setdefault)$/.test(method) && receiver && isMapping(receiver, given)) {
    const member = memberOf(receiver, plainText(first) ?? '')
    return eitherOf([member, ...(second ? [second] : [])])
  }
  if (method === 'get' && receiver?.kind === 'name' && TABLES.test(receiver.name)) {
    return eitherOf([memberOf(receiver, '*'), ...(second ? [second] : [])])
  }
  if (callee === 'dict' && args.length === 0) {
    return { kind: 'record', entries: named, place: placeOf(node) }
  }
  if ((SAME.test(callee) || TIDIES_URL.test(callee)) && (first ?? base))
    return callee.endsWith('cast') ? second : (first ?? base)
  if (receiver && SAME_RECEIVER.test(method)) return receiver
  return undefined
}

function isKey(value: Expression | undefined): boolean {
  return plainText(value) !== undefined || value?.kind === 'name'
}

/** `getenv("X", "https://…")`: the fall-back, or what else the environment says. */
function readBy(callee: string, { args, named }: GivenArguments): Expression | undefined {
  const fallback =
    named.default ?? named.fallback ?? (callee.endsWith('getattr') ? args[2] : args[1])
  const key = plainText(callee.endsWith('getattr') ? args[1] : args[0])
  const place = args[0]?.place
  if (!place || key === undefined) return fallback
  const owner = callee.endsWith('getattr') ? args[0] : undefined
  const read: Expression =
    owner && owner.kind === 'name'
      ? memberOf(owner, key)
      : { kind: 'name', name: `os.environ.${key}`, place }
  return eitherOf([read, ...(fallback ? [fallback] : [])])
}

/** Whether `x.get(key)` reads a member rather than sending a request. */
function isMapping(
  receiver: Expression,
  { args, named }: GivenArguments & { readonly receiver: Expression | undefined },
): boolean {
  const key = plainText(args[0])
  if (key === undefined || /[/:]/.test(key) || Object.keys(named).length > 0) return false
  return receiver.kind === 'record' || (receiver.kind === 'name' && MAPPING.test(receiver.name))
}

/** `submit(requests.get, url)` calls `requests.get(url)`. */
function callGiven(
  callee: string,
  { args, named, draft }: GivenArguments & { readonly draft: Draft },
): void {
  const isLater = callee.endsWith('run_in_executor')
  const [called, ...rest] = isLater ? args.slice(1) : args
  if (!(isLater || CALLERS.test(callee)) || called?.kind !== 'name') return
  const at = called.name.lastIndexOf('.')
  draft.call({
    callee: called.name,
    receiver: at < 0 ? undefined : { ...called, name: called.name.slice(0, at) },
    args: rest,
    named,
    place: called.place,
  })
}
