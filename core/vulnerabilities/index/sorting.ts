import type { SteppedWork } from '../../shared/time-slices.ts'

/** Sorts numbers in place, in time slices. The sort is stable. */
export function* sortNumbers(
  numbers: Uint32Array,
  compare: (a: number, b: number) => number,
): SteppedWork<void> {
  for (let start = 0; start < numbers.length; start += RUN) {
    numbers.subarray(start, start + RUN).sort(compare)
    yield
  }
  let from: Uint32Array = numbers
  let to: Uint32Array = new Uint32Array(numbers.length)
  for (let width = RUN; width < numbers.length; width *= 2) {
    for (let start = 0; start < numbers.length; start += 2 * width) {
      yield* mergeRuns({ from, to, start, middle: start + width, end: start + 2 * width }, compare)
    }
    ;[from, to] = [to, from]
  }
  if (from !== numbers) numbers.set(from)
}

/** Length of the runs that are sorted first, and the number of merge steps between two yields. */
const RUN = 1024

function* mergeRuns(
  range: {
    readonly from: Uint32Array
    readonly to: Uint32Array
    readonly start: number
    readonly middle: number
    readonly end: number
  },
  compare: (a: number, b: number) => number,
): SteppedWork<void> {
  const { from, to, start } = range
  const middle = Math.min(range.middle, from.length)
  const end = Math.min(range.end, from.length)
  const isOrdered =
    middle >= end || compare(from[middle - 1] as number, from[middle] as number) <= 0
  if (isOrdered) {
    to.set(from.subarray(start, end), start)
    return
  }
  let left = start
  let right = middle
  for (let at = start; at < end; at += 1) {
    const takesLeft =
      right >= end || (left < middle && compare(from[left] as number, from[right] as number) <= 0)
    to[at] = takesLeft ? (from[left++] as number) : (from[right++] as number)
    if (at % RUN === 0) yield
  }
}
