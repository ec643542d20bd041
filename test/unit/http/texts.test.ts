import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeUtf8, parseJson, parseJsonObject, readBytes } from '../../../core/http/body.ts'
import { decodeHeaderText } from '../../../core/http/input.ts'
import { parsePairs } from '../../../core/http/query.ts'
import { createRequestIds } from '../../../core/http/request-log.ts'
import { createManualClock } from '../../helpers/random.ts'
import { catchError, encodeUtf8, toHttpRequest } from './support.ts'

const RUNS = { seed: 5, numRuns: 200 }

describe('query pairs', () => {
  it('are in order, with repetitions, empty values and bare names', () => {
    expect(parsePairs('a=1&b&=x&&a=2%203+4&c==')).toEqual([
      ['a', '1'],
      ['b', ''],
      ['', 'x'],
      ['a', '2 3 4'],
      ['c', '='],
    ])
  })

  it('preserve stray percent signs, and decode escapes that are not UTF-8 as Latin-1', () => {
    expect(parsePairs('a=100%&b=%ff%zz&c=%C3%BC')).toEqual([
      ['a', '100%'],
      ['b', 'ÿ%zz'],
      ['c', 'ü'],
    ])
  })

  it('are decoded in chunks if they are long, between two characters', () => {
    const signs = ['a', '+', '%2B', '%C3%BC', '%e2%82%ac', '%F0%9F%98%80']
    for (let shift = 0; shift < 12; shift += 1) {
      const text = 'x'.repeat(shift) + signs.join('').repeat(10_000)
      const decoded = 'x'.repeat(shift) + 'a +ü€😀'.repeat(10_000)
      expect(parsePairs(`a=${text}`)[0]?.[1] === decoded).toBe(true)
    }
    expect(parsePairs(`a=${'%ff'.repeat(100_000)}`)[0]?.[1] === 'ÿ'.repeat(100_000)).toBe(true)
    expect(parsePairs(`a=${'%80'.repeat(100_000)}`)[0]?.[1]).toHaveLength(100_000)
  })

  // This would take hours if the text were searched to its end for each one.
  it('with names without values are read at once, at most a million', async () => {
    expect(parsePairs('a&'.repeat(1_000_000))).toHaveLength(1_000_000)
    expect(await catchError(() => parsePairs('a&'.repeat(16_000_000)))).toMatchObject({
      code: 'invalid_body',
      message: 'Cannot read the form: at most 1000000 values are accepted',
    })
  })

  it('match those written by URLSearchParams', () => {
    const text = fc.string({ unit: 'grapheme' })
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { maxLength: 5 }), (pairs) => {
        const written = new URLSearchParams(pairs as [string, string][]).toString()
        expect(parsePairs(written)).toEqual([...new URLSearchParams(written)])
      }),
      RUNS,
    )
  })
})

describe('header texts', () => {
  it('are decoded from UTF-8, Latin-1 or percent-encoding', () => {
    const utf8 = String.fromCharCode(...encodeUtf8('Société 日本'))
    expect(
      [utf8, 'Soci\u00e9t\u00e9', 'Soci%C3%A9t%C3%A9%20%E6%97%A5', 'plain', '100% sure', '%ff'].map(
        decodeHeaderText,
      ),
    ).toEqual(['Société 日本', 'Société', 'Société 日', 'plain', '100% sure', '%ff'])
  })

  it('of any script arrive if a client encodes them', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(decodeHeaderText(encodeURIComponent(text))).toBe(text)
      }),
      RUNS,
    )
  })
})

describe('bodies', () => {
  it('are read completely up to the limit, in any chunks', async () => {
    const { body } = toHttpRequest({ body: ['ab', '', 'cd'] })
    expect(decodeUtf8(await readBytes(body, 4))).toBe('abcd')
    expect(await readBytes(undefined, 4)).toEqual(new Uint8Array(0))
    const error = await catchError(() => readBytes(toHttpRequest({ body: ['ab', 'cde'] }).body, 4))
    expect(error).toMatchObject({
      code: 'too_large',
      message: 'Cannot read the body: at most 4 bytes are accepted',
    })
  })

  it('over the limit are not read to their end', async () => {
    let chunks = 0
    async function* endless() {
      for (;;) {
        chunks += 1
        yield new Uint8Array(1024)
      }
    }
    await catchError(() => readBytes(endless(), 4096))
    expect(chunks).toBe(5)
  })

  it('must be UTF-8, without a byte order mark in the result', async () => {
    expect(decodeUtf8(new Uint8Array([0xef, 0xbb, 0xbf, 0x61]))).toBe('a')
    for (const bytes of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0x80]]) {
      const error = await catchError(() => decodeUtf8(new Uint8Array(bytes)))
      expect(error).toMatchObject({ code: 'invalid_body' })
    }
  })

  it('are JSON of at most 100 levels', async () => {
    const deep = (levels: number) => `${'['.repeat(levels)}"[[\\"["${']'.repeat(levels)}`
    expect(parseJson(deep(100))).toBeInstanceOf(Array)
    const tooDeep = 'Cannot read the JSON body: it is nested more than 100 levels deep'
    expect(await catchError(() => parseJson(deep(101)))).toMatchObject({ message: tooDeep })
    expect(await catchError(() => parseJson('{'.repeat(1_000_000)))).toMatchObject({
      message: tooDeep,
    })
    for (const text of ['', '{', '{a:1}', '01', 'NaN', "'a'", '{"a":1,}']) {
      expect(await catchError(() => parseJson(text))).toMatchObject({ code: 'invalid_body' })
    }
  })

  it('must be JSON objects on request', async () => {
    expect(parseJsonObject('{"a":1}')).toEqual({ a: 1 })
    for (const text of ['[]', 'null', '"a"', '1', 'true']) {
      expect(await catchError(() => parseJsonObject(text))).toMatchObject({
        message: 'Cannot read the JSON body: it must be an object',
      })
    }
  })
})

describe('request IDs', () => {
  it("are the client's if safe, else counted", () => {
    const next = createRequestIds(createManualClock(36 ** 3))
    const given = [
      'abc-1_2.3',
      'x'.repeat(64),
      'x'.repeat(65),
      'a b',
      'a\r\nb',
      '<script>',
      '',
      undefined,
    ]
    expect(given.map(next)).toEqual([
      'abc-1_2.3',
      'x'.repeat(64),
      ...['1', '2', '3', '4', '5', '6'].map((count) => `1000-${count}`),
    ])
  })
})
