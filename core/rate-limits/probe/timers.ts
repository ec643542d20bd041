/** The time of a run, injected so that tests have it in hand. */
export interface Timers {
  /** Milliseconds, with fractions, from any point on; never goes back. */
  now(): number
  /** Resolves after so many milliseconds, at once when the signal ends it; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}
