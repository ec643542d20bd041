import type { Lowering } from '../../lowering/draft.ts'
import { joinOf, placeOf, unknownAt } from '../../lowering/lowered.ts'
import type { Expression, TextRole } from '../../model/program.ts'
import type { SyntaxNode } from '../../model/syntax.ts'
import { keepRegistration } from './registrations.ts'
import { memberOf, nameOf, readArguments } from './values.ts'

/** Calls whose texts are for people or browsers, by callee. */
const ROLES: readonly (readonly [RegExp, TextRole])[] = [
  [/(?:^|\.)_?(?:log|logger|Log|Logger|Console|Debug|Trace|AnsiConsole)\.\w+$/, 'documentation'],
  [/\.(?:Log(?:Information|Warning|Error|Debug|Trace|Critical)?|WriteLine)$/, 'documentation'],
  [/^(?:Assert|Guard|Check|Require|Argument\w*Exception|Xunit\.Assert)\.|\.Should\w*$/, 'error'],
  [/^(?:System\.Diagnostics\.)?Process\.Start$|\.(?:LaunchUriAsync|NavigateTo|OpenUrl)$/, 'link'],
  [/^(?:Launcher|Browser)\.\w+$|^(?:OpenUrl|OpenBrowser|OpenLink)$/, 'link'],
  [/\.With(?:Description|Summary|Url|Footer|Title|ImageUrl|ThumbnailUrl)$/, 'documentation'],
]

/** Functions that give their first argument as far as a URL goes. */
const SAME =
  /^(?:QueryHelpers\.AddQueryString|Url\.Parse|Flurl\.Url\.Parse|UriHelper\.\w+|ArgumentNullException\.\w+|Task\.FromResult|Uri\.(?:UnescapeDataString|EscapeUriString))$/

/** Methods that give back what they are called on. */
const SAME_RECEIVER =
  /^(?:ToString|ConfigureAwait|Trim|TrimEnd|TrimStart|ToLower|ToLowerInvariant|Replace|SetQueryParams?|AppendQueryParam|With(?:Headers?|OAuthBearerToken|BasicAuth|Timeout|Cookies?|AutoRedirect)|Allow\w*HttpStatus|AbsoluteUri|ToUri)$/

/** Methods of builders that go on with a path, and those that leave it what it is. */
const BUILDS_PATH = /^(?:(?:Set|With|Add|Append|Use)?(?:Absolute|Relative)?Path(?:Segments?)?)$/
const KEEPS_PATH =
  /^(?:Build\w*|(?:Set|With|Add|Append)\w*(?:Query|Param|Parameter|Fragment|Port)\w*|ToUriString)$/

/** Builders of URLs, whose own they may be: `new UrlBuilder().SetPath("users").Build()`. */
const URL_BUILDER = /^new (?:\w+\.)*\w*(?:Ur[il]|Endpoint|Route)Builder$/

/** Settings with a fall-back second. */
const FALLBACK =
  /\.(?:GetValue|GetValueOrDefault|GetString|Get|GetSetting)$|^GetEnv\w*$|^Env\w*\.Get\w*$/

/** A call, or what it gives when it is one of those that make texts. */
export const lowerInvocation: Lowering = (node, draft) => {
  const target = node.childForFieldName('function')
  const list = node.childForFieldName('arguments')
  if (!target) return draft.children(node)
  const isMethod = /^(?:member|conditional)_access_expression$/.test(target.type)
  const method = isMethod ? (memberOf(target) ?? '') : (nameOf(target) ?? '')
  const callee = nameOf(target) ?? (isMethod ? `.${method}` : '')
  const role = ROLES.find(([pattern]) => pattern.test(callee))?.[1]
  if (role) {
    for (const argument of list?.namedChildren ?? []) draft.statement(argument, role)
    return undefined
  }
  if (callee === 'nameof') return undefined
  const object = target.childForFieldName('expression') ?? target.childForFieldName('condition')
  const receiver = isMethod && object ? draft.lower(object) : undefined
  const { args, named } = readArguments(list, draft)
  keepRegistration(node, draft)
  const made = makeText({ callee, method, receiver, args, node })
  if (made) return made
  const place = placeOf(target.childForFieldName('name') ?? target.namedChildren.at(-1) ?? target)
  return draft.call({ callee, receiver, args, named, place })
}

/** `new X(…) { … }`; what the initializer sets are keyword arguments. */
export const lowerCreation: Lowering = (node, draft) => {
  const type = node.childForFieldName('type') ?? declaredType(node)
  const name = type?.text.replace(/<.*$/s, '').replace(/\?$/, '') ?? ''
  const list = node.namedChildren.find((child) => child?.type === 'argument_list') ?? null
  const initializer = node.namedChildren.find((child) => child?.type === 'initializer_expression')
  if (/(?:Exception|Error)$/.test(name) || name === 'ProcessStartInfo') {
    const role = name === 'ProcessStartInfo' ? 'link' : 'error'
    draft.statement(initializer ?? null, role)
    return list ? draft.children(list, role) : undefined
  }
  const { args, named } = readArguments(list, draft)
  const set = initializer ? draft.lower(initializer) : undefined
  const wrapped = wrapText(name, args, set)
  if (wrapped) return wrapped
  if (/^(?:Concurrent|Sorted)?(?:Dictionary|List|HashSet|Collection)$/.test(name) && set) return set
  return draft.call({
    callee: `new ${name}`,
    receiver: undefined,
    args,
    named: set?.kind === 'record' ? { ...named, ...set.entries } : named,
    place: placeOf(node),
  })
}

