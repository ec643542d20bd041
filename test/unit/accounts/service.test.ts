import { describe, expect, it } from 'vitest'
import { createAuthenticator } from '../../../core/accounts/authenticator.ts'
import { createSealer } from '../../../core/accounts/sealer.ts'
import { createAccounts, type KeyRequest } from '../../../core/accounts/service.ts'
import { ServiceError } from '../../../core/errors.ts'
import { createMemoryAccounts } from '../../helpers/memory-accounts.ts'
import { createManualClock, createSeededRandom, strongRandom } from '../../helpers/random.ts'

const DAY = 86_400_000
const [OLD, NEW] = [strongRandom(32), strongRandom(32)]

async function startAccounts() {
  const clock = createManualClock()
  const store = createMemoryAccounts()
  const authenticator = createAuthenticator({ store, clock })
  const deps = { store, clock, random: createSeededRandom(9), forget: authenticator.forget }
  const accounts = createAccounts({
    ...deps,
    sealer: createSealer({ current: OLD }, strongRandom),
  })
  const account = await accounts.createAccount('Ada')
  const authenticate = async (apiKey: string) => authenticator.authenticate({ apiKey }, '192.0.2.1')
  const addKey = (more: Partial<KeyRequest> = {}) =>
    accounts.createKey({ account, name: 'laptop', scopes: ['read'], ...more })
  return { accounts, account, addKey, authenticate, clock, deps, store }
}

/** Returns code and message of the error of an attempt. */
async function failureOf(attempt: Promise<unknown>): Promise<unknown> {
  return attempt.catch((error: unknown) =>
    error instanceof ServiceError ? [error.code, error.message] : error,
  )
}

describe('accounts', () => {
  it('are created, found by ID or name, and listed', async () => {
    const { accounts, account, clock } = await startAccounts()
    expect(account).toEqual({ id: expect.stringMatching(/^acc_[0-9A-Za-z]{22}$/), name: 'Ada' })
    expect(await accounts.getAccount(account.id)).toEqual(account)
    expect(await accounts.getAccount('ADA')).toEqual(account)
    expect(await accounts.listAccounts()).toEqual([{ ...account, createdAt: clock() }])
  })

  it('have unique names', async () => {
    const { accounts } = await startAccounts()
    expect(await failureOf(accounts.createAccount(' ada '))).toEqual([
      'conflict',
      'Cannot create the account "ada": it already exists',
    ])
    expect(await failureOf(accounts.getAccount('Bob'))).toEqual([
      'not_found',
      'Account "Bob" not found',
    ])
  })

  it('have displayable names that cannot be mistaken for IDs', async () => {
    const { accounts } = await startAccounts()
    const rule = 'it must have 1 to 100 characters and no control characters'
    for (const name of ['', ' \t', 'a\nb', 'a\u0000', 'a\u202eb', '\ud800']) {
      expect(await failureOf(accounts.createAccount(name))).toEqual([
        'invalid_input',
        `Invalid account name ${JSON.stringify(name.trim())}: ${rule}`,
      ])
    }
    expect(await failureOf(accounts.createAccount('x'.repeat(101)))).toEqual([
      'invalid_input',
      `Invalid account name "${'x'.repeat(100)}…": ${rule}`,
    ])
    expect(await failureOf(accounts.createAccount('ACC_1'))).toEqual([
      'invalid_input',
      'Invalid account name "ACC_1": it must not start with acc_ or key_',
    ])
    expect((await accounts.createAccount(' Zoe\u0301 山田 ')).name).toBe('Zo\u00e9 山田')
  })
})

