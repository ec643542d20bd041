/** Plot area within the picture, in its units. */
export const WIDTH = 720
export const LEFT = 52
export const RIGHT = 708
const TOP = 12
export const BOTTOM = 212

/** The vertical axis, starting at 0. */
export interface Scale {
  /** Vertical position of a value, from the top of the picture; between `TOP` and `BOTTOM`. */
  readonly y: (value: number) => number
  /** From 0 to the highest value or slightly above. */
  readonly ticks: readonly { readonly value: number; readonly text: string }[]
}

const STEPS = 4

/** Creates a scale with round steps that covers all values; 0 to 4 if no value exceeds 0. */
export function createScale(values: readonly number[]): Scale {
  let top = 0
  for (const value of values) if (Number.isFinite(value) && value > top) top = value
  // Whole numbers need no fractional ticks.
  const least = values.every(Number.isInteger) ? 1 : 0
  const round = Math.max(least, toRoundStep(top / STEPS || 1))
  const step = least === 0 || Number.isInteger(round) ? round : 2 * round
  const count = Math.max(1, Math.ceil(top / step - 1e-9))
  const ticks = Array.from({ length: (top === 0 ? STEPS : count) + 1 }, (_, index) => {
    const value = index * step
    return { value, text: toShortNumber(value) }
  })
  const highest = ticks.at(-1)?.value || 1
  return {
    ticks,
    y: (value) => BOTTOM - (Math.min(Math.max(value, 0), highest) / highest) * (BOTTOM - TOP),
  }
}

/** Formats a number with at most three digits and a suffix: `1.5k`, `20M`. */
export function toShortNumber(value: number): string {
  if (value >= 1e15) return value.toExponential(0)
  for (const [size, letter] of SIZES) {
    if (value >= size) return `${toDigits(value / size)}${letter}`
  }
  return toDigits(value)
}

const SIZES = [
  [1e12, 'T'],
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const

/** Returns 1, 2, 2.5 or 5 times a power of ten, at least as large as `step`. */
function toRoundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step))
  const factor = [1, 2, 2.5, 5, 10].find((each) => each * power >= step * (1 - 1e-9)) ?? 10
  return factor * power
}

function toDigits(value: number): string {
  return String(Number(value.toPrecision(3)))
}
