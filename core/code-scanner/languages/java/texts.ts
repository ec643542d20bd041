import { joinOf, placeOf, unknownAt } from '../../lowering/lowered.ts'
import type { Expression } from '../../model/program.ts'
import type { SyntaxNode } from '../../model/syntax.ts'

/** A call of a method, its parts lowered. */
export interface Invocation {
  /** As `Call.callee`. */
  readonly callee: string
  /** Last part of the callee. */
  readonly method: string
  readonly receiver: Expression | undefined
  readonly args: readonly Expression[]
  readonly node: SyntaxNode
}

/** Functions that give their first argument as far as a URL goes. */
const SAME =
  /^(?:(?:URI|URL|Uri)\.(?:create|of|parse)|HttpUrl\.(?:parse|get)|(?:UriComponentsBuilder|ServletUriComponentsBuilder|UriBuilder|DefaultUriBuilderFactory)\.from\w+|(?:Objects|Preconditions)\.\w*(?:requireNonNull|checkNotNull)|String\.valueOf|StringUtils\.(?:trim\w*|strip\w*|remove\w*|appendIfMissing)|Mono\.just|Optional\.of(?:Nullable)?)$/

/** Methods that give back what they are called on, whatever that is. */
const SAME_RECEIVER =
  /^(?:toString|trim|strip\w*|toUriString|toUri|toURI|toURL|toUrl|toASCIIString|toExternalForm|buildAndExpand|encode|queryParam|queryParams|addQueryParameter|addEncodedQueryParameter|addParameter|setParameter|setParameters|intern|replaceFirst|replaceAll|replace|newBuilder|buildUpon|appendQueryParameter|uriVariables|queryParamIfPresent|fragment)$/

/** The same of what is known to be a text. */
const SAME_TEXT = /^(?:build|url|uri|get|getUrl|toLowerCase|substring|normalize|expand|port)$/

/** Methods that go on with a path. */
const PATH =
  /^(?:path|pathSegment|addPathSegments?|addEncodedPathSegments?|appendPath|appendEncodedPath|resolve|setPath|encodedPath|appendPathSegments?|replacePath)$/

/** Builders that begin without a URL. */
const URI_BUILDERS =
  /^(?:new (?:HttpUrl\.Builder|URIBuilder|Uri\.Builder)|UriComponentsBuilder\.newInstance)$/

/** Functions that take a fall-back second: settings, the environment, what may be null. */
const FALLBACK =
  /(?:^|\.)(?:getOrDefault|getProperty|getString|getStringOrDefault|getEnv\w*|getenv\w*|env\w*|requireNonNullElse|defaultIfBlank|defaultIfEmpty|defaultString|firstNonNull)$/

/** What a call gives when it makes a text; undefined for other calls. */
export function makeText(call: Invocation): Expression | undefined {
  const { callee, method, receiver, args, node } = call
  const [first, second] = args
  if (/^(?:String|MessageFormat|Strings)\.format$/.test(callee) && first) {
    // `String.format(Locale.ROOT, "…", …)` has the format second.
    const [format, ...values] = isLocale(first) ? args.slice(1) : args
    return format && { kind: 'format', format, values, named: {}, place: format.place }
  }
  if (method === 'formatted' && receiver) {
    return { kind: 'format', format: receiver, values: args, named: {}, place: receiver.place }
  }
  if (callee === 'String.join' && first) return joinAll(first, args.slice(1))
  if (/^(?:List|Set|Arrays|Stream|Flux)\.(?:of|asList|just)$/.test(callee)) {
    return { kind: 'list', items: args, place: placeOf(node) }
  }
  if (/^Paths?\.(?:get|of)$/.test(callee)) return unknownAt(node)
  if (SAME.test(callee) && first) return first
  if (FALLBACK.test(callee) && second && args.length === 2) {
    return { kind: 'either', options: [second], place: second.place }
  }
  return receiver ? continueText({ ...call, receiver }) : undefined
}

