import { Buffer } from 'node:buffer'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { HttpResponse } from '../../core/http/message.ts'
import { isPooled, releaseBytes } from '../../core/shared/buffer-pool.ts'
import type { NodeHead } from './node-head.ts'
import type { NodeExchange } from './node-request.ts'

/** A response to be sent, with its exchange. */
export interface NodeReply extends NodeExchange {
  readonly head: NodeHead
  /** Time after which a client that reads nothing is disconnected. */
  readonly sendTimeoutMs: number
  readonly response: HttpResponse
  /** Closes the connection after this response. */
  readonly isLast: boolean
}

/** A readable stream and the response that it is written to. */
interface NodePipe {
  readonly source: Readable
  readonly outgoing: ServerResponse
  /** Time after which a client that reads nothing is disconnected. */
  readonly sendTimeoutMs: number
  /** Declared length in bytes; undefined if the head has none. */
  readonly length: number | undefined
  /** Writes the head; called right before the first bytes, or the end. */
  writeHead(): void
}

/** Longer responses may have to wait for their client. */
const LONG_RESPONSE_BYTES = 16_384

/**
 * How long an unread request body is drained after the response, so that the client can read it.
 */
const LINGER_MS = 5_000

// RFC 9110 5.1 and 5.5: a token; visible characters, spaces and bytes above ASCII.
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/**
 * Sends a response and ends the exchange. Returns a promise only for a streamed body. Throws or
 * rejects if the response cannot be sent or its stream fails; `headersSent` then shows whether
 * another response is still possible.
 */
export function sendResponse(reply: NodeReply): Promise<void> | undefined {
  const { incoming, outgoing, head, response } = reply
  const { status, body } = response
  if (body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array)) {
    return sendStream(reply, body)
  }
  const content = hasNoContent(status) ? undefined : (body ?? '')
  outgoing.writeHead(status, toFlatHeaders(reply, content))
  outgoing.end(incoming.method === 'HEAD' ? undefined : content)
  if (content !== undefined && content.length > LONG_RESPONSE_BYTES) {
    outgoing.setTimeout(reply.sendTimeoutMs, () => outgoing.destroy())
  }
  if (head.hasBody && !incoming.complete) drainRequestBody(reply)
  return undefined
}

/** Discards an unsent body, so that its source can clean up. */
export function discardBody(body: HttpResponse['body']): void {
  // Ending a fresh iterator of a readable stream would not destroy the stream.
  if (body instanceof Readable) body.destroy()
  else if (typeof body === 'object' && Symbol.asyncIterator in body) {
    endIterator(body[Symbol.asyncIterator]())
  }
}

async function sendStream(reply: NodeReply, body: AsyncIterable<Uint8Array>): Promise<void> {
  const { incoming, outgoing, head, response } = reply
  if (incoming.method === 'HEAD' || hasNoContent(response.status)) {
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
  // A source that is blocked on its own input is cancelled by the request's signal instead.
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) endIterator(iterator)
  })
  const length = parseContentLength(response)
  // The head is sent with the first bytes, so that an immediate failure can still become a 500.
  let next = await iterator.next()
  if (outgoing.destroyed) return
  outgoing.writeHead(response.status, toFlatHeaders(reply, undefined))
  let sent = 0
  while (!next.done && !outgoing.destroyed) {
    sent += next.value.length
    // Excess bytes would become the start of the connection's next response.
    if (length !== undefined && sent > length) throw new Error(WRONG_LENGTH)
    if (next.value.length > 0 && !outgoing.write(next.value)) await waitForDrain(reply)
    next = await iterator.next()
  }
  if (length !== undefined && sent < length && !outgoing.destroyed) throw new Error(WRONG_LENGTH)
  outgoing.end()
  if (head.hasBody && !incoming.complete) drainRequestBody(reply)
}

async function sendReadable(reply: NodeReply, source: Readable): Promise<void> {
  const { incoming, outgoing, head, response, sendTimeoutMs } = reply
  if (!sendCompleteBody(reply, source)) {
    await pipeReadable({
      source,
      outgoing,
      sendTimeoutMs,
      length: parseContentLength(response),
      // The head is sent with the first bytes, so that an immediate failure can still become a 500.
      writeHead: () => outgoing.writeHead(response.status, toFlatHeaders(reply, undefined)),
    })
  }
  if (head.hasBody && !incoming.complete) drainRequestBody(reply)
}

