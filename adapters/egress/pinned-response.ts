import { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import {
  type EgressEnd,
  EgressError,
  type EgressFailure,
  type EgressLimits,
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

/**
 * Monitors a body that someone else reads. Its size is measured by the bytes that the connection
 * received. Its rate is measured only while the reader waits, so that the target isn't blamed for a
 * slow reader.
 */
export class BodyWatch {
  readonly incoming: IncomingMessage
  readonly #socket: Socket
  readonly #limits: EgressLimits
  readonly #bytesBefore: number
  /** When data last arrived. */
  #lastAt: number
  #lastBytes: number
  /** Start of the wait that is measured, and the bytes received until then. */
  #windowAt: number
  #windowBytes: number

  constructor(
    incoming: IncomingMessage,
    more: { readonly socket: Socket; readonly limits: EgressLimits; readonly now: number },
  ) {
    this.incoming = incoming
    this.#socket = more.socket
    this.#limits = more.limits
    const bytes = more.socket.bytesRead
    this.#bytesBefore = bytes
    this.#lastAt = more.now
    this.#lastBytes = bytes
    this.#windowAt = more.now
    this.#windowBytes = bytes
  }

  /** True if all received data was read: the target is waited for. */
  get isReaderWaiting(): boolean {
    return this.incoming.readableLength === 0
  }

  /** Returns the limit that the body violates; undefined if none. */
  check(now: number): { readonly failure: EgressFailure; readonly reason: string } | undefined {
    const { idleMs, maxBodyBytes, minBytesPerSecond } = this.#limits
    if (this.incoming.complete) return undefined
    const bytes = this.#socket.bytesRead
    if (bytes - this.#bytesBefore > maxBodyBytes) {
      return { failure: 'too_large', reason: `its response is larger than ${maxBodyBytes} bytes` }
    }
    const { isReaderWaiting } = this
    if (bytes !== this.#lastBytes || !isReaderWaiting) {
      this.#lastBytes = bytes
      this.#lastAt = now
    }
    if (!isReaderWaiting) {
      this.#windowAt = now
      this.#windowBytes = bytes
    }
    if (now - this.#lastAt >= idleMs) {
      return { failure: 'too_slow', reason: `no data received for ${idleMs / 1000} s` }
    }
    const windowMs = now - this.#windowAt
    if (windowMs < idleMs) return undefined
    if ((bytes - this.#windowBytes) * 1000 < minBytesPerSecond * windowMs) {
      const reason = `its response is slower than ${minBytesPerSecond} bytes per second`
      return { failure: 'too_slow', reason }
    }
    this.#windowAt = now
    this.#windowBytes = bytes
    return undefined
  }
}
