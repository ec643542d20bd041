import { describe, expect, it } from 'vitest'
import {
  parseInstant,
  toMinute,
  toPlainTimestamp,
  toPreciseTimestamp,
  toTimestamp,
} from '../../../core/shared/dates.ts'

describe('timestamps', () => {
  it.each([
    ['2026-03-14T08:09:10.123456+00:00', Date.UTC(2026, 2, 14, 8, 9, 10, 123)],
    ['2026-03-14T08:09:10Z', Date.UTC(2026, 2, 14, 8, 9, 10)],
    ['2026-03-14T08:09:10', Date.UTC(2026, 2, 14, 8, 9, 10)],
    ['2026-03-14 08:09', Date.UTC(2026, 2, 14, 8, 9)],
    ['2026-03-14t10:09:10,5+0200', Date.UTC(2026, 2, 14, 8, 9, 10, 500)],
    ['2026-03-13T22:39:10-09:30', Date.UTC(2026, 2, 14, 8, 9, 10)],
    ['2024-02-29T23:59:59Z', Date.UTC(2024, 1, 29, 23, 59, 59)],
    ['1969-12-31T23:59:59.999Z', -1],
  ])('are parsed: %s', (text, expected) => {
    expect(parseInstant(text)).toBe(expected)
  })

  it.each([
    '',
    '2026-03-14',
    '2026-02-29T00:00:00Z',
    '2026-03-14T24:00:00Z',
    '2026-03-14T08:60:00Z',
    '2026-03-14T08:09:60Z',
    '2026-03-14T08:09:10+24:00',
    '2026-03-14T08:09:10+00:60',
    '2026-03-14T08:09:10.Z',
    '2026-03-14T8:09:10Z',
    ' 2026-03-14T08:09:10Z',
    '2026-03-14T08:09:10Z\n',
    '0999-12-31T23:59:59Z',
    '9999-12-31T23:59:59-01:00',
    '14 Mar 2026 08:09:10 GMT',
    '1773475750',
  ])('are rejected: %j', (text) => {
    expect(parseInstant(text)).toBeUndefined()
  })

  it("are written in the contract's formats", () => {
    const instant = Date.UTC(2026, 2, 4, 8, 9, 10, 123)
    expect(toPreciseTimestamp(instant)).toBe('2026-03-04T08:09:10.123000+00:00')
    expect(toTimestamp(instant)).toBe('2026-03-04T08:09:10+00:00')
    expect(toPlainTimestamp(instant)).toBe('2026-03-04T08:09:10')
    expect(toMinute(instant)).toBe('2026-03-04 08:09')
    expect(parseInstant(toPreciseTimestamp(instant))).toBe(instant)
  })
})
