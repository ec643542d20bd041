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
import type { GivenArguments } from '../../lowering/given-arguments.ts'
import { placeOf } from '../../lowering/lowered.ts'
import type { Expression } from '../../model/program.ts'
import type { SyntaxNode } from '../../model/syntax.ts'
import { nameOf } from './values.ts'

/** Calls whose texts are for people, browsers or tests. */
const ROLES: RoleTable = [
  [
    /^(?:die|exit|trigger_error|wp_die|abort|error_log|assert|user_error)$|(?:^|[.])assert\w*$/,
    'error',
  ],
  [
    /^(?:strpos|stripos|str_starts_with|str_contains|str_ends_with|preg_match\w*|strncmp|in_array|strcmp)$/,
    'error',
  ],
  [/(?:Exception|Error)$/, 'error'],
  [
    /^(?:__|_e|_x|_n|esc_html\w*|esc_attr\w*|printf|print_r|var_dump|syslog|info|logger|trans|dump|dd|_deprecated_\w+|_doing_it_wrong|echo)$/,
    'documentation',
  ],
  [
    /(?:^|\.)(?:Log|log|logger|Logger|io|output|console)\.\w+$|\.(?:writeln|setHelp|setDescription|addOption|addArgument|helperText|hint|label|description|info|warn|comment|line|debug|notice)$/,
    'documentation',
  ],
  [
    /^(?:redirect|wp_redirect|wp_safe_redirect|header|esc_url|wp_enqueue_\w+|wp_register_\w+|setcookie|link_to|url|anchor|add_query_var|load_theme_textdomain|register_post_type|add_menu_page)$|(?:^|\.)(?:redirect|away|Redirect\.\w+|suffixAction|openUrlInNewTab)$|^new (?:\w+\.)*RedirectResponse$/,
    'link',
  ],
  [
    /^(?:Http\.(?:fake|assert\w*)|\w*[mM]ock\w*\.\w+|\.(?:with|willReturn|shouldReceive|expects))$/,
    'error',
  ],
]

/** Calls that give back their first argument as far as a URL goes. */
const SAME =
  /^(?:trim|rtrim|ltrim|strtolower|untrailingslashit|trailingslashit|esc_url_raw|esc_url|strval|parse_url|str_replace_url|filter_var|utf8_encode|stripslashes|html_entity_decode|urldecode|wp_http_validate_url|apply_filters|(?:[\w.]*\.)?createUri|new (?:\w+\.)*Uri|(?:\w+\.)*(?:Uri|Url|Str)\.(?:new|create|of|fromString|finish|parse|start))$/

/** Methods of a text or URL that leave a URL what it is. */
const SAME_RECEIVER = /^(?:__toString|toString|trim|rtrim|finish|withQuery|value|toText)$/

/** Readers of the environment or of settings, by name, the fall-back second. */
const READERS =
  /^(?:env|getenv|config|get_option|Config\.get|(?:\w+\.)*(?:Env|env)\.(?:get|string)|get_site_option|setting|variable_get|Setting\.get|Yii\.\w+)$|(?:^|\.)(?:config|settings|options|params|parameterBag|scopeConfig)\.(?:get|getValue|getParameter)$/

/** Calls, by node type. */
export const CALLS: readonly (readonly [string, Lowering])[] = [
  ['function_call_expression', (node, draft) => lowerCall(node, draft)],
  ['member_call_expression', (node, draft) => lowerCall(node, draft)],
  ['nullsafe_member_call_expression', (node, draft) => lowerCall(node, draft)],
  ['scoped_call_expression', (node, draft) => lowerCall(node, draft)],
  ['object_creation_expression', (node, draft) => lowerCall(node, draft)],
]

function lowerCall(node: SyntaxNode, draft: Draft): Expression | undefined {
  const list =
    node.childForFieldName('arguments') ??
    node.namedChildren.find((child) => child?.type === 'arguments') ??
    null
  const { callee, owner, place } = calleeOf(node)
  if (callee === undefined) return draft.children(node)
  const role = roleOf(callee, ROLES)
  if (role) {
    if (owner && nameOf(owner) === undefined) draft.statement(owner)
    return list ? draft.children(list, role) : undefined
  }
  const receiver = owner ? draft.lower(owner) : undefined
  const given = lowerArguments(list, draft)
  const chosen = node.childForFieldName('name')
  const isChosen = chosen?.type === 'variable_name'
  const args = isChosen ? [draft.lower(chosen), ...given.args] : given.args
  const { named } = given
  const made = makeText(callee, { receiver, args, named, draft })
  if (made) return made
  if (/^curl_setopt(?:_array)?$/.test(callee)) return setOptions(args, { list, place, draft })
  if (callee === 'define' || callee === 'Yii.setAlias') define(args, draft)
  const isContext = callee === 'stream_context_create' && args[0]
  const whole = isContext ? [memberOf(isContext, 'http')] : args
  return draft.call({ callee, receiver, args: whole, named, place })
}

