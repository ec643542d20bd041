import { wordsOf } from '../config/roles.ts'
import { anyOf, lastName } from '../model/name-patterns.ts'
import {
  beginningOf,
  concat,
  firstSlot,
  hasScheme,
  joinSegments,
  type Pattern,
  startsWithReference,
  toRawText,
  toText,
  UNKNOWN,
} from '../model/pattern.ts'
import type { Call, Expression, Place } from '../model/program.ts'
import { isLinkName } from '../noise/noise.ts'
import { isNoiseCall } from '../noise/noise-calls.ts'
import { startsWithHost } from '../noise/url-hosts.ts'
import type { Evaluator } from '../resolve/evaluate.ts'
import { beginningOfValue, hasPath, isWritten, placeOfText } from '../resolve/expressions.ts'
import type { ScopedValue } from '../resolve/names.ts'
import { belowOwnBase, type OwnBases } from '../resolve/own-base.ts'
import { isUnresolved } from './unresolved-calls.ts'
import type { VendorNamer } from './vendor-namer.ts'

/** A request that the name of an unknown function implies. */
export interface InferredRequest {
  readonly url: Pattern
  readonly method: Pattern | undefined
  readonly place: Place
  /** As `Candidate.hasApiName`. */
  readonly hasApiName?: true
  /** Base of the vendor that the call is named after. */
  readonly vendorBase?: string
}

/**
 * Infers a request from the name of the callee: `http_post(HOOK_URL, body)`, and below the base of
 * the class around it, `this.get('/users')` in a class that inherits `get`.
 */
export function inferRequest(
  call: Call,
  { evaluator, ownBases }: { readonly evaluator: Evaluator; readonly ownBases: OwnBases },
): InferredRequest | undefined {
  const described = inferOptions(call, evaluator)
  if (described) return described
  const request = parseRequestName(call.callee)
  if (!request) return undefined
  const { isBare, isHttp, method = findMethod(call) } = request
  const base = OWN.test(call.callee) ? ownBases.of(call) : undefined
  const isOfClient = isBare && (!call.receiver || isClient(call, evaluator))
  if (isBare && !isOfClient && base === undefined) return undefined
  for (const located of findUrlArguments(call)) {
    const url = evaluator.evaluate(located)
    if (url === undefined) continue
    const found = { url, method, place: placeOfText(call, [located.value]) }
    const hasApiName = !hasScheme(url) && isHttp && isUnresolved(toText(url))
    // A name of another file may be a whole URL; a parameter may be a base.
    const kinds = startsWithReference(url) ? /^(?:name|call|join|format)$/ : /^(?:join|format)$/
    const isOpen =
      (startsWithReference(url) || firstSlot(url)) &&
      kinds.test(located.value.kind) &&
      (!isBare || call.receiver)
    if (hasScheme(url) || isOpen || hasApiName)
      return { ...found, ...(hasApiName && { hasApiName }) }
    if (base !== undefined && isPath(url, located.value)) {
      return { ...found, url: belowOwnBase(base, url) }
    }
  }
  return undefined
}

/**
 * Infers a request with an unknown URL from the names of the callee and of an argument, in code that
 * is named after a vendor: `_post "$body" "$WEBHOOK_URL"`.
 */
export function inferOpenRequest(
  call: Call,
  { evaluator, nameVendor }: { readonly evaluator: Evaluator; readonly nameVendor: VendorNamer },
): InferredRequest | undefined {
  const request = GETTER.test(call.callee) ? undefined : parseRequestName(call.callee)
  if (!request || (request.isBare && call.receiver && !isClient(call, evaluator))) return undefined
  const argument = findUrlArguments(call).find(({ value }) => {
    const base = beginningOfValue(value)
    return base.kind === 'name' && isUrlName(lastName(base.name))
  })
  if (!argument || hasPath(argument.value)) return undefined
  const vendorBase = nameVendor(call, argument.value)
  if (vendorBase === undefined) return undefined
  const { method = findMethod(call) } = request
  return { url: UNKNOWN, method, place: placeOfText(call, [argument.value]), vendorBase }
}

