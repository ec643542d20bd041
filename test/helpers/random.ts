import type { Clock, Random } from '../../core/ports.ts'

/** Random bytes of the runtime. */
export const strongRandom: Random = (length) => crypto.getRandomValues(new Uint8Array(length))

/** Bytes of a seeded generator (mulberry32): the same in every run and on every runtime. */
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

/** A clock that moves only when told. */
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
