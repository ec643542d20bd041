import { describe, expect, it } from 'vitest'
import {
  type AuthenticationLimits,
  createAuthenticator,
} from '../../../core/accounts/authenticator.ts'
import { generateKey } from '../../../core/accounts/keys.ts'
import type { AccountStore, ApiKeyRecord } from '../../../core/accounts/store.ts'
import { ServiceError } from '../../../core/errors.ts'
import { createMemoryAccounts } from '../../helpers/memory-accounts.ts'
import { createManualClock, createSeededRandom } from '../../helpers/random.ts'

const ADDRESS = '192.0.2.1'
const ACCOUNT = { id: 'acc_1', name: 'Ada' }

async function startAuthenticator(limits: AuthenticationLimits = {}) {
  const clock = createManualClock()
  const store = createMemoryAccounts()
  const random = createSeededRandom(7)
  const authenticator = createAuthenticator({ store, clock, limits })
  async function addKey(more: Partial<ApiKeyRecord> = {}) {
    const made = await generateKey(random)
    await store.saveKey(ACCOUNT, {
      id: made.id,
      name: 'test',
      hint: made.hint,
      hash: made.hash,
      sealed: '',
      scopes: ['read', 'call'],
      createdAt: clock(),
      expiresAt: undefined,
      revokedAt: undefined,
      lastUsedAt: undefined,
      ...more,
    })
    return made
  }
  const ask = async (apiKey: string | undefined, address = ADDRESS) =>
    authenticator.authenticate({ apiKey }, address)
  return { clock, store, random, authenticator, addKey, ask }
}

/** Returns the error of an attempt. Fails the test if the attempt succeeds. */
async function findServiceError(attempt: Promise<unknown>): Promise<ServiceError> {
  const outcome = await attempt.then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(outcome).toBeInstanceOf(ServiceError)
  return outcome as ServiceError
}

/** Wraps a store. A lookup reads at once, but returns its result only after `goOn`. */
function createSlowStore(store: AccountStore) {
  const { promise: hasRead, resolve: tellRead } = Promise.withResolvers<void>()
  const { promise: gate, resolve: goOn } = Promise.withResolvers<void>()
  const slowStore: Pick<AccountStore, 'findKeyByHash' | 'changeKey'> = {
    changeKey: store.changeKey,
    async findKeyByHash(hash) {
      const found = await store.findKeyByHash(hash)
      const read = found && { ...found }
      tellRead()
      await gate
      return read
    },
  }
  return { slowStore, hasRead, goOn }
}

const nextTimer = () => new Promise((resolve) => setTimeout(resolve, 5))

