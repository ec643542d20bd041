import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { ServiceError } from '../../core/http/problems.ts'

/**
 * Decompresses gzip data of one or more members in chunks of at most 256 KiB. Throws a
 * `ServiceError`: `invalid_body` if the data is truncated or corrupt, `too_large` if the output
 * exceeds `maxBytes`. Before an error it yields the intact output, except up to its last 256 KiB.
 * Errors of `packed` propagate.
 */
export async function* gunzip(
  packed: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncIterable<Uint8Array> {
  const source = Readable.from(packed, { objectMode: false })
  const unpacked = createGunzip({ chunkSize: PIECE_BYTES })
  let failure: Error | undefined
  source.on('error', (error) => {
    failure = error
    unpacked.destroy(error)
  })
  source.pipe(unpacked)
  let bytes = 0
  try {
    for await (const piece of unpacked) {
      bytes += piece.length
      if (bytes > maxBytes) throw tooLarge(maxBytes)
      yield piece
    }
  } catch (error) {
    throw failure ?? toReadError(error)
  } finally {
    source.destroy()
    unpacked.destroy()
  }
}

const PIECE_BYTES = 256 * 1024

function tooLarge(maxBytes: number): ServiceError {
  return new ServiceError(
    'too_large',
    `Cannot decompress the file: it contains more than ${maxBytes} bytes`,
  )
}

function toReadError(error: unknown): unknown {
  if (error instanceof ServiceError) return error
  return new ServiceError(
    'invalid_body',
    'Cannot decompress the file: its gzip data is truncated or corrupt',
    {
      cause: error,
    },
  )
}
