import type { Clock, Logger } from '../ports.ts'
import type { Caller } from '../shared/account.ts'
import { type BodyLimits, readInput } from './input.ts'
import type { HttpHandler, HttpRequest, HttpResponse } from './message.ts'
import type { Context, Operation, Operations } from './operation.ts'
import { PROBLEMS, ServiceError } from './problems.ts'
import { createRequestIds } from './request-ids.ts'
import { matchesEtag, toNotModified, toProblemResponse, toResponse } from './respond.ts'
import { createRouter, type Route } from './router.ts'

/** What the dispatcher is made of. */
export interface DispatcherDeps {
  readonly operations: Operations
  readonly handlers: Readonly<Record<string, AnyHandler>>
  /** Whose call it is; throws `unauthenticated` when nobody's. */
  readonly authenticate: (request: HttpRequest) => Caller | Promise<Caller>
  /** Admits a call of an authenticated caller, or throws `too_many_requests`. */
  readonly admit: (caller: Caller) => Admission | undefined
  /** Current `ETag` of answers that change only with the catalogue. */
  readonly catalogueTag: () => string | Promise<string>
  /** `ETag` of answers that change only with the release. */
  readonly constantTag: string
  readonly basePaths: readonly string[]
  readonly limits: BodyLimits
  readonly allowedOrigins: readonly string[]
  readonly clock: Clock
  readonly logger: Logger
  readonly observe: (event: {
    readonly operation: string
    readonly status: number
    readonly ms: number
  }) => void
}

export type AnyHandler = (input: never, context: Context) => unknown

/** An admitted call: headers for its answer, and what to do when it is over. */
export interface Admission {
  readonly headers: Readonly<Record<string, string>>
  leave(): void
}

interface Target {
  readonly name: string
  readonly operation: Operation
}

/**
 * Creates the handler behind every adapter: finds the operation, the caller and the input, calls
 * the operation's handler, and turns what comes back, failures included, into a response. It
 * never throws.
 */
export function createDispatcher(deps: DispatcherDeps): HttpHandler {
  const { clock, logger } = deps
  const router = createRouter(toRoutes(deps.operations, deps.basePaths))
  const nextRequestId = createRequestIds(clock)

  return async function handle(request) {
    const startedAt = clock()
    const requestId = nextRequestId(request.header('x-request-id'))
    const { path, queryText } = splitTarget(request.target)
    const found = router.find(request.method, path)
    const target = found && 'target' in found ? found.target : undefined
    let response: HttpResponse
    try {
      response = target
        ? await answer(deps, target, { request, queryText })
        : answerUnrouted(request, found && 'allow' in found ? found.allow : undefined, requestId)
    } catch (error) {
      const failure = toServiceError(error)
      if (PROBLEMS[failure.code].status >= 500) logFailure(logger, failure, { requestId, path })
      response = toProblemResponse(failure, { requestId, operation: target?.operation })
    }
    const ms = clock() - startedAt
    const operation = target?.name ?? 'none'
    deps.observe({ operation, status: response.status, ms })
    logger.log('info', 'request', {
      request_id: requestId,
      method: request.method,
      path,
      operation,
      status: response.status,
      ms,
    })
    return finish(response, { request, requestId, allowedOrigins: deps.allowedOrigins })
  }
}

async function answer(
  deps: DispatcherDeps,
  { name, operation }: Target,
  { request, queryText }: { readonly request: HttpRequest; readonly queryText: string },
): Promise<HttpResponse> {
  const isPublic = operation.scope === 'public'
  const pending = isPublic ? NOBODY : deps.authenticate(request)
  const caller = pending instanceof Promise ? await pending : pending
  const admission = isPublic ? undefined : deps.admit(caller)
  try {
    checkScope(operation, caller)
    if (operation.isPlanned) {
      throw new ServiceError('not_implemented', `${name} is specified but not built yet`)
    }
    const etag = await findTag(deps, operation)
    const reading = readInput(operation, { request, queryText, limits: deps.limits })
    const input = reading instanceof Promise ? await reading : reading
    if (etag !== undefined && matchesEtag(request.header('if-none-match'), etag)) {
      return toNotModified(etag)
    }
    const handler = deps.handlers[name] as AnyHandler
    const result = await handler(input as never, {
      account: caller.account,
      scopes: caller.scopes,
      signal: request.signal,
      accept: request.header('accept') ?? '*/*',
    })
    const response = toResponse(operation, result, etag)
    if (!admission) return response
    return { ...response, headers: { ...response.headers, ...admission.headers } }
  } finally {
    admission?.leave()
  }
}

