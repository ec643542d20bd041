import { ServiceError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { Caller } from '../shared/account.ts'
import { chain, type MaybePromise } from '../shared/maybe-promise.ts'
import { type Admission, runAdmitted } from './admission.ts'
import { type ServedPaths, stripPublicPath } from './base-path.ts'
import type { BodyLimits } from './body.ts'
import { CallContext } from './call-context.ts'
import { logDispatchFailure } from './failure.ts'
import { addIgnoredHeader } from './ignored-input.ts'
import { type ParamLocations, readInput } from './input.ts'
import { locateIssues } from './input-issues.ts'
import type { HttpHandler, HttpRequest, HttpResponse } from './message.ts'
import type { CachedData, Context, Operation, Operations } from './operation.ts'
import { PROBLEM_TYPES } from './problems.ts'
import { splitTarget } from './query.ts'
import { createRequestIds, createRequestLog } from './request-log.ts'
import { requireScope } from './require-scope.ts'
import {
  addCorsHeaders,
  createNotModifiedResponse,
  type FreshResponse,
  isForwarded,
  matchesEtag,
  toProblemResponse,
  toResponse,
} from './responses.ts'
import type { RevisionTags } from './revision-tags.ts'
import { createRouter, type Route } from './router.ts'
import { isStream } from './streams.ts'

/** Dependencies of the dispatcher. */
export interface DispatcherDeps extends ServedPaths {
  readonly operations: Operations
  readonly handlers: Readonly<Record<string, AnyHandler>>
  /** Authenticates the caller of a request. Throws `unauthenticated`. */
  readonly authenticate: (request: HttpRequest, operation: string) => MaybePromise<Caller>
  /** Admits a call of an authenticated caller. Throws `too_many_requests`. */
  readonly admit: (caller: Caller) => Admission | undefined
  /** Called when a caller lacks the scope for a call, or exceeds its rate limit. */
  readonly recordRefusal: (refused: {
    readonly caller: Caller
    readonly operation: string
    readonly reason: 'scope' | 'limit'
  }) => void
  /** `ETag`s of responses that change only with a feature's data. */
  readonly tags: Readonly<Record<CachedData, RevisionTags>>
  /** `ETag` of responses that change only with the release. */
  readonly constantTag: string
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

interface Target {
  readonly name: string
  readonly operation: Operation
}

interface Call {
  readonly request: HttpRequest
  readonly requestId: string
  readonly startedAt: number
  readonly path: string
  readonly queryText: string
  readonly placements: ParamLocations
  /** Names in the input without effect. */
  readonly ignored: Set<string>
  /** Undefined if no operation matches the request. */
  readonly target: Target | undefined
  /** Set after authentication. */
  caller: Caller | undefined
}

/**
 * Creates the handler that adapters share. It throws only errors of the host's logger, and returns
 * synchronously if no step has to wait.
 */
export function createDispatcher(deps: DispatcherDeps): HttpHandler {
  const { clock, logger } = deps
  const router = createRouter(toRoutes(deps.operations, deps.basePaths))
  const nextRequestId = createRequestIds(clock)
  const allTags = Object.values(deps.tags)
  const recordRequest = createRequestLog(deps)

  function toErrorResponse(call: Call, error: unknown): FreshResponse {
    const { requestId, path, target } = call
    const failure = locateIssues(toServiceError(error), call)
    if (PROBLEM_TYPES[failure.code].status >= 500)
      logDispatchFailure(logger, failure, { requestId, path })
    return toProblemResponse(failure, { requestId, operation: target?.operation })
  }

  function finishCall(call: Call, response: FreshResponse): HttpResponse {
    const { request, requestId, path, caller } = call
    // A forwarded call changes no data of this service.
    if (request.method !== 'GET' && !isForwarded(call.target?.operation)) {
      for (const tags of allTags) tags.invalidate()
    }
    const ms = clock() - call.startedAt
    const operation = call.target?.name ?? 'none'
    recordRequest({ request, path, operation, status: response.status, ms, caller, requestId })
    const { status, headers, body } = addHeaders(call, response)
    if (!isStream(body) || !isForwarded(call.target?.operation)) return response
    // Adding the function later would exclude the object from V8's fast garbage collections.
    const fail = (error: unknown) => addHeaders(call, toErrorResponse(call, toTargetFailure(error)))
    return { status, headers, body, fail }
  }

  function addHeaders(
    { request, requestId, ignored }: Call,
    response: FreshResponse,
  ): HttpResponse {
    response.headers['x-request-id'] = requestId
    addIgnoredHeader(response.headers, ignored)
    const { allowedOrigins } = deps
    if (allowedOrigins.length > 0) addCorsHeaders(response.headers, { request, allowedOrigins })
    return response
  }

  return function handle(request) {
    const startedAt = clock()
    const requestId = nextRequestId(request.header('x-request-id'))
    const { path, queryText } = splitTarget(stripPublicPath(request.target, deps.publicPath))
    const found = router.find(request.method, path)
    const target = found && 'target' in found ? found.target : undefined
    const placements: ParamLocations = new Map()
    const call: Call = {
      request,
      requestId,
      startedAt,
      path,
      queryText,
      placements,
      ignored: new Set(),
      target,
      caller: undefined,
    }
    let response: MaybePromise<FreshResponse>
    try {
      response = target
        ? processCall(deps, target, call)
        : respondUnrouted(request, found && 'allow' in found ? found.allow : undefined, requestId)
    } catch (error) {
      response = toErrorResponse(call, error)
    }
    if (!(response instanceof Promise)) return finishCall(call, response)
    return response.then(
      (settled) => finishCall(call, settled),
      (error: unknown) => finishCall(call, toErrorResponse(call, error)),
    )
  }
}

function processCall(
  deps: DispatcherDeps,
  target: Target,
  call: Call,
): MaybePromise<FreshResponse> {
  if (target.operation.scope === 'public')
    return runOperation(deps, target, { ...call, caller: ANONYMOUS })
  return chain(deps.authenticate(call.request, target.name), (caller) => {
    call.caller = caller
    const admission = admitCaller(deps, { operation: target.name, caller })
    return admission
      ? runAdmitted(admission, {
          request: call.request,
          work: () => runOperation(deps, target, { ...call, caller }),
        })
      : runOperation(deps, target, { ...call, caller })
  })
}

/** Admits a call, or records its refusal. Throws `too_many_requests`. */
export function admitCaller(
  deps: Pick<DispatcherDeps, 'admit' | 'recordRefusal'>,
  call: { readonly caller: Caller; readonly operation: string },
): Admission | undefined {
  try {
    return deps.admit(call.caller)
  } catch (error) {
    deps.recordRefusal({ ...call, reason: 'limit' })
    throw error
  }
}

function runOperation(
  deps: DispatcherDeps,
  target: Target,
  { request, queryText, placements, ignored, caller }: Call & { readonly caller: Caller },
): MaybePromise<FreshResponse> {
  const { name, operation } = target
  requireScope(deps, caller, { operation: name, scope: operation.scope })
  if (operation.isPlanned) {
    throw new ServiceError('not_implemented', `${name} is not implemented yet`)
  }
  const { limits } = deps
  const known = operation.cache && request.header('if-none-match')
  return chain(findTag(deps, operation, known), (etag) =>
    chain(readInput(operation, { request, queryText, placements, ignored, limits }), (input) => {
      if (etag !== undefined && matchesEtag(known, etag)) {
        return createNotModifiedResponse(etag)
      }
      const handler = deps.handlers[name] as AnyHandler
      return chain(handler(input as never, new CallContext(request, caller)), (result) =>
        toResponse(operation, result, etag),
      )
    }),
  )
}

const ANONYMOUS: Caller = { account: { id: '', name: '' }, scopes: new Set() }

function findTag(
  deps: DispatcherDeps,
  { cache }: Operation,
  known: string | undefined,
): MaybePromise<string | undefined> {
  if (cache === undefined) return undefined
  if (cache === 'constant') return deps.constantTag
  return known === undefined ? deps.tags[cache].recent() : deps.tags[cache].current()
}

function respondUnrouted(
  request: HttpRequest,
  allow: readonly string[] | undefined,
  requestId: string,
): FreshResponse {
  if (!allow) throw new ServiceError('not_found', 'Operation not found: check the path')
  const headers = { allow: allow.join(', ') }
  if (request.method === 'OPTIONS') return { status: 204, headers, body: undefined }
  const detail = `Cannot use ${request.method.slice(0, 20)}: the path accepts ${headers.allow}`
  const problem = toProblemResponse(new ServiceError('method_not_allowed', detail), { requestId })
  problem.headers.allow = headers.allow
  return problem
}

function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  return new ServiceError('internal', 'Internal error: see the log for the reason', {
    cause: error,
  })
}

/** A forwarded stream that fails midway is the target's failure. */
function toTargetFailure(cause: unknown): ServiceError {
  if (cause instanceof ServiceError) return cause
  const detail = "The target's response ended before its first byte"
  return new ServiceError('target_failed', detail, { cause })
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
