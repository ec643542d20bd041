import type { NodeExchange } from './node-request.ts'

/** A lower average rate over a whole window is treated as a stalled connection. */
const BYTES_PER_SECOND = 1_000

const TIMEOUT_RESPONSE = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n'

/**
 * Disconnects a client whose request body is incomplete after a window and too slow within it:
 * large uploads may take long. Windows in which the service itself does not read do not count.
 */
export function watchBodyRate(
  { incoming, outgoing }: NodeExchange,
  options: {
    readonly windowMs: number
    readonly countBytes: () => number
    /** False while the client waits for permission to send the body. */
    readonly isAwaited: () => boolean
  },
): void {
  const { windowMs, countBytes, isAwaited } = options
  const { socket } = incoming
  let seen = 0
  const timer = setInterval(() => {
    if (incoming.complete) return stop()
    const isOurs = incoming.readableLength > 0 || !isAwaited()
    const came = countBytes() - seen
    seen += came
    if (isOurs || came >= (BYTES_PER_SECOND * windowMs) / 1_000) return
    stop()
    if (outgoing.headersSent) socket.destroy()
    else socket.end(TIMEOUT_RESPONSE, () => socket.destroy())
  }, windowMs)
  const stop = () => clearInterval(timer)
  incoming.once('end', stop)
  incoming.once('close', stop)
}
