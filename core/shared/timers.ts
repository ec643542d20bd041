/** Clock and sleep, injected so that tests can control time. */
export interface Timers {
  /** Milliseconds with fractions from an arbitrary start; monotonic. */
  now(): number
  /** Resolves after the delay, or immediately when the signal aborts. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** The system's timers. */
export const TIMERS: Timers = {
  now: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) {
        resolve()
        return
      }
      const end = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', end)
        resolve()
      }
      const timer = setTimeout(end, ms)
      signal?.addEventListener('abort', end, { once: true })
    }),
}
