import { describe, expect, it } from 'vitest'
import type { FullStorage } from '../../../core/ports/storage.ts'
import type { WithStorage } from '../storage.ts'
import { sampleKey } from './samples.ts'

export function describeAccounts(withStorage: WithStorage): void {
  describe('accounts', () => {
    it('are found by ID or name, and listed in order of creation', () =>
      withStorage(async ({ storage }) => {
        const saved = await saveTwo(storage)
        expect(saved).toEqual([ZOE, ANN])
        const { accounts } = storage
        expect(await accounts.saveAccount({ id: 'x', name: ' ZOE', createdAt: 3 })).toBeUndefined()
        expect(await accounts.saveAccount({ ...ANN, name: 'Other', createdAt: 3 })).toBeUndefined()
        expect(await accounts.findAccount('zoe-1')).toEqual(ZOE)
        expect(await accounts.findAccount('Zoe ')).toEqual(ZOE)
        expect(await accounts.findAccount('nobody')).toBeUndefined()
        expect(await accounts.listAccounts()).toEqual([
          { ...ZOE, createdAt: 5 },
          { ...ANN, createdAt: 5 },
        ])
      }))

    it('are found by ID before another account of that name', () =>
      withStorage(async ({ storage }) => {
        await storage.accounts.saveAccount({ id: 'first', name: 'second', createdAt: 1 })
        await storage.accounts.saveAccount({ id: 'second', name: 'third', createdAt: 1 })
        expect(await storage.accounts.findAccount('second')).toEqual({
          id: 'second',
          name: 'third',
        })
      }))

    it('have keys, which are found by hash', () =>
      withStorage(async ({ storage }) => {
        await saveTwo(storage)
        const keys = [
          { ...sampleKey(1), expiresAt: 7, lastUsedAt: 8 },
          { ...sampleKey(2), revokedAt: 9, scopes: [] },
        ] as const
        await storage.accounts.saveKey(ZOE, keys[0])
        await storage.accounts.saveKey(ANN, keys[1])
        expect(await storage.accounts.findKeyByHash(keys[0].hash)).toEqual({
          account: ZOE,
          key: keys[0],
        })
        expect(await storage.accounts.findKeyByHash(keys[1].hash)).toEqual({
          account: ANN,
          key: keys[1],
        })
        expect(await storage.accounts.findKeyByHash('')).toBeUndefined()
        expect(await storage.accounts.findKeyByHash(`${keys[0].hash}\0`.slice(1))).toBeUndefined()
        expect(await storage.accounts.listKeys(undefined)).toEqual([
          { ...keys[0], account: ZOE },
          { ...keys[1], account: ANN },
        ])
      }))

    it('have no access to the keys of other accounts', () =>
      withStorage(async ({ storage }) => {
        await saveTwo(storage)
        await storage.accounts.saveKey(ZOE, sampleKey(1))
        expect(await storage.accounts.listKeys(ANN)).toEqual([])
        expect(await storage.accounts.changeKey(ANN, 'key1', { revokedAt: 1 })).toBe(false)
        expect(await storage.accounts.changeKey(ANN, 'key1', {})).toBe(false)
        expect(await storage.accounts.changeKey(NOBODY, 'key1', { revokedAt: 1 })).toBe(false)
        expect(await storage.accounts.listKeys(ZOE)).toEqual([{ ...sampleKey(1), account: ZOE }])
      }))

    it('change only the passed fields of a key', () =>
      withStorage(async ({ storage }) => {
        await saveTwo(storage)
        const { accounts } = storage
        await accounts.saveKey(ZOE, { ...sampleKey(1), expiresAt: 7 })
        await accounts.saveKey(ZOE, sampleKey(2))
        expect(await accounts.changeKey(ZOE, 'key1', { lastUsedAt: 11 })).toBe(true)
        expect(await accounts.changeKey(ZOE, 'key1', { revokedAt: 12, sealed: 'new' })).toBe(true)
        expect(await accounts.changeKey(ZOE, 'key1', {})).toBe(true)
        expect(await accounts.changeKey(ZOE, 'key9', { revokedAt: 12 })).toBe(false)
        const changed = {
          ...sampleKey(1),
          expiresAt: 7,
          lastUsedAt: 11,
          revokedAt: 12,
          sealed: 'new',
        }
        expect(await accounts.listKeys(ZOE)).toEqual([
          { ...changed, account: ZOE },
          { ...sampleKey(2), account: ZOE },
        ])
        expect(await accounts.changeKey(ZOE, 'key1', { expiresAt: undefined })).toBe(true)
        expect(await accounts.findKeyByHash(changed.hash)).toEqual({
          account: ZOE,
          key: { ...changed, expiresAt: undefined },
        })
      }))

    it('are required for a key, whose ID and hash are unique', () =>
      withStorage(async ({ storage }) => {
        await saveTwo(storage)
        const { accounts } = storage
        await accounts.saveKey(ZOE, sampleKey(1))
        const conflict = { name: 'ServiceError', code: 'conflict' }
        await expect(accounts.saveKey(NOBODY, sampleKey(2))).rejects.toMatchObject({
          name: 'ServiceError',
          code: 'not_found',
        })
        const sameHash = { ...sampleKey(2), hash: sampleKey(1).hash }
        await expect(accounts.saveKey(ANN, sameHash)).rejects.toMatchObject(conflict)
        const sameId = { ...sampleKey(2), id: 'key1' }
        await expect(accounts.saveKey(ZOE, sameId)).rejects.toMatchObject(conflict)
        expect(await accounts.listKeys(undefined)).toEqual([{ ...sampleKey(1), account: ZOE }])
      }))
  })
}

const ZOE = { id: 'zoe-1', name: 'Zoe' }
const ANN = { id: 'ann-1', name: 'Ann' }
const NOBODY = { id: 'nobody', name: 'Nobody' }

async function saveTwo(storage: FullStorage) {
  return [
    await storage.accounts.saveAccount({ ...ZOE, createdAt: 5 }),
    await storage.accounts.saveAccount({ ...ANN, createdAt: 5 }),
  ]
}
