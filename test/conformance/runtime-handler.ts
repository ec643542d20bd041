import { Readable } from 'node:stream'
import type { HttpHandler, HttpRequest, HttpResponse } from '../../core/http/message.ts'

/** Observations of the suite's handler, for the cases to check. */
export interface Witness {
  /** Requests that were handed over, except those to `/end`. */
  calls: number
  /** Number of chunks that streamed responses have produced. */
  produced: number
  /** Number of streamed responses that were cleaned up. */
  returned: number
  /** Bytes of request bodies that were read. */
  received: number
  /** Number of requests whose signal was aborted. */
  aborted: number
  /** Lets `/hold` and `/slow` continue. */
  release: () => void
}

const CHUNK = new Uint8Array(65_536).fill(120)

/** Maximum number of 64 KiB chunks of `/endless`: 512 MiB, far more than any buffer. */
export const MAX_CHUNKS = 8_192

/** Creates a handler with one behaviour per path, and its observations. */
export function createSuiteHandler(): { readonly handler: HttpHandler; readonly witness: Witness } {
  let release: () => void = () => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const witness: Witness = { calls: 0, produced: 0, returned: 0, received: 0, aborted: 0, release }
  const routes: Readonly<Record<string, HttpHandler>> = {
    '/text': () => respondWithText('grüße'),
    '/bytes': () => ({
      status: 200,
      headers: { 'content-type': 'application/octet-stream' },
      body: new Uint8Array([0, 255, 1]),
    }),
    '/empty': () => ({ status: 204, headers: { 'x-empty': 'yes' }, body: undefined }),
    '/headers': (request) => respondWithText(request.header('X-Many') ?? 'none'),
    '/echo': echo,
    '/stream': () => ({ status: 200, headers: { 'x-a': 'b' }, body: threeChunks() }),
    '/endless': () => ({ status: 200, headers: {}, body: endless(witness) }),
    '/readable': () => ({
      status: 200,
      headers: { 'x-a': 'b' },
      body: Readable.from(threeChunks()),
    }),
    '/counted': () => counted(13, threeChunks()),
    '/counted-readable': () => counted(13, Readable.from(threeChunks())),
    '/too-long': () => counted(7, threeChunks()),
    '/too-long-readable': () => counted(7, Readable.from(threeChunks())),
    '/too-short-readable': () => counted(20, Readable.from(threeChunks())),
    '/endless-readable': () => ({ status: 200, headers: {}, body: endlessReadable(witness) }),
    '/unread-readable': () => ({ status: 204, headers: {}, body: endlessReadable(witness) }),
    '/broken-readable': () => ({ status: 200, headers: {}, body: Readable.from(brokenAfter(1)) }),
    '/fallback': () => ({ status: 200, headers: {}, body: brokenAfter(0), fail: toFallback }),
    '/fallback-readable': () => ({
      status: 200,
      headers: {},
      body: Readable.from(brokenAfter(0)),
      fail: toFallback,
    }),
    '/no-fallback': () => ({
      status: 200,
      headers: { 'x-a': 'b' },
      body: threeChunks(),
      fail: toFallback,
    }),
    '/broken-stream': () => ({ status: 200, headers: {}, body: brokenAfter(1) }),
    '/broken-at-once': () => ({ status: 200, headers: {}, body: brokenAfter(0) }),
    '/upload': async (request) => {
      for await (const chunk of request.body ?? []) witness.received += chunk.length
      return respondWithText(String(witness.received))
    },
    '/hold': async (request) => {
      for await (const chunk of request.body ?? []) {
        witness.received += chunk.length
        await released
      }
      return respondWithText('held')
    },
    '/throw': () => {
      throw new Error('the secret inside')
    },
    '/reject': async () => {
      throw new Error('the secret inside')
    },
    '/refuse': () => ({ status: 413, headers: {}, body: 'too large' }),
    '/refuse-early': async (request) => {
      for await (const _chunk of request.body ?? []) break
      return { status: 413, headers: {}, body: 'too large' }
    },
    '/slow': async () => {
      await released
      return respondWithText('late')
    },
    '/wait': async (request) => {
      for await (const _chunk of request.body ?? []);
      return new Promise((resolve) => {
        const leave = () => {
          witness.aborted += 1
          resolve(respondWithText('gone'))
        }
        if (request.signal.aborted) leave()
        else request.signal.addEventListener('abort', leave)
        witness.received += 1
      })
    },
    '/whole': async (request) => {
      const bytes = await request.body?.readWhole?.(100_000)
      return respondWithText(bytes ? String(bytes.length) : 'too much')
    },
  }
  return {
    witness,
    handler: (request) => {
      if (request.target !== '/end') witness.calls += 1
      return (routes[request.target.split('?')[0] ?? ''] ?? echo)(request)
    },
  }
}

async function echo(request: HttpRequest): Promise<HttpResponse> {
  const decoder = new TextDecoder()
  let body = ''
  for await (const chunk of request.body ?? []) body += decoder.decode(chunk, { stream: true })
  const { method, target, origin, clientAddress, hasLostBody = false } = request
  const seen = { method, target, origin, clientAddress, hasLostBody, body }
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(seen),
  }
}

function respondWithText(body: string): HttpResponse {
  return { status: 200, headers: { 'content-type': 'text/plain' }, body }
}

function counted(length: number, body: AsyncIterable<Uint8Array>): HttpResponse {
  return { status: 200, headers: { 'content-length': String(length) }, body }
}

function toFallback(error: unknown): HttpResponse {
  return { status: 502, headers: { 'x-a': 'b' }, body: error instanceof Error ? error.name : '' }
}

async function* threeChunks() {
  for (const part of ['one,', '', 'two,', 'three']) {
    yield new TextEncoder().encode(part)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

async function* endless(witness: Witness) {
  try {
    while (witness.produced < MAX_CHUNKS) {
      witness.produced += 1
      yield CHUNK
    }
  } finally {
    witness.returned += 1
  }
}

function endlessReadable(witness: Witness): Readable {
  return new Readable({
    read() {
      witness.produced += 1
      this.push(witness.produced < MAX_CHUNKS ? CHUNK : null)
    },
    destroy(error, done) {
      witness.returned += 1
      done(error)
    },
  })
}

async function* brokenAfter(chunks: number) {
  for (let index = 0; index < chunks; index += 1) {
    yield new TextEncoder().encode('partial')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('the secret inside')
}
