import type { Clock } from '../ports/clock.ts'
import { createBoundedMap } from '../shared/bounded-map.ts'

/** Delays attempts after failures: longer after each failure, at most 15 minutes. */
export interface Delays {
  /** Number of tracked keys. */
  readonly size: number
  /** Seconds until the next attempt is allowed; 0 if it is allowed now. */
  retryAfter(key: string): number
  /** Counts an attempt as failed. If it succeeds, call the returned function to undo that. */
  addFailure(key: string): () => void
}

/** The failures of one key. */
interface Failures {
  readonly count: number
  /** Time of the last failure, in milliseconds since the epoch. */
  readonly at: number
}

const MAX_DELAY_MS = 900_000
/** A key without failures for this long after its delay starts from zero. */
const RESET_AFTER_MS = 3_600_000

/**
 * Creates delays in bounded memory. The first `free` failures have no delay; then it starts at one
 * second and doubles. The least recently active keys are evicted first.
 */
export function createDelays(
  limits: { readonly free: number; readonly maxKeys: number },
  clock: Clock,
): Delays {
  const { free, maxKeys } = limits
  const failures = createBoundedMap<string, Failures>(maxKeys)

  function delayOf(count: number): number {
    return count < free ? 0 : Math.min(MAX_DELAY_MS, 1000 * 2 ** (count - free))
  }

  /** Finds the current failures of a key; none if the clock was set back, so that no key stays locked. */
  function findCurrent(key: string): Failures | undefined {
    const found = failures.get(key)
    const age = found ? clock() - found.at : 0
    if (!found || age < 0 || age >= delayOf(found.count) + RESET_AFTER_MS) return undefined
    return found
  }

  return {
    get size() {
      return failures.size
    },
    retryAfter(key) {
      const found = findCurrent(key)
      if (!found) return 0
      return Math.max(0, Math.ceil((found.at + delayOf(found.count) - clock()) / 1000))
    },
    addFailure(key) {
      const former = findCurrent(key)
      const taken = { count: (former?.count ?? 0) + 1, at: clock() }
      failures.set(key, taken)
      return () => {
        const now = failures.get(key)
        if (now === undefined) return
        if (now === taken) restore(key, former)
        else restore(key, now.count > 1 ? { ...now, count: now.count - 1 } : undefined)
      }
    },
  }

  function restore(key: string, former: Failures | undefined): void {
    if (former) failures.set(key, former)
    else failures.delete(key)
  }
}