/** `throw new X("…")`: the texts of what is thrown are an error's. */
export const lowerThrow: Lowering = (node, draft) => {
  const value = node.namedChild(0)
  const list = value?.namedChildren.find((child) => child?.type === 'argument_list')
  return value?.type === 'object_creation_expression' && list
    ? draft.children(list, 'error')
    : draft.children(node, 'error')
}

/** Type of the field, property or variable that `new()` is given to. */
function declaredType(node: SyntaxNode): SyntaxNode | null {
  let at = node.parent
  for (let steps = 0; at && steps < 4; steps += 1, at = at.parent) {
    const type = at.childForFieldName('type')
    if (type) return type
  }
  return null
}

function wrapText(
  type: string,
  args: readonly Expression[],
  set: Expression | undefined,
): Expression | undefined {
  const [first, second] = args
  if (/UriBuilder$/.test(type) && set?.kind === 'record') return originOf(set.entries, first)
  if (
    !/^(?:System\.)?(?:Uri|UriBuilder|StringBuilder|String|Url|Flurl\.Url|PathString)$/.test(type)
  ) {
    return undefined
  }
  if (!/Uri$/.test(type) || !second || second.kind === 'unknown') return first
  // `new Uri("…", UriKind.Absolute)` has one part.
  if (second.kind === 'name' && second.name.includes('UriKind.')) return first
  return first && { kind: 'path', parts: [first, second], place: second.place }
}

/** `new UriBuilder(base) { Path = "/v1" }`, `new UriBuilder { Host = "api.example.com" }`. */
function originOf(
  { Scheme, Host, Path }: Readonly<Record<string, Expression>>,
  base: Expression | undefined,
): Expression | undefined {
  let origin = base
  if (Host) {
    const scheme = Scheme ?? { kind: 'text', text: 'https', place: Host.place }
    const mark: Expression = { kind: 'text', text: '://', place: Host.place }
    origin = { kind: 'join', parts: [scheme, mark, Host], place: Host.place }
  }
  return origin && Path ? { kind: 'path', parts: [origin, Path], place: origin.place } : origin
}

function makeText({
  callee,
  method,
  receiver,
  args,
  node,
}: {
  readonly callee: string
  readonly method: string
  readonly receiver: Expression | undefined
  readonly args: readonly Expression[]
  readonly node: SyntaxNode
}): Expression | undefined {
  const [first, second, ...more] = args
  if (/^[sS]tring\.Format$/.test(callee) && first) {
    // `string.Format(CultureInfo.InvariantCulture, "…", …)` has the format second.
    const isCulture = first.kind === 'name' && first.name.startsWith('CultureInfo.')
    const format = isCulture && second ? second : first
    const values = isCulture ? more : args.slice(1)
    return { kind: 'format', format, values, named: {}, place: format.place }
  }
  if (/^[sS]tring\.Concat$/.test(callee)) return joinOf(args)
  if (/^[sS]tring\.Join$/.test(callee) && first) {
    const items = second?.kind === 'list' && more.length === 0 ? second.items : args.slice(1)
    return joinOf(items.flatMap((item, index) => (index === 0 ? [item] : [first, item])))
  }
  if (/^(?:Url|Flurl\.Url|Path|UrlHelper|UriCombine)\.Combine$/.test(callee) && first) {
    return { kind: 'path', parts: args, place: first.place }
  }
  if (/^(?:Uri\.EscapeDataString|WebUtility\.UrlEncode|HttpUtility\.UrlEncode)$/.test(callee)) {
    return unknownAt(node)
  }
  if (SAME.test(callee) && first) return first
  if (FALLBACK.test(callee) && args.length === 2 && second?.kind !== 'unknown' && second) {
    return isTextLike(second)
      ? { kind: 'either', options: [second], place: second.place }
      : undefined
  }
  if (!receiver) return undefined
  if (/^AppendPathSegments?$/.test(method) || (method === 'Append' && isTextLike(receiver))) {
    const parts = args.flatMap((part) => (part.kind === 'list' ? part.items : [part]))
    return method === 'Append'
      ? joinOf([receiver, ...parts])
      : { kind: 'path', parts: [receiver, ...parts], place: receiver.place }
  }
  if (BUILDS_PATH.test(method) && first && args.length === 1) {
    if (isTextLike(receiver)) return { kind: 'path', parts: [receiver, first], place: first.place }
    if (receiver.kind === 'call' && URL_BUILDER.test(receiver.call.callee)) {
      const [base] = receiver.call.args
      return base ? { kind: 'path', parts: [base, first], place: first.place } : first
    }
  }
  if (KEEPS_PATH.test(method) && isTextLike(receiver)) return receiver
  return SAME_RECEIVER.test(method) ? receiver : undefined
}

function isTextLike({ kind }: Expression): boolean {
  return /^(?:text|join|format|path|either)$/.test(kind)
}
