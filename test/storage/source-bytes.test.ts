import { describe, expect, it } from 'vitest'
import { packSource, unpackSource } from '../../adapters/storage/kysely/source-bytes.ts'

describe('the bytes of a source', () => {
  const large = new TextEncoder().encode('{"openapi":"3.1.0"} '.repeat(100_000))

  it('are compressed if they are large', async () => {
    const stored = await packSource(large)

    expect(stored.length).toBeLessThan(large.length / 10)
    expect(await unpackSource(stored)).toEqual(large)
  })

  it('are stored unchanged if they are small', async () => {
    const small = large.subarray(0, 1000)

    expect(await packSource(small)).toBe(small)
    expect(await unpackSource(small)).toBe(small)
  })

  it('are restored unchanged if they look compressed themselves', async () => {
    const odd = Uint8Array.of(0x1f, 0x8b, 1, 2, 3)

    expect(await unpackSource(await packSource(odd))).toEqual(odd)
  })
})