describe('keys', () => {
  it('are returned in plain once, work, and are listed without hash and sealed copy', async () => {
    const { accounts, account, addKey, authenticate, clock } = await startAccounts()
    const { key, record } = await addKey({ scopes: ['admin', 'read', 'read'], expiresInMs: DAY })
    expect(record).toEqual({
      id: expect.stringMatching(/^key_[0-9A-Za-z]{22}$/),
      account,
      name: 'laptop',
      hint: `adk_live_…${key.slice(-4)}`,
      scopes: ['read', 'admin'],
      createdAt: clock(),
      expiresAt: clock() + DAY,
      revokedAt: undefined,
      lastUsedAt: undefined,
    })
    expect(await accounts.listKeys(account)).toEqual([record])
    expect(await accounts.listKeys()).toEqual([record])
    expect(await authenticate(key)).toEqual({
      account,
      scopes: new Set(['read', 'admin']),
      keyId: record.id,
    })
  })

  it('can be read again by their account only', async () => {
    const { accounts, account, addKey } = await startAccounts()
    const { key, record } = await addKey()
    expect(await accounts.readKey({ account, keyId: record.id })).toBe(key)
    const other = await accounts.createAccount('Bob')
    for (const reference of [
      { account: other, keyId: record.id },
      { account, keyId: 'key_absent' },
    ]) {
      const missing = ['not_found', `API key "${reference.keyId}" not found`]
      expect(await failureOf(accounts.readKey(reference))).toEqual(missing)
      expect(await failureOf(accounts.rotateKey(reference))).toEqual(missing)
      expect(await failureOf(accounts.revokeKey(reference))).toEqual(missing)
    }
    expect(await accounts.listKeys(other)).toEqual([])
  })

  it('cannot be read again if no copy is stored', async () => {
    const { accounts, account, addKey, store } = await startAccounts()
    const keyId = (await addKey()).record.id
    await store.changeKey(account, keyId, { sealed: '' })
    expect(await failureOf(accounts.readKey({ account, keyId }))).toEqual([
      'not_found',
      'Cannot show the key: no copy of it is stored',
    ])
  })

  it('require known scopes and a valid expiry', async () => {
    const { addKey, store } = await startAccounts()
    const scopes = 'choose one or more of read, call, import, ingest, review, benchmark, admin'
    expect(await failureOf(addKey({ scopes: [] }))).toEqual([
      'invalid_input',
      `Cannot create a key with no scopes: ${scopes}`,
    ])
    const unknown = JSON.parse('["read", "root"]') as KeyRequest['scopes']
    expect(await failureOf(addKey({ scopes: unknown }))).toEqual([
      'invalid_input',
      `Cannot create a key with the scope "root": ${scopes}`,
    ])
    for (const expiresInMs of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 3651 * DAY]) {
      expect(await failureOf(addKey({ expiresInMs }))).toEqual([
        'invalid_input',
        'Cannot create the key: it must expire within 3650 days',
      ])
    }
    expect(await store.listKeys(undefined)).toEqual([])
  })
})

