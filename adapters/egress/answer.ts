import { IncomingMessage } from 'node:http'
import {
  type EgressAnswer,
  type EgressEnd,
  EgressError,
  type HeaderLine,
} from '../../core/egress/egress.ts'

/** An answer whose body is the message of node:http itself, a `Readable`. */
export class PinnedAnswer implements EgressAnswer {
  readonly status: number
  readonly headers: readonly HeaderLine[]
  readonly body: IncomingMessage
  readonly url: string
  readonly address: string
  readonly #length: number | undefined

  constructor(
    body: IncomingMessage,
    head: Pick<EgressAnswer, 'status' | 'headers' | 'url'> & {
      readonly address: string
      /** Bytes of the body, where they were announced. */
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
    letGo(this.body, this.#length)
  }

  /** Counts what arrives, so ask before the body is read. */
  onEnd(listener: (end: EgressEnd) => void): void {
    const { body } = this
    // What came together with the head is there already.
    const bytes = body.readableLength
    if (body.closed) {
      listener({ bytes, failure: findFailure(body) })
      return
    }
    const told = toTold(body)
    told[STATE].bytes = bytes
    if (!body.complete) body.push = pushCounted
    body.once('close', () => listener({ bytes: told[STATE].bytes, failure: findFailure(body) }))
  }
}

/** What limits and broken connections say is an `EgressError`; anything else is the reader's doing. */
function findFailure({ readableEnded, errored }: IncomingMessage): EgressEnd['failure'] {
  if (readableEnded) return undefined
  return errored instanceof EgressError ? errored.failure : 'aborted'
}

/** Whoever reads or pipes a body is told in other words why it breaks off. */
export function translateErrors(
  incoming: IncomingMessage,
  translate: (error: Error) => Error,
): void {
  toTold(incoming)[STATE].translate = translate
  incoming.destroy = destroyTranslated
}

const STATE = Symbol('state')

/** A message that carries what its methods need to know. */
interface Told extends IncomingMessage {
  [STATE]: { bytes: number; translate: ((error: Error) => Error) | undefined }
}

function toTold(incoming: IncomingMessage): Told {
  const told = incoming as Told
  told[STATE] ??= { bytes: 0, translate: undefined }
  return told
}

// Methods of all messages alike. With functions of its own, each message survives V8's quick
// collections, and all that it refers to: that cost a quarter of a call's time.

function destroyTranslated(this: IncomingMessage, error?: Error): IncomingMessage {
  const { translate } = toTold(this)[STATE]
  return IncomingMessage.prototype.destroy.call(this, error && translate ? translate(error) : error)
}

function pushCounted(
  this: IncomingMessage,
  chunk: Uint8Array | null,
  encoding?: NodeJS.BufferEncoding,
): boolean {
  if (chunk !== null) toTold(this)[STATE].bytes += chunk.length
  return IncomingMessage.prototype.push.call(this, chunk, encoding)
}

/** A short body is let flow away, so that its connection can be used again. */
function letGo(incoming: IncomingMessage, length: number | undefined): void {
  if (incoming.destroyed) return
  if (length === undefined || length > SHORT_BYTES) {
    incoming.destroy()
    return
  }
  const timer = setTimeout(() => incoming.destroy(), SHORT_MS)
  incoming.once('close', () => clearTimeout(timer))
  incoming.resume()
}

const SHORT_BYTES = 65_536
const SHORT_MS = 1_000
