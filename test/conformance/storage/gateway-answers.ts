import { describe, expect, it } from 'vitest'
import type { FullStorage } from '../../../core/ports/storage.ts'
import type { WithStorage } from '../storage.ts'
import {
  ADA,
  BOB,
  fillGateway,
  sampleAnswer,
  sampleCall,
  sampleCredential,
  sampleRecording,
  takeGatewaySnapshot,
} from './gateway-samples.ts'
import {
  identityOf,
  importSampleApi,
  NO_CHANGE,
  sampleEndpoint,
  saveSampleVendor,
} from './samples.ts'
import { TEXTS, toClean } from './texts.ts'

const FIRST = { size: 100, page: 1 }

export function describeAnswers(withStorage: WithStorage, more: readonly string[]): void {
  describe('recordings', () => {
    it('are listed page by page without bodies, newest first, and found with them', () =>
      withStorage(async ({ storage: { gateway } }) => {
        const saved = [
          sampleRecording(1),
          sampleRecording(3, { body: undefined, mediaType: '', headers: [] }),
          sampleRecording(2, { body: '' }),
          sampleRecording(4, { recordedAt: sampleRecording(2).recordedAt }),
        ] as const
        for (const recording of saved) await gateway.saveRecording(ADA, recording, 10)
        const listed = saved.map(({ body: _, ...recording }) => recording)
        const expected = [listed[1], listed[3], listed[2], listed[0]]
        expect(await gateway.listRecordings(ADA, FIRST)).toEqual({ items: expected, total: 4 })
        expect(await gateway.listRecordings(ADA, { size: 3, page: 2 })).toEqual({
          items: [listed[0]],
          total: 4,
        })
        const beyond = await gateway.listRecordings(ADA, { size: 3, page: 3 })
        expect(beyond).toEqual({ items: [], total: 4 })
        for (const recording of saved) {
          expect(await gateway.findRecording(ADA, recording.id)).toEqual(recording)
        }
        expect(await gateway.findRecording(ADA, 'recording9')).toBeUndefined()
        expect(await gateway.removeRecording(ADA, 'recording3')).toBe(true)
        expect(await gateway.removeRecording(ADA, 'recording3')).toBe(false)
        expect((await gateway.listRecordings(ADA, FIRST)).total).toBe(3)
      }))

    it('are limited per account, evicting the oldest', () =>
      withStorage(async ({ storage: { gateway } }) => {
        await gateway.saveRecording(BOB, sampleRecording(1), 3)
        for (const number of [5, 1, 4, 2, 3, 6]) {
          await gateway.saveRecording(ADA, sampleRecording(number), 3)
        }
        const idsOf = async (account = ADA) =>
          (await gateway.listRecordings(account, FIRST)).items.map(({ id }) => id)
        expect(await idsOf()).toEqual(['recording6', 'recording5', 'recording4'])
        await gateway.saveRecording(ADA, sampleRecording(7), 2)
        expect(await idsOf()).toEqual(['recording7', 'recording6'])
        await gateway.saveRecording(ADA, sampleRecording(8), 0)
        expect(await idsOf()).toEqual([])
        expect(await idsOf(BOB)).toEqual(['recording1'])
      }))

    it('are limited under concurrent saves as well', (context) =>
      withStorage(async ({ storage, reopen }) => {
        if (!reopen) return context.skip('this storage is opened once only')
        const other = await reopen()
        try {
          await Promise.all(
            Array.from({ length: 40 }, (_, number) =>
              (number % 2 === 0 ? storage : other).gateway.saveRecording(
                ADA,
                sampleRecording(number),
                5,
              ),
            ),
          )
          const { items, total } = await storage.gateway.listRecordings(ADA, FIRST)
          expect([items.length, total]).toEqual([5, 5])
        } finally {
          await other.close()
        }
      }))

    it('have unique IDs, and are isolated by account', () =>
      withStorage(async ({ storage: { gateway } }) => {
        await gateway.saveRecording(ADA, sampleRecording(1), 10)
        const again = gateway.saveRecording(ADA, sampleRecording(1, { body: 'other' }), 10)
        await expect(again).rejects.toMatchObject({ name: 'ServiceError', code: 'conflict' })
        expect(await gateway.findRecording(BOB, 'recording1')).toBeUndefined()
        expect(await gateway.removeRecording(BOB, 'recording1')).toBe(false)
        expect(await gateway.listRecordings(BOB, FIRST)).toEqual({ items: [], total: 0 })
        await gateway.saveRecording(BOB, sampleRecording(1, { body: 'own' }), 10)
        expect(await gateway.findRecording(ADA, 'recording1')).toEqual(sampleRecording(1))
      }))

    it('store texts of every kind', () =>
      withStorage(async ({ storage: { gateway } }) => {
        for (const [number, text] of [...TEXTS, ...more].slice(0, 100).entries()) {
          const fill = (filling: string) =>
            sampleRecording(number, {
              body: filling,
              mediaType: filling,
              headers: [[filling, filling]],
            })
          await gateway.saveRecording(ADA, fill(text), 100)
          expect(await gateway.findRecording(ADA, `recording${number}`)).toEqual(
            fill(toClean(text)),
          )
        }
      }))
  })

  describe('published responses', () => {
    it('replace each other for an endpoint, and change the revision', () =>
      withStorage(async ({ storage }) => {
        const { gateway, catalogue } = storage
        const [first, second] = await importTwo(storage)
        expect(await gateway.findPublishedResponse(first.id)).toBeUndefined()
        const revisions = [await catalogue.revision()]
        const noteRevision = async () => revisions.push(await catalogue.revision())
        const answer = sampleAnswer(first)
        await gateway.publishResponse(answer)
        await noteRevision()
        expect(await gateway.findPublishedResponse(first.id)).toEqual(answer)
        expect(await gateway.findPublishedHeaders([second.id, first.id, 4_711])).toEqual(
          new Map([[first.id, answer.headers]]),
        )
        expect(await gateway.findPublishedHeaders([])).toEqual(new Map())
        const next = sampleAnswer(first, { body: undefined, headers: [], status: 404 })
        await gateway.publishResponse(next)
        await noteRevision()
        expect(await gateway.findPublishedResponse(first.id)).toEqual(next)
        expect(await gateway.findPublishedResponse(second.id)).toBeUndefined()
        expect(await gateway.removePublishedResponse(second.id)).toBe(false)
        expect(await catalogue.revision()).toBe(revisions.at(-1))
        expect(await gateway.removePublishedResponse(first.id)).toBe(true)
        await noteRevision()
        expect(await gateway.removePublishedResponse(first.id)).toBe(false)
        expect(await gateway.findPublishedResponse(first.id)).toBeUndefined()
        expect(new Set(revisions).size).toBe(4)
      }))

    it('are rejected for unknown endpoints', () =>
      withStorage(async ({ storage }) => {
        const { gateway, catalogue } = storage
        const [first] = await importTwo(storage)
        const revision = await catalogue.revision()
        await expect(
          gateway.publishResponse(sampleAnswer({ ...first, id: 4_711 })),
        ).rejects.toMatchObject({ name: 'ServiceError', code: 'not_found' })
        expect(await gateway.removePublishedResponse(4_711)).toBe(false)
        expect(await gateway.findPublishedResponse(4_711)).toBeUndefined()
        expect(await catalogue.revision()).toBe(revision)
      }))

    it('survive re-imports of their endpoint, and its temporary removal', () =>
      withStorage(async ({ storage }) => {
        const { gateway, imports, catalogue } = storage
        const [first, second, identity] = await importTwo(storage)
        await gateway.publishResponse(sampleAnswer(first))
        const changed = sampleEndpoint({ api: 1, endpoint: 0, description: 'Changed' })
        await imports.replaceApi(identity, () => ({
          ...NO_CHANGE,
          changed: [{ ...changed, id: first.id }],
        }))
        expect(await gateway.findPublishedResponse(first.id)).toEqual(sampleAnswer(first))
        await imports.replaceApi(identity, () => ({ ...NO_CHANGE, removed: [first.id] }))
        expect(await gateway.findPublishedResponse(first.id)).toBeUndefined()
        expect(await gateway.removePublishedResponse(first.id)).toBe(false)
        await imports.replaceApi(identity, () => ({ ...NO_CHANGE, added: [changed] }))
        const back = await catalogue.findEndpoint(first.shortId)
        expect(back?.id === first.id).toBe(false)
        expect(await gateway.findPublishedResponse(back?.id ?? 0)).toEqual(
          sampleAnswer({ ...first, id: back?.id ?? 0 }),
        )
        expect(await gateway.findPublishedResponse(second.id)).toBeUndefined()
      }))
  })

  describe('gateway data', () => {
    it('persists when the database is reopened', (context) =>
      withStorage(async ({ storage, reopen }) => {
        if (!reopen) return context.skip('this storage is opened once only')
        await importTwo(storage)
        await fillGateway(storage)
        const kept = await takeGatewaySnapshot(storage)
        const counts = Object.values(kept).map((each) =>
          'total' in each ? each.total : each.length,
        )
        expect(counts).toEqual([1, 1, 1, 1, 1, 1, 1])
        const other = await reopen()
        try {
          expect(await takeGatewaySnapshot(other)).toEqual(kept)
        } finally {
          await other.close()
        }
      }))
  })

  describe('a removed API', () => {
    it('loses its credentials, recordings and responses, and nothing else', () =>
      withStorage(async ({ storage }) => {
        const { gateway, catalogue } = storage
        const [first] = await importTwo(storage)
        const other = first.apiId + 1
        const ofVendor = sampleCredential(2, { vendorId: first.apiId })
        const ofOther = sampleCredential(3, { apiId: other })
        for (const account of [ADA, BOB]) {
          const ofApi = sampleCredential(1, { apiId: first.apiId })
          for (const each of [ofApi, ofVendor, ofOther]) await gateway.saveCredential(account, each)
          await gateway.saveRecording(account, sampleRecording(1, { apiId: first.apiId }), 10)
          await gateway.saveRecording(account, sampleRecording(2, { apiId: other }), 10)
        }
        const call = sampleCall(1, { apiId: first.apiId })
        await gateway.saveCalls([{ ...call, account: ADA }])
        await gateway.publishResponse(sampleAnswer(first))
        expect(await catalogue.removeApi(String(first.apiId))).toBe(true)
        for (const account of [ADA, BOB]) {
          expect(await gateway.listCredentials(account)).toEqual([ofVendor, ofOther])
          const { items } = await gateway.listRecordings(account, FIRST)
          expect(items.map(({ id }) => id)).toEqual(['recording2'])
        }
        expect(await gateway.listCalls(ADA, FIRST)).toEqual({ items: [call], total: 1 })
        const [again] = await importTwo(storage)
        expect(await gateway.findPublishedResponse(again.id)).toBeUndefined()
      }))
  })
}

/** Imports an API of two endpoints; returns both and the API's identity. */
async function importTwo(storage: FullStorage) {
  const vendor =
    (await storage.catalogue.findVendor('Vendor 1')) ?? (await saveSampleVendor(storage, 1))
  const { apiId } = await importSampleApi(storage, { vendor, api: 1, endpoints: 2 })
  const [first, second] = await storage.catalogue.listApiEndpoints(apiId)
  if (!first || !second) throw new Error('The API has two endpoints')
  return [first, second, identityOf({ vendor, name: 'API 1' })] as const
}
