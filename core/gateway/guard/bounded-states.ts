/** What a state is worth when one has to be forgotten: the lowest goes first, one in use never. */
export const WORTH = { nothing: 0, news: 1, refusal: 2, use: 3 } as const

export type Worth = (typeof WORTH)[keyof typeof WORTH]

/** States by key, created when they are asked for, as many as there is room for. */
export interface BoundedStates<State> {
  readonly size: number
  get(key: string): State
  entries(): IterableIterator<[string, State]>
}

const BATCH = 64

/**
 * Keeps at most `capacity` states, more only while that many are in use. For a new one the first
 * that is worth nothing goes. When there is none, 64 of the least worth go, the oldest first: what
 * has something to tell goes before what keeps calls away.
 */
export function createBoundedStates<State>(options: {
  readonly capacity: number
  readonly create: () => State
  readonly worthOf: (state: State) => Worth
}): BoundedStates<State> {
  const { capacity, create, worthOf } = options
  const states = new Map<string, State>()

  function makeRoom(): void {
    const news: string[] = []
    const refusals: string[] = []
    let left = states.size
    for (const [key, state] of states) {
      const worth = worthOf(state)
      states.delete(key)
      if (worth === WORTH.nothing) return
      // To the end, so that the next search begins where this one ended.
      states.set(key, state)
      if (worth === WORTH.news && news.length < BATCH) news.push(key)
      if (worth === WORTH.refusal && refusals.length < BATCH) refusals.push(key)
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
      if (states.size >= capacity) makeRoom()
      const state = create()
      states.set(key, state)
      return state
    },
    entries: () => states.entries(),
  }
}
