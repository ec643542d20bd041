/** The end of a call: a signal or a time, whichever comes first. */
export interface Deadline {
  /** Has `destroy` called when the end comes; the function it gives takes that back. */
  guard(destroy: (error: Error) => void): () => void
  /** Whether the end has come. */
  isOver(): boolean
  /** The call is over: the timer and the signal are let go. */
  end(): void
}

/** Creates the end of a call that begins now. */
export function createDeadline(signal: AbortSignal | undefined, totalMs: number): Deadline {
  const guards = new Set<(error: Error) => void>()
  let ended: Error | undefined
  const finish = (error: Error) => {
    ended ??= error
    for (const destroy of [...guards]) destroy(ended)
  }
  const onAbort = () => finish(new Error('aborted'))
  const timer = setTimeout(() => finish(new Error('the time is up')), totalMs)
  if (signal?.aborted) onAbort()
  signal?.addEventListener('abort', onAbort, { once: true })
  return {
    guard(destroy) {
      if (ended) destroy(ended)
      guards.add(destroy)
      return () => void guards.delete(destroy)
    },
    isOver: () => ended !== undefined,
    end() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    },
  }
}
