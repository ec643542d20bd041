import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { EgressFailure, EgressLimits } from '../../core/egress/egress.ts'

/**
 * Watches a body while somebody else reads it: its size by what the connection has received, its
 * pace only while all that came has been taken, so that a slow reader is not the target's fault.
 */
export class BodyWatch {
  readonly incoming: IncomingMessage
  readonly #socket: Socket
  readonly #limits: EgressLimits
  readonly #bytesBefore: number
  /** When the last bytes were seen. */
  #lastAt: number
  #lastBytes: number
  /** Since when it has been waited for, and what had come by then. */
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

  /** All that came has been taken: it is the target that is waited for. */
  get isWaitedFor(): boolean {
    return this.incoming.readableLength === 0
  }

  /** What is wrong with the body by now. */
  check(now: number): { readonly failure: EgressFailure; readonly reason: string } | undefined {
    const { idleMs, maxBodyBytes, minBytesPerSecond } = this.#limits
    if (this.incoming.complete) return undefined
    const bytes = this.#socket.bytesRead
    if (bytes - this.#bytesBefore > maxBodyBytes) {
      return { failure: 'too_large', reason: `it is larger than ${maxBodyBytes} bytes` }
    }
    const { isWaitedFor } = this
    if (bytes !== this.#lastBytes || !isWaitedFor) {
      this.#lastBytes = bytes
      this.#lastAt = now
    }
    if (!isWaitedFor) {
      this.#windowAt = now
      this.#windowBytes = bytes
    }
    if (now - this.#lastAt >= idleMs) {
      return { failure: 'too_slow', reason: `nothing came for ${idleMs / 1000} s` }
    }
    const windowMs = now - this.#windowAt
    if (windowMs < idleMs) return undefined
    if ((bytes - this.#windowBytes) * 1000 < minBytesPerSecond * windowMs) {
      const reason = `it comes at less than ${minBytesPerSecond} bytes a second`
      return { failure: 'too_slow', reason }
    }
    this.#windowAt = now
    this.#windowBytes = bytes
    return undefined
  }
}
