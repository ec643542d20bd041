/**
 * What is loaded with the first call, and given to every call. A load that fails is told to who waits
 * for it, and tried again by the next call.
 */
export function createLazy<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
}
