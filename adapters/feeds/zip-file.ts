import { createReadStream, createWriteStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib'
import yauzl, { type Entry, type ZipFile } from 'yauzl'
import { ServiceError } from '../../core/errors.ts'

/** A file in a zip archive. */
export interface ZipEntry {
  /** Path within the archive, as the archive states it. Not safe as a path on disk. */
  readonly name: string
  /** Size in the archive, and after decompression, as the archive states them. */
  readonly packedBytes: number
  readonly bytes: number
  /**
   * Decompresses the file in memory. Throws a `ServiceError`: `too_large` if it is larger than
   * `maxBytes`, `invalid_body` if its data is corrupt or encrypted.
   */
  read(maxBytes: number): Promise<Uint8Array>
  /** Decompresses the file to a path on disk. Throws as `read` does. */
  extract(path: string, maxBytes: number): Promise<void>
}

/** Reads a file at any position, with a few large reads of the disk. */
interface FileWindows extends yauzl.RandomAccessReader {
  /**
   * Reads bytes, which must not be changed. Returns fewer than `length` at the end of the file.
   */
  readBytes(position: number, length: number): Promise<Buffer>
}

interface Window {
  readonly start: number
  readonly bytes: Buffer
}

/**
 * Lists the files of a zip archive in the order of its directory, with constant memory. Throws a
 * `ServiceError` with code `invalid_body`, after the intact entries, if the directory is truncated
 * or corrupt. Entries must be read before the next one.
 */
export async function* readZipEntries(path: string): AsyncGenerator<ZipEntry> {
  const handle = await open(path)
  try {
    const { size } = await handle.stat()
    const reader = createFileWindows(handle)
    // Names are not validated: no entry is written under its own name.
    const options = { autoClose: false, decodeStrings: false, validateEntrySizes: false }
    const zip = await yauzl
      .fromRandomAccessReaderPromise(reader, size, options)
      .catch(throwInvalidZip)
    const entries = zip.eachEntry()[Symbol.asyncIterator]()
    for (;;) {
      const next = await entries.next().catch(throwInvalidZip)
      if (next.done) return
      yield toZipEntry(next.value, { zip, path, read: reader.readBytes })
    }
  } finally {
    await handle.close()
  }
}

interface OpenZip {
  readonly zip: ZipFile
  readonly path: string
  readonly read: (position: number, length: number) => Promise<Buffer>
}

const STORED = 0

function toZipEntry(entry: Entry, { zip, path, read }: OpenZip): ZipEntry {
  const { compressedSize, uncompressedSize, compressionMethod } = entry
  const findData = async (maxBytes: number): Promise<number> => {
    if (uncompressedSize > maxBytes || compressedSize > maxBytes) throw createSizeError(maxBytes)
    if (!entry.canDecodeFileData()) throw createEntryError('it is encrypted or not deflated')
    const header = await zip
      .readLocalFileHeaderPromise(entry, { minimal: true })
      .catch((error: unknown) => {
        throw createEntryError('its data is missing', error)
      })
    return header.fileDataStart
  }
  return {
    name: entry.fileNameRaw.toString('utf8'),
    packedBytes: compressedSize,
    bytes: uncompressedSize,
    async read(maxBytes) {
      const packed = await read(await findData(maxBytes), compressedSize)
      const bytes = compressionMethod === STORED ? packed : inflate(packed, uncompressedSize)
      checkData(entry, bytes.length, crc32(bytes))
      return bytes
    },
    async extract(target, maxBytes) {
      const start = await findData(maxBytes)
      if (compressedSize === 0) throw createEntryError('its data is missing')
      const packed = createReadStream(path, { start, end: start + compressedSize - 1 })
      let length = 0
      let crc = 0
      const check = new Transform({
        transform(chunk: Buffer, _, done) {
          length += chunk.length
          crc = crc32(chunk, crc)
          done(length > uncompressedSize ? createEntryError(CORRUPT) : null, chunk)
        },
      })
      const file = createWriteStream(target, { flags: 'wx', mode: 0o600 })
      const isPacked = compressionMethod !== STORED
      const written = isPacked
        ? pipeline(packed, createInflateRaw(), check, file)
        : pipeline(packed, check, file)
      await written.catch(throwEntryError)
      checkData(entry, length, crc)
    },
  }
}

const CORRUPT = 'its data is corrupt'

function inflate(packed: Buffer, bytes: number): Buffer {
  try {
    // At least one byte, since zero means no limit.
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, bytes) })
  } catch (error) {
    throw createEntryError(CORRUPT, error)
  }
}

function checkData(entry: Entry, bytes: number, crc: number): void {
  if (bytes !== entry.uncompressedSize || crc !== entry.crc32) throw createEntryError(CORRUPT)
}

function createSizeError(maxBytes: number): ServiceError {
  const reason = `it contains more than ${maxBytes} bytes`
  return new ServiceError('too_large', `Cannot decompress the file: ${reason}`)
}

function createEntryError(reason: string, cause?: unknown): ServiceError {
  return new ServiceError('invalid_body', `Cannot decompress the file: ${reason}`, { cause })
}

function throwEntryError(error: unknown): never {
  // Errors of the disk have another code.
  const isData = error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
  throw isData ? createEntryError(CORRUPT, error) : error
}

function throwInvalidZip(error: unknown): never {
  const reason = 'its zip directory is truncated or corrupt'
  throw new ServiceError('invalid_body', `Cannot decompress the file: ${reason}`, { cause: error })
}

/**
 * Creates a reader with two windows: a zip archive is read in two places, its directory and its
 * files, both mostly in ascending order.
 */
function createFileWindows(handle: FileHandle): FileWindows {
  return new Windows(handle)
}

const WINDOW_BYTES = 256 * 1024
const WINDOW_COUNT = 2

class Windows extends yauzl.RandomAccessReader implements FileWindows {
  readonly #handle: FileHandle
  /** The window that was used last comes last. */
  #windows: readonly Window[] = []

  constructor(handle: FileHandle) {
    super()
    this.#handle = handle
    this.readBytes = this.readBytes.bind(this)
  }

  async readBytes(position: number, length: number): Promise<Buffer> {
    return this.#findBytes(position, length) ?? (await this.#readFromDisk(position, length))
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytes?: number) => void,
  ): void {
    const found = this.#findBytes(position, length)
    if (found) {
      callback(null, found.copy(buffer, offset))
      return
    }
    this.#readFromDisk(position, length).then(
      (bytes) => callback(null, bytes.copy(buffer, offset)),
      callback,
    )
  }

  #findBytes(position: number, length: number): Buffer | undefined {
    const window = this.#windows.findLast(
      ({ start, bytes }) => position >= start && position + length <= start + bytes.length,
    )
    if (!window) return undefined
    if (window !== this.#windows.at(-1)) {
      this.#windows = [...this.#windows.filter((each) => each !== window), window]
    }
    return window.bytes.subarray(position - window.start, position - window.start + length)
  }

  async #readFromDisk(position: number, length: number): Promise<Buffer> {
    const buffer = Buffer.allocUnsafeSlow(Math.max(length, WINDOW_BYTES))
    const { bytesRead } = await this.#handle.read(buffer, 0, buffer.length, position)
    const bytes = buffer.subarray(0, bytesRead)
    if (length > WINDOW_BYTES) return bytes.subarray(0, length)
    this.#windows = [...this.#windows, { start: position, bytes }].slice(-WINDOW_COUNT)
    return bytes.subarray(0, length)
  }
}
