import { describe, expect, it } from 'vitest'
import type { AgreementChange, NewAgreement } from '../../../core/agreements/records.ts'
import type { EnteredAgreements } from '../../../core/agreements/store.ts'
import type { WithStorage } from '../storage.ts'
import {
  collectPages,
  identityOf,
  importSampleApi,
  NO_CHANGE,
  sampleApiRow,
  saveSampleVendor,
} from './samples.ts'

const ADA = { id: 'a1', name: 'Ada' }
const BOB = { id: 'b2', name: 'Bob' }
const DAY_MS = 86_400_000
const AT = Date.UTC(2026, 2, 10, 8)

const terms: NewAgreement = {
  name: 'Terms',
  link: 'https://a.example/terms',
  kind: 'TermsOfService',
  spdxId: '',
  text: { digest: 'd1', size: 5, retrievedAt: 1_000 },
}
const pricing: NewAgreement = {
  name: 'Prices',
  link: 'https://a.example/prices',
  kind: 'Pricing',
  spdxId: '',
  text: undefined,
}
const mit: NewAgreement = {
  name: 'MIT',
  link: 'https://license.example/mit',
  kind: 'InterfaceLicense',
  spdxId: '',
  text: undefined,
}

function enter(agreements: readonly NewAgreement[], more: Partial<EnteredAgreements> = {}) {
  const texts = new Map(agreements.flatMap(({ text }) => (text ? [[text.digest, 'words']] : [])))
  return { agreements, texts, by: ADA, at: AT, ...more } as EnteredAgreements
}

/** Describes the changes of links in order. */
function told(changes: readonly AgreementChange[]) {
  return changes.map(({ change, source, at, before, after }) => [
    change,
    source,
    (at - AT) / DAY_MS,
    before?.link,
    after?.link,
  ])
}

