import type { NodeExchange } from './node-request.ts'

/** Less in a second, over a whole window, is no upload but a connection that is held. */
const BYTES_PER_SECOND = 1_000

const ANSWER = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n'

/**
 * Cuts off a request whose body is not complete after a window, unless enough of it has come in that
 * window: large uploads may take long. Time in which nobody here reads it does not count.
 */
export function watchBody(
  { incoming, outgoing }: NodeExchange,
  given: {
    readonly windowMs: number
    readonly countBytes: () => number
    /** False while the client waits to be asked for the body. */
    readonly isAwaited: () => boolean
  },
): void {
  const { windowMs, countBytes, isAwaited } = given
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
    else socket.end(ANSWER, () => socket.destroy())
  }, windowMs)
  const stop = () => clearInterval(timer)
  incoming.once('end', stop)
  incoming.once('close', stop)
}
