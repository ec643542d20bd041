import { concatBytes } from '../../../core/shared/bytes.ts'
import { createYieldIfDue } from '../../../core/shared/time-slices.ts'

/** A database driver copies a value several times: from this size on, compression is faster. */
const LARGE_BYTES = 1024 * 1024
const CHUNK_BYTES = 256 * 1024

/**
 * Packs the bytes of a source for its column. Large sources are compressed with gzip. So are those
 * with a gzip header, since any such value in the column is decompressed.
 */
export async function packSource(bytes: Uint8Array): Promise<Uint8Array> {
  const isPacked = bytes.length >= LARGE_BYTES || isGzip(bytes)
  return isPacked ? transformBytes(bytes, new CompressionStream('gzip')) : bytes
}

/** Restores the bytes passed to `packSource`. */
export async function unpackSource(stored: Uint8Array): Promise<Uint8Array> {
  return isGzip(stored) ? transformBytes(stored, new DecompressionStream('gzip')) : stored
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

async function transformBytes(
  bytes: Uint8Array,
  { readable, writable }: CompressionStream | DecompressionStream,
): Promise<Uint8Array> {
  const write = async () => {
    const writer = writable.getWriter()
    const pause = createYieldIfDue()
    for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
      await writer.write(new Uint8Array(bytes.subarray(start, start + CHUNK_BYTES)))
      // Deno compresses in this thread, without a turn of the event loop.
      await pause()
    }
    await writer.close()
  }
  const read = async () => {
    const chunks: Uint8Array[] = []
    for await (const chunk of readable) chunks.push(chunk)
    return concatBytes(chunks)
  }
  const [joined] = await Promise.all([read(), write()])
  return joined
}
