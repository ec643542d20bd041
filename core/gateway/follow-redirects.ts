import { getTotalMs } from '../egress/limits.ts'
import { createRedirectRequest } from '../egress/redirects.ts'
import type { Clock } from '../ports/clock.ts'
import {
  type Egress,
  EgressError,
  type EgressRequest,
  type EgressResponse,
  type HeaderLine,
} from '../ports/egress.ts'
import type { Account } from '../shared/account.ts'
import type { CallTrail } from './call-trail.ts'
import { sendWithRetry } from './guard/send-with-retry.ts'
import type { TargetGuard } from './guard/target-guard.ts'

const MAX_REDIRECTS = 3

/**
 * Follows at most three redirects of a response. Any other response is returned unchanged. The
 * guard treats each step as a separate call of the origin it leads to. So a result counts for that
 * origin only, and a blocked origin is not called. All steps share the total time of one call.
 */
export async function followRedirects(
  deps: { readonly egress: Egress; readonly guard: TargetGuard; readonly clock: Clock },
  call: {
    readonly request: EgressRequest
    /** See `createRedirectRequest`. */
    readonly portableHeaders: readonly HeaderLine[]
    readonly isIdempotent: boolean
    readonly answer: EgressResponse
    readonly account: Account
    /** Its member `pass` is set to the pass of the last step. */
    readonly trail: Pick<CallTrail, 'pass'>
    /** When the request was sent. */
    readonly startedAt: number
  },
): Promise<EgressResponse> {
  const { egress, guard, clock } = deps
  const { account, trail, startedAt, portableHeaders } = call
  let { request, answer } = call
  for (let hops = 0; hops < MAX_REDIRECTS; hops += 1) {
    const { status, headers } = answer
    const location = headers.find(([name]) => name === 'location')?.[1]
    const next = createRedirectRequest(request, { status, location, portableHeaders })
    if (!next) break
    trail.pass?.responded(status, headers)
    answer.discard()
    trail.pass?.leave()
    const { origin } = new URL(next.url)
    trail.pass = guard.enter({ origin, account })
    // If a redirect changes the method, it changes it to GET.
    const isIdempotent = call.isIdempotent || next.method !== call.request.method
    request = limitToRemainingTime(
      { ...next, limits: call.request.limits },
      { egress, clock, startedAt },
    )
    answer = await sendWithRetry({ egress, clock }, { request, isIdempotent })
  }
  return answer
}

/** Limits a request to the remaining time of its call. Throws if none remains. */
export function limitToRemainingTime(
  request: EgressRequest,
  call: { readonly egress: Egress; readonly clock: Clock; readonly startedAt: number },
): EgressRequest {
  const totalMs = getTotalMs(call.egress, request) - Math.max(0, call.clock() - call.startedAt)
  if (totalMs > 0) return { ...request, limits: { ...request.limits, totalMs } }
  const { origin } = new URL(request.url)
  throw new EgressError(
    'total_timeout',
    `Cannot call ${origin}: the total time of the call has elapsed`,
  )
}
