import { describe, expect, it } from 'vitest'
import type { EndpointDescription } from '../../../core/catalogue/records.ts'
import type { WithStorage } from '../storage.ts'
import {
  identityOf,
  sampleChange,
  sampleEndpoint,
  sampleKey,
  sampleVendor,
  saveSampleVendor,
} from './samples.ts'

export function describeTexts(withStorage: WithStorage, more: readonly string[]): void {
  const texts = [...TEXTS, ...more]
  describe(`${texts.length} texts of every kind`, () => {
    it('lose NUL and lone surrogates in endpoints, and nothing else', () =>
      withStorage(async ({ storage }) => {
        const vendor = await saveSampleVendor(storage, 1)
        const change = sampleChange({ api: 1, endpoints: 0 })
        const added = texts.map((text, endpoint) => {
          const sample = sampleEndpoint({ api: 1, endpoint })
          return { ...sample, description: withText(sample.description, text) }
        })
        const components = new Map(texts.map((text, index) => [`/c/${index} ${text}`, `"${text}"`]))
        const { apiId } = await storage.imports.replaceApi(
          identityOf({ vendor, name: 'API 1' }),
          () => ({ ...change, added, components }),
        )
        const stored = await storage.catalogue.listApiEndpoints(apiId)
        expect(
          stored.map(({ id: _, shortId: __, apiId: ___, ...description }) => description),
        ).toEqual(
          texts.map((text, endpoint) =>
            withText(sampleEndpoint({ api: 1, endpoint }).description, toClean(text)),
          ),
        )
        const found = await storage.catalogue.findComponents(apiId, [...components.keys()])
        expect(new Map(found)).toEqual(
          new Map(
            texts
              .map(toClean)
              .map((text, index): [string, string] => [`/c/${index} ${text}`, `"${text}"`])
              .filter(([pointer]) => pointer.length <= 500),
          ),
        )
      }))

    it('are preserved in an API, its agreements and its source', () =>
      withStorage(async ({ storage }) => {
        const vendor = await saveSampleVendor(storage, 1)
        const change = sampleChange({ api: 1, endpoints: 0 })
        const agreements = texts.map((text) => ({ name: text, link: text, kind: text }))
        const licenses = texts.map((text) => ({ name: text, url: text }))
        const description = texts.join('\n')
        const { apiId } = await storage.imports.replaceApi(
          identityOf({ vendor, name: 'API 1' }),
          () => ({
            ...change,
            api: change.api && {
              ...change.api,
              description,
              licenses,
              tags: texts,
              version: texts[0] ?? '',
            },
            agreements,
          }),
        )
        const api = await storage.catalogue.findApi(String(apiId))
        const clean = texts.map(toClean)
        expect(api?.description).toBe(toClean(description))
        expect(api?.tags).toEqual(clean)
        expect(api?.licenses).toEqual(clean.map((text) => ({ name: text, url: text })))
        expect(await storage.catalogue.listAgreements(apiId)).toEqual(
          clean.map((text) => ({ name: text, link: text, kind: text })),
        )
      }))

    it('work as names of vendors and accounts', () =>
      withStorage(async ({ storage }) => {
        for (const [index, text] of texts.filter(({ length }) => length < 300).entries()) {
          const name = `${index} ${text}`
          const vendor = {
            ...sampleVendor(index),
            name,
            description: text,
            homepage: text,
            image: text,
          }
          const clean = toClean(text)
          const expected = {
            name: toClean(name),
            description: clean,
            homepage: clean,
            image: clean,
          }
          expect(await storage.catalogue.saveVendor(vendor)).toMatchObject(expected)
          expect(await storage.catalogue.findVendor(name)).toMatchObject(expected)
          if (index % 10 > 0) continue
          const account = { id: `account${index}`, name }
          await storage.accounts.saveAccount({ ...account, createdAt: 1 })
          await storage.accounts.saveKey(account, { ...sampleKey(index), name })
          const stored = { id: account.id, name: toClean(name) }
          expect(await storage.accounts.findAccount(name)).toEqual(stored)
          expect(await storage.accounts.findKeyByHash(sampleKey(index).hash)).toEqual({
            account: stored,
            key: { ...sampleKey(index), name: toClean(name) },
          })
        }
      }))

    it('are searchable', () =>
      withStorage(async ({ storage }) => {
        const vendor = await saveSampleVendor(storage, 1)
        await storage.imports.replaceApi(identityOf({ vendor, name: 'API 1' }), () =>
          sampleChange({ api: 1, endpoints: 1 }),
        )
        for (const text of texts) {
          const { total } = await storage.catalogue.searchVendors({ q: text }, { size: 1, page: 1 })
          expect(total <= 1).toBe(true)
          const terms = [true, false].map((isPrefix) => ({ text: `~${text}`, isPrefix }))
          expect(await storage.catalogue.findPostings(terms, {})).toEqual([])
          expect(await storage.catalogue.findApisByName({ apiName: `~${text}` })).toEqual([])
          expect(await storage.catalogue.findEndpoint(`~${text}`)).toBeUndefined()
          expect(await storage.accounts.findAccount(`~${text}`)).toBeUndefined()
          expect(await storage.accounts.findKeyByHash(`~${text}`)).toBeUndefined()
        }
      }))

    it('that are too long for a name are rejected before they reach the database', () =>
      withStorage(async ({ storage }) => {
        const name = '\u6F22'.repeat(20_000)
        const refused = { name: 'ServiceError', code: 'invalid_input' }
        const { catalogue, accounts, imports } = storage
        await expect(catalogue.saveVendor({ ...sampleVendor(2), name })).rejects.toMatchObject(
          refused,
        )
        const account = { id: 'a', name, createdAt: 1 }
        await expect(accounts.saveAccount(account)).rejects.toMatchObject(refused)
        const vendor = await saveSampleVendor(storage, 1)
        await expect(
          imports.replaceApi(identityOf({ vendor, name }), () =>
            sampleChange({ api: 1, endpoints: 1 }),
          ),
        ).rejects.toMatchObject(refused)
        expect(await catalogue.findVendor(name)).toBeUndefined()
        const longest = await catalogue.saveVendor({ ...sampleVendor(3), name: name.slice(0, 500) })
        expect(await catalogue.findVendor(name.slice(0, 500))).toEqual(longest)
      }))
  })
}

