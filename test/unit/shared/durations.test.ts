import { describe, expect, it } from 'vitest'
import { parseDuration } from '../../../core/shared/dates.ts'

describe('a duration', () => {
  it('is a whole number with a unit', () => {
    expect(['45s', '30m', '12h', '90d', '2w', '0s', '999999999w'].map(parseDuration)).toEqual([
      45_000, 1_800_000, 43_200_000, 7_776_000_000, 1_209_600_000, 0, 604_799_999_395_200_000,
    ])
  })

  it('is rejected in any other form', () => {
    const others = [
      '',
      '90',
      'd',
      '90 d',
      '90D',
      '1.5h',
      '-1d',
      '1d2h',
      '１d',
      '90d\n',
      '1e3s',
      '1y',
    ]
    expect(others.filter((text) => parseDuration(text) !== undefined)).toEqual([])
  })
})
