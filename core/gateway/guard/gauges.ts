import type { Gauge } from '../../shared/gauges.ts'
import type { BoundedStates } from './bounded-states.ts'
import type { Breaker } from './breaker.ts'
import type { Bulkhead, Places } from './bulkhead.ts'
import type { Throttle } from './throttle.ts'

const MAX_LABELS = 20

/**
 * What a monitor wants to know of the targets. Origins are named, 20 at most: those with most calls
 * under way, and any of those that all or some accounts are kept away from.
 */
export function toGauges(guard: {
  readonly bulkhead: Bulkhead
  readonly origins: BoundedStates<Places & { readonly breaker: Breaker }>
  /** By account and origin, with a blank between them. */
  readonly pairs: BoundedStates<{ readonly throttle: Throttle; readonly breaker: Breaker }>
  readonly now: number
}): readonly Gauge[] {
  const open = new Set<string>()
  const busy: (readonly [string, number])[] = []
  for (const [origin, { inFlight, breaker }] of guard.origins.entries()) {
    if (!breaker.isClosed) open.add(origin)
    if (inFlight > 0) busy.push([origin, inFlight])
  }
  busy.sort((a, b) => b[1] - a[1])
  let throttled = 0
  for (const [key, { throttle, breaker }] of guard.pairs.entries()) {
    if (throttle.waitMs(guard.now) > 0) throttled += 1
    if (!breaker.isClosed) open.add(key.slice(key.lastIndexOf(' ') + 1))
  }
  return [
    {
      name: 'gateway_calls_in_flight',
      help: 'Calls to targets that are under way.',
      samples: [{ labels: {}, value: guard.bulkhead.inFlight }],
    },
    {
      name: 'gateway_origin_calls_in_flight',
      help: 'Calls under way to the targets that have most of them, by origin.',
      samples: busy.slice(0, MAX_LABELS).map(([origin, value]) => ({ labels: { origin }, value })),
    },
    {
      name: 'gateway_open_breakers',
      help: 'Targets that accounts do not call now since they failed too often.',
      samples: [{ labels: {}, value: open.size }],
    },
    {
      name: 'gateway_breaker_open',
      help: '1 for targets that accounts do not call now since they failed too often, by origin.',
      samples: [...open].slice(0, MAX_LABELS).map((origin) => ({ labels: { origin }, value: 1 })),
    },
    {
      name: 'gateway_throttled',
      help: 'Pairs of account and target that are not called now since the target asked for that.',
      samples: [{ labels: {}, value: throttled }],
    },
  ]
}
