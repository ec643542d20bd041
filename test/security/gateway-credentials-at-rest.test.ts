import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import { createSealer } from '../../core/accounts/sealer.ts'
import { ADA, BOB, sampleCredential } from '../conformance/storage/gateway-samples.ts'
import { makeFolder } from '../helpers/folder.ts'
import { strongRandom } from '../helpers/random.ts'

const SECRET = 'correct-horse-battery-staple'

describe('target credentials in a database on disk', () => {
  it('are not in any of its files in plain, whether live, closed or replaced', async () => {
    const folder = await makeFolder()
    const file = folder.pathOf('catalogue.db')
    const sealer = createSealer({ current: strongRandom(32) }, strongRandom)
    const contextOf = (accountId: string, recordId: string) => ({
      purpose: 'gateway-credential',
      accountId,
      recordId,
    })
    const storage = await openSqlite({ file })
    const { gateway } = storage
    for (const account of [ADA, BOB]) {
      const credential = sampleCredential(1)
      const text = JSON.stringify({ value: `${SECRET}-${account.id}` })
      for (let turn = 0; turn < 3; turn += 1) {
        const sealed = await sealer.seal(text, contextOf(account.id, credential.id))
        await gateway.saveCredential(account, { ...credential, sealed })
      }
    }
    const parts = [SECRET, SECRET.slice(0, 12), SECRET.slice(-12), btoa(SECRET).slice(0, 12)]
    const expectNone = async () => {
      const bytes = await readAllFiles(folder.pathOf(''))
      expect(bytes).toContain('X-Key-1')
      for (const part of parts) expect(bytes).not.toContain(part)
    }
    await expectNone()
    const target = { apiId: 1, vendorId: 1 }
    const [ofAda] = await gateway.findCredentials(ADA, target)
    const [ofBob] = await gateway.findCredentials(BOB, target)
    if (!ofAda || !ofBob) throw new Error('Both have one')
    expect(await sealer.open(ofAda.sealed, contextOf(ADA.id, ofAda.id))).toBe(
      JSON.stringify({ value: `${SECRET}-${ADA.id}` }),
    )
    // An attacker who can write to the database can swap rows, but gains nothing.
    const swap = { from: ofAda.sealed, to: ofBob.sealed }
    expect(await gateway.replaceSealed(ADA, ofAda.id, swap)).toBe(true)
    const [swapped] = await gateway.findCredentials(ADA, target)
    expect(swapped?.sealed).toBe(ofBob.sealed)
    await expect(
      sealer.open(swapped?.sealed ?? '', contextOf(ADA.id, ofAda.id)),
    ).rejects.toMatchObject({ name: 'ServiceError', code: 'internal' })
    await gateway.removeCredential(ADA, ofAda.id)
    await storage.close()
    await expectNone()
    await folder.remove()
  })
})

/** Reads all files in the folder, one character per byte. */
async function readAllFiles(folder: string): Promise<string> {
  const names = await readdir(folder)
  const files = names.map((name) => readFile(`${folder}/${name}`, 'latin1'))
  return (await Promise.all(files)).join('\n')
}
