import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseSecret } from '../../../core/accounts/parse-secret.ts'
import { createSealer } from '../../../core/accounts/sealer.ts'
import { ServiceError } from '../../../core/errors.ts'
import { fromBase64Url, toBase64Url } from '../../../core/shared/base64url.ts'
import { createSeededRandom, strongRandom } from '../../helpers/random.ts'

const [OLD, NEW] = [strongRandom(32), strongRandom(32)]
const CONTEXT = { purpose: 'api-key', accountId: 'acc_1', recordId: 'key_1' }
const TEXT = 'canary äöü €'
const sealer = createSealer({ current: OLD }, strongRandom)

/** Returns the message of the `internal` error of an attempt, or its result if it succeeds. */
async function findInternalMessage(attempt: Promise<unknown>): Promise<unknown> {
  return attempt.catch((error: unknown) =>
    error instanceof ServiceError && error.code === 'internal' ? error.message : error,
  )
}

const FORM = 'Cannot open a sealed text: its format is unknown'
const SECRET =
  'Cannot open a sealed text: it was sealed with another secret. Restore the secret file that belongs to the database, or the earlier API_DISCOVERY_SECRET'
const CHANGED = 'Cannot open a sealed text: it was changed or belongs to another record'

describe('sealer', () => {
  it('opens what it sealed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 200 }), async (text) => {
        expect(await sealer.open(await sealer.seal(text, CONTEXT), CONTEXT)).toBe(text)
      }),
      { seed: 256, numRuns: 100, examples: [[''], ['x'.repeat(10_000)]] },
    )
  })

  it('writes version, secret ID, IV and ciphertext, and never the plain text', async () => {
    const sealed = await sealer.seal(TEXT, CONTEXT)
    expect(sealed).toMatch(/^v1\.[\w-]{8}\.[\w-]{16}\.[\w-]+$/)
    expect(sealed).not.toContain('canary')
    expect(atob(sealed.split('.')[3]?.replace(/[-_]/g, '/') ?? '')).not.toContain('canary')
  })

  it('uses a new IV each time', async () => {
    const all = await Promise.all(Array.from({ length: 500 }, () => sealer.seal(TEXT, CONTEXT)))
    expect(new Set(all.map((sealed) => sealed.split('.')[2])).size).toBe(500)
    expect(new Set(all.map((sealed) => sealed.split('.')[1])).size).toBe(1)
  })

  it('rejects a sealed text that was moved to another account, record or purpose', async () => {
    const sealed = await sealer.seal(TEXT, CONTEXT)
    for (const moved of [
      { ...CONTEXT, accountId: 'acc_2' },
      { ...CONTEXT, recordId: 'key_2' },
      { ...CONTEXT, purpose: 'target-credential' },
      { purpose: 'api-key', accountId: 'acc_1key_', recordId: '1' },
    ]) {
      expect(await findInternalMessage(sealer.open(sealed, moved))).toBe(CHANGED)
    }
  })

  it('rejects a sealed text with one flipped bit, 1,000 times', async () => {
    const random = createSeededRandom(1000)
    const outcomes: unknown[] = []
    for (let flip = 0; flip < 1000; flip += 1) {
      const sealed = await sealer.seal(TEXT, CONTEXT)
      const [high = 0, low = 0, bit = 0] = random(3)
      const at = (high * 256 + low) % sealed.length
      const changed = String.fromCharCode(sealed.charCodeAt(at) ^ (1 << (bit % 7)))
      const flipped = sealed.slice(0, at) + changed + sealed.slice(at + 1)
      outcomes.push(await findInternalMessage(sealer.open(flipped, CONTEXT)))
    }
    expect(outcomes.filter((each) => ![FORM, SECRET, CHANGED].includes(String(each)))).toEqual([])
    expect(new Set(outcomes)).toEqual(new Set([FORM, SECRET, CHANGED]))
  })

  it('rejects any other last character, although base64 would ignore its spare bits', async () => {
    for (const text of ['a', 'ab', 'abc']) {
      const sealed = await sealer.seal(text, CONTEXT)
      for (const last of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_') {
        if (sealed.endsWith(last)) continue
        const outcome = await findInternalMessage(sealer.open(sealed.slice(0, -1) + last, CONTEXT))
        expect([FORM, CHANGED]).toContain(outcome)
      }
    }
  })

  it('rejects other formats', async () => {
    for (const text of [
      '',
      'v1',
      'v1...',
      'v2.AAAAAAAA.AAAAAAAAAAAAAAAA.AAAA',
      'v1.AAAAAAAA.A.A.A',
    ]) {
      expect(await findInternalMessage(sealer.open(text, CONTEXT))).toBe(FORM)
    }
  })

  it('rejects texts that were sealed with another secret', async () => {
    const sealed = await sealer.seal(TEXT, CONTEXT)
    const other = createSealer({ current: NEW }, strongRandom)
    expect(await findInternalMessage(other.open(sealed, CONTEXT))).toBe(SECRET)
  })

  it('opens texts sealed with the previous secret, and seals with the current one', async () => {
    const sealed = await sealer.seal(TEXT, CONTEXT)
    const both = createSealer({ current: NEW, previous: OLD }, strongRandom)
    const renewed = (await both.rewrap(sealed, CONTEXT)) ?? ''
    expect(await both.open(sealed, CONTEXT)).toBe(TEXT)
    expect(await findInternalMessage(sealer.open(renewed, CONTEXT))).toBe(SECRET)
    expect(await createSealer({ current: NEW }, strongRandom).open(renewed, CONTEXT)).toBe(TEXT)
    expect(await both.rewrap(renewed, CONTEXT)).toBeUndefined()
  })

  it('rejects secrets of less than 32 bytes', () => {
    const short = new Uint8Array(31)
    const message = 'Cannot use a secret of 31 bytes: it must have at least 32'
    expect(() => createSealer({ current: short }, strongRandom)).toThrow(message)
    expect(() => createSealer({ current: NEW, previous: short }, strongRandom)).toThrow(message)
  })
})

describe('base64url', () => {
  it('decodes exactly the texts that it encodes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), fc.string({ maxLength: 12 }), (bytes, text) => {
        expect(fromBase64Url(toBase64Url(bytes))).toEqual(bytes)
        const read = fromBase64Url(text)
        if (read) expect(toBase64Url(read)).toBe(text)
      }),
      {
        seed: 64,
        numRuns: 500,
        examples: [
          [new Uint8Array(), 'AB'],
          [new Uint8Array(1), 'AA=='],
        ],
      },
    )
  })
})

describe('secret', () => {
  it('is parsed from hex of either case, base64 and base64url', () => {
    const bytes = Uint8Array.from({ length: 33 }, (_, index) => 255 - 3 * index)
    const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
    const base64 = btoa(String.fromCharCode(...bytes))
    const base64url = toBase64Url(bytes)
    for (const text of [hex, hex.toUpperCase(), base64, base64url]) {
      expect(parseSecret(text)).toEqual(bytes)
    }
    const padded = btoa(String.fromCharCode(...bytes.subarray(0, 32)))
    expect(padded).toMatch(/=$/)
    expect(parseSecret(padded)).toEqual(bytes.slice(0, 32))
  })

  it('is rejected if it is short, clearly not random, or in no known alphabet', () => {
    const sixteen = '00112233445566778899aabbccddeeff'
    for (const text of [
      '',
      'secret',
      sixteen,
      `${sixteen}00112233445566`,
      'ab'.repeat(40),
      'a'.repeat(43),
      'correct horse battery staple, and then some more words of it',
    ]) {
      expect(parseSecret(text)).toBeUndefined()
    }
  })
})
