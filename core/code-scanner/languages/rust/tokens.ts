import type { Draft } from '../../lowering/draft.ts'
import { joinOf, placeOf, textAt, unknownAt } from '../../lowering/lowered.ts'
import type { Expression } from '../../model/program.ts'
import type { SyntaxNode } from '../../model/syntax.ts'
import type { LoweredCall } from './calls.ts'
import { stringOf } from './values.ts'

/** What the arguments of a macro say. */
export interface MacroArguments {
  readonly values: readonly Expression[]
  /** Of `name = value`. */
  readonly named: Readonly<Record<string, Expression>>
}

/** What reading tokens needs of those who lower syntax. */
export interface TokenContext {
  readonly draft: Draft
  readonly readMacro: (
    name: string,
    given: { readonly tree: SyntaxNode; readonly draft: Draft },
  ) => Expression | undefined
  readonly finishCall: (call: LoweredCall, draft: Draft) => Expression | undefined
  readonly fullName: (name: string, draft: Draft) => string
}

/** Deeper token trees than this are not read. */
const MAX_DEPTH = 40

/**
 * Reads the tokens of a macro's arguments as expressions as far as calls and texts go: paths, calls,
 * chains, texts, `+`, nested macros. What stands between commas, semicolons and arrows is one.
 */
export function readTokens(tree: SyntaxNode, context: TokenContext, depth = 0): MacroArguments {
  const tokens = tree.children.slice(1, -1).filter((token) => token !== null)
  const values: Expression[] = []
  const named: Record<string, Expression> = {}
  if (depth > MAX_DEPTH) return { values, named }
  for (const part of splitTokens(tokens)) {
    const [first, second] = part
    const equals = part.findIndex((token) => token.type === '=')
    if (first && second?.type === '=' && first.type === 'identifier') {
      named[first.text] = readSum(part.slice(2), { context, depth })
    } else if (equals > 0) bindTokens(part, { equals, context, depth })
    else if (first) values.push(readSum(part, { context, depth }))
  }
  return { values, named }
}

function splitTokens(tokens: readonly SyntaxNode[]): readonly (readonly SyntaxNode[])[] {
  const parts: SyntaxNode[][] = [[]]
  for (const token of tokens) {
    if (/^(?:,|;|=>)$/.test(token.type)) parts.push([])
    else parts.at(-1)?.push(token)
  }
  return parts.filter((part) => part.length > 0)
}

/** What may stand before a value and leaves it as it is. */
const PREFIX = /^(?:&|\*|mut|mutable_specifier|move|async|-|!|return)$/

interface Within {
  readonly context: TokenContext
  readonly depth: number
}

/** `static ref URL: String = "…"`, `let url = …` inside a macro. */
function bindTokens(
  part: readonly SyntaxNode[],
  { equals, context, depth }: Within & { readonly equals: number },
): void {
  const head = part.slice(0, equals)
  const colon = head.findIndex((token) => token.type === ':')
  const name = head
    .slice(0, colon < 0 ? equals : colon)
    .findLast(({ type }) => type === 'identifier')
  const value = readSum(part.slice(equals + 1), { context, depth })
  if (!name) return
  const isStatic = head.some(({ text }) => text === 'static' || text === 'const')
  const kind = isStatic ? 'constant' : 'variable'
  const isExported = isStatic && context.draft.scope === 0
  context.draft.bind({ name: name.text, value, kind, isExported, place: placeOf(name) })
}

function readSum(tokens: readonly SyntaxNode[], within: Within): Expression {
  const terms: SyntaxNode[][] = [[]]
  for (const token of tokens) {
    if (token.type === '+') terms.push([])
    else terms.at(-1)?.push(token)
  }
  const values = terms.flatMap((term) => (term[0] ? [readChain(term, within)] : []))
  const [first] = tokens
  return joinOf(values) ?? (first ? unknownAt(first) : within.context.draft.lower(null))
}

/** `a.b::c(x).d(y)?.e`, a text with calls on it, or a macro. */
function readChain(tokens: readonly SyntaxNode[], { context, depth }: Within): Expression {
  const { draft } = context
  const start = tokens.findIndex((token) => !PREFIX.test(token.type))
  const head = tokens[start]
  if (!head) return draft.lower(null)
  let value: Expression | undefined
  let path: string[] = []
  let at = start
  if (head.type.endsWith('string_literal')) {
    value = textAt(stringOf(head.text), head)
    at += 1
  }
  for (; at < tokens.length; at += 1) {
    const token = tokens[at]
    if (!token) break
    if (token.type === 'identifier' || /^(?:self|super|crate|await)$/.test(token.type)) {
      if (token.type !== 'await') path.push(wordOf(token, draft))
    } else if (token.type === '!' && path.length > 0) {
      const tree = tokens[at + 1]
      if (tree?.type !== 'token_tree') break
      value = context.readMacro(path.at(-1) ?? '', { tree, draft })
      path = []
      at += 1
    } else if (token.type === 'token_tree') {
      const { values } = readTokens(token, context, depth + 1)
      const method = path.at(-1)
      if (method === undefined) {
        value ??= values[0]
        continue
      }
      value = callOf({ value, path, method, values, token: tokens[at - 1] ?? token }, context)
      path = []
    }
  }
  if (value) return value
  return path.length > 0 ? draft.name(path.join('.'), head) : unknownAt(head)
}

function wordOf(token: SyntaxNode, draft: Draft): string {
  if (token.type === 'self') return 'this'
  return token.text === 'Self' ? (draft.self ?? 'Self') : token.text
}

function callOf(
  given: {
    readonly value: Expression | undefined
    readonly path: readonly string[]
    readonly method: string
    readonly values: readonly Expression[]
    readonly token: SyntaxNode
  },
  { draft, finishCall, fullName }: TokenContext,
): Expression | undefined {
  const { value, path, method, values, token } = given
  const place = placeOf(token)
  if (value) {
    return finishCall({ callee: `.${method}`, method, receiver: value, args: values, place }, draft)
  }
  const name = path.join('.')
  const isPath =
    path.length === 1 || /^[A-Z]/.test(path.at(-2) ?? '') || draft.imported(path[0] ?? '')
  const owner = path.slice(0, -1).join('.')
  const receiver = isPath ? undefined : draft.name(owner, token)
  const callee = isPath ? fullName(name, draft) : name
  return finishCall({ callee, method, receiver, args: values, place }, draft)
}
