import { ServiceError } from '../errors.ts'
import type { Caller, Scope } from '../shared/account.ts'
import { toDisplayName } from '../shared/display-name.ts'
import { readDocument } from '../shared/json-document.ts'
import { parseIfJsonText } from '../shared/json-text.ts'
import { decodeUtf8, readBytes } from './body.ts'
import type { AnyHandler } from './dispatcher.ts'
import { readCallInput } from './input.ts'
import { writeRows } from './json-stream.ts'
import type { Operation, Operations, RawResult, RowsOutput, RowsResult } from './operation.ts'
import type { RequireScope } from './require-scope.ts'

/** A caller in process, with any list of scopes. */
type InProcessCaller = Omit<Caller, 'scopes'> & { readonly scopes: Iterable<Scope> }

/**
 * Creates the function that calls operations without HTTP, with the same input rules, scopes and
 * results. It throws a `TypeError` for mistakes that types exclude: an invalid operation, input or
 * caller.
 */
export function createCall(deps: {
  readonly operations: Operations
  /** Operations that are not implemented have none. */
  readonly handlers: Readonly<Record<string, AnyHandler>>
  readonly requireScope: RequireScope
  /** Called after each call. */
  readonly onEnd: () => void
}) {
  return (
    name: string,
    input: unknown,
    caller: InProcessCaller,
    options: { readonly signal?: AbortSignal | undefined } = {},
  ) =>
    callOperation({
      name,
      operation: Object.hasOwn(deps.operations, name) ? deps.operations[name] : undefined,
      handler: deps.handlers[name],
      input,
      caller,
      signal: options.signal,
      requireScope: deps.requireScope,
    }).finally(deps.onEnd)
}

async function callOperation(call: {
  readonly name: string
  /** Undefined for an unknown name. */
  readonly operation: Operation | undefined
  /** Undefined if the operation is not implemented. */
  readonly handler: AnyHandler | undefined
  readonly input: unknown
  readonly caller: InProcessCaller
  readonly signal: AbortSignal | undefined
  readonly requireScope: RequireScope
}): Promise<unknown> {
  const { name, operation, handler, caller } = call
  if (!operation) throw new TypeError(`Cannot call "${toDisplayName(name)}": operation not found`)
  const scopes = checkCaller(caller)
  if (typeof call.input !== 'object' || call.input === null) {
    throw new TypeError(`Cannot call ${name}: its input must be an object`)
  }
  call.requireScope({ ...caller, scopes }, { operation: name, scope: operation.scope })
  if (!handler) {
    throw new ServiceError('not_implemented', `${name} is not implemented yet`)
  }
  const input = readCallInput(operation, call.input as Record<string, unknown>)
  const result = await handler(input as never, {
    account: caller.account,
    scopes,
    signal: call.signal ?? new AbortController().signal,
    accept: '*/*',
    keyId: caller.keyId,
    userName: caller.userName,
    source: caller.source,
    client: caller.client,
    header: () => undefined,
  })
  return collectResult(operation, result)
}

function checkCaller(
  caller: { readonly account?: Caller['account']; readonly scopes?: Iterable<Scope> } | undefined,
): ReadonlySet<Scope> {
  const { account, scopes } = caller ?? {}
  if (typeof account?.id !== 'string') {
    throw new TypeError('Invalid caller: its account must be { id, name }')
  }
  if (scopes instanceof Set) return scopes
  if (Array.isArray(scopes)) return new Set(scopes)
  throw new TypeError("Invalid caller: its scopes must be a list or a Set: ['read']")
}

/** Returns the result that a client would read: rows joined to their document, bodies as bytes. */
async function collectResult({ output }: Operation, result: unknown): Promise<unknown> {
  if (output.kind === 'json') return parseIfJsonText(result)
  if (output.kind === 'empty') return undefined
  if (output.kind === 'document') return readDocument(result)
  if (output.kind === 'rows') {
    return collectRows(result as RowsResult<unknown, object, object>, output)
  }
  const { status, headers, body } = result as RawResult
  const bytes =
    typeof body === 'string'
      ? new TextEncoder().encode(body)
      : body instanceof Uint8Array
        ? body
        : await readBytes(body, Number.POSITIVE_INFINITY)
  return output.kind === 'raw' && output.isPassedOn ? { status, headers, body: bytes } : bytes
}

/** A tail depends on the bytes before it, so such a document is serialised and parsed again. */
async function collectRows(
  result: RowsResult<unknown, object, object>,
  output: RowsOutput,
): Promise<unknown> {
  if (result.tail || output.within) {
    const bytes = await readBytes(writeRows(result, output), Number.POSITIVE_INFINITY)
    return JSON.parse(decodeUtf8(bytes))
  }
  const all: unknown[] = []
  for await (const batch of result.rows) for (const row of batch) all.push(parseIfJsonText(row))
  return output.at === undefined ? all : { ...result.head, [output.at]: all }
}
