import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Vendor } from '../../../core/catalogue/records.ts'
import { type ChangeOptions, decideChange } from '../../../core/imports/diff.ts'
import { parseDescriptionHere } from '../../../core/imports/parse.ts'
import type { ExistingApi } from '../../../core/imports/store.ts'

const SOURCE = readFileSync(
  new URL('../../../fixtures/descriptions/library-swagger-2.0.json', import.meta.url),
  'utf8',
)

const VENDOR: Vendor = {
  id: 3,
  encryptedId: 'vendor3',
  name: 'Town Library',
  homepage: '',
  description: '',
  isPublic: true,
  image: '',
  countries: [],
  createdAt: 1,
}

function parse(text: string) {
  return parseDescriptionHere({ bytes: new TextEncoder().encode(text), options: {} })
}

function optionsOf(digest: string): ChangeOptions {
  return {
    vendor: VENDOR,
    categoryId: 15,
    categoryName: 'Research & Education',
    isPublic: true,
    countries: ['AT'],
    source: { bytes: new Uint8Array(), mediaType: 'application/json', digest },
    now: 1000,
    toPostings: ({ endpoints }) =>
      endpoints.map(({ id, description }) => ({
        term: description.key,
        weight: id,
        endpoints: new Uint8Array(),
      })),
  }
}

/** What the catalogue would hold after a first import. */
function store(text: string, digest: string): ExistingApi {
  const { change } = decideChange(parse(text), optionsOf(digest))
  const { api: row, added } = change(undefined)
  if (!row) throw new Error('A new API has a row')
  const { now, ...api } = row
  return {
    api: {
      ...api,
      id: 1,
      vendor: VENDOR,
      isClaiming: false,
      canClaim: false,
      isAgreementsRestricted: false,
      isDescribed: true,
      createdAt: now,
      updatedAt: now,
    },
    endpoints: added.map(({ description, digest, shortIds }, index) => ({
      id: index + 10,
      shortId: shortIds[0] ?? '',
      key: description.key,
      digest,
    })),
  }
}

describe('deciding what an import changes', () => {
  it('adds everything of a new API, with short ids that depend on its identity alone', () => {
    const decision = decideChange(parse(SOURCE), optionsOf('d1'))
    expect(decision.summary()).toEqual({ added: 0, changed: 0, removed: 0, unchanged: 0 })
    const change = decision.change(undefined)
    expect(decision.summary()).toEqual({ added: 3, changed: 0, removed: 0, unchanged: 0 })
    expect(change.api).toMatchObject({ isImplemented: true, sourceDigest: 'd1', now: 1000 })
    expect(change.added.map(({ shortIds }) => new Set(shortIds).size)).toEqual([8, 8, 8])
    const again = decideChange(parse(SOURCE.replace('Find books', 'Seek books')), optionsOf('d2'))
    expect(again.change(undefined).added.map(({ shortIds }) => shortIds)).toEqual(
      change.added.map(({ shortIds }) => shortIds),
    )
  })

  it('changes nothing at all for the same description', () => {
    const decision = decideChange(parse(SOURCE), optionsOf('d1'))
    expect(decision.change(store(SOURCE, 'd1'))).toEqual({
      api: undefined,
      added: [],
      changed: [],
      removed: [],
      components: undefined,
      agreements: undefined,
      source: undefined,
      postings: undefined,
    })
    expect(decision.summary()).toEqual({ added: 0, changed: 0, removed: 0, unchanged: 3 })
  })

  it('keeps the new source of a description that only looks different', () => {
    const spaced = `${SOURCE}\n`
    const change = decideChange(parse(spaced), optionsOf('d2')).change(store(SOURCE, 'd1'))
    expect(change.source?.digest).toBe('d2')
    expect(change.api?.sourceDigest).toBe('d2')
    expect(change.postings).toBeUndefined()
  })

  it('tells added, changed and removed endpoints apart and keeps their ids', () => {
    const text = SOURCE.replace('Find books', 'Seek books')
      .replace('"/books/{isbn}/cover"', '"/books/{number}/spine"')
      .replace('"name": "isbn", "in": "path"', '"name": "number", "in": "path"')
    const decision = decideChange(parse(text), optionsOf('d2'))
    const change = decision.change(store(SOURCE, 'd1'))
    expect(decision.summary()).toEqual({ added: 1, changed: 1, removed: 1, unchanged: 1 })
    expect(change.changed.map(({ id, description }) => [id, description.key])).toEqual([
      [10, 'get /books'],
    ])
    expect(change.added.map(({ description }) => description.key)).toEqual(['put /books/{}/spine'])
    expect(change.removed).toEqual([12])
  })

  it('keeps an endpoint whose path parameter was only renamed', () => {
    const text = SOURCE.replaceAll('isbn}', 'number}').replace(
      '"name": "isbn", "in": "path"',
      '"name": "number", "in": "path"',
    )
    const decision = decideChange(parse(text), optionsOf('d2'))
    const change = decision.change(store(SOURCE, 'd1'))
    expect(change.changed.map(({ id }) => id)).toEqual([12])
    expect(decision.summary()).toEqual({ added: 0, changed: 1, removed: 0, unchanged: 2 })
  })

  it('indexes all endpoints under the ids that the storage gave', async () => {
    const { change } = decideChange(parse(SOURCE), optionsOf('d1'))
    const ids = new Map([
      ['get /books', 7],
      ['post /books', 8],
      ['put /books/{}/cover', 9],
    ])
    const postings = await change(undefined).postings?.(ids)
    expect(postings?.map(({ term, weight }) => [term, weight])).toEqual([...ids])
  })

  it('keeps the category of an API when an import names none', () => {
    const options = { ...optionsOf('d1'), categoryId: undefined }
    expect(decideChange(parse(SOURCE), options).change(store(SOURCE, 'd1')).api).toBeUndefined()
  })
})
