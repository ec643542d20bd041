import { once } from 'node:events'
import type { Transform } from 'node:stream'
import {
  constants,
  createBrotliCompress,
  createDeflate,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib'

const PIECE = new Uint8Array(16 * 1024 * 1024)
const PIECES = 64

/** A gibibyte of zeros in each encoding, as small as it gets. */
export async function makeBombs(): Promise<Readonly<Record<string, Uint8Array>>> {
  return {
    // Several members, or frames, are one content.
    gzip: repeatBytes(gzipSync(PIECE, { level: 1 })),
    zstd: repeatBytes(zstdCompressSync(PIECE)),
    deflate: await compress(createDeflate({ level: 1 })),
    br: await compress(createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })),
  }
}

function repeatBytes(piece: Uint8Array): Uint8Array {
  const all = new Uint8Array(piece.byteLength * PIECES)
  for (let n = 0; n < PIECES; n += 1) all.set(piece, n * piece.byteLength)
  return all
}

async function compress(stream: Transform): Promise<Uint8Array> {
  const pieces: Buffer[] = []
  stream.on('data', (piece: Buffer) => pieces.push(piece))
  const ended = once(stream, 'end')
  for (let n = 0; n < PIECES; n += 1) {
    if (!stream.write(PIECE)) await once(stream, 'drain')
  }
  stream.end()
  await ended
  return new Uint8Array(Buffer.concat(pieces))
}
