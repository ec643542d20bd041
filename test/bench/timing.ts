import { createSeededRandom } from '../helpers/random.ts'

/** A measured call; a returned promise is awaited. */
export type TimedCall = () => unknown

/** Comparison of two interleaved calls. */
export interface TimingComparison {
  /**
   * Standard score of the Mann-Whitney U test: beyond ±4.5, one call takes longer. The test uses
   * only ranks, so neither outliers nor the distribution matter.
   */
  readonly z: number
  /** Milliseconds. */
  readonly medians: readonly [left: number, right: number]
  readonly isDifferent: boolean
}

/** Threshold of dudect (Reparaz, Balasch, Verbauwhede 2017): 1 in 150,000 by chance. */
const THRESHOLD = 4.5

/** Measures two calls in random order, so that drift and other load affect both equally. */
export async function compareTimes(
  calls: { readonly left: TimedCall; readonly right: TimedCall },
  options: { readonly samples: number; readonly seed?: number },
): Promise<TimingComparison> {
  const random = createSeededRandom(options.seed ?? 4)
  const times: [number[], number[]] = [[], []]
  const warmUp = Math.ceil(options.samples / 10)
  for (let sample = -warmUp; sample < 2 * options.samples; sample += 1) {
    const side = ((random(1)[0] ?? 0) & 1) as 0 | 1
    const call = side === 0 ? calls.left : calls.right
    const startedAt = performance.now()
    const result = call()
    if (result instanceof Promise) await result
    const time = performance.now() - startedAt
    if (sample >= 0) times[side].push(time)
  }
  const z = toStandardScore(...times)
  return {
    z,
    medians: [toMedian(times[0]), toMedian(times[1])],
    isDifferent: Math.abs(z) >= THRESHOLD,
  }
}

/** Positive if the left times are longer; ties share their ranks. */
export function toStandardScore(left: readonly number[], right: readonly number[]): number {
  const all = [
    ...left.map((time) => ({ time, isLeft: true })),
    ...right.map((time) => ({ time, isLeft: false })),
  ].sort((one, other) => one.time - other.time)
  let ranks = 0
  let ties = 0
  for (let start = 0; start < all.length; ) {
    let end = start
    while (end < all.length && all[end]?.time === all[start]?.time) end += 1
    const rank = (start + 1 + end) / 2
    for (let at = start; at < end; at += 1) if (all[at]?.isLeft) ranks += rank
    ties += (end - start) ** 3 - (end - start)
    start = end
  }
  const [m, n] = [left.length, right.length]
  const total = m + n
  const u = ranks - (m * (m + 1)) / 2
  const variance = ((m * n) / 12) * (total + 1 - ties / (total * (total - 1)))
  return variance > 0 ? (u - (m * n) / 2) / Math.sqrt(variance) : 0
}

function toMedian(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.NaN
}
