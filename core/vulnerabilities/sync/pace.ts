import type { Clock } from '../../ports.ts'
import type { Sleep } from './get.ts'

/** Keeps requests below the source's published limit. */
export interface Pace {
  /** Waits until the next request may be sent. */
  wait(signal?: AbortSignal | undefined): Promise<void>
}

/** NVD counts requests in rolling windows of 30 seconds: 5 without an API key, 50 with one. */
const WINDOW_MS = 30_000
const REQUESTS = { withoutKey: 5, withKey: 50 }
/** What a request may be delayed on its way, so that no window of the server's sees one too many. */
const MARGIN = 1.1

/** Spreads requests evenly: one in 6.6 seconds without an API key, one in 0.66 with one. */
export function createPace(given: {
  readonly hasKey: boolean
  readonly clock: Clock
  readonly sleep: Sleep
}): Pace {
  const { clock, sleep } = given
  const requests = given.hasKey ? REQUESTS.withKey : REQUESTS.withoutKey
  const gapMs = (WINDOW_MS / requests) * MARGIN
  let nextAt = 0
  return {
    async wait(signal) {
      const ms = nextAt - clock()
      // A clock that was set back must not hold anything up.
      if (ms > 0) await sleep(Math.min(ms, gapMs), signal)
      nextAt = clock() + gapMs
    },
  }
}
