import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { ServiceError } from '../../core/http/problems.ts'

/**
 * Unpacks gzip data of one member or several, in pieces of at most 256 KiB. Throws a
 * `ServiceError` with code `invalid_body` for data that are cut off or broken, after what came of
 * them before (but the last 256 KiB), and `too_large` when more than `maxBytes` come of them. What
 * `packed` throws is thrown.
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
    `Cannot unpack the file: it holds more than ${maxBytes} bytes`,
  )
}

function toReadError(error: unknown): unknown {
  if (error instanceof ServiceError) return error
  return new ServiceError(
    'invalid_body',
    'Cannot unpack the file: its gzip data are cut off or broken',
    {
      cause: error,
    },
  )
}
