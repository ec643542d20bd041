import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  cleanParameters,
  cleanText,
  toCleanJson,
} from '../../../adapters/storage/kysely/clean-text.ts'
import {
  escapeLikePattern,
  getPrefixUpperBound,
  toSearchableWords,
} from '../../../adapters/storage/kysely/filters.ts'
import { parseId } from '../../../adapters/storage/kysely/ids.ts'

const RUNS = { seed: 20_261_121, numRuns: 500 }

/** Texts with NUL, lone surrogates and characters at the edges of UTF-16. */
const hostileText = fc
  .array(
    fc.constantFrom(
      '\0',
      '\uD83D',
      '\uDE00',
      'a',
      '"',
      '\\',
      'u0000',
      '\u{1F600}',
      '\uD7FF',
      '\uE000',
      '\u{10FFFF}',
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''))

describe('cleanText', () => {
  it('gives what UTF-8 and every database hold, and leaves clean texts alone', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const clean = cleanText(text)
        expect(clean).toBe(text.replaceAll('\0', '').replace(/\p{Surrogate}/gu, '\uFFFD'))
        expect(cleanText(clean)).toBe(clean)
        expect(new TextDecoder().decode(new TextEncoder().encode(clean))).toBe(clean)
      }),
      RUNS,
    )
  })

  it('cleans the texts among parameters and nothing else', () => {
    const bytes = new Uint8Array([0, 1])
    const parameters = [1, null, bytes, 'a']
    expect(cleanParameters(parameters)).toBe(parameters)
    expect(cleanParameters([1, 'a\0', bytes])).toEqual([1, 'a', bytes])
  })
})

describe('toCleanJson', () => {
  it('is the JSON of the value with every text in it clean, keys too', () => {
    fc.assert(
      fc.property(hostileText, hostileText, (key, text) => {
        const value = { [`k${key}`]: [text, { inner: text }], number: 1, nothing: null }
        const clean = cleanText(text)
        expect(JSON.parse(toCleanJson(value))).toEqual({
          [cleanText(`k${key}`)]: [clean, { inner: clean }],
          number: 1,
          nothing: null,
        })
      }),
      RUNS,
    )
  })
})

describe('afterPrefix', () => {
  it('bounds exactly the texts that start with the prefix, by code points', () => {
    const encoder = new TextEncoder()
    const compare = (left: string, right: string) => {
      const [a, b] = [encoder.encode(left), encoder.encode(right)]
      for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
        const difference = (a[index] ?? 0) - (b[index] ?? 0)
        if (difference !== 0) return difference
      }
      return a.length - b.length
    }
    const clean = hostileText.map(cleanText)
    fc.assert(
      fc.property(clean, clean, (prefix, text) => {
        const isWithin =
          compare(text, prefix) >= 0 && compare(text, getPrefixUpperBound(prefix)) < 0
        expect(isWithin).toBe(text.startsWith(prefix))
      }),
      RUNS,
    )
  })
})

describe('the words of a vendor', () => {
  it('stand folded after one space each', () => {
    expect(toSearchableWords('  Café-Zürich, (Ltd.) 24/7 ')).toBe(' cafe zurich ltd 24 7')
    expect(toSearchableWords('!?')).toBe('')
  })

  it('are no patterns', () => {
    expect(escapeLikePattern('50%_off!')).toBe('50!%!_off!!')
  })
})

describe('parseId', () => {
  it('tells numbers, texts and what is neither apart', () => {
    expect(parseId('42')).toEqual({ by: 'number', value: 42 })
    expect(parseId('1234567890123456')).toEqual({ by: 'text', value: '1234567890123456' })
    expect(parseId('aB3')).toEqual({ by: 'text', value: 'aB3' })
    for (const id of ['', ' 1', '1.5', 'a b', 'a\0', "'", 'é', 'x'.repeat(65)]) {
      expect(parseId(id)).toBeUndefined()
    }
  })
})
