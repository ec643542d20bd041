import { describe, expect, it } from 'vitest'
import { openSqlite } from '../../../adapters/storage/sqlite.ts'
import { createSealer } from '../../../core/accounts/sealer.ts'
import {
  createSealedSecrets,
  rewrapCredentials,
} from '../../../core/gateway/credentials/sealed-secrets.ts'
import { ADA, BOB, sampleCredential } from '../../conformance/storage/gateway-samples.ts'
import { createManualClock, createSeededRandom } from '../../helpers/random.ts'

const random = createSeededRandom(4)
const [OLD, NEW] = [random(32), random(32)]
const before = createSealer({ current: OLD }, random)
const during = createSealer({ current: NEW, previous: OLD }, random)
const after = createSealer({ current: NEW }, random)

async function openFilledStorage() {
  const storage = await openSqlite({ file: ':memory:' })
  const seals = createSealedSecrets(before, createManualClock())
  for (const account of [ADA, BOB]) {
    for (const number of [1, 2]) {
      const credential = sampleCredential(number)
      const secret = { value: `${account.id} ${number}`, user: '' }
      const sealed = await seals.seal(account, credential.id, secret)
      await storage.gateway.saveCredential(account, { ...credential, sealed })
    }
  }
  return storage
}

describe('credentials during a secret rotation', () => {
  it('are all resealed once, and open with the new secret only', async () => {
    const storage = await openFilledStorage()
    const { gateway: store } = storage
    expect(await rewrapCredentials({ store, sealer: during })).toEqual({ rewrapped: 4, failed: [] })
    expect(await rewrapCredentials({ store, sealer: during })).toEqual({ rewrapped: 0, failed: [] })
    const seals = createSealedSecrets(after, createManualClock())
    for (const account of [ADA, BOB]) {
      const all = await store.listCredentials(account)
      const opened = await Promise.all(all.map((credential) => seals.open(account, credential)))
      expect(opened.map(({ value }) => value)).toEqual([`${account.id} 1`, `${account.id} 2`])
      expect(all.map(({ sealed: _, ...credential }) => credential)).toEqual(
        [1, 2].map(sampleWithoutSealed),
      )
    }
    await storage.close()
  })

  it('are reported if they do not open, and stay unchanged', async () => {
    const storage = await openFilledStorage()
    const { gateway: store } = storage
    const [first] = await store.listSealedCredentials()
    if (!first) throw new Error('There are four')
    await store.replaceSealed({ id: first.accountId }, first.id, { from: first.sealed, to: 'lost' })
    expect(await rewrapCredentials({ store, sealer: during })).toEqual({
      rewrapped: 3,
      failed: ['credential1'],
    })
    const [kept] = await store.listSealedCredentials()
    expect(kept?.sealed).toBe('lost')
    await storage.close()
  })

  it('do not reappear if accounts store others at the same time', async () => {
    const storage = await openFilledStorage()
    const { gateway } = storage
    const store = {
      listSealedCredentials: () => gateway.listSealedCredentials(),
      async replaceSealed(...[account, id, change]: Parameters<typeof gateway.replaceSealed>) {
        const stored = { ...sampleCredential(id === 'credential1' ? 1 : 2), sealed: 'stored now' }
        await gateway.saveCredential({ ...account, name: '' }, stored)
        return gateway.replaceSealed(account, id, change)
      },
    }
    expect(await rewrapCredentials({ store, sealer: during })).toEqual({ rewrapped: 0, failed: [] })
    const sealed = (await gateway.listSealedCredentials()).map((each) => each.sealed)
    expect(new Set(sealed)).toEqual(new Set(['stored now']))
    await storage.close()
  })
})

function sampleWithoutSealed(number: number) {
  const { sealed: _, ...credential } = sampleCredential(number)
  return credential
}
