/** Long work that may be put aside at each `yield`. */
export type SlicedWork<T> = Generator<undefined, T, undefined>

/** Does all of it without a pause. */
export function runAtOnce<T>(work: SlicedWork<T>): T {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

/** Yields to the event loop when a turn is due: a promise to await, or undefined. */
export type Pause = () => Promise<void> | undefined

/**
 * Does the work in slices of about `SLICE_MS`, with a turn for the event loop after each. Short
 * works that follow each other share a `pause`.
 */
export async function runInSlices<T>(work: SlicedWork<T>, pause = createPause()): Promise<T> {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    const turn = pause()
    if (turn) await turn
  }
}

/** What time slices are measured and handed out by. */
export interface SliceDeps {
  /** Milliseconds. */
  readonly now: () => number
  /** Calls back in a later turn of the event loop. */
  readonly schedule: (next: () => void) => void
}

/**
 * Creates functions that yield to the event loop when `SLICE_MS` have passed since their last turn,
 * or earlier when other works wait and one slice has passed since the last of them resumed. All of
 * them share one queue, and each turn resumes one work: a hundred works block the event loop no
 * longer than one does.
 */
export function createSlices({ now, schedule }: SliceDeps): () => Pause {
  /** Works that wait for their turn, the longest waiting first. */
  const waiting: (() => void)[] = []
  let resumedAt = Number.NEGATIVE_INFINITY

  function enqueue(resume: () => void): void {
    if (waiting.push(resume) === 1) schedule(resumeNext)
  }

  function resumeNext(): void {
    waiting.shift()?.()
    if (waiting.length > 0) schedule(resumeNext)
  }

  return () => {
    let since = now()
    const yieldTurn = async () => {
      await new Promise<void>(enqueue)
      since = now()
      resumedAt = since
    }
    return () => {
      const time = now()
      const isDue = time - since >= SLICE_MS || (waiting.length > 0 && time - resumedAt >= SLICE_MS)
      return isDue ? yieldTurn() : undefined
    }
  }
}

const SLICE_MS = 10

/** Creates a pause that shares the turns of this process with all others: see `createSlices`. */
export const createPause: () => Pause = createSlices({
  now: () => performance.now(),
  schedule: (next) => void setTimeout(next, 0),
})