const NOBODY: Caller = { account: { id: '', name: '' }, scopes: new Set() }

function checkScope({ scope }: Operation, caller: Caller): void {
  if (scope === 'public' || caller.scopes.has(scope)) return
  throw new ServiceError('forbidden', `The key lacks the scope "${scope}"`)
}

function findTag(deps: DispatcherDeps, operation: Operation) {
  if (operation.cache === undefined) return undefined
  return operation.cache === 'constant' ? deps.constantTag : deps.catalogueTag()
}

function answerUnrouted(
  request: HttpRequest,
  allow: readonly string[] | undefined,
  requestId: string,
): HttpResponse {
  if (!allow) throw new ServiceError('not_found', 'There is no operation at this path')
  const headers = { allow: allow.join(', ') }
  if (request.method === 'OPTIONS') return { status: 204, headers, body: undefined }
  const detail = `Cannot ${request.method.slice(0, 20)} here: the path takes ${headers.allow}`
  const problem = toProblemResponse(new ServiceError('method_not_allowed', detail), { requestId })
  return { ...problem, headers: { ...problem.headers, ...headers } }
}

function finish(
  response: HttpResponse,
  more: {
    readonly request: HttpRequest
    readonly requestId: string
    readonly allowedOrigins: readonly string[]
  },
): HttpResponse {
  const headers: Record<string, string> = { ...response.headers, 'x-request-id': more.requestId }
  if (more.allowedOrigins.length > 0) addCorsHeaders(headers, more)
  return { status: response.status, headers, body: response.body }
}

function addCorsHeaders(
  headers: Record<string, string>,
  more: { readonly request: HttpRequest; readonly allowedOrigins: readonly string[] },
): void {
  const origin = more.request.header('origin')
  headers.vary = headers.vary ? `${headers.vary}, Origin` : 'Origin'
  if (origin === undefined || !more.allowedOrigins.includes(origin)) return
  headers['access-control-allow-origin'] = origin
  headers['access-control-expose-headers'] = 'ETag, Retry-After, X-Request-Id'
  if (more.request.method !== 'OPTIONS') return
  headers['access-control-allow-methods'] = headers.allow ?? ''
  headers['access-control-allow-headers'] =
    'api-key, authorization, content-type, vendor, category, base_url, private, if-none-match'
  headers['access-control-max-age'] = '600'
}

function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  return new ServiceError('internal', 'The service failed; the log holds the reason', {
    cause: error,
  })
}

/** The cause goes to the log, by class and message; a key never stands in either. */
function logFailure(
  logger: Logger,
  failure: ServiceError,
  more: { readonly requestId: string; readonly path: string },
): void {
  const { cause } = failure
  logger.log(failure.code === 'not_implemented' ? 'info' : 'error', 'failure', {
    request_id: more.requestId,
    path: more.path,
    code: failure.code,
    reason: cause instanceof Error ? `${cause.name}: ${cause.message}` : failure.message,
    stack: cause instanceof Error ? cause.stack : undefined,
  })
}

function splitTarget(target: string): { readonly path: string; readonly queryText: string } {
  const mark = target.indexOf('?')
  if (mark === -1) return { path: target, queryText: '' }
  return { path: target.slice(0, mark), queryText: target.slice(mark + 1) }
}

function toRoutes(operations: Operations, basePaths: readonly string[]): readonly Route<Target>[] {
  return Object.entries(operations).flatMap(([name, operation]) =>
    operation.paths.flatMap((path) =>
      toPrefixes(operation, basePaths).flatMap((prefix) =>
        toMethods(operation).map((method) => ({
          method,
          path: `${prefix}${path}`,
          target: { name, operation },
        })),
      ),
    ),
  )
}

function toPrefixes(operation: Operation, basePaths: readonly string[]): readonly string[] {
  const mount = operation.mount ?? 'base'
  if (mount === 'root') return ['']
  return mount === 'both' ? [...new Set([...basePaths, ''])] : basePaths
}

function toMethods(operation: Operation): readonly string[] {
  return operation.alsoPost ? [operation.method, 'POST'] : [operation.method]
}
