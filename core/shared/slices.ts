/** Long work that may be put aside at each `yield`. */
export type SlicedWork<T> = Generator<undefined, T, undefined>

/** Does all of it without a pause. */
export function runAtOnce<T>(work: SlicedWork<T>): T {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

/** Gives the event loop a turn, to be awaited, when one is due. */
export type Pause = () => Promise<void> | undefined

/**
 * Does it in slices of about `SLICE_MS`, with a turn for the event loop after each. Short works that
 * follow each other share a `pause`.
 */
export async function runInSlices<T>(work: SlicedWork<T>, pause = createPause()): Promise<T> {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    const turn = pause()
    if (turn) await turn
  }
}

/** A function that gives the event loop a turn, to be awaited, when `SLICE_MS` have passed since the last. */
export function createPause(): Pause {
  let since = performance.now()
  const giveTurn = async () => {
    await new Promise((resolve) => setTimeout(resolve, 0))
    since = performance.now()
  }
  return () => (performance.now() - since < SLICE_MS ? undefined : giveTurn())
}

const SLICE_MS = 10
