import { describe, expect, it } from 'vitest'
import type { FullStorage } from '../../../core/ports/storage.ts'
import type { WithStorage } from '../storage.ts'
import {
  collectPages,
  identityOf,
  importSampleApi,
  NO_CHANGE,
  sampleApiRow,
  sampleChange,
  sampleEndpoint,
  sampleKey,
  sampleVendor,
  saveSampleVendor,
  takeSnapshot,
} from './samples.ts'

/** Imports of each of two concurrent writers. */
const WRITES = 200

export function describeTransactions(withStorage: WithStorage): void {
  describe('transactions', () => {
    it('increase the generation with every change of the catalogue, and only then', () =>
      withStorage(async ({ storage, has }) => {
        expect(await storage.catalogue.generation()).toBe(0)
        const vendor = await saveSampleVendor(storage, 1)
        expect(await storage.catalogue.generation()).toBe(1)
        await storage.catalogue.saveVendor(sampleVendor(1))
        if (has('accounts', 'saveAccount')) {
          await storage.accounts.saveAccount({ id: 'a', name: 'A', createdAt: 1 })
        }
        expect(await storage.catalogue.generation()).toBe(1)
        const first = await importSampleApi(storage, { vendor, api: 1, endpoints: 2 })
        expect([first.generation, await storage.catalogue.generation()]).toEqual([2, 2])
        const identity = identityOf({ vendor, name: 'API 1' })
        expect(await storage.imports.replaceApi(identity, () => NO_CHANGE)).toEqual(first)
        expect(await storage.catalogue.generation()).toBe(2)
        if (!has('catalogue', 'removeApi')) return
        expect(await storage.catalogue.removeApi('4711')).toBe(false)
        expect(await storage.catalogue.generation()).toBe(2)
        await storage.catalogue.removeApi(first.encryptedId)
        expect(await storage.catalogue.generation()).toBe(3)
      }))

    it('change the revision with every change of the catalogue, and only then', () =>
      withStorage(async ({ storage }) => {
        const before = await storage.catalogue.revision()
        const vendor = await saveSampleVendor(storage, 1)
        const withVendor = await storage.catalogue.revision()
        await storage.catalogue.saveVendor(sampleVendor(1))
        expect(await storage.catalogue.revision()).toBe(withVendor)
        await importSampleApi(storage, { vendor, api: 1, endpoints: 2 })
        const withApi = await storage.catalogue.revision()
        expect(new Set([before, withVendor, withApi]).size).toBe(3)
        for (const name of [before, withVendor, withApi]) {
          expect(name).toMatch(/^[\w-]{1,40}$/)
        }
      }))

    it('leave no data when the decision or the index fails', () =>
      withStorage(async ({ storage, has }) => {
        const vendor = await saveSampleVendor(storage, 1)
        await importSampleApi(storage, { vendor, api: 1, endpoints: 3 })
        const before = await takeSnapshot({ storage, has })
        const identity = identityOf({ vendor, name: 'API 1' })
        const failure = new Error('No')
        const fail = () => {
          throw failure
        }
        await expect(storage.imports.replaceApi(identity, fail)).rejects.toBe(failure)
        const change = { ...sampleChange({ api: 1, endpoints: 0 }), postings: fail }
        await expect(
          storage.imports.replaceApi(identity, (existing) => ({
            ...change,
            added: [sampleEndpoint({ api: 1, endpoint: 50 })],
            removed: existing?.endpoints.map(({ id }) => id) ?? [],
          })),
        ).rejects.toBe(failure)
        const other = identityOf({ vendor, name: 'API 2' })
        await expect(
          storage.imports.replaceApi(other, () => ({ ...change, api: sampleApiRow(2) })),
        ).rejects.toBe(failure)
        expect(await takeSnapshot({ storage, has })).toEqual(before)
        await importSampleApi(storage, { vendor, api: 2, endpoints: 1 })
      }))

    it('of concurrent callers are serialised', () =>
      withStorage(async ({ storage }) => {
        const vendor = await saveSampleVendor(storage, 1)
        const identity = identityOf({ vendor, name: 'API 1' })
        let created = 0
        const results = await Promise.all(
          Array.from({ length: 16 }, () =>
            storage.imports.replaceApi(identity, (existing) => {
              if (existing) return NO_CHANGE
              created += 1
              return sampleChange({ api: 1, endpoints: 30 })
            }),
          ),
        )
        expect(created).toBe(1)
        expect(new Set(results.map(({ apiId }) => apiId)).size).toBe(1)
        expect((await collectPages(storage.catalogue.listEndpoints())).length).toBe(30)
      }))

    it('of two writers on one database are all committed', (context) =>
      withStorage(async ({ storage, reopen }) => {
        if (!reopen) return context.skip('this storage is opened once only')
        const other = await reopen()
        try {
          const vendor = await saveSampleVendor(storage, 1)
          await Promise.all([write(storage, 0), write(other, 1)])
          const accounts = await storage.accounts.listAccounts()
          expect(accounts.length).toBe(2 * WRITES)
          expect(await other.accounts.listAccounts()).toEqual(accounts)
          const { total } = await other.catalogue.listApis({}, { size: 1, page: 1 })
          expect(total).toBe(2 * WRITES)
          const endpoints = await collectPages(storage.catalogue.listEndpoints())
          expect(new Set(endpoints.map(({ id }) => id)).size).toBe(2 * WRITES)
          expect(await storage.catalogue.generation()).toBe(1 + 2 * WRITES)

          async function write(to: FullStorage, writer: number): Promise<void> {
            for (let number = writer; number < 2 * WRITES; number += 2) {
              await importSampleApi(to, { vendor, api: number, endpoints: 1 })
              const id = `account${number}`
              await to.accounts.saveAccount({ id, name: id, createdAt: number })
            }
          }
        } finally {
          await other.close()
        }
      }))

    it('persist when the database is reopened', (context) =>
      withStorage(async ({ storage, reopen, has }) => {
        if (!reopen) return context.skip('this storage is opened once only')
        const vendor = await saveSampleVendor(storage, 1)
        await importSampleApi(storage, { vendor, api: 1, endpoints: 3 })
        const account = { id: 'a', name: 'A' }
        await storage.accounts.saveAccount({ ...account, createdAt: 1 })
        await storage.accounts.saveKey(account, sampleKey(1))
        const before = await takeSnapshot({ storage, has })
        const other = await reopen()
        try {
          expect(await takeSnapshot({ storage: other, has })).toEqual(before)
        } finally {
          await other.close()
        }
      }))

    it('are rejected with a clear error after the storage was closed', (context) =>
      withStorage(async ({ reopen }) => {
        if (!reopen) return context.skip('this storage is opened once only')
        const other = await reopen()
        await other.close()
        await other.close()
        await expect(
          (async () => other.accounts.saveAccount({ id: 'a', name: 'A', createdAt: 1 }))(),
        ).rejects.toMatchObject({ name: 'ServiceError', code: 'storage_unavailable' })
        await expect(other.ping()).rejects.toMatchObject({ name: 'ServiceError' })
        await expect((async () => other.checkWrite())()).rejects.toMatchObject({
          name: 'ServiceError',
        })
      }))

    it('are probed by a check without effect', () =>
      withStorage(async ({ storage, has }) => {
        const before = await takeSnapshot({ storage, has })
        await storage.checkWrite()
        expect(await takeSnapshot({ storage, has })).toEqual(before)
      }))
  })
}