/** Sends a short body that has completely arrived in one write, without waiting. */
function sendCompleteBody(reply: NodeReply, source: Readable): boolean {
  const { outgoing, response } = reply
  if (!(source instanceof IncomingMessage) || !source.complete || source.destroyed) return false
  const length = parseContentLength(response)
  if (!length || length > LONG_RESPONSE_BYTES || source.readableLength !== length) return false
  if (source.readableFlowing !== null || outgoing.destroyed) return false
  source.on('error', ignoreError)
  const bytes: Uint8Array | null = source.read()
  if (bytes?.length !== length) throw new Error(WRONG_LENGTH)
  outgoing.writeHead(response.status, toFlatHeaders(reply, undefined))
  outgoing.end(bytes)
  return true
}

/** Errors of a source are ignored once its bytes were read. */
function ignoreError(): void {}

function endIterator(iterator: AsyncIterator<Uint8Array>): void {
  // Failures to clean up are ignored: the client has disconnected.
  iterator.return?.().catch(() => undefined)
}

/** Returns the declared length of a stream; undefined if it is sent in chunks. */
function parseContentLength({ headers }: HttpResponse): number | undefined {
  const text = headers['content-length']
  if (text === undefined || /^[0-9]{1,15}$/.test(text)) return text ? Number(text) : undefined
  throw new TypeError(`Cannot send the body: invalid content-length "${text}"`)
}

function hasNoContent(status: number): boolean {
  return status === 204 || status === 304
}

function toFlatHeaders(reply: NodeReply, content: string | Uint8Array | undefined): string[] {
  const { headers, status } = reply.response
  const flat: string[] = []
  for (const name in headers) {
    const value = headers[name] ?? ''
    // The length of content in memory is set below; 204 must not have one (RFC 9110 8.6).
    if (name === 'content-length' && (content !== undefined || status === 204)) continue
    // Deno's node:http does not validate headers, not even for line ends.
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

function waitForDrain({ outgoing, sendTimeoutMs }: NodeReply): Promise<void> {
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

function drainRequestBody({ incoming }: { readonly incoming: IncomingMessage }): void {
  const timer = setTimeout(() => {
    if (!incoming.complete) incoming.socket.destroy()
  }, LINGER_MS)
  timer.unref()
  incoming.once('end', () => clearTimeout(timer))
  incoming.once('close', () => clearTimeout(timer))
  incoming.resume()
}

/** Error of a stream whose size differs from its head. */
const WRONG_LENGTH = 'The response does not have the declared length'

/**
 * Pipes a readable stream with back-pressure, without an iterator. Resolves when everything is
 * written, or when the client disconnects, which destroys the source immediately. Rejects if the
 * source fails, ends too early, or does not have the declared length.
 */
function pipeReadable(pipe: NodePipe): Promise<void> {
  const { source, outgoing, length } = pipe
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let sent = 0
    let isDone = false

    function finish(error?: unknown) {
      if (isDone) return
      isDone = true
      clearTimeout(timer)
      if (error === undefined) return resolve()
      source.off('data', onData)
      source.destroy()
      reject(error)
    }

    function onData(chunk: Uint8Array) {
      if (chunk.length === 0) return
      try {
        if (sent === 0) pipe.writeHead()
        sent += chunk.length
        // Excess bytes would become the start of the connection's next response.
        if (length !== undefined && sent > length) return finish(new Error(WRONG_LENGTH))
        if (outgoing.write(chunk, createReleaseCallback(outgoing, chunk))) return
      } catch (error) {
        return finish(error)
      }
      source.pause()
      timer = setTimeout(() => outgoing.destroy(), pipe.sendTimeoutMs)
      outgoing.once('drain', onDrain)
    }

    function onDrain() {
      clearTimeout(timer)
      if (!isDone) source.resume()
    }

    function onEnd() {
      if (isDone) return
      if (length !== undefined && sent < length) return finish(new Error(WRONG_LENGTH))
      try {
        if (sent === 0) pipe.writeHead()
        outgoing.end()
        finish()
      } catch (error) {
        finish(error)
      }
    }

    function onLeave() {
      if (isDone) return
      finish()
      source.destroy()
    }

    function onClose() {
      if (!isDone) finish(new Error(ENDED_EARLY))
    }

    // Stays attached to the end: errors of a discarded source are ignored.
    source.on('error', finish)
    if (outgoing.destroyed) return onLeave()
    if (source.destroyed) return finish(source.errored ?? new Error(ENDED_EARLY))
    outgoing.once('close', onLeave)
    source.once('end', onEnd)
    source.once('close', onClose)
    source.on('data', onData)
  })
}

const ENDED_EARLY = 'The response ended too early'

const { write } = ServerResponse.prototype

/**
 * Releases pooled bytes after they were sent. A host's own `write` may retain them, so they are
 * released only with Node's.
 */
function createReleaseCallback(outgoing: ServerResponse, chunk: Uint8Array) {
  if (!isPooled(chunk) || outgoing.write !== write) return undefined
  return (error: Error | null | undefined) => {
    if (!error) releaseBytes(chunk)
  }
}
