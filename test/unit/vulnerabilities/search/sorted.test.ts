import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  findLowerBound,
  includesSorted,
  intersectAll,
  narrowByChecks,
  uniteAll,
} from '../../../../core/vulnerabilities/search/sorted-lists.ts'

const numbers = (max: number) =>
  fc
    .uniqueArray(fc.integer({ min: 0, max }), { maxLength: 200 })
    .map((list) => Uint32Array.from(list).sort())
const sparse = (max: number) => numbers(max).map((list) => list.map((number) => number * 1000))
const lists = fc.oneof(
  fc.array(fc.oneof(numbers(5000), sparse(100)), { maxLength: 4 }),
  fc.array(numbers(60), { maxLength: 4 }),
  fc.array(numbers(3000), { minLength: 20, maxLength: 25 }),
  fc.tuple(
    fc.array(fc.integer({ min: 0, max: 3000 }), { maxLength: 3 }).map((list) => toSorted(list)),
    fc.constant(Uint32Array.from({ length: 1000 }, (_, index) => index * 3)),
  ),
)

describe('Ascending lists', () => {
  it('intersect in the numbers that all contain', () => {
    const property = fc.property(lists, (given) => {
      const [first, ...others] = given.map((list) => [...list])
      const wanted = (first ?? []).filter((number) => others.every((list) => list.includes(number)))
      expect([...intersectAll(given)]).toEqual(wanted)
    })
    fc.assert(property, { seed: 12, numRuns: 500 })
  })

  it('unite in the numbers that any contains', () => {
    const property = fc.property(lists, (given) => {
      expect(uniteAll(given)).toEqual(toSorted(given.flatMap((list) => [...list])))
    })
    fc.assert(property, { seed: 13, numRuns: 500 })
  })

  it('are narrowed by columns and not modified', () => {
    const column = Uint8Array.of(5, 255, 7, 6, 0)
    const all = Uint32Array.of(0, 1, 2, 3, 4)
    const years = Uint16Array.of(1999, 2000, 2001, 2002, 2003)
    expect(narrowByChecks(all, [{ column, low: 5, high: 6 }])).toEqual(Uint32Array.of(0, 3))
    expect(narrowByChecks(all, [{ column, low: 1, high: 0 }])).toEqual(new Uint32Array(0))
    expect(
      narrowByChecks(all, [
        { column, low: 5, high: Infinity },
        { column: years, low: -Infinity, high: 2001 },
      ]),
    ).toEqual(Uint32Array.of(0, 1, 2))
    expect(all).toEqual(Uint32Array.of(0, 1, 2, 3, 4))
  })

  it('are searched by bisection', () => {
    const list = Uint32Array.of(2, 4, 4, 9)
    expect([1, 2, 3, 4, 9, 10].map((bound) => findLowerBound(list, bound))).toEqual([
      0, 0, 1, 1, 3, 4,
    ])
    expect([1, 2, 9, 10].map((wanted) => includesSorted(list, wanted))).toEqual([
      false,
      true,
      true,
      false,
    ])
  })
})

function toSorted(list: readonly number[]): Uint32Array {
  return Uint32Array.from(new Set(list)).sort()
}
