import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import {
  dayRangeParams,
  dayRangeRule,
  flag,
  httpUrl,
  integer,
  jsonObject,
  mutuallyExclusiveRule,
  oneOf,
  oneRequiredRule,
  optionalInteger,
  type ParamReader,
  query,
  required,
  text,
} from '../../../core/http/params.ts'

/** Returns the value, or the error message. */
function readParam(
  reader: Pick<ParamReader<unknown, unknown>, 'schema'>,
  value: string | undefined,
): unknown {
  const result = v.safeParse(reader.schema, value, { abortPipeEarly: true })
  return result.success ? result.output : result.issues[0].message
}

describe('parameters', () => {
  it('with integers accept decimal digits within their bounds', () => {
    const reader = integer({ min: 1, max: 100, fallback: 10 })
    const message = 'must be an integer from 1 to 100'
    expect([undefined, '', '1', '100', '007'].map((value) => readParam(reader, value))).toEqual([
      10, 10, 1, 100, 7,
    ])
    for (const value of ['0', '101', '-1', '1.0', '1e1', ' 1', '0x1', '١']) {
      expect([value, readParam(reader, value)]).toEqual([value, message])
    }
  })

  it('with integers may have no default', () => {
    const reader = optionalInteger({ min: 1, max: 50 })
    expect([undefined, '', '50', '51', '-1'].map((value) => readParam(reader, value))).toEqual([
      undefined,
      undefined,
      50,
      'must be an integer from 1 to 50',
      'must be an integer from 1 to 50',
    ])
  })

  it('with JSON objects preserve digits, and accept nothing else', () => {
    const accepted = [undefined, '', '{}', ' {"a":[1,null]} ']
    expect(accepted.map((value) => readParam(jsonObject(), value))).toEqual([
      undefined,
      undefined,
      {},
      { a: [1, null] },
    ])
    expect(JSON.stringify(readParam(jsonObject(), '{"a":12345678901234567890}'))).toBe(
      '{"a":12345678901234567890}',
    )
    const deep = `{"a":${'['.repeat(200)}${']'.repeat(200)}}`
    for (const value of ['null', '[]', '1', '"a"', '{', 'a=b', deep]) {
      expect([value, readParam(jsonObject(), value)]).toEqual([value, 'must be a JSON object'])
    }
  })

  it('with booleans accept the spellings that clients send', () => {
    const accepted = [
      undefined,
      '',
      '0',
      'no',
      'false',
      'False',
      '1',
      'yes',
      'true',
      'True',
      'TRUE',
    ]
    expect(accepted.map((value) => readParam(flag(), value))).toEqual([
      ...Array.from({ length: 6 }, () => false),
      ...Array.from({ length: 5 }, () => true),
    ])
    for (const value of ['FALSE', 'on', '2', ' true']) {
      expect([value, readParam(flag(), value)]).toEqual([value, 'must be true or false'])
    }
  })

  it('with days accept only calendar days', () => {
    expect(
      [undefined, '', '2024-02-29', '0001-01-01'].map((value) =>
        readParam(dayRangeParams.start_date, value),
      ),
    ).toEqual([undefined, undefined, '2024-02-29', '0001-01-01'])
    expect(readParam(dayRangeParams.start_date, '2026-02-29')).toBe(
      'must be a calendar day, YYYY-MM-DD',
    )
  })

  it('with a fixed set accept only its values', () => {
    const reader = oneOf(['a', 'b'])
    expect([undefined, '', 'b', 'B'].map((value) => readParam(reader, value))).toEqual([
      undefined,
      undefined,
      'b',
      'must be one of a, b',
    ])
  })

  it('with texts or addresses have a maximum length', () => {
    expect(readParam(text(3), 'abcd')).toBe('must be at most 3 characters long')
    expect(
      [undefined, '', 'https://a.example/b?c=d'].map((value) => readParam(httpUrl(), value)),
    ).toEqual([undefined, undefined, 'https://a.example/b?c=d'])
    for (const value of [
      'a.example',
      'ftp://a.example',
      'https://',
      'https://a b',
      'http://a/\n',
    ]) {
      expect([value, readParam(httpUrl(), value)]).toEqual([value, 'must be an http or https URL'])
    }
  })

  it('that are required must not be empty', () => {
    const reader = required(query(text(), 'A text.'))
    expect([undefined, '', ' \t', ' x '].map((value) => readParam(reader, value))).toEqual([
      'is required',
      'is required',
      'is required',
      ' x ',
    ])
  })
})

describe('rules', () => {
  it('reject a range that ends before it starts', () => {
    expect(dayRangeRule.check({ start_date: '2026-01-02', end_date: '2026-01-01' })).toEqual({
      in: 'query',
      name: 'start_date',
      message: 'must not be after end_date: 2026-01-01',
    })
    for (const range of [{}, { start_date: '2026-01-02' }, { start_date: '1', end_date: '1' }]) {
      expect(dayRangeRule.check(range)).toBeUndefined()
    }
  })

  it('reject mutually exclusive parameters, and the absence of a required one', () => {
    const exclusive = mutuallyExclusiveRule('a', 'b')
    expect([exclusive.check({ a: true }), exclusive.check({ a: true, b: true })]).toEqual([
      undefined,
      { in: 'query', name: 'b', message: 'must not be set together with a' },
    ])
    const needed = oneRequiredRule('a', 'b')
    expect([needed.check({ b: 'x' }), needed.check({ a: '', b: undefined })]).toEqual([
      undefined,
      { in: 'query', name: 'a', message: 'is required: pass a or b' },
    ])
  })
})
