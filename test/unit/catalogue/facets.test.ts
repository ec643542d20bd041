import { describe, expect, it } from 'vitest'
import { type ChosenFacets, filterByFacets } from '../../../core/catalogue/facets.ts'
import type { ApiFacts } from '../../../core/catalogue/store.ts'

const [PARCEL, WIND] = [
  { id: 1, name: 'Parcel' },
  { id: 2, name: 'Wind <b>' },
]

const APIS: readonly ApiFacts[] = [
  fact({ id: 1, vendor: PARCEL, categoryId: 1, authTypes: ['none'], licenses: ['MIT'] }),
  fact({ id: 2, vendor: PARCEL, categoryId: 4, authTypes: ['header', 'OAuth2'], deprecated: 2 }),
  fact({ id: 3, vendor: WIND, categoryId: 4, authTypes: ['header'], licenses: [' mit '] }),
  fact({
    id: 4,
    kind: 'mcp',
    vendor: WIND,
    authTypes: [],
    licenses: ['', 'Apache-2.0'],
    deprecated: 1,
  }),
]

function fact(of: Partial<ApiFacts> & Pick<ApiFacts, 'id' | 'vendor'>): ApiFacts {
  return {
    kind: 'http',
    name: `api ${of.id}`,
    categoryId: undefined,
    authTypes: [],
    licenses: [],
    isPublic: true,
    createdAt: 0,
    endpoints: 3,
    deprecated: 0,
    ...of,
  }
}

function narrow(chosen: ChosenFacets) {
  const { apis, facets } = filterByFacets(APIS, chosen)
  return {
    ids: apis.map(({ id }) => id),
    ...Object.fromEntries(
      facets.map(({ name, values }) => [
        name,
        values.map(({ label, count, isChosen }) => `${isChosen ? '*' : ''}${label} ${count}`),
      ]),
    ),
  }
}

describe('facets', () => {
  it('count every value without a chosen one', () => {
    expect(narrow({})).toEqual({
      ids: [1, 2, 3, 4],
      category: ['Environment & Weather 2', 'Artificial Intelligence & Data Science 1'],
      vendor: ['Parcel 2', 'Wind <b> 2'],
      auth: ['header 2', 'OAuth2 1', 'none 1'],
      license: ['MIT 2', 'Apache-2.0 1', 'Not stated 1'],
      deprecated: ['None 2', 'Some 2'],
      kind: ['HTTP API 3', 'MCP server 1'],
    })
  })

  it('list the general category last, regardless of its count', () => {
    const ofCategories = [20, 20, 4].map((categoryId, index) =>
      fact({ id: index, vendor: PARCEL, categoryId }),
    )
    const [category] = filterByFacets(ofCategories, {}).facets
    expect(category?.values.map(({ label, count }) => [label, count])).toEqual([
      ['Environment & Weather', 1],
      ['Software & Services', 2],
    ])
  })

  it('count APIs that match the other facets, regardless of their own choice', () => {
    expect(narrow({ vendor: '2', auth: 'HEADER' })).toEqual({
      ids: [3],
      category: ['Environment & Weather 1'],
      vendor: ['Parcel 1', '*Wind <b> 1'],
      auth: ['*header 1'],
      license: ['mit 1'],
      deprecated: ['None 1'],
      kind: ['HTTP API 1'],
    })
    expect(narrow({ license: 'MIT' })).toMatchObject({
      ids: [1, 3],
      license: ['*MIT 2', 'Apache-2.0 1', 'Not stated 1'],
    })
    expect(narrow({ license: 'Apache License, Version 2.0' })).toMatchObject({
      ids: [4],
      license: ['MIT 2', '*Apache-2.0 1', 'Not stated 1'],
    })
    expect(narrow({ license: 'GPLv3' })).toMatchObject({
      license: ['MIT 2', 'Apache-2.0 1', 'Not stated 1', '*GPL-3.0-only 0'],
    })
    expect(narrow({ license: 'none', deprecated: 'yes' }).ids).toEqual([2])
    expect(narrow({ kind: 'mcp' }).ids).toEqual([4])
    expect(narrow({ kind: 'a2a' })).toMatchObject({
      ids: [],
      kind: ['HTTP API 3', 'MCP server 1', '*A2A agent 0'],
    })
  })

  it('list a chosen value without matches, so that it can be removed', () => {
    expect(narrow({ vendor: '99' })).toMatchObject({
      ids: [],
      category: [],
      vendor: ['Parcel 2', 'Wind <b> 2', '*99 0'],
    })
    expect(narrow({ auth: '', category: undefined }).ids).toEqual([1, 2, 3, 4])
  })

  it('equal counting each value separately', () => {
    const names = ['category', 'vendor', 'auth', 'license', 'deprecated', 'kind'] as const
    for (const chosen of [{}, { vendor: '1' }, { category: '4', auth: 'header' }]) {
      for (const { name, values } of filterByFacets(APIS, chosen).facets) {
        expect(names).toContain(name)
        for (const { value, count } of values) {
          const alone = filterByFacets(APIS, { ...chosen, [name]: value }).apis
          expect(alone.length, `${name} ${value}`).toBe(count)
        }
      }
    }
  })
})
