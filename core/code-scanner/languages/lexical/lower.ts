import { createPlaceFinder } from '../../model/places.ts'
import type {
  Binding,
  Call,
  Expression,
  Import,
  LooseText,
  Place,
  Program,
} from '../../model/program.ts'
import { toText } from './strings.ts'
import { type CommentStyle, type Token, tokensOf } from './tokens.ts'

/**
 * What a text says as far as its tokens tell it, in a language without a grammar: strings joined by
 * `+`, `.`, `..` and `<>`, names given such values, calls with such arguments. Calls that are named
 * like requests are given as `request` with `url` and `method` (`clients/lexical.ts`).
 */
export function lowerLexically(text: string, style: CommentStyle): Program {
  const tokens = [...tokensOf(text, style)]
  const reader = createReader(text, tokens)
  return {
    scopes: [{ kind: 'file', name: '', parent: -1 }],
    imports: importsOf(text, reader.placeOf),
    bindings: reader.bindings,
    calls: reader.calls,
    loose: reader.loose,
  }
}

/** Deepest nesting of calls that is read. */
const MAX_DEPTH = 50

function createReader(
  text: string,
  tokens: readonly Token[],
): {
  readonly bindings: readonly Binding[]
  readonly calls: readonly Call[]
  readonly loose: readonly LooseText[]
  readonly placeOf: (index: number) => Place
} {
  const bindings: Binding[] = []
  const calls: Call[] = []
  const loose: LooseText[] = []
  const find = createPlaceFinder(text)
  const placeOf = (index: number): Place => ({ index, ...find(index) })
  let at = 0

  const isMark = (offset: number, marks: RegExp): boolean => {
    const token = tokens[at + offset]
    return token?.kind === 'mark' && marks.test(token.text)
  }

  /** Without the mark that says that it fails loudly, or that it asks: `get!`, `url?`. */
  const wordAt = (offset: number): string => (tokens[at + offset]?.text ?? '').replace(/[!?]$/, '')

  /** Values joined by operators; undefined where none begins here. Stops at what it does not know. */
  const readValue = (depth: number): Expression | undefined => {
    const first = readPart(depth)
    if (!first) return undefined
    const parts = [first]
    while (isMark(0, /^(?:\+|\.\.|<>|\.|&|~)$/)) {
      if (tokens[at]?.text === '.' && tokens[at + 1]?.kind !== 'string') break
      at += 1
      const part = readPart(depth)
      if (!part) break
      parts.push(part)
    }
    return parts.length === 1 ? first : { kind: 'join', parts, place: first.place }
  }

  const readPart = (depth: number): Expression | undefined => {
    const token = tokens[at]
    if (!token) return undefined
    const place = placeOf(token.index)
    if (token.kind === 'string') {
      at += 1
      const value = toText(token.text, place)
      skipChain(depth)
      return value
    }
    if (token.kind !== 'word') return undefined
    const name = readName()
    if (isMark(0, /^\($/) && depth < MAX_DEPTH) return readCall({ name, place, depth })
    return { kind: 'name', name: name.replace(/^self\./, 'this.').replace(/^@/, ''), place }
  }

  /** `a.b.c`, `a::b`, `a->b`, `a?.b`. */
  const readName = (): string => {
    const parts = [wordAt(0)]
    at += 1
    for (;;) {
      const width = isMark(0, /^(?:\.|->)$/)
        ? 1
        : (isMark(0, /^:$/) && isMark(1, /^:$/)) || (isMark(0, /^[?!]$/) && isMark(1, /^\.$/))
          ? 2
          : 0
      const next = tokens[at + width]
      if (width === 0 || next?.kind !== 'word') return parts.join('.')
      parts.push(wordAt(width))
      at += width + 1
    }
  }

  const readCall = (given: {
    readonly name: string
    readonly place: Place
    readonly depth: number
  }): Expression => {
    const { name, place, depth } = given
    const args: Expression[] = []
    const named: Record<string, Expression> = {}
    at += 1
    let open = 1
    while (at < tokens.length && open > 0) {
      const key = tokens[at]
      if (key?.kind === 'word' && isMark(1, /^[:=]$/) && !isMark(2, /^[:=]$/)) {
        at += 2
        const value = readValue(depth + 1)
        if (value) {
          named[key.text] = value
          args.push(value)
        }
        continue
      }
      const value = readValue(depth + 1)
      if (value) {
        args.push(value)
        continue
      }
      if (isMark(0, /^[([{]$/)) open += 1
      else if (isMark(0, /^[)\]}]$/)) open -= 1
      at += 1
    }
    const call: Call = { callee: name, receiver: undefined, args, named, place, scope: 0 }
    calls.push(toRequest(call))
    skipChain(depth)
    const [first] = args
    return first && WRAPPER.test(name) ? first : { kind: 'call', call, place }
  }

  /** What follows a value in its chain: `.toUri()`, `!`, `.method("x")`, which is read as a call. */
  const skipChain = (depth: number): void => {
    while (isMark(0, /^[!?]$/) || (isMark(0, /^\.$/) && tokens[at + 1]?.kind === 'word')) {
      at += 1
      const token = tokens[at]
      if (token?.kind !== 'word') continue
      const name = `.${readName()}`
      if (isMark(0, /^\($/) && depth < MAX_DEPTH) {
        readCall({ name, place: placeOf(token.index), depth: depth + 1 })
      }
    }
  }

  while (at < tokens.length) {
    const token = tokens[at]
    const start = at
    if (token?.kind === 'word') {
      const name = readName()
      if (isMark(0, /^\($/)) {
        readCall({ name, place: placeOf(token.index), depth: 0 })
        continue
      }
      // A type may stand between: `val base: String = "…"`.
      if (isMark(0, /^:$/) && tokens[at + 1]?.kind === 'word' && isMark(2, /^\??$|^=$/)) at += 2
      if (isMark(0, /^\?$/)) at += 1
      if (isMark(0, /^(?::=|=|=>|:)$/) && !isMark(1, /^[=:>]$/)) {
        at += 1
        const value = readValue(0)
        if (value && value.kind !== 'name')
          bindings.push(toBinding(name, { value, token, placeOf }))
      } else if (tokens[at]?.kind === 'string' && !tokens[at]?.isFirst) {
        // A call without brackets, or an attribute of a module: `get "/x"`, `@base "https://…"`.
        const value = readValue(0)
        if (!value) continue
        if (name.startsWith('@')) {
          bindings.push(toBinding(name.slice(1), { value, token, placeOf }))
        } else {
          const place = placeOf(token.index)
          const call = {
            callee: name,
            receiver: undefined,
            args: [value],
            named: {},
            place,
            scope: 0,
          }
          calls.push(toRequest(call))
        }
      }
    } else if (token?.kind === 'string') {
      const value = readValue(0)
      if (value) loose.push({ value, role: 'other', scope: 0 })
    } else at += 1
    if (at === start) at += 1
  }
  return { bindings, calls, loose, placeOf }
}

/** Calls that give back what they are given. */
const WRAPPER =
  /(?:^|\.)(?:URL|NSURL|Uri|URI|url|uri|String|string|HttpUrl|URLRequest|c_str|trim|lazy|of|some|Some)(?:\.(?:parse|create|get|init|new|string|of))?$/

function toBinding(
  name: string,
  given: {
    readonly value: Expression
    readonly token: Token
    readonly placeOf: (index: number) => Place
  },
): Binding {
  const place = given.placeOf(given.token.index)
  return { name, value: given.value, kind: 'constant', isExported: true, place, scope: 0 }
}

/** Names of calls that send a request, whatever they are called on, and of those that may. */
const VERB = /(?:^|\.)(get|post|put|patch|delete|head|GET|POST|PUT|PATCH|DELETE|HEAD)[!?]?$/
const SENDER =
  /(?:^|\.)(?:request|open|fetch|load|execute|send|url|URLRequest|dataTask|newRequest|HTTPRequest|curl_easy_setopt|urlopen|openStream|connect)[!?]?$/
const CLIENT =
  /http|client|api|dio|rest|session|request|curl|ktor|retrofit|sttp|tesla|poison|finch|req\b|\bAF\b|lwp|mojo|agent|\bua\b|socket|requests|cpr|fetch/i

function toRequest(call: Call): Call {
  const { callee, args, named } = call
  const verb = VERB.exec(callee)?.[1]
  const path = callee.slice(0, callee.lastIndexOf('.') + 1)
  const isSender = SENDER.test(callee)
  const url = named.url ?? args.find(isUrl) ?? args.find(hasAddress) ?? args.find(isValue)
  if (!url || !(isSender || (verb !== undefined && (CLIENT.test(path) || hasAddress(url)))))
    return call
  const said = args.find(
    (arg) => arg.kind === 'text' && /^(?:GET|POST|PUT|PATCH|DELETE|HEAD)$/.test(arg.text),
  )
  const method =
    verb?.toLowerCase() ?? (said?.kind === 'text' ? said.text.toLowerCase() : undefined)
  if (!hasAddress(url) && !(verb !== undefined && CLIENT.test(path))) return call
  const text: Expression | undefined =
    method === undefined ? undefined : { kind: 'text', text: method, place: call.place }
  return { ...call, callee: 'request', args: [url], named: { url, ...(text && { method: text }) } }
}

/** Whether a value is a URL, or begins as one. */
function isUrl(value: Expression): boolean {
  return value.kind !== 'name' && hasAddress(value)
}

/** Whether a value is, or begins with, a URL or a name that may be one. */
function hasAddress(value: Expression): boolean {
  if (value.kind === 'text') return /^(?:https?|wss?):\/\//.test(value.text)
  if (value.kind === 'join') return value.parts[0] !== undefined && hasAddress(value.parts[0])
  return value.kind === 'name' && /url|uri|base|endpoint|host|api/i.test(value.name)
}

function isValue(value: Expression): boolean {
  return value.kind === 'text' || value.kind === 'join' || value.kind === 'name'
}

function importsOf(text: string, placeOf: (index: number) => Place): readonly Import[] {
  return [...text.matchAll(/^[ \t]*import[ \t]+(?:static[ \t]+)?([\w.]+)/gm)].map((match) => {
    const module = match[1] ?? ''
    const local = module.slice(module.lastIndexOf('.') + 1)
    return { module, local, imported: '*', place: placeOf(match.index) }
  })
}
