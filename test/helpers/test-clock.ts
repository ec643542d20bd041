/** A clock that tests advance. */
export interface TestClock {
  readonly now: () => number
  readonly advance: (ms: number) => void
}

/** Creates a clock that is stopped at the current time. */
export function createTestClock(): TestClock {
  let time = Date.now()
  return {
    now: () => time,
    advance(ms) {
      time += ms
    },
  }
}
