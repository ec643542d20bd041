import { Buffer } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ServiceError } from '../../core/errors.ts'
import {
  findClientAddress,
  findOrigin,
  type Peer,
  type ProxyTrust,
} from '../../core/http/client-address.ts'
import type { HttpRequest, RequestBody } from '../../core/http/message.ts'
import { toOriginForm } from '../../core/http/request-head.ts'
import type { NodeHead } from './node-head.ts'

/** Request and response objects of node:http. */
export interface NodeExchange {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
}

/** Adapts a node:http request to the core's interface. Computes its properties lazily. */
export class NodeRequest implements HttpRequest, Peer {
  readonly method: string
  readonly target: string
  readonly #incoming: IncomingMessage
  readonly #outgoing: ServerResponse
  readonly #head: NodeHead
  readonly #trust: ProxyTrust | undefined
  #body: NodeBody | undefined
  #controller: AbortController | undefined
  #awaitsContinue: boolean

  constructor(
    exchange: NodeExchange,
    options: {
      readonly head: NodeHead
      readonly trust: ProxyTrust | undefined
      readonly awaitsContinue: boolean
    },
  ) {
    const { incoming } = exchange
    this.#incoming = incoming
    this.#outgoing = exchange.outgoing
    this.#head = options.head
    this.#trust = options.trust
    this.#awaitsContinue = options.awaitsContinue
    this.method = incoming.method ?? 'GET'
    this.target = toRequestTarget(getOriginalTarget(incoming))
  }

  header(name: string): string | undefined {
    const { headers } = this.#incoming
    const value = headers[name] ?? headers[name.toLowerCase()]
    return Array.isArray(value) ? value.join(', ') : value
  }

  get body(): RequestBody | undefined {
    if (!this.#head.hasBody) return undefined
    this.#body ??= new NodeBody(this.#incoming, () => this.#sendContinue())
    return this.#body
  }

  /** Number of bytes of the body read so far. */
  get bodyLength(): number {
    return this.#body?.length ?? 0
  }

  get signal(): AbortSignal {
    if (this.#controller) return this.#controller.signal
    const controller = new AbortController()
    const outgoing = this.#outgoing
    const abort = () => {
      if (!outgoing.writableFinished) controller.abort()
    }
    if (outgoing.destroyed || outgoing.closed) abort()
    else outgoing.once('close', abort)
    // If the client disconnects, Deno leaves responses open that wait for an earlier one.
    if (!outgoing.socket) {
      const { socket } = this.#incoming
      // One listener for each waiting request, as many as the client has sent.
      socket.setMaxListeners(0)
      socket.once('close', abort)
      outgoing.once('close', () => socket.off('close', abort))
    }
    this.#controller = controller
    return controller.signal
  }

  get address(): string {
    return this.#incoming.socket.remoteAddress ?? ''
  }

  get scheme(): 'http' | 'https' {
    const { encrypted } = this.#incoming.socket as { readonly encrypted?: unknown }
    return encrypted === true ? 'https' : 'http'
  }

  get clientAddress(): string {
    return findClientAddress(this, this.#trust)
  }

  get origin(): string | undefined {
    return findOrigin(this, this.#trust)
  }

  /** True while the client waits for permission to send its body (RFC 9110 10.1.1). */
  get awaitsContinue(): boolean {
    return this.#awaitsContinue
  }

  #sendContinue(): void {
    if (!this.#awaitsContinue) return
    this.#awaitsContinue = false
    this.#outgoing.writeContinue()
  }
}

function getOriginalTarget(incoming: IncomingMessage): string {
  // Hosts that mount handlers under a prefix remove it from `url`; ours are routed by the whole
  // path.
  const { originalUrl } = incoming as { readonly originalUrl?: unknown }
  return typeof originalUrl === 'string' ? originalUrl : (incoming.url ?? '/')
}

function toRequestTarget(sent: string): string {
  if (sent.startsWith('/')) return sent
  return sent === '*' ? '/' : toOriginForm(sent)
}

/** The body of a node:http request. `begin` is called right before the first read. */
class NodeBody implements RequestBody {
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