/** What `new X(…)` gives when X stands for a text. */
export function wrapText(type: string, args: readonly Expression[]): Expression | undefined {
  const [first, second] = args
  if (!first) return undefined
  if (/^(?:URL|URI|java\.net\.UR[LI])$/.test(type)) {
    if (args.length === 1) return first
    if (args.length === 2 && second) return { kind: 'path', parts: args, place: second.place }
    return args.length > 2 && second ? originOf(args) : undefined
  }
  return /^(?:String|StringBuilder|StringBuffer|GenericUrl|URIBuilder|HttpUrl|URLBuilder|UriTemplate|ArrayList)$/.test(
    type,
  )
    ? first
    : undefined
}

/** `new URL("https", "api.example.com", "/v1")`, with a port between or without. */
function originOf(args: readonly Expression[]): Expression | undefined {
  const [scheme, ...rest] = args
  // `new URI("https", null, "api.example.com", -1, "/v1", null, null)` has the user before the host.
  const at = rest.findIndex(({ kind }) => kind !== 'unknown')
  const host = rest[at]
  const path = rest.find((part, index) => index > at && part.kind === 'text')
  if (!scheme || !host) return undefined
  const mark: Expression = { kind: 'text', text: '://', place: scheme.place }
  const origin: Expression = { kind: 'join', parts: [scheme, mark, host], place: host.place }
  return path ? { kind: 'path', parts: [origin, path], place: host.place } : origin
}

function continueText({
  method,
  receiver,
  args,
}: Invocation & { readonly receiver: Expression }): Expression | undefined {
  const [first] = args
  if (/^(?:orElse|orElseGet|or)$/.test(method) && first) {
    return { kind: 'either', options: [receiver, first], place: receiver.place }
  }
  if (
    /^(?:host|setHost|authority|encodedAuthority)$/.test(method) &&
    first &&
    beginsUri(receiver)
  ) {
    const scheme: Expression = { kind: 'text', text: 'https://', place: first.place }
    return { kind: 'join', parts: [scheme, first], place: first.place }
  }
  const isText = isTextLike(receiver)
  if ((method === 'append' || method === 'concat') && first && isText) {
    return joinOf([receiver, first])
  }
  if (SAME_RECEIVER.test(method) && !isClass(receiver)) return receiver
  if (isText && SAME_TEXT.test(method)) return receiver
  if (!PATH.test(method) || args.length === 0) return undefined
  if (isText || method === 'resolve')
    return { kind: 'path', parts: [receiver, ...args], place: receiver.place }
  // `builder -> builder.path("/x")`: the builder has the base, which the client knows.
  return receiver.kind === 'name' && /(?:^|\.)(?:u|b|ub|uri|\w*[bB]uilder)$/.test(receiver.name)
    ? first
    : undefined
}

/** Whether a value is a text as it stands, not what a name or another call gives. */
function isTextLike({ kind }: Expression): boolean {
  return /^(?:text|join|format|path|either)$/.test(kind)
}

/** `HttpRequest` in `HttpRequest.newBuilder()`, whose methods make something of their own. */
function isClass(value: Expression): boolean {
  return value.kind === 'name' && /(?:^|\.)[A-Z]\w*[a-z]\w*$/.test(value.name)
}

function beginsUri(value: Expression): boolean {
  let at: Expression | undefined = value
  while (at?.kind === 'call') {
    if (URI_BUILDERS.test(at.call.callee)) return true
    at = at.call.receiver
  }
  return false
}

function isLocale(value: Expression): boolean {
  return value.kind === 'name' && value.name.startsWith('Locale.')
}

function joinAll(mark: Expression, parts: readonly Expression[]): Expression {
  const [first] = parts
  const items = parts.length === 1 && first?.kind === 'list' ? first.items : parts
  const joined = items.flatMap((item, index) => (index === 0 ? [item] : [mark, item]))
  return { kind: 'join', parts: joined, place: items[0]?.place ?? mark.place }
}
