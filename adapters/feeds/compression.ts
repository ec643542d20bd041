import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants, createGunzip } from 'node:zlib'
import { ServiceError } from '../../core/errors.ts'
import type { Compression } from '../../core/vulnerabilities/transfer/archive.ts'

/**
 * Decompresses gzip data of one or more members in chunks of at most 256 KiB. Throws a
 * `ServiceError`: `invalid_body` if the data is truncated or corrupt, `too_large` if the output
 * exceeds `maxBytes`. Before an error it yields the intact output, except up to its last 256 KiB.
 * Errors of `compressed` propagate.
 */
export async function* gunzip(
  compressed: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncIterable<Uint8Array> {
  const source = Readable.from(compressed, { objectMode: false })
  const decompressed = createGunzip({ chunkSize: CHUNK_BYTES })
  let failure: Error | undefined
  source.on('error', (error) => {
    failure = error
    decompressed.destroy(error)
  })
  source.pipe(decompressed)
  let bytes = 0
  try {
    for await (const piece of decompressed) {
      bytes += piece.length
      if (bytes > maxBytes) throw createTooLargeError(maxBytes)
      yield piece
    }
  } catch (error) {
    throw failure ?? toGunzipError(error)
  } finally {
    source.destroy()
    decompressed.destroy()
  }
}

const CHUNK_BYTES = 256 * 1024

function createTooLargeError(maxBytes: number): ServiceError {
  return new ServiceError(
    'too_large',
    `Cannot decompress the file: it contains more than ${maxBytes} bytes`,
  )
}

function toGunzipError(error: unknown): unknown {
  if (error instanceof ServiceError) return error
  return new ServiceError(
    'invalid_body',
    'Cannot decompress the file: its gzip data is truncated or corrupt',
    {
      cause: error,
    },
  )
}

/**
 * Creates Brotli compression on the thread pool, for archives of vulnerabilities.
 *
 * @example
 * ```ts
 * import { createBrotli } from 'api-discovery/feeds'
 *
 * const { head } = await app.vulnerabilities.exportArchive({ compression: createBrotli() })
 * console.log(head.records.count)
 * ```
 */
export function createBrotli(): Compression {
  return {
    compress: (bytes) =>
      compress(bytes, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: QUALITY,
          [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS,
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        },
      }),
    // Some runtimes refuse a limit of 0.
    decompress: (bytes, maxBytes) => decompress(bytes, { maxOutputLength: Math.max(1, maxBytes) }),
  }
}

const compress = promisify(brotliCompress)
const decompress = promisify(brotliDecompress)

/** A higher quality takes ten times as long for two percent less. */
const QUALITY = 9
const WINDOW_BITS = 22
