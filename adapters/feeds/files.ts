import { Buffer } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { ServiceError } from '../../core/http/problems.ts'
import { gunzip } from './gunzip.ts'

/** A file that may hold a feed. */
export interface FeedFile {
  readonly path: string
  /** The last part of the path. */
  readonly name: string
  /** As it lies on the disk, packed or not. */
  readonly bytes: number
}

/** What a path holds. */
export interface FeedFiles {
  /** Sorted by name (code points). */
  readonly files: readonly FeedFile[]
  /** Names of a folder's other entries, sorted. */
  readonly ignored: readonly string[]
}

/** How to read a file. */
export interface ReadFileOptions {
  /** Most bytes that a packed file may unpack to: 16 GiB unless told, six times all of NVD. */
  readonly maxBytes?: number | undefined
  /** Told how many more bytes were read from the disk. */
  readonly onRead?: ((bytes: number) => void) | undefined
}

/**
 * The file itself, whatever its name, or the `.json`, `.json.gz`, `.csv` and `.csv.gz` files that
 * lie in a folder. Throws a `ServiceError` with code `not_found` for a path that cannot be read.
 */
export async function listFeedFiles(path: string): Promise<FeedFiles> {
  try {
    const { isFile, bytes } = await measure(path)
    if (isFile) return { files: [{ path, name: basename(path), bytes }], ignored: [] }
    const files: FeedFile[] = []
    const ignored: string[] = []
    for (const name of (await readdir(path)).sort()) {
      const full = join(path, name)
      // A link may lead to nothing.
      const entry = FEED_FILE.test(name) ? await measure(full).catch(() => undefined) : undefined
      if (entry?.isFile) files.push({ path: full, name, bytes: entry.bytes })
      else ignored.push(name)
    }
    return { files, ignored }
  } catch (error) {
    throw toOpenError(error)
  }
}

/**
 * The bytes of a file in pieces of at most 256 KiB, unpacked when they are gzip, whatever the
 * file's name. Memory is flat. Throws a `ServiceError`: `not_found` for a file that cannot be read,
 * `invalid_body` for gzip data that are cut off or broken, after what was whole, and `too_large`
 * past `maxBytes`.
 */
export function readFeedFile(
  path: string,
  options: ReadFileOptions = {},
): AsyncIterable<Uint8Array> {
  return unpackFeed(readFile(path, options.onRead), options)
}

/** Bytes from elsewhere, unpacked as `readFeedFile` does. What they throw is thrown. */
export async function* unpackFeed(
  bytes: AsyncIterable<Uint8Array>,
  options: Pick<ReadFileOptions, 'maxBytes'> = {},
): AsyncIterable<Uint8Array> {
  const { maxBytes = DEFAULT_MAX_BYTES } = options
  const source = bytes[Symbol.asyncIterator]()
  try {
    const start = await readStart(source)
    const whole = prepend(start, { [Symbol.asyncIterator]: () => source })
    const isPacked = start[0] === 0x1f && start[1] === 0x8b
    yield* isPacked ? gunzip(whole, maxBytes) : whole
  } finally {
    await source.return?.(undefined)
  }
}

const FEED_FILE = /\.(?:json|csv)(?:\.gz)?$/i
const DEFAULT_MAX_BYTES = 16 * 1024 ** 3
const PIECE_BYTES = 256 * 1024

async function measure(path: string): Promise<{ isFile: boolean; bytes: number }> {
  const found = await stat(path)
  return { isFile: !found.isDirectory(), bytes: found.size }
}

async function* readFile(
  path: string,
  onRead: ReadFileOptions['onRead'],
): AsyncGenerator<Uint8Array, undefined> {
  const stream = createReadStream(path, { highWaterMark: PIECE_BYTES })
  try {
    for await (const piece of stream) {
      // Without an encoding a file gives bytes.
      const bytes = piece as Uint8Array
      onRead?.(bytes.length)
      yield bytes
    }
  } catch (error) {
    throw toOpenError(error)
  } finally {
    stream.destroy()
  }
}

/** The first piece, with more where that is too short to tell whether it is gzip. */
async function readStart(source: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  for (let length = 0; length < 2; ) {
    const next = await source.next()
    if (next.done) break
    pieces.push(next.value)
    length += next.value.length
  }
  const [only] = pieces
  return only && pieces.length === 1 ? only : Buffer.concat(pieces)
}

async function* prepend(
  first: Uint8Array,
  rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (first.length > 0) yield first
  yield* rest
}

function toOpenError(error: unknown): ServiceError {
  const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
  return new ServiceError('not_found', `Cannot read the file: ${reason}`, { cause: error })
}