/** What is called and on what; plain functions of a namespace by their last name. */
function calleeOf(node: SyntaxNode): {
  readonly callee: string | undefined
  readonly owner: SyntaxNode | undefined
  readonly place: ReturnType<typeof placeOf>
} {
  const name = node.childForFieldName('name')
  if (node.type === 'object_creation_expression') {
    const type = node.namedChildren.find((child) => /name$/.test(child?.type ?? ''))
    const callee = type ? nameOf(type) : undefined
    return { callee: callee && `new ${callee}`, owner: undefined, place: placeOf(node) }
  }
  const called = node.childForFieldName('function')
  if (called) {
    const callee = nameOf(called)?.replace(/^.*\./, '')
    return { callee, owner: undefined, place: placeOf(called) }
  }
  const owner = node.childForFieldName('object') ?? node.childForFieldName('scope') ?? undefined
  const left = owner ? nameOf(owner) : undefined
  // `$client->$method($url)`: a method that is chosen later.
  const method = name?.type === 'name' ? name.text : 'request'
  return {
    callee: left === undefined ? `.${method}` : `${left}.${method}`,
    owner,
    place: placeOf(name ?? node),
  }
}

function lowerArguments(list: SyntaxNode | null, draft: Draft): GivenArguments {
  const args: Expression[] = []
  const named: Record<string, Expression> = {}
  for (const one of list?.namedChildren ?? []) {
    if (one?.type !== 'argument') continue
    const name = one.childForFieldName('name')?.text
    const value = draft.lower(one.namedChildren.at(-1) ?? null)
    if (name === undefined) args.push(value)
    else named[name] = value
  }
  return { args, named }
}

function makeText(
  callee: string,
  given: GivenArguments & { readonly receiver: Expression | undefined; readonly draft: Draft },
): Expression | undefined {
  const { receiver, args, named, draft } = given
  const [first, second, third] = args
  if (!first) {
    return receiver && SAME_RECEIVER.test(callee.slice(callee.lastIndexOf('.') + 1))
      ? receiver
      : undefined
  }
  const { place } = first
  if (/^v?sprintf$/.test(callee)) {
    const given = callee === 'vsprintf' && second?.kind === 'list' ? second.items : args.slice(1)
    return { kind: 'format', format: first, values: given, named: {}, place }
  }
  if (/^(?:implode|join)$/.test(callee) && second) {
    return withSeparator(second, plainText(first) ?? '')
  }
  if (/^(?:strtr|str_replace|preg_replace)$/.test(callee)) {
    return callee === 'strtr' ? first : third
  }
  if (callee === 'add_query_arg') return third ?? (second?.kind === 'unknown' ? undefined : second)
  if (READERS.test(callee)) return readBy(callee, { args, draft })
  if (SAME.test(callee) || TIDIES_URL.test(callee))
    return /^apply_filters$/.test(callee) ? second : (named.uri ?? first)
  if (receiver && SAME_RECEIVER.test(callee.slice(callee.lastIndexOf('.') + 1))) return receiver
  return undefined
}

/** `env('X', 'https://…')`: the fall-back; `config('services.x.url')`: `x.url` of that file. */
function readBy(
  callee: string,
  { args, draft }: { readonly args: readonly Expression[]; readonly draft: Draft },
): Expression | undefined {
  const [key, fallback] = args
  const name = plainText(key)
  const file = name?.split('.', 1)[0]
  if (!key || !file || !/(?:^|\.)config(?:\.get)?$/i.test(callee)) return fallback
  const { place } = key
  draft.import({ module: `config/${file}`, local: `config.${file}`, imported: '*', place })
  const read: Expression = { kind: 'name', name: `config.${name}`, place }
  return eitherOf([read, ...(fallback ? [fallback] : [])])
}

/** Options of a curl handle as calls on it: `ch.CURLOPT_URL(url)` as `curl_setopt.CURLOPT_URL`. */
function setOptions(
  args: readonly Expression[],
  given: {
    readonly list: SyntaxNode | null
    readonly place: ReturnType<typeof placeOf>
    readonly draft: Draft
  },
): undefined {
  const [receiver, option, value] = args
  const options: readonly (readonly [string, Expression])[] =
    option?.kind === 'record'
      ? Object.entries(option.entries)
      : option?.kind === 'name' && value
        ? [[option.name, value]]
        : []
  const off = findOff(given.list)
  for (const [name, one] of options) {
    if (off.has(one.place.index)) continue
    if (!/^CURLOPT_(?:URL|POST|POSTFIELDS|CUSTOMREQUEST|PUT|UPLOAD|NOBODY|HTTPGET)$/.test(name)) {
      continue
    }
    given.draft.call({
      callee: `curl_setopt.${name}`,
      receiver,
      args: [one],
      named: {},
      place: name === 'CURLOPT_URL' && option?.kind === 'record' ? one.place : given.place,
    })
  }
  return undefined
}

/** Where options of a curl handle are switched off. */
function findOff(list: SyntaxNode | null): ReadonlySet<number> {
  const values = (list?.namedChildren ?? []).flatMap((argument) => {
    const value = argument?.namedChildren.at(-1)
    return value?.type === 'array_creation_expression'
      ? value.namedChildren.map((item) => item?.namedChildren.at(-1))
      : [value]
  })
  return new Set(
    values.flatMap((value) =>
      value && /^(?:false|null|0)$/i.test(value.text) ? [placeOf(value).index] : [],
    ),
  )
}

function define([name, value]: readonly Expression[], draft: Draft): void {
  const text = plainText(name)
  if (text === undefined || !value) return
  draft.bind({
    name: text,
    value,
    kind: 'constant',
    isExported: true,
    place: value.place,
    scope: 0,
  })
}
