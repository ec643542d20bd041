import { matchNames } from '../model/name-patterns.ts'
import type { Call, Expression } from '../model/program.ts'
import type { SyntaxNode } from '../model/syntax.ts'
import { isTextLike } from './built-texts.ts'
import type { Draft, Lowering } from './draft.ts'
import { type Effect, originOf } from './effects.ts'
import { type Part, partOf } from './names.ts'

/** Syntax of lambdas after the arguments of a call: `client.get { url("https://…") }`. */
export interface LambdaShape {
  /** Type of calls. */
  readonly call: string
  /** Lambda of a call. */
  readonly lambda: Part
  readonly parameters: Part
  readonly statements: Part
  /** Name of the only parameter if it has none. */
  readonly implicit: string
  /** Callees that return the result of the lambda, as name patterns. */
  readonly returnsResult: string
  /** Callees that pass their receiver to the lambda. */
  readonly passesReceiver: string
  /** Callees of requests and URLs that the lambda builds. */
  readonly requests: string
}

export interface Lambdas {
  /** Lowers a lambda; its value is the last statement's. */
  readonly lower: Lowering
  /** Lowers the lambda of a call, which may set the URL of the call or be its result. */
  readonly effect: Effect
}

interface Block {
  readonly value: Expression | undefined
  /** URL that the statements set: `url("…")`, `host = "…"; path("…")`. */
  readonly url: Expression | undefined
  readonly path: Expression | undefined
  readonly verb: UrlParts['verb']
  /** Method of a request that the statements set: `method = HttpMethod.Post`. */
  readonly sent: Expression | undefined
}

export function trailingLambdas(shape: LambdaShape): Lambdas {
  const returnsResult = matchNames(shape.returnsResult)
  const passesReceiver = matchNames(shape.passesReceiver)
  const isRequest = matchNames(shape.requests)

  function lowerBlock(
    lambda: SyntaxNode,
    { draft, passed }: { readonly draft: Draft; readonly passed?: Expression | undefined },
  ): Block {
    const list = partOf(lambda, shape.parameters)?.namedChildren ?? []
    const names = list.map((parameter) => draft.nameOf(parameter) ?? '')
    const parameters = passed ? names.slice(1) : names
    return draft.within({ kind: 'function', name: '', parameters }, () => {
      if (passed) draft.bind({ name: names[0] ?? shape.implicit, value: passed })
      const parts: UrlParts = {}
      let value: Expression | undefined
      for (const statement of partOf(lambda, shape.statements)?.namedChildren ?? []) {
        if (value) draft.loose(value, 'other')
        value = lowerStatement(statement, { parts, draft })
      }
      const result = draft.localValue('return') ?? value
      const { path, verb, method: sent } = parts
      return { value: result, url: urlOf(parts), path, verb, sent }
    })
  }
  return {
    lower: (node, draft) => lowerBlock(node, { draft }).value,
    effect({ callee, method, receiver, args, named, place, node }, draft) {
      const lambda = node.type === shape.call ? partOf(node, shape.lambda) : null
      if (!lambda) return undefined
      const passed = passesReceiver(callee) ? receiver : undefined
      const { value, url, path, verb, sent } = lowerBlock(lambda, { draft, passed })
      if (url && isDefault(callee, args)) {
        return draft.call({ callee: '.defaultRequest', receiver, args: [url], named, place })
      }
      // `Request.Builder().apply { url("…"); post(body) }`, `url.newBuilder().apply { … }`
      if (receiver && /^(?:apply|also)$/.test(method)) {
        const isBuilder = receiver.kind === 'call' && /Builder$/.test(receiver.call.callee)
        const made =
          url && isBuilder
            ? draft.call({ callee: '.url', receiver, args: [url], named, place })
            : undefined
        if (made) return verb ? draft.call({ ...verb, receiver: made, place }) : made
        if (path && isTextLike(receiver)) return { kind: 'path', parts: [receiver, path], place }
      }
      const all = sent && method === 'request' ? { ...named, method: sent } : named
      if (url && args.length === 0 && isRequest(callee)) {
        const full = method === 'defaultRequest' ? '.defaultRequest' : callee
        return draft.call({ callee: full, receiver, args: [url], named: all, place })
      }
      if (all !== named) return draft.call({ callee, receiver, args, named: all, place })
      if (returnsResult(callee)) return value
      return value && draft.loose(value, 'other')
    },
  }
}

interface UrlParts {
  /** The call that sets the method: `post(body)`. */
  verb?: Pick<Call, 'callee' | 'args' | 'named'>
  url?: Expression
  host?: Expression
  path?: Expression
  method?: Expression
}

/** Lowers a statement of a builder; undefined if it only sets a part of the URL. */
function lowerStatement(
  statement: SyntaxNode,
  { parts, draft }: { readonly parts: UrlParts; readonly draft: Draft },
): Expression | undefined {
  const target = draft.nameOf(partOf(statement, 0))?.replace(OWNER, '')
  const part = statement.type === 'assignment' ? PARTS[target ?? ''] : undefined
  if (part) {
    parts[part] = draft.lower(partOf(statement, -1))
    return undefined
  }
  const value = draft.lower(statement)
  if (value.kind !== 'call') return value
  const { callee, args, named } = value.call
  const name = callee.replace(OWNER, '')
  const [first = named.urlString] = args
  if (/^(?:url|takeFrom)$/.test(name)) {
    if (first) parts.url = first
    if (named.host) parts.host = named.host
    if (named.path) parts.path = named.path
  } else if (first && PATH.test(name)) {
    const before = parts.path ? [parts.path] : []
    parts.path = { kind: 'path', parts: [...before, ...args], place: first.place }
  } else if (VERB.test(name)) parts.verb = { callee: `.${name}`, args, named }
  return value
}

const PATH = /^(?:path|(?:append|add)(?:Encoded)?Path(?:Segments?)?)$/

const VERB = /^(?:get|post|put|patch|delete|head|method)$/

/** Whether the lambda sets the base of all requests: `install(DefaultRequest) { … }`. */
function isDefault(callee: string, [plugin]: Call['args']): boolean {
  return (
    /(?:^|\.)install$/.test(callee) &&
    plugin?.kind === 'name' &&
    /\bDefaultRequest$/.test(plugin.name)
  )
}

/** Receivers that mean the built request. */
const OWNER = /^(?:this|url)\./

/** Properties of a URL builder. */
const PARTS: Readonly<Record<string, 'host' | 'path' | 'method'>> = {
  host: 'host',
  encodedPath: 'path',
  path: 'path',
  method: 'method',
}

function urlOf({ url, host, path }: UrlParts): Expression | undefined {
  if (host) return originOf({ host, path })
  return url && path ? { kind: 'path', parts: [url, path], place: url.place } : (url ?? path)
}
