import type { Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { Caller } from '../shared/account.ts'
import type { HttpRequest } from './message.ts'

/** A request and its outcome. */
export interface CompletedRequest {
  readonly request: Pick<HttpRequest, 'method' | 'clientAddress'>
  /** Without the query, which can contain secrets. */
  readonly path: string
  /**
   * Key of the operation or pattern of the page, a small set of values; `none` for an unknown path.
   */
  readonly operation: string
  readonly status: number
  /** Milliseconds to the head of the response. */
  readonly ms: number
  /** Undefined without an authenticated caller. */
  readonly caller: Caller | undefined
  readonly requestId?: string
}

/** Counts requests and logs a line for each. */
export type RecordRequest = (answered: CompletedRequest) => void

/** Creates the log for requests of both operations and pages. */
export function createRequestLog(deps: {
  readonly logger: Logger
  readonly observe: (event: {
    readonly operation: string
    readonly status: number
    readonly ms: number
  }) => void
}): RecordRequest {
  const { logger, observe } = deps
  return ({ request, path, operation, status, ms, caller, requestId }) => {
    observe({ operation, status, ms })
    if (logger.isEnabled?.('info') === false) return
    logger.log('info', 'request', {
      request_id: requestId,
      method: request.method,
      path,
      operation,
      status,
      ms,
      account: caller?.account.name,
      key_id: caller?.keyId,
      user: caller?.userName,
      client_address: request.clientAddress || undefined,
    })
  }
}

const FROM_CLIENT = /^[A-Za-z0-9._-]{1,64}$/

/**
 * Creates a generator of request IDs. Returns the client's own ID if it is safe text of at most 64
 * characters. Otherwise joins the start time of the process and a counter, both in base 36.
 */
export function createRequestIds(clock: Clock): (fromClient: string | undefined) => string {
  const prefix = clock().toString(36)
  let count = 0
  return (fromClient) => {
    if (fromClient !== undefined && FROM_CLIENT.test(fromClient)) return fromClient
    count += 1
    return `${prefix}-${count.toString(36)}`
  }
}
