/** Values of an index column. */
export type NumberColumn = Float64Array | Uint32Array | Uint16Array | Uint8Array

/**
 * Returns the numbers that all lists contain. The lists and the result ascend without duplicates.
 */
export function intersectAll(lists: readonly Uint32Array[]): Uint32Array {
  const [first = new Uint32Array(0), ...others] = [...lists].sort((a, b) => a.length - b.length)
  return others.reduce(intersectTwo, first)
}

/**
 * Returns the numbers that any list contains. The lists and the result ascend without duplicates.
 */
export function uniteAll(lists: readonly Uint32Array[]): Uint32Array {
  const filled = lists.filter((list) => list.length > 0).sort((a, b) => a.length - b.length)
  const [first = new Uint32Array(0), ...others] = filled
  if (others.length > MAX_UNITED_IN_TURN) return uniteBySorting(filled)
  return others.reduce(uniteTwo, first)
}

/** A range of column values. */
export interface ColumnCheck {
  readonly column: NumberColumn
  /** Inclusive. */
  readonly low: number
  readonly high: number
}

/** Returns the numbers whose column values pass all checks; their order stays ascending. */
export function narrowByChecks(numbers: Uint32Array, checks: readonly ColumnCheck[]): Uint32Array {
  if (checks.length === 0) return numbers
  const target = new Uint32Array(numbers.length)
  return checks.reduce((from, check) => narrowInto(target, from, check), numbers)
}

/** Returns the numbers from `low` on that are below `high`; shares the list's memory. */
export function cutRange(numbers: Uint32Array, low: number, high: number): Uint32Array {
  return numbers.subarray(findLowerBound(numbers, low), findLowerBound(numbers, high))
}

/**
 * Returns the index of the first value of an ascending list that is not below `bound`; else the
 * list's length.
 */
export function findLowerBound(values: NumberColumn, bound: number): number {
  let low = 0
  let high = values.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((values[middle] as number) < bound) low = middle + 1
    else high = middle
  }
  return low
}

/** True if an ascending list contains the number. */
export function includesSorted(values: Uint32Array, wanted: number): boolean {
  return values[findLowerBound(values, wanted)] === wanted
}

/** Ratio of lengths above which the longer list is searched instead of walked. */
const GALLOP_RATIO = 24
/** Number of lists above which their union is sorted instead of merged. */
const MAX_UNITED_IN_TURN = 16
/** A list is dense if it contains more than one in this many numbers up to its last. */
const DENSE_RATIO = 16

/** Filters `numbers`. `target` may share their memory: no element is written before it is read. */
function narrowInto(
  target: Uint32Array,
  numbers: Uint32Array,
  { column, low, high }: ColumnCheck,
): Uint32Array {
  let count = 0
  for (let index = 0; index < numbers.length; index += 1) {
    const number = numbers[index] as number
    const value = column[number] as number
    target[count] = number
    if (value >= low && value <= high) count += 1
  }
  return target.subarray(0, count)
}

function intersectTwo(short: Uint32Array, long: Uint32Array): Uint32Array {
  if (long.length > short.length * GALLOP_RATIO) return intersectSparse(short, long)
  const last = Math.min(short.at(-1) ?? 0, long.at(-1) ?? 0)
  const isDense = short.length * DENSE_RATIO > last
  return isDense ? intersectDense(short, long, last) : intersectByMerge(short, long)
}

function intersectSparse(short: Uint32Array, long: Uint32Array): Uint32Array {
  const both = new Uint32Array(short.length)
  let count = 0
  let at = 0
  for (let index = 0; index < short.length && at < long.length; index += 1) {
    const wanted = short[index] as number
    at = gallopTo(long, { wanted, at })
    both[count] = wanted
    if (long[at] === wanted) count += 1
  }
  return both.subarray(0, count)
}

/**
 * Marks the numbers of one list and looks up those of the other, to avoid mispredicted branches.
 */
function intersectDense(short: Uint32Array, long: Uint32Array, last: number): Uint32Array {
  const marks = new Uint8Array(last + 1)
  for (let index = 0; index < long.length; index += 1) {
    const number = long[index] as number
    if (number > last) break
    marks[number] = 1
  }
  const both = new Uint32Array(short.length)
  let count = 0
  for (let index = 0; index < short.length; index += 1) {
    const number = short[index] as number
    if (number > last) break
    both[count] = number
    count += marks[number] as number
  }
  return both.subarray(0, count)
}

function intersectByMerge(short: Uint32Array, long: Uint32Array): Uint32Array {
  const both = new Uint32Array(short.length)
  let count = 0
  let at = 0
  for (let index = 0; index < short.length && at < long.length; index += 1) {
    const wanted = short[index] as number
    while (at < long.length && (long[at] as number) < wanted) at += 1
    both[count] = wanted
    if (long[at] === wanted) count += 1
  }
  return both.subarray(0, count)
}

/** Finds the first index from `at` on whose number is not below `wanted`, in growing steps. */
function gallopTo(
  list: Uint32Array,
  { wanted, at }: { readonly wanted: number; readonly at: number },
): number {
  let step = 1
  let start = at
  while (start + step < list.length && (list[start + step] as number) < wanted) {
    start += step
    step *= 2
  }
  const end = Math.min(list.length, start + step + 1)
  return start + findLowerBound(list.subarray(start, end), wanted)
}

function uniteBySorting(lists: readonly Uint32Array[]): Uint32Array {
  const all = new Uint32Array(lists.reduce((sum, { length }) => sum + length, 0))
  let end = 0
  for (const list of lists) {
    all.set(list, end)
    end += list.length
  }
  return all.sort().filter((number, at) => at === 0 || number !== all[at - 1])
}

function uniteTwo(left: Uint32Array, right: Uint32Array): Uint32Array {
  const all = new Uint32Array(left.length + right.length)
  let count = 0
  let a = 0
  let b = 0
  while (a < left.length || b < right.length) {
    const one = a < left.length ? (left[a] as number) : Infinity
    const other = b < right.length ? (right[b] as number) : Infinity
    all[count] = Math.min(one, other)
    count += 1
    if (one <= other) a += 1
    if (other <= one) b += 1
  }
  return all.subarray(0, count)
}
