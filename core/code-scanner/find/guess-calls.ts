import {
  beginningOf,
  hasScheme,
  joinSegments,
  type Pattern,
  startsWithReference,
  toRawText,
  toText,
} from '../model/pattern.ts'
import type { Call, Expression, Place } from '../model/program.ts'
import type { Evaluator } from '../resolve/evaluate.ts'
import { isWritten, placeOfText } from '../resolve/expressions.ts'
import type { Located } from '../resolve/names.ts'
import { belowOwnBase, type OwnBases } from '../resolve/own-base.ts'
import { requestOfName } from './request-names.ts'
import { isUnresolved } from './unresolved-calls.ts'

/** What a call of a function that is not known seems to send. */
export interface GuessedCall {
  readonly url: Pattern
  readonly method: Pattern | undefined
  readonly place: Place
  /** As `Candidate.isOfApi`. */
  readonly isOfApi?: true
}

/**
 * Reads a call by the name of what is called: `http_post(HOOK_URL, body)`, and below the base of
 * the class around it, `this.get('/users')` in a class that inherits `get`.
 */
export function guessCall(
  call: Call,
  { evaluator, ownBases }: { readonly evaluator: Evaluator; readonly ownBases: OwnBases },
): GuessedCall | undefined {
  if (REQUEST_CLASS.test(call.callee)) return guessRequest(call, evaluator)
  const request = requestOfName(call.callee)
  if (!request) return undefined
  const base = ownBases.of(call)
  const isOwn = OWN.test(call.callee)
  const isOfClient = request.isBare && (!call.receiver || isClient(call, evaluator))
  if (request.isBare && !isOfClient && !(isOwn && base !== undefined)) return undefined
  const method = request.method ?? methodAmong(call)
  for (const located of urlsOf(call)) {
    const text = evaluator.text(located)
    if (text === undefined) continue
    const place = placeOfText(call, [located.value])
    if (hasScheme(text)) return { url: text, method, place }
    // A name of another file may be a whole URL.
    const isOpen =
      startsWithReference(text) && /^(?:name|call|join|format)$/.test(located.value.kind)
    const isOfApi = request.isHttp && isUnresolved(toText(text))
    if (isOpen && (!request.isBare || call.receiver)) {
      return { url: text, method, place, ...(isOfApi && { isOfApi }) }
    }
    if (isOfApi) return { url: text, method, place, isOfApi }
    if (isOwn && base !== undefined && isPath(text, located.value)) {
      return { url: belowOwnBase(base, text), method, place }
    }
  }
  return undefined
}

/**
 * A request of a class of the project's own: a URL, or a base and a path in either order, as in
 * `new ApiRequest("users/1", BASE, HttpMethod.Get)`.
 */
function guessRequest(call: Call, evaluator: Evaluator): GuessedCall | undefined {
  let base: Pattern | undefined
  let path: Pattern | undefined
  const urls = urlsOf(call)
  for (const { value, scope } of urls) {
    const text = evaluator.text({ value, scope })
    if (text === undefined) continue
    if (hasScheme(text)) base ??= text
    else if (isWritten(value) && (base === undefined ? isSegment : isBelow)(toRawText(text))) {
      path ??= text
    }
  }
  if (base === undefined) return undefined
  const url = path === undefined ? base : joinSegments([base, path])
  return {
    url,
    method: methodAmong(call),
    place: placeOfText(
      call,
      urls.map(({ value }) => value),
    ),
  }
}

/** Whether a text that stands before a base may be a path. */
function isSegment(text: string): boolean {
  return /^[^\s:]+$/.test(text) && !/^[A-Z]+$/.test(text) && !MEDIA_TYPE.test(text)
}

/** Whether a text that stands after a base may be a path. */
function isBelow(text: string): boolean {
  return text.includes('/') && isSegment(text)
}

/** Whether what a method is called on is called like a client, or made by what is. */
function isClient(call: Call, evaluator: Evaluator): boolean {
  if (CLIENT.test(receiverNameOf(call))) return true
  if (call.receiver?.kind !== 'name') return false
  const made = evaluator.follow({ value: call.receiver, scope: call.scope })
  return made.some(({ value }) => value.kind === 'call' && CLIENT.test(value.call.callee))
}

/** What a method is called on: a name, or the function that gives it. */
function receiverNameOf({ callee, receiver }: Call): string {
  if (receiver?.kind === 'call') return receiver.call.callee
  return callee.slice(0, Math.max(callee.lastIndexOf('.'), 0))
}

/** The arguments that a URL may stand in, members of records too. */
function urlsOf(call: Call): readonly Located[] {
  const { scope } = call
  const found: Located[] = []
  for (const name of URL_NAMES) {
    const value = Object.hasOwn(call.named, name) ? call.named[name] : undefined
    if (value) found.push({ value, scope })
  }
  for (const value of call.args.slice(0, MAX_ARGUMENTS)) {
    if (value.kind !== 'record') {
      found.push({ value, scope })
      continue
    }
    for (const name of URL_NAMES) {
      const member = Object.hasOwn(value.entries, name) ? value.entries[name] : undefined
      if (member) found.push({ value: member, scope })
    }
  }
  return found
}

/** A method that an argument names: `request('POST', url)`. */
function methodAmong(call: Call): Pattern | undefined {
  const named = Object.hasOwn(call.named, 'method') ? call.named.method : undefined
  for (const value of [named, ...call.args.slice(0, MAX_ARGUMENTS)]) {
    const one = value?.kind === 'record' ? value.entries.method : value
    const text = one?.kind === 'text' ? one.text : one?.kind === 'name' ? one.name : undefined
    const method = text === undefined ? undefined : METHOD.exec(text)?.[1]
    if (method !== undefined) return method.toLowerCase()
  }
  return undefined
}

/** A text that may be a path, with what is not known in it. */
function isPath(text: Pattern, value: Expression): boolean {
  if (!isWritten(value)) return false
  if (typeof text !== 'string') return /^\/?[\w-]+\//.test(beginningOf(text))
  return /^\/?[\w-]+(?:[/?.][\w{}.:/?=&%,*@-]*)?$/.test(text) && !/^[A-Z]+$/.test(text)
}

/** Names of clients, and of functions that give one. */
const CLIENT = /(?:http|client|api|session|request|rest|download|fetch|transport|agent|curl)\w*$/i

/** A class whose instances are requests. */
const REQUEST_CLASS = /^new (?:\w+\.)*\w*Request(?:Message|Data|Info|Options|Builder)?$/

/** A method, or a constant that is one: `HttpMethod.Post`, `Method.POST`. */
const METHOD = /^(?:\w+\.)*(?:Method)?(get|post|put|patch|delete|head)$/i

const MEDIA_TYPE = /^(?:application|text|image|multipart|audio|video)\//

/** A method of the class itself, or of the client that it has. */
const OWN =
  /^(?:(?:this|super)\.)?(?:\w*(?:axios|http|client|api|session|connection|conn|request|rest|instance)\w*\.)?\w+$/i

const URL_NAMES = ['url', 'uri', 'endpoint', 'path'] as const
const MAX_ARGUMENTS = 3
