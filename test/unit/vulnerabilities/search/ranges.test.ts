import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toTimeRange, toWholeRange } from '../../../../core/vulnerabilities/search/filters.ts'
import type { Comparison } from '../../../../core/vulnerabilities/search/query.ts'

const OPERATORS: readonly Comparison['operator'][] = ['=', '>', '<', '>=', '<=']

describe('toWholeRange and toTimeRange', () => {
  it.each([
    ['=', 7.05, []],
    ['=', 7.1, [71]],
    ['>', 7.05, [71, 72]],
    ['>=', 7.05, [71, 72]],
    ['<', 7.05, [69, 70]],
    ['<=', 7.05, [69, 70]],
    ['>', 7, [71, 72]],
    ['<', 7, [69]],
    ['<=', 7, [69, 70]],
  ] as const)('convert %s %d to tenths exactly', (operator, value, wanted) => {
    const { low, high } = toWholeRange({ operator, value }, 10)
    expect([69, 70, 71, 72].filter((tenths) => tenths >= low && tenths <= high)).toEqual(wanted)
  })

  it('are exact for every score with one decimal', () => {
    for (let tenths = 0; tenths <= 100; tenths += 1) {
      const value = Number((tenths / 10).toFixed(1))
      expect(toWholeRange({ operator: '=', value }, 10)).toEqual({ low: tenths, high: tenths })
      expect(toWholeRange({ operator: '>', value }, 10).low).toBe(tenths + 1)
      expect(toWholeRange({ operator: '<', value }, 10).high).toBe(tenths - 1)
    }
  })

  it('pass the same numbers as a direct comparison', () => {
    const property = fc.property(
      fc.constantFrom(...OPERATORS),
      fc.oneof(fc.double({ min: 0, max: 10, noNaN: true }), fc.integer({ min: 0, max: 100_000 })),
      fc.integer({ min: 0, max: 100_000 }),
      (operator, wanted, steps) => {
        const value = Number.isInteger(wanted) ? wanted / 1e5 : wanted
        const { low, high } = toWholeRange({ operator, value }, 1e5)
        expect(steps >= low && steps <= high).toBe(isInRange(steps / 1e5, { operator, value }))
      },
    )
    fc.assert(property, { seed: 11, numRuns: 2000 })
  })

  it('convert a day to all of its milliseconds', () => {
    const day = Date.UTC(2021, 11, 10)
    const next = Date.UTC(2021, 11, 11)
    const moments = [day - 1, day, next - 1, next]
    const passed = OPERATORS.map((operator) => {
      const { low, high } = toTimeRange({ operator, value: day })
      return moments.map((moment) => moment >= low && moment <= high)
    })
    expect(passed).toEqual([
      [false, true, true, false],
      [false, false, false, true],
      [true, false, false, false],
      [false, true, true, true],
      [true, true, true, false],
    ])
  })
})

function isInRange(left: number, { operator, value }: Comparison): boolean {
  if (operator === '=') return left === value
  if (operator === '>') return left > value
  if (operator === '<') return left < value
  return operator === '>=' ? left >= value : left <= value
}
