import { concatBytesCopy } from '../../shared/bytes.ts'
import {
  ARCHIVE_FORMAT,
  type Compression,
  createBrokenError,
  createForeignError,
  type FrameHead,
  MAGIC,
  parseFrameHead,
} from './archive.ts'

/** A frame of an archive: its description and its content. */
export interface Frame {
  readonly head: FrameHead
  readonly body: Uint8Array
}

/**
 * Writes an archive. A frame consists of its compressed size, its size (32 bits each), the
 * compressed content, and the SHA-256 of everything up to there: of the previous digest, the sizes
 * and the content. The content is the size of the description, the description as JSON, and the
 * body.
 */
export async function* writeFrames(
  frames: AsyncIterable<Frame>,
  compression: Compression,
): AsyncGenerator<Uint8Array, void, undefined> {
  const start = packStart()
  let digest = await toDigest([start])
  yield start
  for await (const { size, stored } of compressAhead(frames, compression)) {
    const sizes = packNumbers([stored.length, size])
    digest = await toDigest([digest, sizes, stored])
    yield sizes
    yield stored
    yield digest
  }
}

/**
 * Reads the frames of an archive, of which the last one is `end`. Every frame is verified before it
 * is returned, so a corrupt or truncated archive never yields wrong content. Throws a
 * `ServiceError`: `unsupported_media_type` for other files, `invalid_body` for a corrupt or
 * truncated archive. Errors of `bytes` propagate.
 */
export async function* readFrames(
  bytes: AsyncIterable<Uint8Array>,
  compression: Compression,
): AsyncGenerator<Frame, void, undefined> {
  const cursor = createCursor(bytes)
  try {
    const start = await cursor.read(MAGIC.length + 4)
    requireStart(start)
    let digest = await toDigest([start])
    for (;;) {
      const sizes = await cursor.read(8)
      if (!sizes) throw createBrokenError(TRUNCATED)
      const [storedSize = 0, size = 0] = unpackNumbers(sizes)
      if (storedSize > MAX_BYTES || size > MAX_BYTES) throw createBrokenError(CORRUPT)
      const stored = await cursor.read(storedSize)
      const expected = await cursor.read(DIGEST_BYTES)
      if (!stored || !expected) throw createBrokenError(TRUNCATED)
      digest = await toDigest([digest, sizes, stored])
      if (!areEqual(digest, expected)) throw createBrokenError(CORRUPT)
      const frame = unpackFrame(await decompress(compression, { stored, size }))
      if (frame.head.type === 'end' && (await cursor.read(1))) throw createBrokenError(CORRUPT)
      yield frame
      if (frame.head.type === 'end') return
    }
  } finally {
    await cursor.close()
  }
}

/** Starts to read the next item while the consumer works on the current one. */
export async function* readAhead<T>(items: AsyncGenerator<T, void, undefined>): AsyncGenerator<T> {
  let pending = items.next()
  try {
    for (;;) {
      const next = await pending
      if (next.done) return
      pending = items.next()
      pending.catch(() => undefined)
      yield next.value
    }
  } finally {
    await items.return()
  }
}

const TRUNCATED = 'it is truncated'
const CORRUPT = 'it is corrupt'
const DIGEST_BYTES = 32
/** Limit on the size of a frame; those that are written here are smaller than 10 MB. */
const MAX_BYTES = 64 * 1024 * 1024
/** Frames that are compressed at the same time. */
const COMPRESSED_AT_ONCE = 3

const encoder = new TextEncoder()
const decoder = new TextDecoder()

function packStart(): Uint8Array {
  return concatBytesCopy([encoder.encode(MAGIC), packNumbers([ARCHIVE_FORMAT])])
}

function requireStart(start: Uint8Array | undefined): asserts start is Uint8Array {
  if (!start || decoder.decode(start.subarray(0, MAGIC.length)) !== MAGIC) {
    throw createForeignError('it is no file of "vulnerabilities export"')
  }
  const [format] = unpackNumbers(start.slice(MAGIC.length))
  if (format === ARCHIVE_FORMAT) return
  throw createForeignError(
    `its format is ${format}, and this version reads format ${ARCHIVE_FORMAT}; update both machines`,
  )
}

async function* compressAhead(frames: AsyncIterable<Frame>, compression: Compression) {
  const pending: Promise<{ readonly size: number; readonly stored: Uint8Array }>[] = []
  const compressFrame = async (frame: Frame) => {
    const content = packFrame(frame)
    return { size: content.length, stored: await compression.compress(content) }
  }
  for await (const frame of frames) {
    const work = compressFrame(frame)
    // Reported when it is awaited.
    work.catch(() => undefined)
    pending.push(work)
    const [first] = pending
    if (first && pending.length >= COMPRESSED_AT_ONCE) {
      pending.shift()
      yield await first
    }
  }
  for (const work of pending) yield await work
}

async function decompress(
  compression: Compression,
  { stored, size }: { readonly stored: Uint8Array; readonly size: number },
): Promise<Uint8Array> {
  const content = await compression.decompress(stored, size).catch(() => {
    throw createBrokenError(CORRUPT)
  })
  if (content.length !== size) throw createBrokenError(CORRUPT)
  return content
}

function packFrame({ head, body }: Frame): Uint8Array {
  const text = encoder.encode(JSON.stringify(head))
  return concatBytesCopy([packNumbers([text.length]), text, body])
}

function unpackFrame(content: Uint8Array): Frame {
  const [size = 0] = content.length < 4 ? [content.length] : unpackNumbers(content.slice(0, 4))
  if (4 + size > content.length) throw createBrokenError(CORRUPT)
  const head = parseFrameHead(decoder.decode(content.subarray(4, 4 + size)))
  return { head, body: content.subarray(4 + size) }
}

function packNumbers(numbers: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(numbers.length * 4)
  const view = new DataView(bytes.buffer)
  for (const [index, number] of numbers.entries()) view.setUint32(index * 4, number, true)
  return bytes
}

function unpackNumbers(bytes: Uint8Array): readonly number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Array.from({ length: bytes.length / 4 }, (_, index) => view.getUint32(index * 4, true))
}

async function toDigest(chunks: readonly Uint8Array[]): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', concatBytesCopy(chunks)))
}

function areEqual(left: Uint8Array, right: Uint8Array): boolean {
  return left.every((byte, index) => byte === right[index])
}

/** Reads exact numbers of bytes. */
function createCursor(bytes: AsyncIterable<Uint8Array>) {
  const iterator = bytes[Symbol.asyncIterator]()
  let chunks: Uint8Array[] = []
  let available = 0
  return {
    /** Reads `size` bytes; undefined if fewer are left. */
    async read(size: number): Promise<Uint8Array | undefined> {
      while (available < size) {
        const next = await iterator.next()
        if (next.done) return undefined
        chunks.push(next.value)
        available += next.value.length
      }
      const joined = chunks.length === 1 && chunks[0] ? chunks[0] : concatBytesCopy(chunks)
      chunks = joined.length > size ? [joined.subarray(size)] : []
      available -= size
      return joined.subarray(0, size)
    },
    async close(): Promise<void> {
      await iterator.return?.()
    },
  }
}
