import { Buffer } from 'node:buffer'
import { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { HttpResponse } from '../../core/http/message.ts'
import type { NodeHead } from './node-head.ts'
import { pipeReadable, WRONG_LENGTH } from './node-pipe.ts'
import type { NodeExchange } from './node-request.ts'

/** A response on its way out. */
export interface NodeReply extends NodeExchange {
  readonly head: NodeHead
  /** A client that takes nothing for this time is cut off. */
  readonly sendTimeoutMs: number
  readonly response: HttpResponse
  /** The connection ends with this response. */
  readonly isLast: boolean
}

/** Longer answers than this may have to wait for their client. */
const LONG = 16_384

/** How long an unread request body is taken in after the answer, so that the answer arrives. */
const LINGER_MS = 5_000

// RFC 9110 5.1 and 5.5: a token; visible characters, blanks and bytes above ASCII.
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/**
 * Writes a response and finishes the exchange. Returns a promise only for a streamed body. Throws
 * or rejects when the response cannot be written or its stream fails; `headersSent` then tells
 * whether another answer can still be given.
 */
export function sendResponse(reply: NodeReply): Promise<void> | undefined {
  const { incoming, outgoing, head, response } = reply
  const { status, body } = response
  if (body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array)) {
    return sendStream(reply, body)
  }
  const content = isContentless(status) ? undefined : (body ?? '')
  outgoing.writeHead(status, toFlatHeaders(reply, content))
  outgoing.end(incoming.method === 'HEAD' ? undefined : content)
  if (content !== undefined && content.length > LONG) {
    outgoing.setTimeout(reply.sendTimeoutMs, () => outgoing.destroy())
  }
  if (head.hasBody && !incoming.complete) takeInRest(reply)
  return undefined
}

/** Gives up a body that will not be sent, so that its source can clean up. */
export function discardBody(body: HttpResponse['body']): void {
  // An iterator of a readable stream that was never asked for anything leaves it as it is.
  if (body instanceof Readable) body.destroy()
  else if (typeof body === 'object' && Symbol.asyncIterator in body) {
    stop(body[Symbol.asyncIterator]())
  }
}

async function sendStream(reply: NodeReply, body: AsyncIterable<Uint8Array>): Promise<void> {
  const { incoming, outgoing, head, response } = reply
  if (incoming.method === 'HEAD' || isContentless(response.status)) {
    discardBody(body)
    outgoing.writeHead(response.status, toFlatHeaders(reply, undefined))
    outgoing.end()
    return
  }
  if (body instanceof Readable) {
    await sendReadable(reply, body)
    return
  }
  const iterator = body[Symbol.asyncIterator]()
  // A source that is waiting for its own input learns from the request's signal, not from here.
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) stop(iterator)
  })
  const length = findLength(response)
  // The head leaves with the first bytes: a source that fails at once can still be answered 500.
  let next = await iterator.next()
  if (outgoing.destroyed) return
  outgoing.writeHead(response.status, toFlatHeaders(reply, undefined))
  let sent = 0
  while (!next.done && !outgoing.destroyed) {
    sent += next.value.length
    // The next answer on this connection would begin with what is too much.
    if (length !== undefined && sent > length) throw new Error(WRONG_LENGTH)
    if (next.value.length > 0 && !outgoing.write(next.value)) await drained(reply)
    next = await iterator.next()
  }
  if (length !== undefined && sent < length && !outgoing.destroyed) throw new Error(WRONG_LENGTH)
  outgoing.end()
  if (head.hasBody && !incoming.complete) takeInRest(reply)
}

async function sendReadable(reply: NodeReply, source: Readable): Promise<void> {
  const { incoming, outgoing, head, response, sendTimeoutMs } = reply
  if (!sendArrived(reply, source)) {
    await pipeReadable({
      source,
      outgoing,
      sendTimeoutMs,
      length: findLength(response),
      // The head leaves with the first bytes: a source that fails at once can still be answered 500.
      writeHead: () => outgoing.writeHead(response.status, toFlatHeaders(reply, undefined)),
    })
  }
  if (head.hasBody && !incoming.complete) takeInRest(reply)
}

/** Sends a short body that has arrived whole in one write, with nothing to wait for. */
function sendArrived(reply: NodeReply, source: Readable): boolean {
  const { outgoing, response } = reply
  if (!(source instanceof IncomingMessage) || !source.complete || source.destroyed) return false
  const length = findLength(response)
  if (!length || length > LONG || source.readableLength !== length) return false
  if (source.readableFlowing !== null || outgoing.destroyed) return false
  source.on('error', ignore)
  const bytes: Uint8Array | null = source.read()
  if (bytes?.length !== length) throw new Error(WRONG_LENGTH)
  outgoing.writeHead(response.status, toFlatHeaders(reply, undefined))
  outgoing.end(bytes)
  return true
}

/** What a source still has to say once its bytes are taken is nobody's business. */
function ignore(): void {}

function stop(iterator: AsyncIterator<Uint8Array>): void {
  // The client has gone: nobody is left to be told that the source fails to clean up.
  iterator.return?.().catch(() => undefined)
}

/** What a stream's head announces; undefined when it is sent in chunks. */
function findLength({ headers }: HttpResponse): number | undefined {
  const text = headers['content-length']
  if (text === undefined || /^[0-9]{1,15}$/.test(text)) return text ? Number(text) : undefined
  throw new TypeError(`Cannot send a body: its length must be a number: ${text}`)
}

function isContentless(status: number): boolean {
  return status === 204 || status === 304
}

function toFlatHeaders(reply: NodeReply, content: string | Uint8Array | undefined): string[] {
  const { headers, status } = reply.response
  const flat: string[] = []
  for (const name in headers) {
    const value = headers[name] ?? ''
    // Of content that is here the length is known, and 204 must not have one (RFC 9110 8.6).
    if (name === 'content-length' && (content !== undefined || status === 204)) continue
    // Deno's node:http writes what it is given, line ends included.
    if (!HEADER_NAME.test(name) || !HEADER_VALUE.test(value)) {
      throw new TypeError(
        `Cannot send header ${JSON.stringify(name)}: its name or value is invalid`,
      )
    }
    flat.push(name, value)
  }
  if (content !== undefined) {
    const length = typeof content === 'string' ? Buffer.byteLength(content) : content.length
    flat.push('content-length', String(length))
  }
  if (reply.isLast) flat.push('connection', 'close')
  return flat
}

function drained({ outgoing, sendTimeoutMs }: NodeReply): Promise<void> {
  if (outgoing.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(() => outgoing.destroy(), sendTimeoutMs)
    const finish = () => {
      clearTimeout(timer)
      outgoing.off('drain', finish)
      outgoing.off('close', finish)
      resolve()
    }
    outgoing.on('drain', finish)
    outgoing.on('close', finish)
  })
}

function takeInRest({ incoming }: { readonly incoming: IncomingMessage }): void {
  const timer = setTimeout(() => {
    if (!incoming.complete) incoming.socket.destroy()
  }, LINGER_MS)
  timer.unref()
  incoming.once('end', () => clearTimeout(timer))
  incoming.once('close', () => clearTimeout(timer))
  incoming.resume()
}
