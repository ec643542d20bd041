import type { Clock } from '../../core/ports/clock.ts'
import type { Random } from '../../core/ports/random.ts'

/** Returns random bytes of the runtime. */
export const strongRandom: Random = (length) => crypto.getRandomValues(new Uint8Array(length))

/** Creates a seeded byte generator (mulberry32), identical in every run and runtime. */
export function createSeededRandom(seed: number): Random {
  let state = seed >>> 0
  return (length) =>
    Uint8Array.from({ length }, () => {
      state = (state + 0x6d2b79f5) >>> 0
      let mixed = Math.imul(state ^ (state >>> 15), state | 1)
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
      return (mixed ^ (mixed >>> 14)) & 0xff
    })
}

/** Creates a seeded generator of numbers from 0 to below 1, identical in every run and runtime. */
export function createNumberGenerator(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

/** Creates a clock that only moves on request. */
export function createManualClock(startMs = 1_700_000_000_000): Clock & {
  advance(ms: number): void
} {
  let now = startMs
  const clock = () => now
  return Object.assign(clock, {
    advance(ms: number) {
      now += ms
    },
  })
}
