import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  crc32,
  createId,
  generateKey,
  hashKey,
  isSameDigest,
  isWellFormedKey,
} from '../../../core/accounts/keys.ts'
import { toBase62, toBase62Word } from '../../../core/shared/base62.ts'
import { createSeededRandom, strongRandom } from '../../helpers/random.ts'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 })

function decode(text: string): bigint {
  return [...text].reduce((sum, digit) => sum * 62n + BigInt(DIGITS.indexOf(digit)), 0n)
}

function toNumber(bytes: Uint8Array): bigint {
  return bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
}

describe('base 62', () => {
  it('encodes every number of 32 bytes in 43 digits', () => {
    fc.assert(
      fc.property(bytes32, (bytes) => {
        const text = toBase62(bytes, 43)
        expect(text).toMatch(/^[0-9A-Za-z]{43}$/)
        expect(decode(text)).toBe(toNumber(bytes))
      }),
      { seed: 62, numRuns: 300 },
    )
  })

  it('needs 43 digits for the largest number of 32 bytes', () => {
    const largest = new Uint8Array(32).fill(255)
    expect(decode(toBase62(largest, 43))).toBe(2n ** 256n - 1n)
    expect(() => toBase62(largest, 42)).toThrow(RangeError)
  })

  it('encodes 32-bit words like the general encoding', () => {
    fc.assert(
      fc.property(fc.nat(0xffffffff), (word) => {
        const bytes = new Uint8Array(new Uint32Array([word]).buffer).reverse()
        expect(toBase62Word(word)).toBe(toBase62(bytes, 6))
      }),
      { seed: 62, numRuns: 300, examples: [[0], [0xffffffff], [0x80000000]] },
    )
  })
})

describe('CRC-32', () => {
  it('returns the published check values', () => {
    expect(['', '123456789', 'a'].map(crc32)).toEqual([0, 0xcbf43926, 0xe8b7be43])
  })

  it('detects every change of one character', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1 }),
        fc.nat(),
        fc.integer({ min: 1, max: 127 }),
        (...on) => {
          const [text, place, flip] = on
          const ascii = [...text].map((char) => (char.codePointAt(0) ?? 0) & 127)
          const at = place % ascii.length
          const changed = ascii.with(at, (ascii[at] ?? 0) ^ flip)
          expect(crc32(String.fromCharCode(...changed))).not.toBe(
            crc32(String.fromCharCode(...ascii)),
          )
        },
      ),
      { seed: 32, numRuns: 300 },
    )
  })
})

describe('keys', () => {
  it('are the same for the same random bytes', async () => {
    const key = await generateKey(() => new Uint8Array(32))
    const plain = `adk_live_${'0'.repeat(43)}${toBase62Word(crc32(`adk_live_${'0'.repeat(43)}`))}`
    expect(key).toEqual({
      key: plain,
      id: `key_${toBase62(new Uint8Array(32), 22)}`,
      hint: `adk_live_…${plain.slice(-4)}`,
      hash: await hashKey(plain),
    })
  })

  it('are well formed, distinct, and 58 characters long', async () => {
    const random = createSeededRandom(58)
    const keys = await Promise.all(Array.from({ length: 500 }, () => generateKey(random)))
    expect(keys.filter(({ key }) => key.length === 58 && isWellFormedKey(key))).toHaveLength(500)
    expect(new Set(keys.map(({ key }) => key)).size).toBe(500)
    expect(new Set(keys.map(({ id }) => id)).size).toBe(500)
    expect(new Set(keys.map(({ hash }) => hash)).size).toBe(500)
  })

  it('are malformed after any change of one character, cut short or made longer', async () => {
    const { key } = await generateKey(createSeededRandom(1))
    const changed = [...key].flatMap((char, place) =>
      [...DIGITS, '_', ' ', 'é', '\n']
        .filter((other) => other !== char)
        .map((other) => key.slice(0, place) + other + key.slice(place + 1)),
    )
    const resized = [...key].map((_, length) => key.slice(0, length)).concat(`${key}0`, `${key}\n`)
    expect([...changed, ...resized].filter(isWellFormedKey)).toEqual([])
  })

  it('hash as SHA-256 does', async () => {
    expect(await hashKey('abc')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    )
  })

  it('have IDs with the prefix of their kind', () => {
    expect(createId('acc', strongRandom)).toMatch(/^acc_[0-9A-Za-z]{22}$/)
  })

  it('compare digests as equal only when they are', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (left, right) => {
        expect(isSameDigest(left, right)).toBe(left === right)
        expect(isSameDigest(left, left)).toBe(true)
      }),
      {
        seed: 256,
        numRuns: 300,
        examples: [
          ['', 'a'],
          ['ab', 'aa'],
        ],
      },
    )
  })
})
