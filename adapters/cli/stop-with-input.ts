import process from 'node:process'
import { setTimeout } from 'node:timers'

/** Enough to write the rest of the output, in milliseconds. */
const EXIT_AFTER_MS = 200

/**
 * Aborts when standard input ends: the process that started this one has ended, or wants it to stop.
 * `close` stops reading, so that this process can exit.
 */
export function watchInput(): { readonly signal: AbortSignal; close(): void } {
  const controller = new AbortController()
  const stop = () => controller.abort()
  const { stdin } = process
  stdin.once('end', stop)
  stdin.once('error', stop)
  stdin.resume()
  return {
    signal: controller.signal,
    close() {
      stdin.off('end', stop)
      stdin.destroy()
      // Deno waits for the end of a pending read.
      setTimeout(() => process.exit(), EXIT_AFTER_MS).unref()
    },
  }
}
