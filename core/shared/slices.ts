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

/**
 * Creates a function that yields to the event loop when `SLICE_MS` have passed since its last turn,
 * or earlier when other works wait and one slice has passed since the last of them resumed. Each
 * turn resumes one work: a hundred works block the event loop no longer than one does.
 */
export function createPause(): Pause {
  let since = performance.now()
  const yieldTurn = async () => {
    await new Promise<void>(enqueue)
    since = performance.now()
    resumedAt = since
  }
  return () => {
    const now = performance.now()
    const isDue = now - since >= SLICE_MS || (waiting.length > 0 && now - resumedAt >= SLICE_MS)
    return isDue ? yieldTurn() : undefined
  }
}

const SLICE_MS = 10

/** Works that wait for their turn, all of this process, the longest waiting first. */
const waiting: (() => void)[] = []
let resumedAt = 0

function enqueue(resume: () => void): void {
  if (waiting.push(resume) === 1) setTimeout(resumeNext, 0)
}

function resumeNext(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setTimeout(resumeNext, 0)
}
