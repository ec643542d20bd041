import { describe, expect, it } from 'vitest'
import { parseTimestamp } from '../../../../core/vulnerabilities/feeds/timestamps.ts'

describe('parseTimestamp', () => {
  it.each([
    ['2015-01-07T19:59:05.107', '2015-01-07T19:59:05.107Z'],
    ['2015-01-07T19:59:05', '2015-01-07T19:59:05.000Z'],
    ['2018-07-11T18:29Z', '2018-07-11T18:29:00.000Z'],
    ['2026-02-28T03:02:16.2538283', '2026-02-28T03:02:16.253Z'],
    ['2026-03-13T16:38:24.564Z', '2026-03-13T16:38:24.564Z'],
    ['2026-03-13T16:38:24.5+02:00', '2026-03-13T14:38:24.500Z'],
    ['2026-03-13T22:38:24.000-05:30', '2026-03-14T04:08:24.000Z'],
    ['1969-12-31T23:59:59', '1969-12-31T23:59:59.000Z'],
  ])('parses %s as %s', (text, expected) => {
    expect(new Date(parseTimestamp(text) ?? Number.NaN).toISOString()).toBe(expected)
  })

  it.each([
    '',
    '2015-01-07',
    '2015-02-29T00:00:00',
    '2015-01-07T24:00:00',
    '2015-01-07T19:60:00',
    '2015-01-07 19:59:05',
    '2015-01-07T19:59:05.',
    '2015-01-07T19:59:05+25:00',
    'Wed, 07 Jan 2015 19:59:05 GMT',
  ])('returns undefined for %j', (text) => {
    expect(parseTimestamp(text)).toBeUndefined()
  })
})