/** Functions that return a URL. */
const GETTER = /(?:^|\.)get_?(?:ur[il]|endpoint)$/i

/** Whether a value may be the URL of an API by its name, and is not that of a page or file. */
function isUrlName(name: string): boolean {
  const words = wordsOf(name).join(' ')
  return URL_NAME.test(words) && !OTHER_NAME.test(words) && !isLinkName(name)
}

const URL_NAME = /(?:^| )(?:(?:api|base|web|hook)?ur[il]|(?:web)?hook|endpoint|ep)$/

const OTHER_NAME =
  /\b(?:image|img|thumb|thumbnail|file|media|video|audio|asset|event|page|public|redirect|callback|return|get)\b/

/** Infers a request from options with a host and a path: `send({ host, path: '/v1', method })`. */
function inferOptions(call: Call, evaluator: Evaluator): InferredRequest | undefined {
  if (isNoiseCall(call.callee) || !isSender(call.callee)) return undefined
  const records = call.args.flatMap((value) => (value.kind === 'record' ? [value.entries] : []))
  for (const options of [call.named, ...records.slice(0, MAX_ARGUMENTS)]) {
    const { host, hostname = host, pathname, path = pathname } = options
    if (!hostname || !path) continue
    const parts = [hostname, path].map((value) => evaluator.evaluate({ value, scope: call.scope }))
    const [base = '', end = ''] = parts
    if (!startsWithHost(toText(base)) || !/^\/\w\w/.test(toRawText(end))) continue
    const url = joinSegments([hasScheme(base) ? base : concat(['https://', base]), end])
    return { url, method: findMethod(call), place: placeOfText(call, [path]) }
  }
  return undefined
}

/** Whether a function sends what its options describe: not `router.call`, `logRequest`, `callback`. */
function isSender(callee: string): boolean {
  const isOther = toWords(callee).some((word) => RECORDERS.has(word))
  return !isOther && toWords(lastName(callee)).some((word) => SENDS.has(word))
}

/** Whether the receiver is named like a client, or made by a function that is. */
function isClient({ callee, receiver, scope }: Call, evaluator: Evaluator): boolean {
  const name =
    receiver?.kind === 'call'
      ? receiver.call.callee
      : callee.slice(0, Math.max(callee.lastIndexOf('.'), 0))
  if (CLIENT.test(name)) return true
  if (receiver?.kind !== 'name') return false
  const made = evaluator.follow({ value: receiver, scope })
  return made.some(({ value }) => value.kind === 'call' && CLIENT.test(value.call.callee))
}

/** The arguments, and members of records, that may be a URL. */
function findUrlArguments({ args, named, scope }: Call): readonly ScopedValue[] {
  const membersOf = (entries: Readonly<Record<string, Expression>>) =>
    URL_NAMES.flatMap((name) => (Object.hasOwn(entries, name) ? (entries[name] ?? []) : []))
  const first = args.slice(0, MAX_ARGUMENTS)
  // `request('POST', '/links', { url })`: the record is content.
  const hasPath = first.some((value) => value.kind === 'text' && /^(?:\/|https?:)/.test(value.text))
  const values = first.flatMap((value) =>
    value.kind === 'record' ? (hasPath ? [] : membersOf(value.entries)) : [value],
  )
  const urls = [...membersOf(named), ...values].filter((value) => !isLocalFile(value))
  return urls.map((value) => ({ value, scope }))
}

/** Whether a value is the path of a local file by its name: `$cachePath`, `cacheFilename()`. */
function isLocalFile(value: Expression): boolean {
  const name = value.kind === 'call' ? value.call.callee : value.kind === 'name' ? value.name : ''
  return /(?:^| )(?:cache|file) ?(?:name|path|dir)$/.test(wordsOf(name).join(' '))
}

/** The method that an argument names: `request('POST', url)`. */
function findMethod(call: Call): Pattern | undefined {
  const named = Object.hasOwn(call.named, 'method') ? call.named.method : undefined
  for (const argument of [named, ...call.args.slice(0, MAX_ARGUMENTS)]) {
    const value = argument?.kind === 'record' ? argument.entries.method : argument
    const text = value?.kind === 'text' ? value.text : value?.kind === 'name' ? value.name : ''
    const method = METHOD.exec(text)?.[1]
    if (method !== undefined) return method.toLowerCase()
  }
  return undefined
}

