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
  let since = performance.now()
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    if (performance.now() - since < SLICE_MS) continue
    await new Promise((resolve) => setTimeout(resolve, 0))
    since = performance.now()
  }
}

const SLICE_MS = 10
