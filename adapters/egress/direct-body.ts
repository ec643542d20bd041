import { Buffer } from 'node:buffer'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { connect, type Socket, type TcpNetConnectOpts } from 'node:net'
import { acquireBuffer, BUFFER_BYTES, transferBuffer } from '../../core/shared/buffer-pool.ts'

/**
 * Connects by TCP. On Node the connection reads into a reused buffer, while the runtime would
 * allocate 64 KB for each read. Data is copied for the HTTP parser.
 */
export function connectWithBuffer(to: TcpNetConnectOpts): Socket {
  if ('Bun' in globalThis || 'Deno' in globalThis) return connect(to)
  const reader: Reader = { buffer: acquireBuffer(), body: undefined }
  const socket: Socket = connect({
    ...to,
    onread: {
      buffer: () => reader.buffer,
      callback: (length) =>
        reader.body
          ? readDirectBody(reader, { body: reader.body, length })
          : socket.push(Buffer.from(reader.buffer.subarray(0, length))),
    },
  })
  readers.set(socket, reader)
  return socket
}

/**
 * Lets a long body of known length bypass the HTTP parser, which would copy it, and uses pooled
 * buffers instead. Call it after the head was received. Does nothing if the connection or the body
 * is not suitable. Afterwards the parser still waits for the body, so the connection is not reused.
 */
export function readDirectly(options: {
  readonly socket: Socket
  readonly outgoing: ClientRequest
  readonly incoming: IncomingMessage
  readonly length: number
}): void {
  const { socket, outgoing, incoming, length } = options
  const reader = readers.get(socket)
  if (!reader || length < MIN_DIRECT_BYTES || 'transfer-encoding' in incoming.headers) return
  outgoing.shouldKeepAlive = false
  // Data that arrived together with the head is available after this turn, before anyone reads it.
  queueMicrotask(() => {
    reader.body = { incoming, left: length - incoming.readableLength }
  })
}

interface Body {
  readonly incoming: IncomingMessage
  /** Bytes that have not arrived yet. */
  left: number
}

interface Reader {
  /** Target of the next read. */
  buffer: Uint8Array
  body: Body | undefined
}

const readers = new WeakMap<Socket, Reader>()

/** A shorter body is not worth losing a reusable connection. */
const MIN_DIRECT_BYTES = 4 * 1_048_576

/** Shorter chunks are copied, so that they don't block a whole buffer. */
const MIN_POOLED_BYTES = BUFFER_BYTES / 2

/** Returns false to pause reading. */
function readDirectBody(
  reader: Reader,
  { body, length }: { readonly body: Body; readonly length: number },
): boolean {
  const { incoming } = body
  // The connection ends with the body: any data after it is ignored.
  const taken = Math.min(length, body.left)
  if (taken === 0) return false
  body.left -= taken
  const goesOn = incoming.push(takeBytes(reader, taken))
  if (body.left > 0) return goesOn
  incoming.complete = true
  incoming.push(null)
  return false
}

function takeBytes(reader: Reader, length: number): Uint8Array {
  const { buffer } = reader
  if (length < MIN_POOLED_BYTES) return Buffer.from(buffer.subarray(0, length))
  reader.buffer = acquireBuffer()
  return transferBuffer(buffer, Buffer.from(buffer.buffer, 0, length))
}
