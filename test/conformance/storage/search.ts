import { describe, expect, it } from 'vitest'
import type { SearchPosting } from '../../../core/catalogue/records.ts'
import type { FullStorage } from '../../../core/ports/storage.ts'
import type { WithStorage } from '../storage.ts'
import { importSampleApi, saveSampleVendor } from './samples.ts'

export function describeSearch(withStorage: WithStorage): void {
  describe('the search index', () => {
    it('finds exact terms', () =>
      withStorage(async ({ storage }) => {
        const [first, second] = await importTwo(storage, [
          [posting('mail', 3), posting('mailbox', 9), posting('MAIL', 1)],
          [posting('mail', 2.5)],
        ])
        expect(await storage.catalogue.findPostings([exact('nothing'), exact('mail')], {})).toEqual(
          [
            { term: 1, apiId: first, weight: 3, name: 'api 1' },
            { term: 1, apiId: second, weight: 2.5, name: 'api 2' },
          ],
        )
        expect(await storage.catalogue.findPostings([], {})).toEqual([])
      }))

    it('returns one row per API for a prefix, with the maximum weight', () =>
      withStorage(async ({ storage }) => {
        const [first, second] = await importTwo(storage, [
          [posting('mai', 1), posting('mail', 3), posting('mailbox', 9), posting('maj', 50)],
          [posting('mainly', 4), posting('ma', 70)],
        ])
        expect(await storage.catalogue.findPostings([prefix('mai')], {})).toEqual([
          { term: 0, apiId: first, weight: 9, name: 'api 1' },
          { term: 0, apiId: second, weight: 4, name: 'api 2' },
        ])
      }))

    it('bounds a prefix by code points', () =>
      withStorage(async ({ storage }) => {
        const terms = [
          'é',
          'éa',
          'ê',
          'z\u{10FFFF}',
          'z\u{10FFFF}a',
          'zz',
          '\uD7FFa',
          '\uE000a',
          '\u{1F600}x',
          '\u{1F601}',
          '%x',
          '_x',
          'xx',
        ]
        const [apiId] = await importTwo(storage, [terms.map((term) => posting(term, 1)), []])
        for (const text of [
          'é',
          'z\u{10FFFF}',
          '\uD7FF',
          '\uE000',
          '\u{1F600}',
          '%',
          '_',
          '\u{10FFFF}',
        ]) {
          const found = await storage.catalogue.findEndpointPostings([prefix(text)], [apiId])
          expect([text, found.map(({ endpoints }) => new TextDecoder().decode(endpoints))]).toEqual(
            [text, terms.filter((term) => term.startsWith(text))],
          )
        }
      }))

    it('counts only APIs that pass the filter', () =>
      withStorage(async ({ storage }) => {
        const [first, second] = await importTwo(storage, [
          [posting('mail', 1)],
          [posting('mail', 2)],
        ])
        const ids = async (filter: Parameters<FullStorage['catalogue']['findPostings']>[1]) =>
          (await storage.catalogue.findPostings([prefix('ma')], filter)).map(({ apiId }) => apiId)
        expect(await ids({})).toEqual([first, second])
        expect(await ids({ isPublic: true })).toEqual([first])
        expect(await ids({ isPublic: false })).toEqual([second])
        expect(await ids({ startDate: '1970-01-03' })).toEqual([second])
        expect(await ids({ startDate: '1970-01-02', endDate: '1970-01-02' })).toEqual([first])
        expect(await ids({ startDate: '1970-01-03', isPublic: true })).toEqual([])
      }))

    it('returns the endpoints of the requested APIs', () =>
      withStorage(async ({ storage }) => {
        const [first, second] = await importTwo(storage, [
          [posting('mail', 1), posting('fax', 1)],
          [posting('mail', 2)],
        ])
        const terms = [exact('fax'), exact('mail')]
        const bytes = (text: string) => new TextEncoder().encode(text)
        expect(await storage.catalogue.findEndpointPostings(terms, [second, first, 99])).toEqual([
          { term: 0, apiId: first, endpoints: bytes('fax') },
          { term: 1, apiId: first, endpoints: bytes('mail') },
          { term: 1, apiId: second, endpoints: bytes('mail') },
        ])
        expect(await storage.catalogue.findEndpointPostings(terms, [second])).toEqual([
          { term: 1, apiId: second, endpoints: bytes('mail') },
        ])
        expect(await storage.catalogue.findEndpointPostings(terms, [])).toEqual([])
      }))
  })
}

const exact = (text: string) => ({ text, isPrefix: false })
const prefix = (text: string) => ({ text, isPrefix: true })

/** Creates a posting whose endpoint bytes are the term itself, to distinguish them. */
function posting(term: string, weight: number): SearchPosting {
  return { term, weight, endpoints: new TextEncoder().encode(term) }
}

async function importTwo(
  storage: FullStorage,
  postings: readonly [readonly SearchPosting[], readonly SearchPosting[]],
): Promise<readonly [number, number]> {
  const vendor = await saveSampleVendor(storage, 1)
  const day = 86_400_000
  const first = await importSampleApi(storage, {
    vendor,
    api: 1,
    endpoints: 0,
    row: { now: day, isPublic: true },
    postings: postings[0],
  })
  const second = await importSampleApi(storage, {
    vendor,
    api: 2,
    endpoints: 0,
    row: { now: 2 * day, isPublic: false },
    postings: postings[1],
  })
  return [first.apiId, second.apiId]
}
