import type { Clock } from '../../ports/clock.ts'
import type { Sleep } from './sleep.ts'

/** Limits requests to the published rate of the source. */
export interface Pace {
  /** Waits until the next request may be sent. */
  wait(signal?: AbortSignal | undefined): Promise<void>
}

/** NVD counts requests in rolling windows of 30 seconds: 5 without an API key, 50 with one. */
const WINDOW_MS = 30_000
const REQUESTS = { withoutKey: 5, withKey: 50 }
/** Allows for network delays, so that no window of the server contains one request too many. */
const MARGIN = 1.1

/**
 * Spaces requests evenly: one per 6.6 seconds without an API key, one per 0.66 seconds with one.
 */
export function createPace(options: {
  readonly hasKey: boolean
  readonly clock: Clock
  readonly sleep: Sleep
}): Pace {
  const { clock, sleep } = options
  const requests = options.hasKey ? REQUESTS.withKey : REQUESTS.withoutKey
  const gapMs = (WINDOW_MS / requests) * MARGIN
  let nextAt = 0
  return {
    async wait(signal) {
      const ms = nextAt - clock()
      // A clock that was set back must not block requests.
      if (ms > 0) await sleep(Math.min(ms, gapMs), signal)
      nextAt = clock() + gapMs
    },
  }
}
