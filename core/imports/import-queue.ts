import { ServiceError } from '../http/problems.ts'

/** Lets large imports run one after the other: their memory does not add up. */
export interface ImportQueue {
  /**
   * Resolves, when the import may start, with a function to call at its end. Small imports start at
   * once. Rejects with `overloaded` when too much is waiting, with `too_expensive` once `signal` aborts.
   */
  enter(bytes: number, signal?: AbortSignal): Promise<() => void>
}

/** Creates the queue of one process. */
export function createImportQueue(
  options: {
    /** Bytes from which an import is large; 1 MiB when absent. */
    readonly largeBytes?: number
    /** Bytes of all imports that wait; 64 MiB when absent. */
    readonly maxWaitingBytes?: number
  } = {},
): ImportQueue {
  const { largeBytes = 1024 * 1024, maxWaitingBytes = 64 * 1024 * 1024 } = options
  const waiting: { readonly bytes: number; readonly start: () => void }[] = []
  let isBusy = false

  const startNext = () => {
    const next = waiting.shift()
    if (next) next.start()
    else isBusy = false
  }
  const createLeave = () => {
    let hasLeft = false
    return () => {
      if (!hasLeft) startNext()
      hasLeft = true
    }
  }

  return {
    async enter(bytes, signal) {
      if (bytes < largeBytes) return () => undefined
      if (signal?.aborted) throw toAborted()
      if (!isBusy) {
        isBusy = true
        return createLeave()
      }
      const waitingBytes = waiting.reduce((sum, entry) => sum + entry.bytes, 0)
      if (waitingBytes + bytes > maxWaitingBytes) {
        throw new ServiceError(
          'overloaded',
          'Cannot import now: other large descriptions are waiting. Try again in 30 seconds',
          { retryAfter: 30 },
        )
      }
      return new Promise((resolve, reject) => {
        const abort = () => {
          waiting.splice(waiting.indexOf(entry), 1)
          reject(toAborted())
        }
        const entry = {
          bytes,
          start: () => {
            signal?.removeEventListener('abort', abort)
            resolve(createLeave())
          },
        }
        waiting.push(entry)
        signal?.addEventListener('abort', abort, { once: true })
      })
    },
  }
}

function toAborted(): ServiceError {
  return new ServiceError('too_expensive', 'The import was aborted')
}
