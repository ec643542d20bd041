/** Waits `ms` milliseconds; rejects with the signal's reason if aborted. */
export type Sleep = (ms: number, signal?: AbortSignal | undefined) => Promise<void>

/**
 * Waits by a timer; rejects with the signal's reason if aborted.
 *
 * @example
 * ```ts
 * import { sleep } from 'api-discovery/vulnerabilities'
 *
 * const stopped = new AbortController()
 * await sleep(1_000, stopped.signal)
 * ```
 */
export const sleep: Sleep = (ms, signal) =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason)
      return
    }
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', onAbort, { once: true })
  })
