import type { Gauge } from '../../shared/gauges.ts'
import type { BoundedStates } from './bounded-states.ts'
import type { Breaker } from './breaker.ts'
import type { Bulkhead, CallCounter } from './bulkhead.ts'
import type { Throttle } from './throttle.ts'

const MAX_LABELS = 20

/**
 * Creates the gauges of the guard. At most 20 origins are named: those with the most calls in
 * flight, and those whose breaker is open for all or some accounts.
 */
export function createGuardGauges(guard: {
  readonly bulkhead: Bulkhead
  readonly origins: BoundedStates<CallCounter & { readonly breaker: Breaker }>
  /** Keyed by account ID and origin, separated by a space. */
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
      help: 'Gateway calls in flight.',
      samples: [{ labels: {}, value: guard.bulkhead.inFlight }],
    },
    {
      name: 'gateway_origin_calls_in_flight',
      help: 'Gateway calls in flight by origin, for the origins with the most calls.',
      samples: busy.slice(0, MAX_LABELS).map(([origin, value]) => ({ labels: { origin }, value })),
    },
    {
      name: 'gateway_open_breakers',
      help: 'Origins with an open circuit breaker.',
      samples: [{ labels: {}, value: open.size }],
    },
    {
      name: 'gateway_breaker_open',
      help: '1 for origins with an open circuit breaker, by origin.',
      samples: [...open].slice(0, MAX_LABELS).map((origin) => ({ labels: { origin }, value: 1 })),
    },
    {
      name: 'gateway_throttled',
      help: 'Pairs of account and origin that are blocked by a rate limit of the target.',
      samples: [{ labels: {}, value: throttled }],
    },
  ]
}
