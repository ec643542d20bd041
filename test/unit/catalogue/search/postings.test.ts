import { describe, expect, it } from 'vitest'
import { visitEndpoints } from '../../../../core/catalogue/search/packing.ts'
import { TERMS_VERSION } from '../../../../core/catalogue/search/postings.ts'
import { hash53 } from '../../../../core/shared/ids.ts'
import { toSmallPostings } from './support.ts'

const API = {
  name: 'Orders',
  vendor: 'Acme',
  description: 'Orders of a shop',
  endpoints: ['get /orders | List orders | listOrders', 'delete /orders/{id} | Cancel an order'],
}

describe('toPostings', () => {
  const postings = toSmallPostings(API, 1)

  it('contains each term once, in order of code points, with a positive weight', () => {
    const terms = postings.map(({ term }) => term)
    expect(terms).toEqual([...new Set(terms)].sort())
    expect(postings.filter(({ weight }) => !(weight > 0))).toEqual([])
  })

  it('contains words, stems and concepts', () => {
    const terms = new Set(postings.map(({ term }) => term))
    const wanted = ['orders', 'order', 'acme', 'list', '+get', '+delete', '+cancel', '+shop']
    expect(wanted.filter((term) => !terms.has(term))).toEqual([])
  })

  it('lists the endpoints of a term, and 0 for the API itself', () => {
    const holders = (term: string) => {
      const ids: number[] = []
      const found = postings.find((posting) => posting.term === term)
      if (found) visitEndpoints(found.endpoints, (id) => ids.push(id))
      return ids
    }
    expect(holders('acme')).toEqual([0])
    expect(holders('order').toSorted()).toEqual([0, 101, 102])
    expect(holders('+delete')).toEqual([102])
  })

  it('weighs the name above an endpoint, and an endpoint above a word of the description', () => {
    const weightOf = (term: string) => postings.find((each) => each.term === term)?.weight ?? 0
    expect(weightOf('orders')).toBeGreaterThan(weightOf('list'))
    expect(weightOf('list')).toBeGreaterThan(weightOf('shop'))
  })

  it('matches the rules of the current version: other rules need another version', () => {
    const text = postings.map(({ term, weight, endpoints }) => `${term} ${weight} ${endpoints}`)
    expect([TERMS_VERSION, hash53(text.join('\n'))]).toEqual([2, 2561150710114118])
  })

  it('is equal for equal APIs', () => {
    expect(toSmallPostings(API, 1)).toEqual(postings)
  })

  it('reads only the start of texts and paths of megabytes', () => {
    for (const text of ['aB'.repeat(2_000_000), '漢'.repeat(1_000_000), 'word '.repeat(500_000)]) {
      const endpoint = `get ${'/a'.repeat(500_000)} | ${text} | ${text}`
      const found = toSmallPostings({ name: 'Large', description: text, endpoints: [endpoint] }, 1)
      expect(found.map(({ term }) => term)).toContain('large')
      expect(found.length).toBeLessThan(20)
    }
  })

  it('indexes other scripts and texts without words', () => {
    const found = toSmallPostings({ name: '天気予報', description: '--' }, 1)
    expect(found.map(({ term }) => term)).toEqual(['予報', '天気', '気予'])
  })
})
