import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type SearchStore, searchApis } from '../../../../core/catalogue/search/search-apis.ts'
import { codePoint } from '../../../helpers/code-point.ts'
import type { MemoryPostings } from '../../../helpers/memory-postings.ts'
import { openIndex, type SmallApi } from './support.ts'

const SHOP: readonly SmallApi[] = [
  { name: 'Ledger', vendor: 'Northwind', endpoints: ['post /invoices | Create an invoice'] },
  {
    name: 'Podcast Index',
    endpoints: ['get /shows | List shows', 'get /episodes | List episodes'],
  },
  { name: 'Fotobox', endpoints: ['get /photos/{photoId} | Get a photo | getPhotoByID'] },
  { name: 'Weather', category: 'Science', endpoints: ['get /forecast | Hourly forecast'] },
  { name: 'GoToMeeting', endpoints: ['post /meetings | Schedule a meeting'] },
  {
    name: 'Trips',
    description: 'Plan a journey by rail',
    tags: ['timetable'],
    endpoints: ['get /trips | Find trips', 'delete /trips/{id} | Cancel a trip'],
    parameters: ['departureTime'],
    responseFields: ['carriage_count'],
  },
]

async function searchIds(store: MemoryPostings, q: string): Promise<readonly number[]> {
  const { ids } = await searchApis({ store, q, filter: {}, request: { size: 100, page: 1 } })
  return ids
}

