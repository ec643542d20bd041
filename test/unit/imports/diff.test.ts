import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Vendor } from '../../../core/catalogue/records.ts'
import { buildUpdateSync, type ChangeOptions } from '../../../core/imports/build-update.ts'
import { parseInline } from '../../../core/imports/parse-description.ts'
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

function parseDescriptionText(text: string) {
  return parseInline({ bytes: new TextEncoder().encode(text), options: {} })
}

function optionsOf(digest: string): ChangeOptions {
  return {
    vendor: VENDOR,
    categoryId: 15,
    defaultCategoryId: 20,
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

/** Returns the endpoints that a first import would store. */
function store(text: string, digest: string): ExistingApi {
  const { change } = buildUpdateSync(parseDescriptionText(text), optionsOf(digest))
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
      path: description.path,
      digest,
    })),
  }
}

describe('computing the changes of an import', () => {
  it('adds all data of a new API, with short ids derived only from its identity', () => {
    const decision = buildUpdateSync(parseDescriptionText(SOURCE), optionsOf('d1'))
    expect(decision.counts()).toEqual({ added: 0, changed: 0, removed: 0, unchanged: 0 })
    const change = decision.change(undefined)
    expect(decision.counts()).toEqual({ added: 3, changed: 0, removed: 0, unchanged: 0 })
    expect(change.api).toMatchObject({ isImplemented: true, sourceDigest: 'd1', now: 1000 })
    expect(change.added.map(({ shortIds }) => new Set(shortIds).size)).toEqual([8, 8, 8])
    const again = buildUpdateSync(
      parseDescriptionText(SOURCE.replace('Find books', 'Seek books')),
      optionsOf('d2'),
    )
    expect(again.change(undefined).added.map(({ shortIds }) => shortIds)).toEqual(
      change.added.map(({ shortIds }) => shortIds),
    )
  })

  it('changes only the import time for the same description', () => {
    const decision = buildUpdateSync(parseDescriptionText(SOURCE), optionsOf('d1'))
    expect(decision.change(store(SOURCE, 'd1'))).toEqual({
      api: undefined,
      added: [],
      changed: [],
      removed: [],
      components: undefined,
      agreements: undefined,
      source: undefined,
      postings: undefined,
      importedAt: 1000,
    })
    expect(decision.counts()).toEqual({ added: 0, changed: 0, removed: 0, unchanged: 3 })
  })

  it('stores the new source of a description that differs only in formatting', () => {
    const spaced = `${SOURCE}\n`
    const change = buildUpdateSync(parseDescriptionText(spaced), optionsOf('d2')).change(
      store(SOURCE, 'd1'),
    )
    expect(change.source?.digest).toBe('d2')
    expect(change.api?.sourceDigest).toBe('d2')
    expect(change.postings).toBeUndefined()
  })

  it('distinguishes added, changed and removed endpoints, and retains ids', () => {
    const text = SOURCE.replace('Find books', 'Seek books')
      .replace('"/books/{isbn}/cover"', '"/books/{number}/spine"')
      .replace('"name": "isbn", "in": "path"', '"name": "number", "in": "path"')
    const decision = buildUpdateSync(parseDescriptionText(text), optionsOf('d2'))
    const change = decision.change(store(SOURCE, 'd1'))
    expect(decision.counts()).toEqual({ added: 1, changed: 1, removed: 1, unchanged: 1 })
    expect(change.changed.map(({ id, description }) => [id, description.key])).toEqual([
      [10, 'get /books'],
    ])
    expect(change.added.map(({ description }) => description.key)).toEqual(['put /books/{}/spine'])
    expect(change.removed).toEqual([12])
  })

  it('treats only endpoints with a changed limit as changed', () => {
    const limit = (calls: number) =>
      SOURCE.replace('"Find books"', `"Find books", "x-rate-limit": "${calls}/min"`)
    expect(limit(5)).not.toBe(SOURCE)
    for (const [former, next] of [[SOURCE, limit(5)] as const, [limit(5), limit(6)] as const]) {
      const decision = buildUpdateSync(parseDescriptionText(next), optionsOf('d2'))
      const change = decision.change(store(former, 'd1'))
      expect(decision.counts()).toEqual({ added: 0, changed: 1, removed: 0, unchanged: 2 })
      expect(change.changed.map(({ description }) => description.key)).toEqual(['get /books'])
    }
  })

  it('matches an endpoint with a renamed path parameter', () => {
    const text = SOURCE.replaceAll('isbn}', 'number}').replace(
      '"name": "isbn", "in": "path"',
      '"name": "number", "in": "path"',
    )
    const decision = buildUpdateSync(parseDescriptionText(text), optionsOf('d2'))
    const change = decision.change(store(SOURCE, 'd1'))
    expect(change.changed.map(({ id }) => id)).toEqual([12])
    expect(decision.counts()).toEqual({ added: 0, changed: 1, removed: 0, unchanged: 2 })
  })

  it('indexes all endpoints by the ids that the storage assigned', async () => {
    const { change } = buildUpdateSync(parseDescriptionText(SOURCE), optionsOf('d1'))
    const ids = new Map([
      ['get /books', 7],
      ['post /books', 8],
      ['put /books/{}/cover', 9],
    ])
    const postings = await change(undefined).postings?.(ids)
    expect(postings?.map(({ term, weight }) => [term, weight])).toEqual([...ids])
  })

  it('retains category and countries of an API if an import has none', () => {
    const options = { ...optionsOf('d1'), categoryId: undefined, countries: undefined }
    expect(
      buildUpdateSync(parseDescriptionText(SOURCE), options).change(store(SOURCE, 'd1')).api,
    ).toBeUndefined()
    expect(
      buildUpdateSync(parseDescriptionText(SOURCE), options).change(undefined).api,
    ).toMatchObject({
      categoryId: 20,
      countries: VENDOR.countries,
    })
  })

  it('indexes the retained category', async () => {
    const names: string[] = []
    const options: ChangeOptions = {
      ...optionsOf('d2'),
      categoryId: undefined,
      toPostings: ({ categoryName }) => {
        names.push(categoryName)
        return []
      },
    }
    const text = SOURCE.replace('Find books', 'Seek books')
    await buildUpdateSync(parseDescriptionText(text), options)
      .change(store(SOURCE, 'd1'))
      .postings?.(new Map())
    expect(names).toEqual(['Research & Education'])
  })

  it('retains the ids of paths that differ only in parameter names, in any order', () => {
    const toText = (paths: readonly string[]) =>
      JSON.stringify({
        openapi: '3.0.0',
        info: { title: 'Users', version: '1' },
        paths: Object.fromEntries(paths.map((path) => [path, { get: { summary: path } }])),
      })
    const decide = (paths: readonly string[]) => {
      const change = buildUpdateSync(parseDescriptionText(toText(paths)), optionsOf('d2')).change(
        store(toText(['/users/{id}', '/users/{name}']), 'd1'),
      )
      return {
        ids: change.changed.map(({ id, description }) => [id, description.path]),
        added: change.added.map(({ description }) => description.path),
        removed: change.removed,
      }
    }
    expect(decide(['/users/{name}', '/users/{id}'])).toEqual({
      ids: [
        [11, '/users/{name}'],
        [10, '/users/{id}'],
      ],
      added: [],
      removed: [],
    })
    expect(decide(['/users/{name}'])).toEqual({
      ids: [[11, '/users/{name}']],
      added: [],
      removed: [10],
    })
    expect(decide(['/users/{number}', '/users/{name}'])).toEqual({
      ids: [[10, '/users/{number}']],
      added: [],
      removed: [],
    })
  })

  it('matches the callbacks of operations whose templates differ only in names', () => {
    const toText = (paths: readonly string[]) =>
      JSON.stringify({
        openapi: '3.0.0',
        info: { title: 'Users', version: '1' },
        paths: Object.fromEntries(
          paths.map((path) => [
            path,
            { post: { callbacks: { onDone: { '{$url}': { post: { summary: path } } } } } },
          ]),
        ),
      })
    const stored = store(toText(['/users/{id}', '/users/{name}']), 'd1')
    expect(stored.endpoints.map(({ id, key }) => [id, key])).toEqual([
      [10, 'post /users/{}'],
      [11, 'callback post /users/{} onDone post {$url}'],
      [12, 'post /users/{name}'],
      [13, 'callback post /users/{name} onDone post {$url}'],
    ])
    const decide = (paths: readonly string[]) => {
      const change = buildUpdateSync(parseDescriptionText(toText(paths)), optionsOf('d2')).change(
        stored,
      )
      const { changed, added, removed } = change
      const ids = changed.map(({ id, description }) => `${id} ${description.key}`)
      return { ids, added: added.map(({ description }) => description.key), removed }
    }
    expect(decide(['/users/{name}', '/users/{id}'])).toEqual({
      ids: [
        '12 post /users/{}',
        '13 callback post /users/{} onDone post {$url}',
        '10 post /users/{id}',
        '11 callback post /users/{id} onDone post {$url}',
      ],
      added: [],
      removed: [],
    })
    expect(decide(['/users/{number}', '/users/{id}', '/users/{name}'])).toEqual({
      ids: ['10 post /users/{id}', '11 callback post /users/{id} onDone post {$url}'],
      added: ['post /users/{}', 'callback post /users/{} onDone post {$url}'],
      removed: [],
    })
  })

  it('distinguishes vendors and titles that contain vertical bars', () => {
    const idOf = (vendorName: string, title: string) => {
      const text = JSON.stringify({ openapi: '3.0.0', info: { title, version: '1' }, paths: {} })
      const options = { ...optionsOf('d1'), vendor: { ...VENDOR, name: vendorName } }
      return buildUpdateSync(parseDescriptionText(text), options).change(undefined).api?.encryptedId
    }
    const ids = [idOf('a|b', 'c'), idOf('a', 'b|c'), idOf('a||b', 'c'), idOf('a', '|b|c')]
    expect(new Set(ids).size).toBe(4)
  })
})
