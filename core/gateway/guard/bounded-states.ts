/** Eviction rank of a state: the lowest rank is evicted first, `inUse` never. */
export const RETENTION = { idle: 0, counting: 1, blocking: 2, inUse: 3 } as const

export type Retention = (typeof RETENTION)[keyof typeof RETENTION]

/** A bounded map of states by key. `get` creates a missing state. */
export interface BoundedStates<State> {
  readonly size: number
  get(key: string): State
  entries(): IterableIterator<[string, State]>
}

const EVICTION_BATCH = 64

/**
 * Stores at most `capacity` states; more only while that many are in use. A new state evicts the
 * first idle one. If none is idle, a batch of 64 is evicted, oldest first: states with counts
 * before states that block calls.
 */
export function createBoundedStates<State>(options: {
  readonly capacity: number
  readonly create: () => State
  readonly retentionOf: (state: State) => Retention
}): BoundedStates<State> {
  const { capacity, create, retentionOf } = options
  const states = new Map<string, State>()

  function evict(): void {
    const news: string[] = []
    const refusals: string[] = []
    let left = states.size
    for (const [key, state] of states) {
      const worth = retentionOf(state)
      states.delete(key)
      if (worth === RETENTION.idle) return
      // Move it to the end, so that the next search continues after it.
      states.set(key, state)
      if (worth === RETENTION.counting && news.length < EVICTION_BATCH) news.push(key)
      if (worth === RETENTION.blocking && refusals.length < EVICTION_BATCH) refusals.push(key)
      left -= 1
      if (left === 0) break
    }
    for (const key of news.length > 0 ? news : refusals) states.delete(key)
  }

  return {
    get size() {
      return states.size
    },
    get(key) {
      const present = states.get(key)
      if (present !== undefined) return present
      if (states.size >= capacity) evict()
      const state = create()
      states.set(key, state)
      return state
    },
    entries: () => states.entries(),
  }
}
