/** Pseudo-random numbers (mulberry32), equal for a seed on every runtime. */
export interface Seeded {
  /** From 0 to below 1. */
  share(): number
  between(least: number, most: number): number
  integer(least: number, most: number): number
  pick<T>(values: readonly [T, ...T[]]): T
}

/** Creates the generator of a seed. */
export function createSeeded(seed: number): Seeded {
  let state = (seed * 0x9e3779b1) >>> 0
  const share = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const integer = (least: number, most: number) => least + Math.floor(share() * (most - least + 1))
  return {
    share,
    integer,
    between: (least, most) => least + share() * (most - least),
    pick: (values) => values[integer(0, values.length - 1)] ?? values[0],
  }
}
