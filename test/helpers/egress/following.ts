import type { Egress } from '../../../core/egress/egress.ts'
import { followRedirects } from '../../../core/gateway/follow-redirects.ts'
import { createTargetGuard } from '../../../core/gateway/guard/guard.ts'

/** The same egress, whose redirects are followed as the gateway does it. */
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
      return followRedirects({ egress, guard, clock }, call)
    },
  }
}
