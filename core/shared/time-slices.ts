/** Long work that may be interrupted at each `yield`. */
export type SteppedWork<T> = Generator<undefined, T, undefined>

/** Runs the work synchronously. */
export function runSynchronously<T>(work: SteppedWork<T>): T {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

/** Yields to the event loop when due: returns a promise to await, or undefined. */
export type YieldIfDue = () => Promise<void> | undefined

/**
 * Runs the work in time slices of about `SLICE_MS` and yields to the event loop after each. Short
 * tasks in sequence share a time slice if they share `yieldIfDue`.
 */
export async function runInTimeSlices<T>(
  work: SteppedWork<T>,
  yieldIfDue = createYieldIfDue(),
): Promise<T> {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    const turn = yieldIfDue()
    if (turn) await turn
  }
}

/** Sorts a copy. No two items may be equal. */
export function* sortInTimeSlices<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
): SteppedWork<readonly T[]> {
  let runs: T[][] = []
  for (let start = 0; start < items.length; start += RUN_ITEMS) {
    runs.push(items.slice(start, start + RUN_ITEMS).sort(compare))
    yield
  }
  while (runs.length > 1) {
    const merged: T[][] = []
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(yield* mergeSorted(runs[at] ?? [], runs[at + 1] ?? [], compare))
    }
    runs = merged
  }
  return runs[0] ?? []
}

function* mergeSorted<T>(
  left: readonly T[],
  right: readonly T[],
  compare: (a: T, b: T) => number,
): SteppedWork<T[]> {
  const merged: T[] = []
  let taken = 0
  for (const item of left) {
    for (; taken < right.length && compare(right[taken] as T, item) < 0; taken += 1) {
      merged.push(right[taken] as T)
    }
    merged.push(item)
    if (merged.length % RUN_ITEMS === 0) yield
  }
  for (; taken < right.length; taken += 1) merged.push(right[taken] as T)
  return merged
}

/** Takes a millisecond or two to sort. */
const RUN_ITEMS = 1000

/** Clock and scheduler of the time slices. */
export interface TimeSliceDeps {
  /** Milliseconds. */
  readonly now: () => number
  /** Runs the callback in a later turn of the event loop. */
  readonly schedule: (next: () => void) => void
}

/** A queue of tasks that share the event loop. */
export interface TimeSlices {
  /**
   * Creates a function that yields to the event loop when `SLICE_MS` have passed since its last
   * turn. If other tasks are waiting, it yields one slice after the last of them resumed. Tasks
   * that start in one turn share its slice: call the function before the first long step too.
   */
  readonly createYieldIfDue: () => YieldIfDue
  /**
   * Yields until all tasks that were already waiting have resumed. Call it before indivisible work
   * of several milliseconds: each turn then runs only one such task.
   */
  readonly yieldToEventLoop: () => Promise<void>
}

/**
 * Creates a queue that resumes one task in each turn of the event loop: a hundred tasks block it no
 * longer than one does.
 */
export function createTimeSlices({ now, schedule }: TimeSliceDeps): TimeSlices {
  /** Tasks waiting for their turn, oldest first. */
  const waiting: (() => void)[] = []
  let resumedAt = Number.NEGATIVE_INFINITY
  /** Start of the first task in this turn. */
  let startedAt: number | undefined

  function enqueue(resume: () => void): void {
    if (waiting.push(resume) === 1) schedule(resumeNext)
  }

  function resumeNext(): void {
    waiting.shift()?.()
    if (waiting.length > 0) schedule(resumeNext)
  }

  function findStart(): number {
    if (startedAt === undefined) {
      startedAt = now()
      schedule(() => {
        startedAt = undefined
      })
    }
    return startedAt
  }

  const yieldToEventLoop = async () => {
    await new Promise<void>(enqueue)
    resumedAt = now()
  }
  return {
    yieldToEventLoop: yieldToEventLoop,
    createYieldIfDue() {
      let since = findStart()
      const yieldSlice = async () => {
        await yieldToEventLoop()
        since = now()
      }
      return () => {
        const time = now()
        const isDue =
          time - since >= SLICE_MS || (waiting.length > 0 && time - resumedAt >= SLICE_MS)
        return isDue ? yieldSlice() : undefined
      }
    },
  }
}

const SLICE_MS = 10

/** The queue shared by all tasks of this process. */
export const { createYieldIfDue, yieldToEventLoop }: TimeSlices = createTimeSlices({
  now: () => performance.now(),
  schedule: (next) => void setTimeout(next, 0),
})
