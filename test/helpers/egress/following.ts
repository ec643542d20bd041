import { followRedirects } from '../../../core/gateway/follow-redirects.ts'
import { createTargetGuard } from '../../../core/gateway/guard/target-guard.ts'
import type { Egress } from '../../../core/ports/egress.ts'

/** Headers that the gateway adds to each call, with the values of tests. */
export const PORTABLE_HEADERS = [
  ['accept', 'a/b'],
  ['user-agent', 'tests'],
] as const

/** Wraps an egress to follow redirects like the gateway. */
export function toFollowing(egress: Egress): Egress {
  const clock = Date.now
  return {
    async send(request) {
      const startedAt = clock()
      const answer = await egress.send(request)
      const guard = createTargetGuard({ clock })
      const isIdempotent = request.method !== 'POST'
      const account = { id: 'acc_1', name: 'Ada' }
      const call = { request, isIdempotent, answer, account, trail: { pass: undefined }, startedAt }
      const more = { ...call, portableHeaders: PORTABLE_HEADERS }
      return followRedirects({ egress, guard, clock }, more)
    },
  }
}
