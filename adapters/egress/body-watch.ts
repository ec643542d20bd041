import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { EgressFailure, EgressLimits } from '../../core/ports/egress.ts'

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
