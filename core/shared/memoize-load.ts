/**
 * Memoises an asynchronous load. A failed load rejects for all waiting callers, and the next call
 * retries it.
 */
export function memoizeLoad<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
}
