import { IncomingMessage } from 'node:http'
import {
  type EgressEnd,
  EgressError,
  type EgressResponse,
  type HeaderLine,
} from '../../core/ports/egress.ts'

/** A response whose body is the `IncomingMessage` of node:http, a `Readable`. */
export class PinnedResponse implements EgressResponse {
  readonly status: number
  readonly headers: readonly HeaderLine[]
  readonly body: IncomingMessage
  readonly url: string
  readonly address: string
  readonly #length: number | undefined

  constructor(
    body: IncomingMessage,
    head: Pick<EgressResponse, 'status' | 'headers' | 'url'> & {
      readonly address: string
      /** Announced size of the body in bytes, if known. */
      readonly length: number | undefined
    },
  ) {
    this.body = body
    this.status = head.status
    this.headers = head.headers
    this.url = head.url
    this.address = head.address
    this.#length = head.length
  }

  discard(): void {
    drainOrDestroy(this.body, this.#length)
  }

  /** Counts the bytes that arrive: call it before the body is read. */
  onEnd(listener: (end: EgressEnd) => void): void {
    const { body } = this
    // The first bytes may have arrived together with the head.
    const bytes = body.readableLength
    if (body.closed) {
      listener({ bytes, failure: findFailure(body) })
      return
    }
    const told = withState(body)
    told[STATE].bytes = bytes
    if (!body.complete) body.push = pushCounted
    body.once('close', () => listener({ bytes: told[STATE].bytes, failure: findFailure(body) }))
  }
}

/**
 * Limits and broken connections cause an `EgressError`; all other errors are caused by the reader.
 */
function findFailure({ readableEnded, errored }: IncomingMessage): EgressEnd['failure'] {
  if (readableEnded) return undefined
  return errored instanceof EgressError ? errored.failure : 'aborted'
}

/** Converts the errors that readers and pipes of a body receive. */
export function translateErrors(
  incoming: IncomingMessage,
  translate: (error: Error) => Error,
): void {
  withState(incoming)[STATE].translate = translate
  incoming.destroy = destroyTranslated
}

const STATE = Symbol('state')

/** A message with the state that its methods below need. */
interface MessageWithState extends IncomingMessage {
  [STATE]: { bytes: number; translate: ((error: Error) => Error) | undefined }
}

function withState(incoming: IncomingMessage): MessageWithState {
  const told = incoming as MessageWithState
  told[STATE] ??= { bytes: 0, translate: undefined }
  return told
}

// Methods shared by all messages. With functions of its own, each message, and everything it refers
// to, survived V8's young-generation collections. That cost a quarter of a call's time.

function destroyTranslated(this: IncomingMessage, error?: Error): IncomingMessage {
  const { translate } = withState(this)[STATE]
  return IncomingMessage.prototype.destroy.call(this, error && translate ? translate(error) : error)
}

function pushCounted(
  this: IncomingMessage,
  chunk: Uint8Array | null,
  encoding?: NodeJS.BufferEncoding,
): boolean {
  if (chunk !== null) withState(this)[STATE].bytes += chunk.length
  return IncomingMessage.prototype.push.call(this, chunk, encoding)
}

/** Drains a short body so that its connection can be reused; otherwise closes the connection. */
function drainOrDestroy(incoming: IncomingMessage, length: number | undefined): void {
  if (incoming.destroyed) return
  if (length === undefined || length > MAX_DRAINED_BYTES) {
    incoming.destroy()
    return
  }
  const timer = setTimeout(() => incoming.destroy(), MAX_DRAIN_MS)
  incoming.once('close', () => clearTimeout(timer))
  incoming.resume()
}

const MAX_DRAINED_BYTES = 65_536
const MAX_DRAIN_MS = 1_000