describe('rotating a key', () => {
  it('creates a key with the same name, scopes and lifetime, and expires the old one after a day', async () => {
    const { accounts, account, addKey, authenticate, clock } = await startAccounts()
    const old = await addKey({ scopes: ['call'], expiresInMs: 90 * DAY })
    clock.advance(30 * DAY)
    const made = await accounts.rotateKey({ account, keyId: old.record.id })
    expect(made.record).toEqual({
      ...old.record,
      id: made.record.id,
      hint: `adk_live_…${made.key.slice(-4)}`,
      createdAt: clock(),
      expiresAt: clock() + 90 * DAY,
    })
    expect((await authenticate(old.key)).keyId).toBe(old.record.id)
    clock.advance(DAY - 1)
    expect((await authenticate(old.key)).keyId).toBe(old.record.id)
    expect((await authenticate(made.key)).keyId).toBe(made.record.id)
    clock.advance(1)
    expect(await failureOf(authenticate(old.key))).toContain('unauthenticated')
    expect((await authenticate(made.key)).keyId).toBe(made.record.id)
  })

  it('expires the old key at once without an overlap', async () => {
    const { accounts, account, addKey, authenticate } = await startAccounts()
    const old = await addKey()
    await authenticate(old.key)
    const made = await accounts.rotateKey({ account, keyId: old.record.id, overlapMs: 0 })
    expect(await failureOf(authenticate(old.key))).toContain('unauthenticated')
    expect(made.record.expiresAt).toBeUndefined()
  })

  it('never extends the old key', async () => {
    const { accounts, account, addKey, clock } = await startAccounts()
    const { record } = await addKey({ expiresInMs: 1000 })
    await accounts.rotateKey({ account, keyId: record.id })
    expect((await accounts.listKeys(account)).map(({ expiresAt }) => expiresAt)).toEqual([
      clock() + 1000,
      clock() + 1000,
    ])
  })

  it('is rejected for revoked and expired keys, and for an invalid overlap', async () => {
    const { accounts, account, addKey, clock } = await startAccounts()
    const revoked = { account, keyId: (await addKey()).record.id }
    const expired = { account, keyId: (await addKey({ expiresInMs: 5 })).record.id }
    const live = { account, keyId: (await addKey()).record.id }
    await accounts.revokeKey(revoked)
    clock.advance(5)
    for (const reference of [revoked, expired]) {
      expect(await failureOf(accounts.rotateKey(reference))).toEqual([
        'conflict',
        'Cannot rotate the key: it is revoked or expired',
      ])
    }
    for (const overlapMs of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(await failureOf(accounts.rotateKey({ ...live, overlapMs }))).toEqual([
        'invalid_input',
        'Cannot rotate the key: the overlap must be between 0 and 3650 days',
      ])
    }
    expect(await accounts.listKeys(account)).toHaveLength(3)
  })
})

describe('revoking a key', () => {
  it('takes effect at once, permanently, and retains its first date', async () => {
    const { accounts, account, addKey, authenticate, clock } = await startAccounts()
    const { key, record } = await addKey()
    await authenticate(key)
    const revokedAt = clock()
    await accounts.revokeKey({ account, keyId: record.id })
    expect(await failureOf(authenticate(key))).toContain('unauthenticated')
    clock.advance(5000)
    await accounts.revokeKey({ account, keyId: record.id })
    expect((await accounts.listKeys(account)).map((each) => each.revokedAt)).toEqual([revokedAt])
  })
})

describe('rotating the secret', () => {
  it('reseals every copy once, so that the old secret can be removed', async () => {
    const { account, accounts, addKey, deps, store } = await startAccounts()
    const made = [await addKey(), await addKey()]
    await store.changeKey(account, (await addKey()).record.id, { sealed: '' })
    const both = createSealer({ current: NEW, previous: OLD }, strongRandom)
    const during = createAccounts({ ...deps, sealer: both })
    expect(await during.rewrapSecrets()).toEqual({ rewrapped: 2, failed: [] })
    expect(await during.rewrapSecrets()).toEqual({ rewrapped: 0, failed: [] })
    const after = createAccounts({
      ...deps,
      sealer: createSealer({ current: NEW }, strongRandom),
    })
    for (const { key, record } of made) {
      expect(await after.readKey({ account, keyId: record.id })).toBe(key)
      expect(await failureOf(accounts.readKey({ account, keyId: record.id }))).toEqual([
        'internal',
        'Cannot open a sealed text: it was sealed with another secret. Restore the secret file that belongs to the database, or the earlier API_DISCOVERY_SECRET',
      ])
    }
  })

  it('reports keys whose copies cannot be opened, and reseals the others', async () => {
    const { account, addKey, deps, store } = await startAccounts()
    const [broken, whole] = [await addKey(), await addKey()]
    await store.changeKey(account, broken.record.id, { sealed: 'v1.broken' })
    const both = createSealer({ current: NEW, previous: OLD }, strongRandom)
    const during = createAccounts({ ...deps, sealer: both })
    expect(await during.rewrapSecrets()).toEqual({ rewrapped: 1, failed: [broken.record.id] })
    expect(await during.readKey({ account, keyId: whole.record.id })).toBe(whole.key)
  })
})
