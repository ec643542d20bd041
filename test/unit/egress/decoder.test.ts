import {
  brotliCompressSync,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createDecoder } from '../../../adapters/egress/decoder.ts'
import { parseEncodings } from '../../../core/egress/parse-encodings.ts'

const decode = createDecoder()
const plain = new TextEncoder().encode('{"a":"ü"}'.repeat(1_000))
const packed: Readonly<Record<string, Uint8Array>> = {
  gzip: gzipSync(plain),
  'x-gzip': gzipSync(plain),
  deflate: deflateSync(plain),
  br: brotliCompressSync(plain),
  zstd: zstdCompressSync(plain),
}
const limits = { maxBytes: 1_000_000, maxRatio: 100 }

async function textOf(bytes: Uint8Array, encodings: readonly string[], more = {}) {
  const decoded = await decode(bytes, { ...limits, encodings, ...more })
  return decoded && new TextDecoder().decode(decoded)
}

describe('decoder', () => {
  const text = new TextDecoder().decode(plain)

  it.each(Object.keys(packed))('decodes %s', async (name) => {
    expect(await textOf(packed[name] ?? plain, [name])).toBe(text)
  })

  it('decodes deflate without the zlib format, several encodings, and none', async () => {
    expect(await textOf(deflateRawSync(plain), ['deflate'])).toBe(text)
    expect(await textOf(gzipSync(brotliCompressSync(plain)), ['br', 'gzip'])).toBe(text)
    expect(await textOf(plain, [])).toBe(text)
  })

  it('returns undefined for unknown, broken, too large or too deeply nested encodings', async () => {
    const { gzip = plain } = packed
    expect([
      await textOf(plain, ['compress']),
      await textOf(plain, ['__proto__']),
      await textOf(plain, ['gzip']),
      await textOf(gzip.subarray(0, 20), ['gzip']),
      await textOf(gzip, ['gzip'], { maxBytes: 9_999 }),
      await textOf(plain, [], { maxBytes: 9_999 }),
      await textOf(gzipSync(new Uint8Array(500_000)), ['gzip']),
      await textOf(gzip, ['gzip', 'gzip', 'gzip', 'gzip']),
    ]).toEqual(Array(8).fill(undefined))
  })

  it('allows a small body to exceed the ratio', async () => {
    expect(await textOf(gzipSync(new Uint8Array(60_000)), ['gzip'])).toHaveLength(60_000)
  })

  it('parses the names of encodings', () => {
    expect(parseEncodings(' GZIP, identity ,,br')).toEqual(['gzip', 'br'])
    expect(parseEncodings(undefined)).toEqual([])
  })
})
