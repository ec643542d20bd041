import { expect, it } from 'vitest'
import { createKeyLists } from '../../../../core/catalogue/search/postings.ts'

it('returns every key of each term, even a hundred thousand', () => {
  const lists = createKeyLists()
  const expected: number[][] = [[], [], []]
  for (let key = 1; key <= 100_000; key += 1) {
    const term = key % 7 === 0 ? 2 : 0
    lists.add(term, 2 ** 40 * (key % 255) + key)
    expected[term]?.push(2 ** 40 * (key % 255) + key)
  }
  for (const term of [0, 1, 2, 3]) {
    const sorted = Float64Array.from(expected[term] ?? []).sort()
    expect(lists.read(term).sort()).toEqual(sorted)
  }
})
