import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../../core/errors.ts'
import { normalizePassword, validatePassword } from '../../../core/users/passwords.ts'

const NAMES = ['Ada', 'Northern Lights 24']

function checkPassword(password: string): string {
  try {
    validatePassword(password, NAMES)
    return 'good'
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'invalid_input') throw error
    expect(error.message).not.toContain(password)
    return error.message.replace('Cannot use the password: ', '')
  }
}

const LENGTH = 'it must have 12 to 256 characters'
const SEQUENCE = 'it must not be a sequence or a repetition'
const NAME = 'it must not be the name of the user or the account'
const COMMON = 'it is too common'

describe('new password', () => {
  it.each([
    'quiet lamps over water',
    'rk3 vq8 zd1 ',
    'ñandúes y ombúes',
    '静かな水の上のランプが二つある',
    'adamant northern',
    'my password is a poem',
    '😀🚲🌍🍎🪴🎻🧭🛶🏔🦉🌙🔑',
    'x'.repeat(12).replace(/x/g, (_, at: number) => String.fromCharCode(97 + ((at * 7) % 26))),
  ])('may be %j', (password) => {
    expect(checkPassword(password)).toBe('good')
  })

  it.each([
    ['short', LENGTH],
    ['eleven char', LENGTH],
    ['😀🚲🌍🍎🪴🎻🧭🛶🏔🦉🌙', LENGTH],
    ['ab'.repeat(128).concat('c'), LENGTH],
    ['half a \ud83d character', LENGTH],
    ['aaaaaaaaaaaaaaa', SEQUENCE],
    ['            ', SEQUENCE],
    ['abcabcabcabcabc', SEQUENCE],
    ['123456789012', SEQUENCE],
    ['abcdefghijklmno', SEQUENCE],
    ['987654321098', SEQUENCE],
    ['1a2b3c1a2b3c', SEQUENCE],
    ['ada123456789!', NAME],
    ['AdaAdaAdaAda', SEQUENCE],
    ['northern-lights', NAME],
    ['N0rthernL1ghts2024', NAME],
    ['password12345', COMMON],
    ['P@ssw0rd!!!!2026', COMMON],
    ['qwertyuiop12', COMMON],
    ['Administrator1', COMMON],
    ['1qaz2wsx3edc', COMMON],
    ['changeme12345', COMMON],
    ['LetMeInPlease!', COMMON],
  ])('may not be %j', (password, reason) => {
    expect(checkPassword(password)).toBe(reason)
  })

  it('is normalized regardless of how it was typed', () => {
    const composed = 'caf\u00e9 au petit jour'
    const decomposed = 'cafe\u0301 au petit jour'
    expect(validatePassword(decomposed, NAMES)).toBe(composed)
    expect(normalizePassword(decomposed)).toBe(composed)
  })
})

describe('typed password', () => {
  it('is rejected if no user can have it, regardless of its length', () => {
    expect(normalizePassword('x'.repeat(257))).toBeUndefined()
    expect(normalizePassword('e\u0301'.repeat(256))).toBe('\u00e9'.repeat(256))
    expect(normalizePassword('e\u0301'.repeat(257))).toBeUndefined()
    expect(normalizePassword('\udc00 and more')).toBeUndefined()
    expect(normalizePassword('x'.repeat(1_000_000))).toBeUndefined()
    expect(normalizePassword('')).toBe('')
  })
})
