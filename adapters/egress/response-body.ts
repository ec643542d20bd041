import { EgressError, type EgressResponse } from '../../core/egress/egress.ts'
import { SourceError } from '../../core/vulnerabilities/sync/get.ts'

interface BodyOptions {
  /** Name of the source in messages. */
  readonly name: string
  readonly maxBytes: number
  readonly signal: AbortSignal | undefined
}

/**
 * Reads a response body in chunks. Throws a `SourceError` if the body is incomplete, too slow or
 * larger than `maxBytes`.
 */
export async function* readResponseBody(
  answer: EgressResponse,
  options: BodyOptions,
): AsyncGenerator<Uint8Array> {
  const { name, maxBytes, signal } = options
  let bytes = 0
  try {
    for await (const chunk of answer.body) {
      bytes += chunk.byteLength
      if (bytes > maxBytes) throw createTooLargeError(options)
      yield chunk
    }
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    signal?.throwIfAborted()
    if (error.failure === 'too_large') throw createTooLargeError(options)
    throw new SourceError(`Cannot read ${name}: ${describeBodyFailure(error)}`, { cause: error })
  } finally {
    answer.discard()
  }
}

function createTooLargeError({ name, maxBytes }: BodyOptions): SourceError {
  const reason = `it is larger than ${maxBytes} bytes`
  return new SourceError(`Cannot read ${name}: ${reason}`, { maxAttempts: 1 })
}

function describeBodyFailure({ failure, message }: EgressError): string {
  if (failure === 'total_timeout' || failure === 'reader_too_slow')
    return 'the time limit was exceeded'
  return failure === 'too_slow' ? message.replace(/^.*: /, '') : 'its response is incomplete'
}
