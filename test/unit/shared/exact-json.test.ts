import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Numeral, parseExactJson } from '../../../core/shared/exact-json.ts'

describe('exact JSON', () => {
  it.each([
    '9007199254740992',
    '9007199254740993',
    '-12345678901234567890',
    '1e400',
    '-1E+400',
    '1e16',
    '1e-400',
    '3e-324',
    '0.1000000000000000055',
    '3.14159265358979323846',
    '1.0000000000000000001',
    '12345678901234.5678',
  ])('preserves the digits of %s in any position', (digits) => {
    expect(parseExactJson(digits)).toEqual(new Numeral(digits))
    expect(parseExactJson(`[${digits}]`)).toEqual([new Numeral(digits)])
    const text = `{"a":1,"list":[{"b":${digits}},"${digits}"],"__proto__":${digits}}`
    expect(JSON.stringify(parseExactJson(text))).toBe(text)
  })

  it.each(['0', '-0', '7', '1.50', '1e3', '9007199254740991', '0.1', '1e-7', '2.5e10'])(
    'returns a plain number for %s, which loses nothing',
    (digits) => {
      expect(parseExactJson(`[${digits}]`)).toEqual([Number(digits)])
      // Also if another number loses digits.
      expect(parseExactJson(`[${digits},1e400]`)).toEqual([Number(digits), new Numeral('1e400')])
    },
  )

  it('parses everything else like JSON', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const value = parseExactJson(text)
        expect(JSON.parse(JSON.stringify(value))).toEqual(
          JSON.parse(JSON.stringify(JSON.parse(text))),
        )
      }),
      { seed: 20261121, numRuns: 500 },
    )
  })

  it('throws for invalid JSON', () => {
    expect(() => parseExactJson('{"a":1e400')).toThrow(SyntaxError)
  })
})
