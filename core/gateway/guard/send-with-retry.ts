import { getTotalMs } from '../../egress/limits.ts'
import type { Clock } from '../../ports/clock.ts'
import {
  type Egress,
  EgressError,
  type EgressRequest,
  type EgressResponse,
} from '../../ports/egress.ts'

/**
 * Sends a request, and retries it once, immediately, if no connection was established. It retries
 * only if nothing was sent or the method is idempotent (RFC 9110 9.2.2).
 *
 * No retry follows a response of any status, a refused or unresolved address, a later timeout or an
 * abort by the caller. Both attempts share the total time of the request. Rejects like
 * `Egress.send`, with the failure of the last attempt.
 */
export async function sendWithRetry(
  deps: { readonly egress: Egress; readonly clock: Clock },
  call: { readonly request: EgressRequest; readonly isIdempotent: boolean },
): Promise<EgressResponse> {
  const { egress, clock } = deps
  const { request, isIdempotent } = call
  const startedAt = clock()
  try {
    return await egress.send(request)
  } catch (error) {
    if (!mayRetry(error, isIdempotent) || request.signal?.aborted) throw error
    const leftMs = getTotalMs(egress, request) - Math.max(0, clock() - startedAt)
    if (leftMs <= 0) throw error
    return egress.send({ ...request, limits: { ...request.limits, totalMs: leftMs } })
  }
}

function mayRetry(error: unknown, isIdempotent: boolean): boolean {
  if (!(error instanceof EgressError)) return false
  if (error.failure === 'connect_failed') return error.isUnsent || isIdempotent
  return error.failure === 'connect_timeout' && error.isUnsent
}
