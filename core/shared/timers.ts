/** Time that passes, injected so that tests have it in hand. */
export interface Timers {
  /** Milliseconds, with fractions, from any point on; never goes back. */
  now(): number
  /** Resolves after so many milliseconds, at once when the signal ends it; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** The time of the machine. */
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