describe('searchApis', () => {
  const shop = openIndex(SHOP)

  it.each([
    ['its name', 'weather', 4],
    ['its vendor', 'northwind', 1],
    ['its category', 'science', 4],
    ['its description', 'rail', 6],
    ['its tags', 'timetable', 6],
    ['a path', '/episodes', 2],
    ['a summary', 'hourly', 4],
    ['an operation id', 'getPhotoByID', 3],
    ['a parameter', 'departure_time', 6],
    ['a response field', 'carriageCount', 6],
    ['another form of a word', 'invoicing', 1],
    ['the plural of a word', 'forecasts', 4],
    ['the start of a word', 'podc', 2],
    ['two characters', 'we', 4],
    ['a synonym', 'pictures', 3],
    ['a verb that means the same', 'add invoice', 1],
    ['a method that does what is asked', 'remove trip', 6],
    ['words written apart', 'pod cast', 2],
    ['words written as one', 'gotomeeting', 5],
    ['other case and accents', 'WÉATHER', 4],
    ['words of which one is unknown', 'qwxyz weather', 4],
  ])('finds an API by %s', async (_, q, id) => {
    expect((await searchIds(shop, q))[0]).toBe(id)
  })

  it('excludes APIs that match only a common verb or a stop word', async () => {
    const request = { size: 10, page: 1 }
    const found = await searchApis({ store: shop, q: 'get the photos', filter: {}, request })
    expect(found).toEqual({
      ids: [3],
      total: 1,
      endpointIds: new Map([[3, [301]]]),
      scores: new Map([[3, expect.closeTo(0.7356, 4)]]),
    })
  })

  it('matches a common verb if the query has nothing else or nothing else matches', async () => {
    expect(new Set(await searchIds(shop, 'create'))).toEqual(new Set([1, 5]))
    expect(new Set(await searchIds(shop, 'create qwxyz'))).toEqual(new Set([1, 5]))
  })

  it('finds weak matches if a filter leaves nothing else', async () => {
    const store = openIndex([
      { name: 'Alpha', endpoints: ['post /rooms | Book a meeting room in an office tower'] },
      { name: 'Beta', endpoints: ['get /towers | List towers'] },
    ])
    const q = 'meeting room office tower'
    const search = { store, q, filter: {}, request: { size: 10, page: 1 } }
    expect((await searchApis(search)).ids).toEqual([1])
    const found = await searchApis({
      ...search,
      choose: (ids) => new Set(ids.filter((id) => id === 2)),
    })
    expect(found).toMatchObject({ ids: [2], total: 1, endpointIds: new Map([[2, [201]]]) })
  })

  it('returns as many endpoints as asked for', async () => {
    const endpoints = ['a', 'b', 'c', 'd', 'e'].map((each) => `get /photos/${each}`)
    const search = { store: openIndex([{ name: 'Box', endpoints }]), q: 'photos', filter: {} }
    const count = async (maxEndpoints?: number) => {
      const found = await searchApis({ ...search, request: { size: 1, page: 1 }, maxEndpoints })
      return found.endpointIds.get(1)?.length
    }
    expect([await count(), await count(1), await count(20)]).toEqual([3, 1, 5])
  })

  it('returns nothing for a text without words or with unknown ones', async () => {
    const none = { ids: [], total: 0, endpointIds: new Map(), scores: new Map() }
    for (const q of ['', ' ', '!?', '"', '%', 'qwxyz']) {
      const request = { size: 10, page: 1 }
      expect(await searchApis({ store: shop, q, filter: {}, request })).toEqual(none)
    }
  })

  it('does not use a word that 200 APIs contain as a prefix', async () => {
    const whole = Array.from({ length: 200 }, (_, index) => ({ name: `Pay ${index}` }))
    const request = { size: 10, page: 1 }
    const search = { q: 'pay', filter: {}, request }
    const many = openIndex([...whole, { name: 'Paydirt' }])
    expect((await searchApis({ ...search, store: many })).total).toBe(200)
    const fewer = openIndex([...whole.slice(1), { name: 'Paydirt' }])
    expect((await searchApis({ ...search, store: fewer })).total).toBe(200)
  })

  it('returns the endpoints that match best, at most three', async () => {
    const store = openIndex([
      {
        name: 'Forge',
        endpoints: [
          'get /repos/{id} | Get a repository',
          'get /repos/{id}/pulls | List pull requests',
          'post /repos/{id}/pulls | Create a pull request',
          'post /repos/{id}/pulls/{index}/merge | Merge a pull request',
          'get /pulls/labels | List labels',
        ],
      },
    ])
    const search = { store, filter: {}, request: { size: 10, page: 1 } }
    const list = await searchApis({ ...search, q: 'list pull requests' })
    expect(list.endpointIds.get(1)?.length).toBe(3)
    expect(list.endpointIds.get(1)?.[0]).toBe(102)
    const add = await searchApis({ ...search, q: 'add pull request' })
    expect(add.endpointIds.get(1)?.[0]).toBe(103)
  })

  it('ranks the exact word before its stem, its synonym and its prefix', async () => {
    const store = openIndex([
      { name: 'Photocopier' },
      { name: 'Pictures' },
      { name: 'Photos' },
      { name: 'Photo' },
    ])
    expect(await searchIds(store, 'photo')).toEqual([4, 3, 2, 1])
  })

  it('ranks APIs with more words first, and words of one endpoint before scattered ones', async () => {
    const store = openIndex([
      { name: 'A', endpoints: ['get /stock | Stock'] },
      { name: 'B', endpoints: ['get /stock | Stock', 'get /news | Market news'] },
      { name: 'C', endpoints: ['get /stock | Stock market'] },
    ])
    expect(await searchIds(store, 'stock market')).toEqual([3, 2, 1])
  })

  it('prefers a path that ends in a collection for a query that lists it', async () => {
    const store = openIndex([
      {
        name: 'Forge',
        endpoints: [
          "get /repos/{owner}/{repo}/keys | List a repository's keys",
          'get /repositories/{id} | Get a repository by id',
          "get /repos/{owner}/{repo}/forks | List a repository's forks",
          "get /orgs/{org}/repos | List an organization's repos",
          'post /user/repos | Create a repository',
        ],
      },
    ])
    const search = { store, filter: {}, request: { size: 10, page: 1 } }
    for (const q of ['list repositories', 'list repos', 'get all repos']) {
      expect((await searchApis({ ...search, q })).endpointIds.get(1)?.[0]).toBe(104)
    }
    const add = await searchApis({ ...search, q: 'create repos' })
    expect(add.endpointIds.get(1)?.[0]).toBe(105)
  })

  it('prefers a POST to a collection for a query that creates a resource', async () => {
    const store = openIndex([
      {
        name: 'Hub',
        endpoints: [
          'post /repos/{owner}/{repo}/contents | Create a file in a git repository',
          'post /user/repos | Create a repository',
        ],
      },
    ])
    const request = { size: 10, page: 1 }
    const search = { store, q: 'create a git repository', filter: {}, request }
    expect((await searchApis(search)).endpointIds.get(1)).toEqual([102, 101])
  })

  it('prefers endpoints of the authenticated user for a query with a possessive', async () => {
    const store = openIndex([
      {
        name: 'Hub',
        endpoints: [
          'get /users/{name}/repos | List the repositories of a user',
          'get /users/{name}/teams | List the teams of a user',
          'get /repos | List the repositories of the authenticated user',
          'get /me/teams | List teams',
        ],
      },
    ])
    const request = { size: 10, page: 1 }
    for (const [q, best] of [
      ['list my repos', 103],
      ['my repos', 103],
      ['our teams', 104],
    ] as const) {
      const { endpointIds } = await searchApis({ store, q, filter: {}, request })
      expect([q, endpointIds.get(1)?.[0]]).toEqual([q, best])
    }
  })

  it('does not take words with the stem of a possessive for one', async () => {
    const store = openIndex([
      { name: 'Bitcoin prices', endpoints: ['get /prices | Bitcoin prices of my account'] },
      { name: 'Pools', endpoints: ['get /pools | Bitcoin mining pools'] },
      { name: 'Companies', endpoints: ['get /companies | Companies owned by a person'] },
    ])
    expect(await searchIds(store, 'bitcoin mining')).toEqual([2, 1])
    expect(await searchIds(store, 'data mining')).toEqual([2])
    expect(await searchIds(store, 'mining')).toEqual([2])
    expect(await searchIds(store, 'owned')).toEqual([3])
  })

  it('excludes APIs that match only a qualifier', async () => {
    const store = openIndex([
      { name: 'Meetings', endpoints: ['get /upcomingMeetings | List upcoming meetings'] },
      { name: 'Notices', endpoints: ['post /event-notices | Receive an event'] },
      {
        name: 'Tickets',
        endpoints: ['get /discovery/v2/{locale}/events | Find events', 'get /venues | Find venues'],
        parameters: ['venueId'],
      },
    ])
    expect(await searchIds(store, 'upcoming concerts')).toEqual([3, 2])
    expect(await searchIds(store, 'upcoming')).toEqual([1])
  })

  it('drops APIs that score far below one with the same words and more', async () => {
    const store = openIndex([
      { name: 'Exchange rates', endpoints: ['get /rates | Currency exchange rates'] },
      { name: 'Shop', endpoints: ['get /articles | Articles'], responseFields: ['currency'] },
      { name: 'Football', endpoints: ['get /ratings | Ratings of teams'] },
      { name: 'Stamps', endpoints: ['get /stamps | Exchange of stamps', 'get /rates | Rates'] },
    ])
    expect(await searchIds(store, 'currency exchange rates')).toEqual([1, 4])
    expect(await searchIds(store, 'currency')).toEqual([1, 2])
  })

  it('keeps APIs with a word that no better one has', async () => {
    const weather = Array.from({ length: 50 }, (_, index) => ({ name: `Weather ${index}` }))
    const store = openIndex([{ name: 'Acme acme', vendor: 'Acme' }, ...weather])
    expect((await searchIds(store, 'acme weather')).length).toBe(51)
  })

  it('breaks ties by folded name, then by id', async () => {
    const endpoints = ['get /x | Zebra']
    const names = ['beta', 'Alpha', 'alpha', 'Émile', 'zulu']
    const store = openIndex(names.map((name) => ({ name, endpoints })))
    expect(await searchIds(store, 'zebra')).toEqual([2, 3, 1, 4, 5])
  })

  it.each([
    ['zebra', 260],
    ['striped zebra crossing', 173],
  ])('returns each API on exactly one page for any page size, for "%s"', async (q, count) => {
    const apis = Array.from({ length: 260 }, (_, index) => ({
      name: `Api ${index}`,
      description: index % 3 === 0 ? 'striped zebra crossing' : 'zebra',
      endpoints: index % 2 === 0 ? ['get /zebras | Crossing zebras'] : [],
    }))
    const store = openIndex(apis)
    const all = await pages(store, q, 100)
    expect(all.length).toBe(count)
    expect(new Set(all).size).toBe(count)
    expect(await pages(store, q, 7)).toEqual(all)
    expect(await pages(store, q, 30)).toEqual(all)
  })

  it('returns only the total for a page past the end', async () => {
    const request = { size: 10, page: 9 }
    const found = await searchApis({ store: shop, q: 'weather', filter: {}, request })
    expect(found).toEqual({ ids: [], total: 1, endpointIds: new Map(), scores: new Map() })
  })

  it('looks up a bounded number of terms for any query', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: codePoint, maxLength: 2000 }), async (q) => {
        let asked = 0
        const store = {
          findPostings: async (terms: readonly unknown[]) => {
            asked = Math.max(asked, terms.length)
            return []
          },
          findEndpointPostings: async () => [],
        }
        await searchApis({ store, q, filter: {}, request: { size: 10, page: 1 } })
        expect(asked).toBeLessThanOrEqual(96)
      }),
      { seed: 4, numRuns: 300 },
    )
  })

  it('uses four of the short words as prefixes: the longest, then the last', async () => {
    const prefixes: string[][] = []
    const store: SearchStore = {
      async findPostings(terms, filter) {
        prefixes.push(terms.flatMap(({ text, isPrefix }) => (isPrefix ? [text] : [])))
        return shop.findPostings(terms, filter)
      },
      async findEndpointPostings(terms, apiIds) {
        prefixes.push(terms.flatMap(({ text, isPrefix }) => (isPrefix ? [text] : [])))
        return shop.findEndpointPostings(terms, apiIds)
      },
    }
    const q = 'we ge li wea forec cr up de us ac re'
    await searchApis({ store, q, filter: {}, request: { size: 10, page: 1 } })
    const asked = prefixes.filter(({ length }) => length > 0)
    expect(asked).toEqual(asked.map(() => ['wea', 'forec', 'us', 'ac', 're']))
    expect(asked.length).toBeGreaterThan(1)
  })

  it('reads the endpoints of four APIs at a time', async () => {
    const apis = Array.from({ length: 45 }, (_, index) => ({
      name: `Ferry ${index}`,
      endpoints: ['get /ferries'],
    }))
    const memory = openIndex(apis)
    const counts: number[] = []
    const store: SearchStore = {
      findPostings: memory.findPostings,
      async findEndpointPostings(terms, apiIds) {
        counts.push(apiIds.length)
        return memory.findEndpointPostings(terms, apiIds)
      },
    }
    const request = { size: 45, page: 1 }
    const found = await searchApis({ store, q: 'ferries', filter: {}, request })
    expect(counts).toEqual([...Array.from({ length: 11 }, () => 4), 1])
    expect(found.endpointIds.size).toBe(45)
    expect([...found.endpointIds.values()].every(({ length }) => length === 1)).toBe(true)
  })

  it('uses at most 16 words and 256 characters', async () => {
    const words = Array.from({ length: 16 }, (_, index) => `qw${index}`).join(' ')
    expect(await searchIds(shop, `${words} weather`)).toEqual([])
    expect(await searchIds(shop, `${'x'.repeat(256)} weather`)).toEqual([])
  })
})

async function pages(store: MemoryPostings, q: string, size: number): Promise<readonly number[]> {
  const ids: number[] = []
  for (let page = 1; page < 60; page += 1) {
    const found = await searchApis({ store, q, filter: {}, request: { size, page } })
    if (found.ids.length === 0) break
    ids.push(...found.ids)
  }
  return ids
}