describe('authenticator', () => {
  it('returns account, scopes and key ID of a valid key in either header', async () => {
    const { addKey, authenticator } = await startAuthenticator()
    const { key, id } = await addKey()
    const caller = { account: ACCOUNT, scopes: new Set(['read', 'call']), keyId: id }
    expect(await authenticator.authenticate({ apiKey: key }, ADDRESS)).toEqual(caller)
    for (const authorization of [`Bearer ${key}`, `bearer  ${key}`]) {
      expect(await authenticator.authenticate({ authorization }, ADDRESS)).toEqual(caller)
      expect(await authenticator.authenticate({ apiKey: '', authorization }, ADDRESS)).toEqual(
        caller,
      )
    }
  })

  it('prefers the header api-key if both are sent', async () => {
    const { addKey, authenticator, random } = await startAuthenticator()
    const authorization = `Bearer ${(await addKey()).key}`
    const { key } = await generateKey(random)
    const asked = async () => authenticator.authenticate({ apiKey: key, authorization }, ADDRESS)
    expect((await findServiceError(asked())).code).toBe('unauthenticated')
  })

  it('rejects missing, malformed, unknown, revoked and expired keys with the same error', async () => {
    const { addKey, ask, authenticator, clock, random } = await startAuthenticator()
    const revoked = await addKey({ revokedAt: clock() - 1 })
    const revokedAhead = await addKey({ revokedAt: clock() + 5000 })
    const expired = await addKey({ expiresAt: clock() })
    const unknown = await generateKey(random)
    const basic = async () => authenticator.authenticate({ authorization: 'Basic YTpi' }, ADDRESS)
    const attempts = [basic(), ask(undefined), ask(''), ask('x'), ask(unknown.key)]
    for (const { key } of [revoked, revokedAhead, expired]) attempts.push(ask(key))
    for (const failure of await Promise.all(attempts.map(findServiceError))) {
      const { code, message, issues, retryAfter, extra, headers, cause } = failure
      expect({ code, message, issues, retryAfter, extra, headers, cause }).toEqual({
        code: 'unauthenticated',
        message: 'Cannot authenticate: the header api-key must contain a valid API key',
        issues: [],
        retryAfter: undefined,
        extra: {},
        headers: { 'www-authenticate': 'Bearer' },
        cause: undefined,
      })
    }
  })

  it('returns synchronously, without a store lookup, for a second after a lookup', async () => {
    const { addKey, authenticator, clock, store } = await startAuthenticator()
    const { key, id } = await addKey()
    await authenticator.authenticate({ apiKey: key }, ADDRESS)
    clock.advance(999)
    const caller = authenticator.authenticate({ apiKey: key }, ADDRESS)
    expect(caller).not.toBeInstanceOf(Promise)
    expect((await caller).keyId).toBe(id)
    expect(store.calls.find).toBe(1)
    clock.advance(1)
    expect(authenticator.authenticate({ apiKey: key }, ADDRESS)).toBeInstanceOf(Promise)
  })

  it('queries the store once for concurrent calls', async () => {
    const { addKey, ask, store } = await startAuthenticator()
    const { key } = await addKey()
    const callers = await Promise.all(Array.from({ length: 300 }, () => ask(key)))
    expect(new Set(callers.map(({ keyId }) => keyId)).size).toBe(1)
    expect(store.calls.find).toBe(1)
  })

  it('does not query the store for a key with a wrong checksum', async () => {
    const { addKey, ask, store } = await startAuthenticator()
    const { key } = await addKey()
    const last = key.endsWith('0') ? '1' : '0'
    await findServiceError(ask(key.slice(0, -1) + last))
    expect(store.calls.find).toBe(0)
  })

  it('rejects a key within a second of its revocation in another process', async () => {
    const { addKey, ask, clock, store } = await startAuthenticator()
    const { key, id } = await addKey()
    await ask(key)
    await store.changeKey(ACCOUNT, id, { revokedAt: clock() })
    clock.advance(1000)
    expect((await findServiceError(ask(key))).code).toBe('unauthenticated')
  })

  it('rejects a key at once after forget', async () => {
    const { addKey, ask, authenticator, clock, store } = await startAuthenticator()
    const [revoked, other] = [await addKey(), await addKey()]
    await Promise.all([ask(revoked.key), ask(other.key)])
    await store.changeKey(ACCOUNT, revoked.id, { revokedAt: clock() })
    authenticator.forget(revoked.id)
    expect((await findServiceError(ask(revoked.key))).code).toBe('unauthenticated')
    expect(authenticator.authenticate({ apiKey: other.key }, ADDRESS)).not.toBeInstanceOf(Promise)
  })

  it('does not cache a lookup that started before the key was forgotten', async () => {
    const { addKey, clock, store } = await startAuthenticator()
    const { key, id } = await addKey()
    const { slowStore, hasRead, goOn } = createSlowStore(store)
    const authenticator = createAuthenticator({ store: slowStore, clock })
    const ask = async () => authenticator.authenticate({ apiKey: key }, ADDRESS)
    const early = ask()
    await hasRead
    await store.changeKey(ACCOUNT, id, { revokedAt: clock() })
    authenticator.forget(id)
    // A request that arrives now must not share the pending lookup, which read the old key.
    const late = findServiceError(ask())
    goOn()
    expect(await early).toMatchObject({ keyId: id })
    expect((await late).code).toBe('unauthenticated')
    expect((await findServiceError(ask())).code).toBe('unauthenticated')
  })

  it('does not join a lookup older than a second', async () => {
    const { addKey, ask, clock, store } = await startAuthenticator()
    const { key } = await addKey()
    const slow = ask(key)
    clock.advance(1000)
    await Promise.all([slow, ask(key)])
    expect(store.calls.find).toBe(2)
  })

  it('rejects a key at the instant it expires', async () => {
    const { addKey, ask, clock } = await startAuthenticator()
    const { key } = await addKey({ expiresAt: clock() + 400 })
    await ask(key)
    clock.advance(399)
    await ask(key)
    clock.advance(1)
    expect((await findServiceError(ask(key))).code).toBe('unauthenticated')
  })

  it('queries the store again if the clock was set back', async () => {
    const { addKey, ask, clock, store } = await startAuthenticator()
    const { key } = await addKey()
    await ask(key)
    clock.advance(-3_600_000)
    await ask(key)
    expect(store.calls.find).toBe(2)
  })

  it('stores the last use once a minute, after the response', async () => {
    const { addKey, ask, clock, store } = await startAuthenticator()
    const { key } = await addKey()
    const first = clock()
    await ask(key)
    expect(store.calls.change).toBe(0)
    await nextTimer()
    expect((await store.listKeys(ACCOUNT)).map(({ lastUsedAt }) => lastUsedAt)).toEqual([first])
    for (let second = 0; second < 59; second += 1) {
      clock.advance(1000)
      await ask(key)
    }
    await nextTimer()
    expect(store.calls.change).toBe(1)
    clock.advance(1000)
    await ask(key)
    await nextTimer()
    expect((await store.listKeys(ACCOUNT)).map(({ lastUsedAt }) => lastUsedAt)).toEqual([
      first + 60_000,
    ])
  })

  it('logs a failure to store the last use without failing the call', async () => {
    const { addKey, clock, store } = await startAuthenticator()
    const { key, id } = await addKey()
    const events: unknown[] = []
    const authenticator = createAuthenticator({
      clock,
      store: {
        findKeyByHash: store.findKeyByHash,
        changeKey: async () => {
          throw new ServiceError('storage_unavailable', 'Cannot write: the storage does not answer')
        },
      },
      logger: { log: (...event) => events.push(event) },
    })
    expect((await authenticator.authenticate({ apiKey: key }, ADDRESS)).keyId).toBe(id)
    await nextTimer()
    expect(events).toEqual([
      ['warn', 'key_use_not_saved', { keyId: id, reason: 'storage_unavailable' }],
    ])
  })
})

