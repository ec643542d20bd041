import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { beginRotation, finishRotation, openSecrets } from '../../adapters/secret/secret-file.ts'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import { createAuthenticator } from '../../core/accounts/authenticator.ts'
import { createSealer, type Secrets } from '../../core/accounts/sealer.ts'
import { createAccounts } from '../../core/accounts/service.ts'
import type { FullStorage } from '../../core/ports/storage.ts'
import { createManualClock, strongRandom } from '../helpers/random.ts'

let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keys-'))
})

afterEach(() => rm(folder, { recursive: true, force: true }))

const openStorage = () => openSqlite({ file: join(folder, 'catalogue.db') })
const openSecret = () => openSecrets({ environment: {}, file: join(folder, 'secret') })
const clock = createManualClock()

function serve(storage: FullStorage, secrets: Secrets) {
  const store = storage.accounts
  const authenticator = createAuthenticator({ store, clock })
  const { forget } = authenticator
  const sealer = createSealer(secrets, strongRandom)
  const accounts = createAccounts({ store, clock, random: strongRandom, sealer, forget })
  const authenticate = async (apiKey: string) => authenticator.authenticate({ apiKey }, '192.0.2.1')
  return { accounts, authenticate }
}

describe('keys in a database on disk', () => {
  it('are not in any of its files in plain, work after it is reopened, and can be read', async () => {
    const storage = await openStorage()
    const { accounts, authenticate } = serve(storage, await openSecret())
    const account = await accounts.createAccount('Ada')
    const { key, record } = await accounts.createKey({ account, name: 'x', scopes: ['read'] })
    const rotated = await accounts.rotateKey({ account, keyId: record.id })
    await authenticate(key)
    const live = await readDatabaseFiles()
    await storage.close()
    const closed = await readDatabaseFiles()
    for (const plain of [key, rotated.key]) {
      const secret = plain.slice('adk_live_'.length, -4)
      for (const part of [secret.slice(0, 12), secret.slice(-12)]) {
        expect(live).not.toContain(part)
        expect(closed).not.toContain(part)
      }
    }
    expect(closed).toContain(record.id)

    const again = await openStorage()
    const service = serve(again, await openSecret())
    expect(await service.authenticate(rotated.key)).toEqual({
      account,
      scopes: new Set(['read']),
      keyId: rotated.record.id,
    })
    expect(await service.accounts.readKey({ account, keyId: record.id })).toBe(key)
    await again.close()
  })

  it('are rejected within a second after revocation over another connection', async () => {
    const [here, there] = [await openStorage(), await openStorage()]
    const secrets = await openSecret()
    const [ours, theirs] = [serve(here, secrets), serve(there, secrets)]
    const account = await ours.accounts.createAccount('Ada')
    const { key, record } = await ours.accounts.createKey({ account, name: 'x', scopes: ['read'] })
    expect((await theirs.authenticate(key)).keyId).toBe(record.id)
    await ours.accounts.revokeKey({ account, keyId: record.id })
    clock.advance(1000)
    await expect(theirs.authenticate(key)).rejects.toMatchObject({ code: 'unauthenticated' })
    await Promise.all([here.close(), there.close()])
  })

  it('remain readable during a rotation of the secret file', async () => {
    const storage = await openStorage()
    const before = serve(storage, await openSecret()).accounts
    const account = await before.createAccount('Ada')
    const { key, record } = await before.createKey({ account, name: 'x', scopes: ['read'] })
    const during = serve(storage, await beginRotation(join(folder, 'secret'))).accounts
    expect(await during.rewrapSecrets()).toEqual({ rewrapped: 1, failed: [] })
    await finishRotation(join(folder, 'secret'))
    const after = serve(storage, await openSecret()).accounts
    expect(await after.readKey({ account, keyId: record.id })).toBe(key)
    await storage.close()
  })
})

/** Reads the database files, one character per byte. */
async function readDatabaseFiles(): Promise<string> {
  const names = (await readdir(folder)).filter((name) => name.startsWith('catalogue.db'))
  const files = names.map((name) => readFile(join(folder, name), 'latin1'))
  return (await Promise.all(files)).join('\n')
}
