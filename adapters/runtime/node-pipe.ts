import { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { giveBack, isLent } from '../../core/shared/lent-bytes.ts'

/** What is wrong with a stream that belies its head. */
export const WRONG_LENGTH = 'The answer is not as long as announced'

/** A readable stream on its way into a response. */
export interface NodePipe {
  readonly source: Readable
  readonly outgoing: ServerResponse
  /** A client that takes nothing for this time is cut off. */
  readonly sendTimeoutMs: number
  /** Bytes that the head announces; undefined when it names none. */
  readonly length: number | undefined
  /** Writes the head; called right before the first bytes, or the end. */
  writeHead(): void
}

/**
 * Hands a readable stream on with back-pressure and without an iterator between. Resolves when all
 * of it is written, or when the client has left, which destroys the source at once. Rejects when
 * the source fails, breaks off, or is not as long as announced.
 */
export function pipeReadable(pipe: NodePipe): Promise<void> {
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
        // The next answer on this connection would begin with what is too much.
        if (length !== undefined && sent > length) return finish(new Error(WRONG_LENGTH))
        if (outgoing.write(chunk, toGiveBack(outgoing, chunk))) return
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
      if (!isDone) finish(new Error(BROKEN_OFF))
    }

    // Stays to the end: what a source that is given up still has to say is nobody's business.
    source.on('error', finish)
    if (outgoing.destroyed) return onLeave()
    if (source.destroyed) return finish(source.errored ?? new Error(BROKEN_OFF))
    outgoing.once('close', onLeave)
    source.once('end', onEnd)
    source.once('close', onClose)
    source.on('data', onData)
  })
}

const BROKEN_OFF = 'The answer broke off'

const { write } = ServerResponse.prototype

/** What is lent may be written over once it has left; a host's own `write` may keep it. */
function toGiveBack(outgoing: ServerResponse, chunk: Uint8Array) {
  if (!isLent(chunk) || outgoing.write !== write) return undefined
  return (error: Error | null | undefined) => {
    if (!error) giveBack(chunk)
  }
}