describe('failed attempts per address', () => {
  it('are rejected with a delay after the burst', async () => {
    const { ask, clock, random } = await startAuthenticator({
      failureBurst: 3,
      failuresPerSecond: 0.1,
    })
    const codes: string[] = []
    for (let attempt = 0; attempt < 5; attempt += 1) {
      codes.push((await findServiceError(ask((await generateKey(random)).key))).code)
    }
    expect(codes).toEqual([
      ...Array(3).fill('unauthenticated'),
      ...Array(2).fill('too_many_requests'),
    ])
    const { code, retryAfter, message } = await findServiceError(ask('malformed'))
    expect({ code, retryAfter, message }).toEqual({
      code: 'too_many_requests',
      retryAfter: 10,
      message: 'Cannot authenticate: too many failed attempts from this address. Try again in 10 s',
    })
    clock.advance(10_000)
    expect((await findServiceError(ask('malformed'))).code).toBe('unauthenticated')
    expect((await findServiceError(ask('malformed'))).code).toBe('too_many_requests')
  })

  it('are counted if they are concurrent', async () => {
    const { ask, random } = await startAuthenticator({ failureBurst: 5 })
    const keys = await Promise.all(Array.from({ length: 50 }, () => generateKey(random)))
    const errors = await Promise.all(keys.map(({ key }) => findServiceError(ask(key))))
    expect(errors.filter(({ code }) => code === 'unauthenticated')).toHaveLength(5)
  })

  it('do not include requests without a key', async () => {
    const { ask } = await startAuthenticator({ failureBurst: 1 })
    for (let attempt = 0; attempt < 5; attempt += 1) {
      expect((await findServiceError(ask(undefined))).code).toBe('unauthenticated')
    }
  })

  it('do not include valid keys', async () => {
    const { addKey, ask, clock, authenticator } = await startAuthenticator({ failureBurst: 1 })
    const { key } = await addKey()
    for (let second = 0; second < 5; second += 1) {
      await ask(key)
      clock.advance(1000)
    }
    expect(authenticator.sizes.addresses).toBe(0)
  })

  it('do not delay valid keys, cached or not', async () => {
    const { addKey, ask, clock, random } = await startAuthenticator({ failureBurst: 3 })
    const [known, fresh] = [await addKey(), await addKey()]
    await ask(known.key)
    for (let attempt = 0; attempt < 130; attempt += 1) await findServiceError(ask('malformed'))
    const unknown = (await generateKey(random)).key
    expect((await findServiceError(ask(unknown))).code).toBe('too_many_requests')
    expect((await ask(fresh.key)).keyId).toBe(fresh.id)
    clock.advance(5000)
    expect((await ask(known.key)).keyId).toBe(known.id)
  })

  it('are not reduced by a valid key', async () => {
    const { addKey, ask } = await startAuthenticator({ failureBurst: 1, failuresPerSecond: 0.001 })
    const { key } = await addKey()
    await findServiceError(ask('malformed'))
    await ask(key)
    expect((await findServiceError(ask('malformed'))).code).toBe('too_many_requests')
  })

  it('include revoked and expired keys', async () => {
    const { addKey, ask, clock, store } = await startAuthenticator({
      failureBurst: 1,
      failuresPerSecond: 0.001,
    })
    const { key, id } = await addKey()
    await ask(key)
    await store.changeKey(ACCOUNT, id, { revokedAt: clock() })
    clock.advance(1000)
    expect((await findServiceError(ask(key))).code).toBe('unauthenticated')
    expect((await findServiceError(ask(key))).code).toBe('too_many_requests')
  })

  it('do not include lookups in which the store failed', async () => {
    const { addKey, clock, store } = await startAuthenticator()
    const { key } = await addKey()
    const authenticator = createAuthenticator({
      clock,
      store: {
        changeKey: store.changeKey,
        findKeyByHash: async () => {
          throw new ServiceError('storage_unavailable', 'Cannot read: the storage does not answer')
        },
      },
    })
    const asked = async () => authenticator.authenticate({ apiKey: key }, ADDRESS)
    expect((await findServiceError(asked())).code).toBe('storage_unavailable')
    expect(authenticator.sizes).toEqual({ verified: 0, known: 0, lookups: 0, addresses: 0 })
  })
})