export function describeAgreements(withStorage: WithStorage): void {
  describe('agreements', () => {
    it('that were entered follow imported ones, and survive imports', () =>
      withStorage(async ({ storage }) => {
        const vendor = await saveSampleVendor(storage, 1)
        const { apiId } = await importSampleApi(storage, { vendor, api: 1, endpoints: 1 })
        const { agreements } = storage
        expect(await agreements.replaceEntered(apiId, enter([terms, pricing]))).toBe(true)
        const imported = {
          ...mit,
          source: 'imported',
          enteredBy: undefined,
          firstSeenAt: sampleApiRow(1).now,
          changedAt: sampleApiRow(1).now,
        }
        const dates = { source: 'entered', enteredBy: ADA, firstSeenAt: AT, changedAt: AT }
        expect(await agreements.listAgreements(apiId)).toEqual([
          imported,
          { ...terms, ...dates },
          { ...pricing, ...dates },
        ])
        expect(await agreements.listTexts(apiId)).toEqual(new Map([['d1', 'words']]))
        const moved = { name: 'MIT', link: 'https://license.example/moved', kind: mit.kind }
        const later = AT + DAY_MS
        await storage.imports.replaceApi(identityOf({ vendor, name: 'API 1' }), () => ({
          ...NO_CHANGE,
          api: { ...sampleApiRow(1), now: later },
          agreements: [{ ...moved, spdxId: 'MIT' }],
        }))
        expect(await agreements.listAgreements(apiId)).toEqual([
          { ...imported, ...moved, spdxId: 'MIT', changedAt: later },
          { ...terms, ...dates },
          { ...pricing, ...dates },
        ])
        expect(await storage.catalogue.listAgreements(apiId)).toEqual([
          moved,
          ...[terms, pricing].map(({ name, link, kind }) => ({ name, link, kind })),
        ])
        const other = await importSampleApi(storage, { vendor, api: 2, endpoints: 0 })
        const bare = await importSampleApi(storage, { vendor, api: 3, endpoints: 0 })
        await storage.imports.replaceApi(identityOf({ vendor, name: 'API 3' }), () => ({
          ...NO_CHANGE,
          agreements: [],
        }))
        const ids = [other.apiId, bare.apiId, apiId, 4_711]
        const ofApis = await storage.catalogue.listAgreementsOf(ids)
        expect([...ofApis.keys()].sort()).toEqual([apiId, other.apiId])
        for (const [id, links] of ofApis) {
          expect(links).toEqual(await storage.catalogue.listAgreements(id))
        }
        expect(told((await agreements.listChanges(apiId, { size: 10, page: 1 })).items)[0]).toEqual(
          ['changed', 'imported', 1, mit.link, moved.link],
        )
      }))

    it('that were entered override imported ones of the same kind and link', () =>
      withStorage(async ({ storage }) => {
        const vendor = await saveSampleVendor(storage, 1)
        const { apiId } = await importSampleApi(storage, { vendor, api: 1, endpoints: 1 })
        await storage.agreements.replaceEntered(apiId, enter([{ ...mit, name: 'Ours' }]))
        const [only, ...rest] = await storage.agreements.listAgreements(apiId)
        expect([only?.name, only?.source, rest]).toEqual(['Ours', 'entered', []])
        await storage.agreements.replaceEntered(apiId, enter([]))
        const [back, ...none] = await storage.agreements.listAgreements(apiId)
        expect([back?.name, back?.source, none]).toEqual(['MIT', 'imported', []])
      }))

    it('of other kinds are preserved on request, despite concurrent writes', () =>
      withStorage(async ({ storage }) => {
        const vendor = await saveSampleVendor(storage, 1)
        const { apiId } = await importSampleApi(storage, { vendor, api: 1, endpoints: 1 })
        const { agreements } = storage
        const keepsOtherKinds = true
        await Promise.all([
          agreements.replaceEntered(apiId, enter([terms], { retainsOtherKinds: keepsOtherKinds })),
          agreements.replaceEntered(
            apiId,
            enter([pricing], { retainsOtherKinds: keepsOtherKinds, by: BOB }),
          ),
        ])
        const bare = { ...terms, name: 'The terms', text: undefined }
        await agreements.replaceEntered(
          apiId,
          enter([bare], { retainsOtherKinds: keepsOtherKinds, at: AT + 5 }),
        )
        const dates = { source: 'entered', firstSeenAt: AT }
        expect((await agreements.listAgreements(apiId)).slice(1)).toEqual([
          { ...pricing, ...dates, enteredBy: BOB, changedAt: AT },
          { ...bare, text: terms.text, ...dates, enteredBy: ADA, changedAt: AT + 5 },
        ])
        expect(await agreements.listTexts(apiId)).toEqual(new Map([['d1', 'words']]))
      }))

    it('retain author and time until they change', () =>
      withStorage(async ({ storage }) => {
        const vendor = await saveSampleVendor(storage, 1)
        const { apiId } = await importSampleApi(storage, { vendor, api: 1, endpoints: 1 })
        const { agreements } = storage
        await agreements.replaceEntered(apiId, enter([terms, pricing]))
        const generation = await storage.catalogue.generation()
        await agreements.replaceEntered(apiId, enter([terms, pricing], { by: BOB, at: AT + 5 }))
        expect(await storage.catalogue.generation()).toBe(generation)
        const moved = { ...pricing, link: 'https://a.example/plans' }
        const at = AT + 2 * DAY_MS
        await agreements.replaceEntered(apiId, enter([moved], { by: BOB, at }))
        expect(await storage.catalogue.generation()).toBe(Number(generation) + 1)
        expect((await agreements.listAgreements(apiId)).slice(1)).toEqual([
          { ...moved, source: 'entered', enteredBy: BOB, firstSeenAt: AT, changedAt: at },
        ])
        expect(await agreements.listTexts(apiId)).toEqual(new Map())
        const { items, total } = await agreements.listChanges(apiId, { size: 3, page: 1 })
        expect([told(items), total]).toEqual([
          [
            ['removed', 'entered', 2, terms.link, undefined],
            ['changed', 'entered', 2, pricing.link, moved.link],
            ['added', 'entered', 0, undefined, terms.link],
          ],
          5,
        ])
        expect(items[0]).toEqual({
          apiId,
          change: 'removed',
          source: 'entered',
          by: BOB,
          at,
          before: terms,
          after: undefined,
        })
        const rest = await agreements.listChanges(apiId, { size: 3, page: 2 })
        expect([rest.items.length, rest.total]).toEqual([2, 5])
        expect(await agreements.listChanges(apiId, { size: 3, page: 3 })).toEqual({
          items: [],
          total: 5,
        })
      }))

    it('that changed within a range of days are found by API, with the newest of each', () =>
      withStorage(async ({ storage }) => {
        const vendor = await saveSampleVendor(storage, 1)
        const ids: number[] = []
        for (const api of [1, 2, 3]) {
          const { apiId } = await importSampleApi(storage, { vendor, api, endpoints: 1 })
          ids.push(apiId)
        }
        const [first = 0, second = 0, third = 0] = ids
        const { agreements, catalogue } = storage
        await agreements.replaceEntered(first, enter([terms, pricing]))
        await agreements.replaceEntered(second, enter([pricing], { at: AT + DAY_MS }))
        const on = (day: string) => ({ startDate: day, endDate: day })
        const found = await agreements.findChanges(ids, { ...on('2026-03-10'), limit: 1 })
        expect([...found].map(([id, changes]) => [id, told(changes)])).toEqual([
          [first, [['added', 'entered', 0, undefined, terms.link]]],
        ])
        expect(await agreements.findChanges([third], { ...on('2026-03-10'), limit: 9 })).toEqual(
          new Map(),
        )
        const listed = (day: string, withChangedAgreements?: boolean) =>
          collectPages(catalogue.listAddedApis({ ...on(day), withChangedAgreements }))
        expect(await listed('2026-03-11')).toEqual([])
        expect((await listed('2026-03-11', true)).map(({ id }) => id)).toEqual([second])
        expect(await listed('2026-03-12', true)).toEqual([])
      }))

    it('are removed with their API, and are rejected for an unknown one', () =>
      withStorage(async ({ storage }) => {
        const vendor = await saveSampleVendor(storage, 1)
        const { apiId } = await importSampleApi(storage, { vendor, api: 1, endpoints: 1 })
        const { agreements } = storage
        await agreements.replaceEntered(apiId, enter([terms]))
        await storage.catalogue.removeApi(String(apiId))
        expect(await agreements.listAgreements(apiId)).toEqual([])
        expect(await agreements.listTexts(apiId)).toEqual(new Map())
        expect(await agreements.listChanges(apiId, { size: 9, page: 1 })).toEqual({
          items: [],
          total: 0,
        })
        expect(await agreements.replaceEntered(apiId, enter([terms]))).toBe(false)
        expect(await agreements.listAgreements(apiId)).toEqual([])
      }))

    it('survive when an API known by name becomes the first described one', () =>
      withStorage(async ({ storage }) => {
        const vendor = await saveSampleVendor(storage, 1)
        const identity = { ...identityOf({ vendor, name: 'Named' }), majorVersion: '' }
        const row = { ...sampleApiRow(1), name: 'Named', majorVersion: '', encryptedId: 'named1' }
        const named = await storage.imports.replaceApi(identity, () => ({
          ...NO_CHANGE,
          api: { ...row, isDescribed: false },
        }))
        expect((await storage.catalogue.findApi('named1'))?.isDescribed).toBe(false)
        await storage.agreements.replaceEntered(named.apiId, enter([terms]))
        const described = await storage.imports.replaceApi(
          { ...identity, majorVersion: '3' },
          (existing) => ({
            ...NO_CHANGE,
            api: { ...row, majorVersion: '3', encryptedId: existing?.api.encryptedId ?? 'other' },
          }),
        )
        expect(described.apiId).toBe(named.apiId)
        const api = await storage.catalogue.findApi('named1')
        expect([api?.isDescribed, api?.majorVersion]).toEqual([true, '3'])
        expect(
          (await storage.agreements.listAgreements(named.apiId)).map(({ link }) => link),
        ).toEqual([terms.link])
      }))
  })
}
