import { describe, expect, it } from 'vitest'
import type { Credential } from '../../../core/gateway/records.ts'
import type { WithStorage } from '../storage.ts'
import { ADA, BOB, sampleCredential } from './gateway-samples.ts'
import { TEXTS, toClean } from './texts.ts'

export function describeCredentials(withStorage: WithStorage, more: readonly string[]): void {
  describe('credentials', () => {
    it('are listed in order of creation, and found by target, API first', () =>
      withStorage(async ({ storage: { gateway } }) => {
        const ofVendor = sampleCredential(1, { vendorId: 5 })
        const ofApi = sampleCredential(2, { apiId: 9, kind: 'OAuth2', name: '', ...OAUTH })
        const ofOtherApi = sampleCredential(3, { apiId: 5 })
        const ofOtherVendor = sampleCredential(4, { vendorId: 9 })
        const nextOfVendor = sampleCredential(5, { vendorId: 5 })
        const nextOfApi = sampleCredential(6, { apiId: 9 })
        const all = [ofVendor, ofApi, ofOtherApi, ofOtherVendor, nextOfVendor, nextOfApi]
        for (const credential of all) await gateway.saveCredential(ADA, credential)
        expect(await gateway.listCredentials(ADA)).toEqual(all)
        const find = async (apiId: number, vendorId: number) =>
          await gateway.findCredentials(ADA, { apiId, vendorId })
        expect(await find(9, 5)).toEqual([ofApi, nextOfApi, ofVendor, nextOfVendor])
        expect(await find(5, 9)).toEqual([ofOtherApi, ofOtherVendor])
        expect(await find(9, 1)).toEqual([ofApi, nextOfApi])
        expect(await find(1, 9)).toEqual([ofOtherVendor])
        expect(await find(1, 1)).toEqual([])
      }))

    it('replace one of the same target, kind and name, and retain its ID', () =>
      withStorage(async ({ storage: { gateway } }) => {
        const place = { apiId: 9, vendorId: undefined, kind: 'header', name: 'X-Key' } as const
        expect(await gateway.findCredentialId(ADA, place)).toBeUndefined()
        const first = sampleCredential(1, place)
        await gateway.saveCredential(ADA, first)
        await gateway.saveCredential(ADA, sampleCredential(2))
        expect(await gateway.findCredentialId(ADA, { ...place, name: 'x-kEY' })).toBe(first.id)
        const next = { ...sampleCredential(3, place), id: first.id, name: 'x-key' }
        await gateway.saveCredential(ADA, next)
        expect(await gateway.listCredentials(ADA)).toEqual([
          { ...next, createdAt: first.createdAt },
          sampleCredential(2),
        ])
        const others = [
          { ...place, name: 'X-Other' },
          { ...place, kind: 'query' },
          { ...place, apiId: 8 },
          { ...place, apiId: undefined, vendorId: 9 },
        ] as const
        for (const other of others) {
          expect(await gateway.findCredentialId(ADA, other)).toBeUndefined()
        }
        for (const [index, other] of others.entries()) {
          await gateway.saveCredential(ADA, sampleCredential(10 + index, other))
          expect(await gateway.findCredentialId(ADA, other)).toBe(`credential${10 + index}`)
        }
      }))

    it('are rejected with an ID that differs from the replaced one, or is in use', () =>
      withStorage(async ({ storage: { gateway } }) => {
        await gateway.saveCredential(ADA, sampleCredential(1))
        const conflict = { name: 'ServiceError', code: 'conflict' }
        const sameplace = { ...sampleCredential(1), id: 'other', sealed: 'x' }
        await expect(gateway.saveCredential(ADA, sameplace)).rejects.toMatchObject(conflict)
        const sameId = { ...sampleCredential(2), id: 'credential1' }
        await expect(gateway.saveCredential(ADA, sameId)).rejects.toMatchObject(conflict)
        const long = sampleCredential(3, { apiId: 3, name: 'x'.repeat(501) })
        await expect(gateway.saveCredential(ADA, long)).rejects.toMatchObject({
          name: 'ServiceError',
          code: 'invalid_input',
        })
        expect(await gateway.listCredentials(ADA)).toEqual([sampleCredential(1)])
      }))

    it('saved concurrently for one target remain a single, consistent one', (context) =>
      withStorage(async ({ storage, reopen }) => {
        if (!reopen) return context.skip('this storage is opened once only')
        const other = await reopen()
        try {
          const tried = Array.from({ length: 12 }, (_, number) =>
            sampleCredential(number, { apiId: 9, name: 'X-Key' }),
          )
          const results = await Promise.allSettled(
            tried.map((credential, index) =>
              (index % 2 === 0 ? storage : other).gateway.saveCredential(ADA, credential),
            ),
          )
          const saved = tried.filter((_, index) => results[index]?.status === 'fulfilled')
          expect(saved.length).toBe(1)
          expect(await storage.gateway.listCredentials(ADA)).toEqual(saved)
        } finally {
          await other.close()
        }
      }))

    it('are re-encrypted, and removed by ID', () =>
      withStorage(async ({ storage: { gateway } }) => {
        await gateway.saveCredential(ADA, sampleCredential(1))
        await gateway.saveCredential(ADA, sampleCredential(2))
        await gateway.saveCredential(BOB, sampleCredential(1))
        const [first] = await gateway.listSealedCredentials()
        expect(await gateway.listSealedCredentials()).toEqual([
          { accountId: ADA.id, id: 'credential1', sealed: 'v1.sealed1' },
          { accountId: ADA.id, id: 'credential2', sealed: 'v1.sealed2' },
          { accountId: BOB.id, id: 'credential1', sealed: 'v1.sealed1' },
        ])
        const change = { from: first?.sealed ?? '', to: 'v1.new' }
        expect(await gateway.replaceSealed(ADA, 'credential1', change)).toBe(true)
        // Another secret may be stored while the old one is re-encrypted.
        expect(await gateway.replaceSealed(ADA, 'credential1', change)).toBe(false)
        expect(await gateway.replaceSealed(ADA, 'credential9', change)).toBe(false)
        const changed = { ...sampleCredential(1), sealed: 'v1.new' }
        expect(await gateway.listCredentials(ADA)).toEqual([changed, sampleCredential(2)])
        expect(await gateway.removeCredential(ADA, 'credential2')).toBe(true)
        expect(await gateway.removeCredential(ADA, 'credential2')).toBe(false)
        expect(await gateway.listCredentials(ADA)).toEqual([changed])
      }))

    it('are isolated by account, even with equal IDs and targets', () =>
      withStorage(async ({ storage: { gateway } }) => {
        await gateway.saveCredential(ADA, sampleCredential(1))
        const target = { apiId: 1, vendorId: 1 }
        expect(await gateway.listCredentials(BOB)).toEqual([])
        expect(await gateway.findCredentials(BOB, target)).toEqual([])
        expect(await gateway.findCredentialId(BOB, sampleCredential(1))).toBeUndefined()
        const change = { from: sampleCredential(1).sealed, to: 'x' }
        expect(await gateway.replaceSealed(BOB, 'credential1', change)).toBe(false)
        expect(await gateway.removeCredential(BOB, 'credential1')).toBe(false)
        const own = { ...sampleCredential(1), sealed: 'v1.bob' }
        await gateway.saveCredential(BOB, own)
        expect(await gateway.findCredentials(ADA, target)).toEqual([sampleCredential(1)])
        expect(await gateway.findCredentials(BOB, target)).toEqual([own])
        await gateway.removeCredential(BOB, 'credential1')
        expect(await gateway.listCredentials(ADA)).toEqual([sampleCredential(1)])
      }))

    it('store texts of every kind', () =>
      withStorage(async ({ storage: { gateway } }) => {
        const saved: Credential[] = []
        for (const [index, text] of [...TEXTS, ...more].entries()) {
          if (text.toLowerCase().length > 500) continue
          const credential = withText(sampleCredential(index, { apiId: index + 1 }), text)
          await gateway.saveCredential(ADA, credential)
          const stored = withText(credential, toClean(text))
          saved.push(stored)
          expect(await gateway.findCredentialId(ADA, stored)).toBe(stored.id)
          const target = { apiId: index + 1, vendorId: 1 }
          expect(await gateway.findCredentials(ADA, target)).toEqual([stored])
        }
        expect(await gateway.listCredentials(ADA)).toEqual(saved)
      }))
  })
}

const OAUTH = { tokenUrl: 'https://id.example/token', oauthScope: 'read write', origins: [] }

/** Sets all text members of a credential to the text. */
function withText(credential: Credential, text: string): Credential {
  const texts = { name: text, tokenUrl: text, oauthScope: text, sealed: text }
  return { ...credential, ...texts, origins: [text, text] }
}