/** Whether a text may be a path, with unknown parts. */
function isPath(text: Pattern, value: Expression): boolean {
  if (!isWritten(value)) return false
  if (typeof text !== 'string') return /^\/?[\w-]+\//.test(beginningOf(text))
  const isWord = /^[A-Z]+$/.test(text) || METHOD.test(text)
  return /^\/?[\w-]+(?:[/?.][\w{}.:/?=&%,*@-]*)?$/.test(text) && !isWord
}

/** A request by the name of a function. */
interface NamedRequest {
  /** Lower case; undefined if the name contains none. */
  readonly method: string | undefined
  /** Whether the name is only a method, which functions other than clients have too: `get`. */
  readonly isBare: boolean
  /** Whether the name contains HTTP. */
  readonly isHttp: boolean
}

/** Parses `http_post`, `getJson`, `this.sendRequest`; undefined for names of no request. */
function parseRequestName(callee: string): NamedRequest | undefined {
  const name = callee.slice(callee.lastIndexOf('.') + 1)
  if (!REQUEST_NAME.test(name) || /^(?:new |@)/.test(callee)) return undefined
  const words = toWords(name)
  const has = (list: ReadonlySet<string>) => words.some((word) => list.has(word))
  if (words.length > MAX_WORDS || words[0] === 'with' || has(OTHER_WORDS)) return undefined
  const method = words.find((word) => METHODS.has(word))
  if (words.length === 1 && method !== undefined) return { method, isBare: true, isHttp: false }
  if (!has(REQUEST_WORDS) && (method === undefined || !has(CONTENT_WORDS))) return undefined
  const isHttp = words.some((word) => /^(?:https?|curl)$/.test(word))
  return { method, isBare: false, isHttp }
}

/** Splits `sendHTTPRequest` and `send_http_request` to `send`, `http`, `request`. */
function toWords(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z\d])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$2_')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '')
}

/** Limits of words of a name, and of arguments that may be a URL. */
const MAX_WORDS = 5
const MAX_ARGUMENTS = 3

const URL_NAMES = ['url', 'uri', 'endpoint', 'path'] as const

const METHODS = toSet('get post put patch delete')
const REQUEST_WORDS = toSet(
  'request requests fetch fetcher http https curl deliver urlopen xhr ajax graphql',
)
/** Words after a method that make it one of HTTP. */
const CONTENT_WORDS = toSet(
  `json api rest ssl url html xml yaml csv soup page form remote async stream webhook body parsed raw
  signed`,
)
/** Words of functions that only create, compare, show or store a URL. */
const OTHER_WORDS = toSet(
  `add allow assert build by cache can check create domain encode error expect format handle handler has
  header headers hostname is link log mock new normalize on open parse redirect referer referrer
  register render response set
  stub test to valid validate`,
)

/** A cheap test before a name is split into words. */
const REQUEST_NAME = new RegExp([...METHODS, ...REQUEST_WORDS].join('|'), 'i')

function toSet(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/))
}

/** Names of clients, and of functions that return one. */
const CLIENT = /(?:http|client|api|session|request|rest|download|fetch|transport|agent|curl)\w*$/i

/** Words of functions that send, and of those that define routes, fake or log. */
const SENDS = toSet('send request requests fetch call query execute invoke')
const RECORDERS = toSet(
  'route router routes routing mock mocks stub fake nock log logger logging debug on handle handler',
)

/** A method, or a constant for one: `HttpMethod.Post`, `Method.POST`. */
const METHOD = /^(?:\w+\.)*(?:Method)?(get|post|put|patch|delete|head)$/i

/** A method of the class itself, or of its client. */
const OWN = new RegExp(
  String.raw`^(?:(?:this|super)\.)?(?:\w*${anyOf`
    axios http client api session connection conn request rest instance
  `}\w*\.)?\w+$`,
  'i',
)
