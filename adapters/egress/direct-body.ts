import { Buffer } from 'node:buffer'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { connect, type Socket, type TcpNetConnectOpts } from 'node:net'
import { BUFFER_BYTES, lend, takeBuffer } from '../../core/shared/lent-bytes.ts'

/**
 * Connects by TCP. On Node the connection reads into a buffer that it keeps, where the runtime takes
 * a new one of 64 KB for each read; what was read is copied for the parser.
 */
export function connectReading(to: TcpNetConnectOpts): Socket {
  if ('Bun' in globalThis || 'Deno' in globalThis) return connect(to)
  const reader: Reader = { buffer: takeBuffer(), body: undefined }
  const socket: Socket = connect({
    ...to,
    onread: {
      buffer: () => reader.buffer,
      callback: (length) =>
        reader.body
          ? readBody(reader, { body: reader.body, length })
          : socket.push(Buffer.from(reader.buffer.subarray(0, length))),
    },
  })
  readers.set(socket, reader)
  return socket
}

/**
 * Has a long body of known length go past the parser, which copies it, in buffers that go round.
 * Call it when the head is there; nothing changes where the connection or the body does not suit.
 * The parser waits for the body ever after, so the connection carries nothing else.
 */
export function readDirectly(given: {
  readonly socket: Socket
  readonly outgoing: ClientRequest
  readonly incoming: IncomingMessage
  readonly length: number
}): void {
  const { socket, outgoing, incoming, length } = given
  const reader = readers.get(socket)
  if (!reader || length < LONG_BYTES || 'transfer-encoding' in incoming.headers) return
  outgoing.shouldKeepAlive = false
  // What came together with the head is there after this turn, and before anybody reads it.
  queueMicrotask(() => {
    reader.body = { incoming, left: length - incoming.readableLength }
  })
}

interface Body {
  readonly incoming: IncomingMessage
  /** Bytes that are still to come. */
  left: number
}

interface Reader {
  /** What is read into next. */
  buffer: Uint8Array
  body: Body | undefined
}

const readers = new WeakMap<Socket, Reader>()

/** Shorter bodies are not worth a connection. */
const LONG_BYTES = 4 * 1_048_576

/** Fewer bytes than this are copied, so that nobody keeps a buffer for a few of them. */
const WORTH_LENDING = BUFFER_BYTES / 2

/** False when enough has been read for now. */
function readBody(
  reader: Reader,
  { body, length }: { readonly body: Body; readonly length: number },
): boolean {
  const { incoming } = body
  // The connection ends when the body has been taken; what comes behind it is nobody's.
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
  if (length < WORTH_LENDING) return Buffer.from(buffer.subarray(0, length))
  reader.buffer = takeBuffer()
  return lend(buffer, Buffer.from(buffer.buffer, 0, length))
}