/** Texts that storages often change: NUL, lone surrogates, quotes, wildcards, escapes, scripts. */
export const TEXTS: readonly string[] = [
  '',
  'a\0b',
  '\0',
  '\0\0a',
  'lone \uD83D high',
  'lone \uDE00 low',
  '\uD83D',
  'pair \u{1F600} whole',
  'swapped \uDE00\uD83D',
  'a\\u0000b \\ud800',
  'quote \' double " back ` semicolon ; -- comment /* */',
  '%_!*?[]{}()|\\/',
  '$1 ?1 :name @name ?',
  '\u0001\u001F\u007F\u0085\u2028\u2029\uFEFF\uFFFE\uFFFF',
  'e\u0301 \u00E9 \u1E9E \u0130 \uFB01 \u202E\u0645\u0631\u062D\u0628\u0627',
  '\t line\r\n break \n',
  'x'.repeat(20_000),
  '\u6F22'.repeat(5_000),
]

/** Returns the stored form of a text. */
export function toClean(text: string): string {
  return text.replaceAll('\0', '').replace(/\p{Surrogate}/gu, '\uFFFD')
}

/** Sets all text members of a description to the text, except the key. */
function withText(description: EndpointDescription, text: string): EndpointDescription {
  const [parameter] = description.parameters
  if (!parameter) throw new Error('The sample has a parameter')
  return {
    ...description,
    path: text,
    url: text,
    summary: text,
    description: text,
    operationId: text,
    tags: [text],
    servers: [
      { url: text, name: text, variables: [{ name: text, default: text, values: [text] }] },
    ],
    parameters: [{ ...parameter, name: text, description: text, exampleValue: text, enum: [text] }],
    response: { status: '200', mediaType: text, example: text, schema: text },
    responseFields: [text],
  }
}
