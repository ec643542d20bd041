import process from 'node:process'
import { StoppedError } from './errors.ts'
import type { Io } from './io.ts'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const
/** Exit code of a process that SIGINT ended. */
const EXIT_CODE_INTERRUPTED = 130

/**
 * Runs `work` with a signal that Ctrl-C or SIGTERM aborts with a `StoppedError`, so that it can end
 * gracefully. A second signal exits the process at once.
 */
export async function withStop<T>(
  options: {
    readonly io: Io
    readonly message: string
    /** Another reason to stop: its abortion has the effect of a first signal. */
    readonly until?: AbortSignal | undefined
  },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { io, message, until } = options
  const controller = new AbortController()
  const stop = () => {
    io.status(undefined)
    if (controller.signal.aborted) process.exit(EXIT_CODE_INTERRUPTED)
    io.note('Stopping… Press Ctrl-C again to exit at once.')
    controller.abort(new StoppedError(message))
  }
  const stopOnce = () => controller.abort(new StoppedError(message))
  for (const name of SIGNALS) process.on(name, stop)
  until?.addEventListener('abort', stopOnce, { once: true })
  try {
    return await work(controller.signal)
  } finally {
    for (const name of SIGNALS) process.off(name, stop)
    until?.removeEventListener('abort', stopOnce)
  }
}
