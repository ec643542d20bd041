import type { HttpResponse } from './message.ts'

/** A body that comes in pieces. */
export type StreamedBody = AsyncIterable<Uint8Array>

/** A readable stream of Node, as far as the core has to know it. */
interface NodeStream extends StreamedBody {
  destroy(): unknown
  once(event: 'close' | 'end', listener: () => void): unknown
}

/** True for bodies that are neither text nor bytes. */
export function isStream(body: HttpResponse['body']): body is StreamedBody {
  return typeof body === 'object' && Symbol.asyncIterator in body
}

/** True for readable streams of Node, which adapters hand on without iterating. */
export function isNodeStream(body: StreamedBody): body is NodeStream {
  return 'destroy' in body && 'once' in body
}

/** Gives up a body that will not be read, so that its source can clean up. */
export function discardBody(body: HttpResponse['body']): void {
  if (!isStream(body)) return
  // Its iterator does nothing before it is asked for something.
  if (isNodeStream(body)) body.destroy()
  else stopIterator(body[Symbol.asyncIterator]())
}

/** Tells an iterator that no more is wanted. It is not waited for. */
export function stopIterator(iterator: AsyncIterator<Uint8Array>): void {
  // Nobody is left to be told that a source fails to clean up.
  iterator.return?.().catch(() => undefined)
}
