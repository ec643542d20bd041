import type { Clock } from '../ports.ts'
import { createBoundedMap } from '../shared/bounded-map.ts'

/** Makes what fails wait: longer with each failure, at most 15 minutes. */
export interface Delays {
  /** Keys remembered now. */
  readonly size: number
  /** Seconds until the next attempt may be made; 0 when it may now. */
  retryAfter(key: string): number
  /** Counts an attempt as failed; what it gives takes that back, when it did not fail. */
  take(key: string): () => void
}

/** The failures of one key. */
interface Failures {
  readonly count: number
  /** When the last one was, in milliseconds since the epoch. */
  readonly at: number
}

const LONGEST_MS = 900_000
/** What has not failed for so long after its delay may begin anew. */
const FORGOTTEN_MS = 3_600_000

/**
 * Creates delays in bounded memory: `free` failures cost nothing, then the delay begins with a
 * second and doubles. Keys longest without an attempt are forgotten first.
 */
export function createDelays(
  limits: { readonly free: number; readonly maxKeys: number },
  clock: Clock,
): Delays {
  const { free, maxKeys } = limits
  const failures = createBoundedMap<string, Failures>(maxKeys)

  function delayOf(count: number): number {
    return count < free ? 0 : Math.min(LONGEST_MS, 1000 * 2 ** (count - free))
  }

  /** Undefined too when the clock was set back: nobody waits until it has caught up. */
  function find(key: string): Failures | undefined {
    const found = failures.get(key)
    const age = found ? clock() - found.at : 0
    if (!found || age < 0 || age >= delayOf(found.count) + FORGOTTEN_MS) return undefined
    return found
  }

  return {
    get size() {
      return failures.size
    },
    retryAfter(key) {
      const found = find(key)
      if (!found) return 0
      return Math.max(0, Math.ceil((found.at + delayOf(found.count) - clock()) / 1000))
    },
    take(key) {
      const former = find(key)
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
