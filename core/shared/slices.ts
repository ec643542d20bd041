/** Long work that may be put aside at each `yield`. */
export type SlicedWork<T> = Generator<undefined, T, undefined>

/** Does all of it without a pause. */
export function runAtOnce<T>(work: SlicedWork<T>): T {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

/** Does it in slices of about `SLICE_MS`, with a turn for the event loop after each. */
export async function runInSlices<T>(work: SlicedWork<T>): Promise<T> {
  const pause = createPause()
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    const turn = pause()
    if (turn) await turn
  }
}

/** A function that gives the event loop a turn, to be awaited, when `SLICE_MS` have passed since the last. */
export function createPause(): () => Promise<void> | undefined {
  let since = performance.now()
  const giveTurn = async () => {
    await new Promise((resolve) => setTimeout(resolve, 0))
    since = performance.now()
  }
  return () => (performance.now() - since < SLICE_MS ? undefined : giveTurn())
}

const SLICE_MS = 10
