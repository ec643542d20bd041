/** A clock that tests set forward. */
export interface TestClock {
  readonly now: () => number
  readonly advance: (ms: number) => void
}

/** A clock that stands at the present time until it is set forward. */
export function createTestClock(): TestClock {
  let time = Date.now()
  return {
    now: () => time,
    advance(ms) {
      time += ms
    },
  }
}
