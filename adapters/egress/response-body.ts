import type { IncomingMessage } from 'node:http'
import { type GetAnswer, SourceError } from '../../core/vulnerabilities/sync/get.ts'
import type { Deadline } from './deadline.ts'

interface BodyOptions {
  /** What the messages call the source. */
  readonly name: string
  readonly maxBytes: number
  readonly idleMs: number
  /** Ended when the body is. */
  readonly deadline: Deadline
  readonly signal: AbortSignal | undefined
}

/**
 * The body of a response, piece by piece. It throws a `SourceError` when it breaks off, stalls or is
 * larger than `maxBytes`.
 */
export function readBody(
  response: IncomingMessage,
  options: BodyOptions,
): Pick<GetAnswer, 'body' | 'discard'> {
  const { deadline } = options
  // A body that nobody reads yet may break too.
  response.on('error', () => {})
  const release = deadline.guard((error) => response.destroy(error))
  const end = () => {
    release()
    deadline.end()
    response.destroy()
  }
  return { body: readPieces(response, { ...options, end }), discard: end }
}

async function* readPieces(
  response: IncomingMessage,
  options: BodyOptions & { readonly end: () => void },
): AsyncGenerator<Uint8Array> {
  const { name, maxBytes, idleMs } = options
  const fail = (reason: string, cause?: unknown) =>
    new SourceError(`Cannot read ${name}: ${reason}`, { cause })
  let isStalled = false
  let bytes = 0
  const watch = () =>
    setTimeout(() => {
      isStalled = true
      response.destroy(new Error('stalled'))
    }, idleMs)
  let timer = watch()
  try {
    for await (const chunk of response as AsyncIterable<Uint8Array>) {
      clearTimeout(timer)
      bytes += chunk.byteLength
      if (bytes > maxBytes) {
        const reason = `it is larger than ${maxBytes} bytes`
        throw new SourceError(`Cannot read ${name}: ${reason}`, { maxAttempts: 1 })
      }
      yield chunk
      timer = watch()
    }
    if (!response.complete) throw fail('it breaks off')
  } catch (error) {
    if (error instanceof SourceError) throw error
    options.signal?.throwIfAborted()
    if (isStalled) throw fail(`nothing came for ${idleMs / 1000} s`, error)
    throw fail(options.deadline.isOver() ? 'the time is up' : 'it breaks off', error)
  } finally {
    clearTimeout(timer)
    options.end()
  }
}
