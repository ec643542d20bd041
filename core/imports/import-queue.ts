import { ServiceError } from '../errors.ts'

/** Runs large imports one at a time, so that their memory use does not add up. */
export interface ImportQueue {
  /**
   * Waits until the import may start and resolves to a function to call at its end. Small imports
   * start immediately. Rejects with `overloaded` if the queue is full, with `too_expensive` if
   * `signal` aborts.
   */
  enter(bytes: number, signal?: AbortSignal): Promise<() => void>
}

/** Creates the queue of one process. */
export function createImportQueue(
  options: {
    /** Size in bytes from which an import is large; 1 MiB by default. */
    readonly largeBytes?: number
    /** Maximum total size of waiting imports in bytes; 64 MiB by default. */
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
      if (signal?.aborted) throw createAbortError()
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
          reject(createAbortError())
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

function createAbortError(): ServiceError {
  return new ServiceError('too_expensive', 'The import was aborted')
}
