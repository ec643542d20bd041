import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  cleanLine,
  cleanText,
  fromUriReference,
  toBracketFreeReference,
  toUriReference,
} from '../../../core/shared/clean-text.ts'
import { codePoint } from '../../helpers/code-point.ts'

const SEED = { seed: 7, numRuns: 300 }

describe('third-party texts', () => {
  it('lose only characters that XML excludes', () => {
    expect(cleanText('a\u0000b\u001bc\uFFFEd\uD800e')).toBe('a\uFFFDb\uFFFDc\uFFFDd\uFFFDe')
    expect(cleanText('Zürich 東京 🚀 <&>"\t\n')).toBe('Zürich 東京 🚀 <&>"\t\n')
    expect(cleanText('one\r\ntwo\rthree')).toBe('one\ntwo\nthree')
  })

  it('become a single line on request', () => {
    expect(cleanLine('one\ttwo\nthree')).toBe('one two three')
  })
})

describe('source texts of references', () => {
  it.each([
    ['https://{}.example.com/users/{id}?q={}'],
    ['https://api.example.com:{}/v1'],
    ['https://example.com/a%20b'],
    [''],
  ])('are restored for %s', (text) => {
    expect(fromUriReference(toUriReference(text))).toBe(text)
  })

  it('yield the same references again for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), (text) => {
        const reference = toUriReference(text)
        expect(toUriReference(fromUriReference(reference))).toBe(reference)
      }),
      SEED,
    )
  })
})

describe('URI references', () => {
  it.each([
    ['https://api.example.com/v1/users?limit=3', 'https://api.example.com/v1/users?limit=3'],
    ['https://api.example.com/v1/users/{}', 'https://api.example.com/v1/users/%7B%7D'],
    ['https://{region}.example.com/v1', 'https://%7Bregion%7D.example.com/v1'],
    ['https://user:secret@example.com/a[0]', 'https://example.com/a%5B0%5D'],
    ['https://example.com/100%', 'https://example.com/100%25'],
    ['https://example.com/ä b', 'https://example.com/%C3%A4%20b'],
    ['http://[::1]:8080/x', 'http://[::1]:8080/x'],
    ['mailto:api@example.com', 'mailto:api@example.com'],
    ['/relative/path', '/relative/path'],
    ['http://a:b:c/', './http%3A%2F%2Fa%3Ab%3Ac%2F'],
    ['http://[nonsense/', './http%3A%2F%2F%5Bnonsense%2F'],
    ['a#b#c', './a%23b%23c'],
    ['', './'],
  ])('are encoded for %s', (text, expected) => {
    expect(toUriReference(text)).toBe(expected)
  })

  it('have no brackets if the library would encode them', () => {
    expect(toBracketFreeReference('http://[::1]/x')).toBe('./http%3A%2F%2F%5B%3A%3A1%5D%2Fx')
    expect(toBracketFreeReference('https://example.com/')).toBe('https://example.com/')
  })

  it('are printable ASCII and idempotent for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), (text) => {
        const reference = toUriReference(text)
        expect(reference).toMatch(/^[!-~]+$/)
        expect(toUriReference(reference)).toBe(reference)
      }),
      SEED,
    )
  })
})
