import type { FileHandle } from 'node:fs/promises'
import yauzl from 'yauzl'

/** Reads a file at any position, with a few large reads of the disk. */
export interface FileWindows extends yauzl.RandomAccessReader {
  /**
   * Reads bytes, which must not be changed. Returns fewer than `length` at the end of the file.
   */
  readBytes(position: number, length: number): Promise<Buffer>
}

/**
 * Creates a reader with two windows: a zip archive is read in two places, its directory and its
 * files, both mostly in ascending order.
 */
export function createFileWindows(handle: FileHandle): FileWindows {
  return new Windows(handle)
}

const WINDOW_BYTES = 256 * 1024
const WINDOW_COUNT = 2

interface Window {
  readonly start: number
  readonly bytes: Buffer
}

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
