import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { ServiceError } from '../../core/errors.ts'
import { gunzip } from './compression.ts'
import { prependBytes, readFirstBytes } from './first-bytes.ts'

/** A file that may contain a feed. */
export interface FeedFileEntry {
  readonly path: string
  /** Last segment of the path. */
  readonly name: string
  /** Size on disk, compressed or not. */
  readonly bytes: number
}

/** The files found at a path. */
export interface FeedFileListing {
  /** Sorted by name (code points). */
  readonly files: readonly FeedFileEntry[]
  /** Names of the other entries of a folder, sorted. */
  readonly ignored: readonly string[]
}

/** Options of `readFeedFile`. */
export interface ReadFileOptions {
  /** Limit on the decompressed size in bytes: 16 GiB by default, six times all of NVD. */
  readonly maxBytes?: number | undefined
  /** Called with the size of each chunk that is read from disk. */
  readonly onRead?: ((bytes: number) => void) | undefined
}

/**
 * Lists the file at `path`, regardless of its name. For a folder, lists the `.json`, `.json.gz`,
 * `.csv` and `.csv.gz` files directly in it. Throws a `ServiceError` with code `not_found` if the
 * path cannot be read.
 *
 * @example
 * ```ts
 * import { listFeedFiles } from 'api-discovery/feeds'
 *
 * const { files, ignored } = await listFeedFiles('feeds')
 * for (const { path, bytes } of files) console.log(path, bytes)
 * ```
 */
export async function listFeedFiles(path: string): Promise<FeedFileListing> {
  try {
    const { isFile, bytes } = await statPath(path)
    if (isFile) return { files: [{ path, name: basename(path), bytes }], ignored: [] }
    const files: FeedFileEntry[] = []
    const ignored: string[] = []
    for (const name of (await readdir(path)).sort()) {
      const full = join(path, name)
      // A symbolic link may be broken.
      const entry = FEED_FILE.test(name) ? await statPath(full).catch(() => undefined) : undefined
      if (entry?.isFile) files.push({ path: full, name, bytes: entry.bytes })
      else ignored.push(name)
    }
    return { files, ignored }
  } catch (error) {
    throw toOpenError(error)
  }
}

/**
 * Streams a file in chunks of at most 256 KiB and decompresses gzip, regardless of the file's name.
 * Memory use is constant. Throws a `ServiceError`: `not_found` if the file cannot be read,
 * `too_large` beyond `maxBytes`. If the gzip data is truncated or corrupt, throws one with code
 * `invalid_body` after the intact data.
 *
 * @example
 * ```ts
 * import { readKev } from 'api-discovery/vulnerabilities'
 * import { readFeedFile } from 'api-discovery/feeds'
 *
 * const bytes = readFeedFile('known_exploited_vulnerabilities.json.gz', { maxBytes: 100_000_000 })
 * const { entries } = await readKev(bytes)
 * ```
 */
export function readFeedFile(
  path: string,
  options: ReadFileOptions = {},
): AsyncIterable<Uint8Array> {
  return decompressFeed(streamFile(path, options.onRead), options)
}

/**
 * Decompresses bytes of another source as `readFeedFile` does. Errors of the source propagate.
 *
 * @example
 * ```ts
 * import { readKev } from 'api-discovery/vulnerabilities'
 * import { decompressFeed } from 'api-discovery/feeds'
 *
 * const { body } = await fetch('http://127.0.0.1:9001/kev.json.gz')
 * if (body) console.log((await readKev(decompressFeed(body))).version)
 * ```
 */
export async function* decompressFeed(
  bytes: AsyncIterable<Uint8Array>,
  options: Pick<ReadFileOptions, 'maxBytes'> = {},
): AsyncIterable<Uint8Array> {
  const { maxBytes = DEFAULT_MAX_BYTES } = options
  const source = bytes[Symbol.asyncIterator]()
  try {
    const start = await readFirstBytes(source, 2)
    const whole = prependBytes(start, source)
    const isPacked = start[0] === 0x1f && start[1] === 0x8b
    yield* isPacked ? gunzip(whole, maxBytes) : whole
  } finally {
    await source.return?.(undefined)
  }
}

const FEED_FILE = /\.(?:json|csv)(?:\.gz)?$/i
const DEFAULT_MAX_BYTES = 16 * 1024 ** 3
const CHUNK_BYTES = 256 * 1024

async function statPath(path: string): Promise<{ isFile: boolean; bytes: number }> {
  const found = await stat(path)
  return { isFile: !found.isDirectory(), bytes: found.size }
}

async function* streamFile(
  path: string,
  onRead: ReadFileOptions['onRead'],
): AsyncGenerator<Uint8Array, undefined> {
  const stream = createReadStream(path, { highWaterMark: CHUNK_BYTES })
  try {
    for await (const piece of stream) {
      // Without an encoding, a file stream yields bytes.
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

function toOpenError(error: unknown): ServiceError {
  const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
  return new ServiceError('not_found', `Cannot read the file: ${reason}`, { cause: error })
}
