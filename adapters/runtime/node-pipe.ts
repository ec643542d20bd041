import { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { isPooled, releaseBytes } from '../../core/shared/buffer-pool.ts'

/** Error of a stream whose size differs from its head. */
export const WRONG_LENGTH = 'The response does not have the declared length'

/** A readable stream and the response that it is written to. */
export interface NodePipe {
  readonly source: Readable
  readonly outgoing: ServerResponse
  /** Time after which a client that reads nothing is disconnected. */
  readonly sendTimeoutMs: number
  /** Declared length in bytes; undefined if the head has none. */
  readonly length: number | undefined
  /** Writes the head; called right before the first bytes, or the end. */
  writeHead(): void
}

/**
 * Pipes a readable stream with back-pressure, without an iterator. Resolves when everything is
 * written, or when the client disconnects, which destroys the source immediately. Rejects if the
 * source fails, ends too early, or does not have the declared length.
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
