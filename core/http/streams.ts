import type { HttpResponse } from './message.ts'

/** A body that is sent in chunks. */
export type StreamedBody = AsyncIterable<Uint8Array>

/** The part of Node's readable stream that the core uses. */
interface NodeStream extends StreamedBody {
  destroy(): unknown
  once(event: 'close' | 'end', listener: () => void): unknown
}

/** Returns whether a body is neither text nor bytes. */
export function isStream(body: HttpResponse['body']): body is StreamedBody {
  return typeof body === 'object' && Symbol.asyncIterator in body
}

/** Detects readable streams of Node, which adapters pipe without iterating. */
export function isNodeStream(body: StreamedBody): body is NodeStream {
  return 'destroy' in body && 'once' in body
}

/** Discards an unread body, so that its source can clean up. */
export function discardBody(body: HttpResponse['body']): void {
  if (!isStream(body)) return
  // A fresh iterator does nothing until it is read.
  if (isNodeStream(body)) body.destroy()
  else stopIterator(body[Symbol.asyncIterator]())
}

/** Ends an iterator early, without waiting for it. */
export function stopIterator(iterator: AsyncIterator<Uint8Array>): void {
  // Failures to clean up are ignored: no caller is left to handle them.
  iterator.return?.().catch(() => undefined)
}
