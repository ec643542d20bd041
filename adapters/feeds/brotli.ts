import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'
import type { Compression } from '../../core/vulnerabilities/transfer/archive.ts'

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
