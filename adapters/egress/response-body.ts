import { type EgressAnswer, EgressError } from '../../core/egress/egress.ts'
import { SourceError } from '../../core/vulnerabilities/sync/get.ts'

interface BodyOptions {
  /** What the messages call the source. */
  readonly name: string
  readonly maxBytes: number
  readonly signal: AbortSignal | undefined
}

/**
 * The body of an answer, piece by piece. It throws a `SourceError` when it breaks off, stalls or is
 * larger than `maxBytes`.
 */
export async function* readBody(
  answer: EgressAnswer,
  options: BodyOptions,
): AsyncGenerator<Uint8Array> {
  const { name, maxBytes, signal } = options
  let bytes = 0
  try {
    for await (const piece of answer.body) {
      bytes += piece.byteLength
      if (bytes > maxBytes) throw tooLarge(options)
      yield piece
    }
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    signal?.throwIfAborted()
    if (error.failure === 'too_large') throw tooLarge(options)
    throw new SourceError(`Cannot read ${name}: ${toReason(error)}`, { cause: error })
  } finally {
    answer.discard()
  }
}

function tooLarge({ name, maxBytes }: BodyOptions): SourceError {
  const reason = `it is larger than ${maxBytes} bytes`
  return new SourceError(`Cannot read ${name}: ${reason}`, { maxAttempts: 1 })
}

function toReason({ failure, message }: EgressError): string {
  if (failure === 'total_timeout' || failure === 'reader_too_slow') return 'the time is up'
  return failure === 'too_slow' ? message.replace(/^.*: /, '') : 'it breaks off'
}
