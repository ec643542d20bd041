import { Buffer } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { ServiceError } from '../../core/errors.ts'
import type { RequestBody } from '../../core/http/message.ts'

/** The body of a node:http request. `begin` is called right before the first read. */
export class NodeBody implements RequestBody {
  readonly #incoming: IncomingMessage
  readonly #begin: () => void
  /** Number of bytes read so far. */
  length = 0

  constructor(incoming: IncomingMessage, begin: () => void) {
    this.#incoming = incoming
    this.#begin = begin
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void> {
    this.#begin()
    try {
      // Stopping early must not destroy the connection: the response is still to be sent.
      for await (const chunk of this.#incoming.iterator({ destroyOnReturn: false })) {
        this.length += chunk.length
        yield chunk
      }
    } catch (error) {
      throw createIncompleteBodyError(error)
    }
  }

  async readWhole(maxBytes: number): Promise<Uint8Array | undefined> {
    const incoming = this.#incoming
    this.#begin()
    // A body that arrived with its head is available after this turn, without waiting for events.
    await undefined
    const length = Number(incoming.headers['content-length'])
    if (incoming.readableLength === length && length <= maxBytes && !incoming.destroyed) {
      const bytes: Uint8Array | null = incoming.read(length)
      if (bytes) {
        // Consumes the pending `end` event.
        incoming.resume()
        return bytes
      }
    }
    return this.#gather(maxBytes)
  }

  #gather(maxBytes: number): Promise<Uint8Array | undefined> {
    const incoming = this.#incoming
    const count = (bytes: number) => {
      this.length += bytes
    }
    const declared = Number(incoming.headers['content-length'])
    const isLarge = declared > LARGE_BYTES && declared <= maxBytes
    return new Promise((resolve, reject) => {
      // A single buffer: concatenating chunks at the end would need the memory twice.
      const whole = isLarge ? Buffer.allocUnsafeSlow(declared) : undefined
      const chunks: Uint8Array[] = []
      let length = 0

      function stop(): void {
        incoming.off('data', onData)
        incoming.off('end', onEnd)
        incoming.off('close', onClose)
      }

      function onData(chunk: Uint8Array) {
        length += chunk.length
        count(chunk.length)
        if (whole && length <= declared) return void whole.set(chunk, length - chunk.length)
        if (!whole && length <= maxBytes) return void chunks.push(chunk)
        stop()
        incoming.pause()
        resolve(undefined)
      }

      function onEnd() {
        stop()
        const [first] = chunks
        if (whole) resolve(whole.subarray(0, length))
        else resolve(first && chunks.length === 1 ? first : Buffer.concat(chunks, length))
        // The error listener stays attached and would retain the chunks.
        chunks.length = 0
      }

      function onClose() {
        stop()
        reject(createIncompleteBodyError(incoming.errored))
      }

      if (incoming.destroyed) return onClose()
      incoming.on('data', onData)
      incoming.on('end', onEnd)
      incoming.on('close', onClose)
      // The `close` event that follows reports the error.
      incoming.on('error', () => undefined)
    })
  }
}

/** From this size on, concatenation takes significant time and memory. */
const LARGE_BYTES = 64 * 1024

function createIncompleteBodyError(cause: unknown): ServiceError {
  return new ServiceError('invalid_body', 'Cannot read the body: it ended too early', { cause })
}
