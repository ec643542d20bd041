import * as zlib from 'node:zlib'
import type { Decode } from '../../core/ports/decode.ts'

type Decompress = (
  bytes: Uint8Array,
  options: { readonly maxOutputLength: number },
  done: (error: Error | null, result: Uint8Array) => void,
) => void

/**
 * Creates a `Decode` with `node:zlib` for gzip, deflate (with or without the zlib format), br and
 * zstd, with at most three nested encodings. Decompression stops at the limit, so memory use is
 * bounded. Results up to 64 KiB are allowed regardless of the ratio.
 *
 * @example
 * ```ts
 * import { createApiDiscovery } from 'api-discovery'
 * import { createDecoder, createPinnedEgress } from 'api-discovery/egress'
 *
 * const egress = createPinnedEgress()
 * const app = createApiDiscovery({ storage, egress, decode: createDecoder() })
 * ```
 */
export function createDecoder(): Decode {
  return async (bytes, { encodings, maxBytes, maxRatio }) => {
    if (encodings.length > MAX_ENCODINGS) return undefined
    const ratioBytes = Math.max(SMALL_BYTES, Math.floor(bytes.byteLength * maxRatio))
    const maxOutputLength = Math.min(maxBytes, ratioBytes)
    let decoded = bytes
    for (const name of encodings.toReversed()) {
      const result = await decodeOne(decoded, { name, maxOutputLength })
      if (!result) return undefined
      decoded = result
    }
    return decoded.byteLength > maxBytes ? undefined : decoded
  }
}

async function decodeOne(
  bytes: Uint8Array,
  { name, maxOutputLength }: { readonly name: string; readonly maxOutputLength: number },
): Promise<Uint8Array | undefined> {
  for (const decompress of DECOMPRESSORS[name] ?? []) {
    const result = await new Promise<Uint8Array | undefined>((resolve) => {
      decompress(bytes, { maxOutputLength }, (error, result) => resolve(error ? undefined : result))
    })
    if (result) return result
  }
  return undefined
}

const GZIP: readonly Decompress[] = [zlib.gunzip]
// Available since Node 22.15: a named import would prevent older versions from starting.
const { zstdDecompress }: { readonly zstdDecompress?: Decompress } = zlib
const DECOMPRESSORS: Readonly<Record<string, readonly Decompress[]>> = {
  __proto__: null as never,
  gzip: GZIP,
  'x-gzip': GZIP,
  // RFC 9110 8.4.1.2 requires the zlib format; some servers omit it.
  deflate: [zlib.inflate, zlib.inflateRaw],
  br: [zlib.brotliDecompress],
  zstd: zstdDecompress ? [zstdDecompress] : [],
}
const MAX_ENCODINGS = 3
const SMALL_BYTES = 65_536
