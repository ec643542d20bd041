import { describe, expect, it } from 'vitest'
import type { FullStorage } from '../../../core/ports/storage.ts'
import type { Account } from '../../../core/shared/account.ts'
import type { SessionRecord, StoredUser } from '../../../core/users/store.ts'
import type { WithStorage } from '../storage.ts'

const ZOE: Account = { id: 'zoe-1', name: 'Zoe' }
const ANN: Account = { id: 'ann-1', name: 'Ann' }
const NOBODY: Account = { id: 'nobody', name: 'Nobody' }

/** Users and their sessions. Invitations are in `user-invitations.ts`. */
export function describeUsers(withStorage: WithStorage): void {
  describe('users', () => {
    it('are found by ID or name, and listed in order of creation', () =>
      withStorage(async ({ storage }) => {
        const { users } = storage
        await saveAccounts(storage)
        const [first, second] = [sampleUser(2), { ...sampleUser(1, ANN), lastLoginAt: 9 }]
        expect(await users.saveUser(first)).toEqual(withoutPassword(first))
        expect(await users.saveUser(second)).toEqual(withoutPassword(second))
        expect(await users.findUser('usr-2')).toEqual(first)
        expect(await users.findUser(' USER  2')).toEqual(first)
        expect(await users.findUser('user 3')).toBeUndefined()
        expect(await users.listUsers(undefined)).toEqual([
          withoutPassword(first),
          withoutPassword(second),
        ])
        expect(await users.listUsers(ANN)).toEqual([withoutPassword(second)])
        expect(await users.listUsers(NOBODY)).toEqual([])
      }))

    it('are found by ID before another user of that name', () =>
      withStorage(async ({ storage }) => {
        await saveAccounts(storage)
        await storage.users.saveUser({ ...sampleUser(1), name: 'usr-2' })
        await storage.users.saveUser(sampleUser(2))
        expect(await storage.users.findUser('usr-2')).toEqual(sampleUser(2))
      }))

    it('have unique names across accounts, and an account', () =>
      withStorage(async ({ storage }) => {
        const { users } = storage
        await saveAccounts(storage)
        await users.saveUser(sampleUser(1))
        expect(await users.saveUser({ ...sampleUser(2, ANN), name: 'ÚSER 1' })).toBeUndefined()
        expect(await users.saveUser({ ...sampleUser(2), id: 'usr-1' })).toBeUndefined()
        await expect(users.saveUser(sampleUser(2, NOBODY))).rejects.toMatchObject({
          code: 'not_found',
        })
        await expect(
          users.saveUser({ ...sampleUser(2), name: 'x'.repeat(501) }),
        ).rejects.toMatchObject({ code: 'invalid_input' })
        expect(await users.listUsers(undefined)).toEqual([withoutPassword(sampleUser(1))])
      }))

    it('change their scopes, including sessions', () =>
      withStorage(async ({ storage }) => {
        const { users } = storage
        await saveAccounts(storage)
        await users.saveUser(sampleUser(1))
        await users.openSession(sampleSession(1), verified(1))
        expect(await users.changeScopes('usr-1', ['call', 'admin'])).toBe(true)
        expect(await users.changeScopes('usr-2', ['call'])).toBe(false)
        const changed = {
          ...withoutPassword(sampleUser(1)),
          scopes: ['call', 'admin'],
          lastLoginAt: 1,
        }
        expect(await users.listUsers(undefined)).toEqual([changed])
        expect((await users.findSession('session-1'))?.user).toEqual(changed)
      }))

    it('start sessions, which record the login and may update the hash', () =>
      withStorage(async ({ storage }) => {
        const { users } = storage
        await saveAccounts(storage)
        await users.saveUser(sampleUser(1))
        await users.saveUser(sampleUser(2))
        expect(await users.openSession(sampleSession(1), verified(1))).toBe(true)
        expect(await users.findSession('session-1')).toEqual({
          session: sampleSession(1),
          user: { ...withoutPassword(sampleUser(1)), lastLoginAt: 1 },
        })
        const renewed = { ...verified(1), newHash: 'renewed' }
        expect(await users.openSession({ ...sampleSession(2), userId: 'usr-1' }, renewed)).toBe(
          true,
        )
        expect(await users.findUser('usr-1')).toEqual({
          ...sampleUser(1),
          lastLoginAt: 2,
          passwordHash: 'renewed',
        })
        expect(await users.findUser('usr-2')).toEqual(sampleUser(2))
        expect(await users.findSession('session-3')).toBeUndefined()
        expect(await users.findSession('')).toBeUndefined()
      }))

    it('start no session with an outdated password', () =>
      withStorage(async ({ storage }) => {
        const { users } = storage
        await saveAccounts(storage)
        await users.saveUser(sampleUser(1))
        const renewed = { verifiedHash: 'former', newHash: 'renewed' }
        expect(await users.openSession(sampleSession(1), renewed)).toBe(false)
        expect(await users.openSession(sampleSession(2), verified(2))).toBe(false)
        expect(await users.findSession('session-1')).toBeUndefined()
        expect(await users.findUser('usr-1')).toEqual(sampleUser(1))
      }))

    it('use and end their sessions', () =>
      withStorage(async ({ storage }) => {
        const { users } = storage
        await saveAccounts(storage)
        await users.saveUser(sampleUser(1))
        for (const n of [1, 2]) {
          await users.openSession({ ...sampleSession(n), userId: 'usr-1' }, verified(1))
        }
        await users.touchSession('session-1', 70)
        await users.touchSession('session-1', 60)
        await users.touchSession('session-9', 60)
        const used = { ...sampleSession(1), lastSeenAt: 70 }
        expect((await users.findSession('session-1'))?.session).toEqual(used)
        await users.removeSession('session-1')
        await users.removeSession('session-1')
        expect(await users.findSession('session-1')).toBeUndefined()
        expect(await users.findSession('session-2')).toBeDefined()
      }))

    it('end all sessions but one with a new password', () =>
      withStorage(async ({ storage }) => {
        const { users } = storage
        await saveAccounts(storage)
        await users.saveUser(sampleUser(1))
        await users.saveUser(sampleUser(2))
        for (const n of [1, 3]) {
          await users.openSession({ ...sampleSession(n), userId: 'usr-1' }, verified(1))
        }
        await users.openSession(sampleSession(2), verified(2))
        const change = { userId: 'usr-1', newHash: 'new', tokenHash: 'session-3' }
        expect(await users.changePassword({ ...change, oldHash: 'former' })).toBe(false)
        expect(await users.findSession('session-1')).toBeDefined()
        expect(await users.changePassword({ ...change, oldHash: 'hash-1' })).toBe(true)
        expect(await findAll(storage, [1, 2, 3])).toEqual([false, true, true])
        expect((await users.findUser('usr-1'))?.passwordHash).toBe('new')
        expect((await users.findUser('usr-2'))?.passwordHash).toBe('hash-2')
      }))

    it('are removed with their sessions', () =>
      withStorage(async ({ storage }) => {
        const { users } = storage
        await saveAccounts(storage)
        for (const n of [1, 2]) {
          await users.saveUser(sampleUser(n))
          await users.openSession(sampleSession(n), verified(n))
        }
        expect(await users.removeUser('usr-1')).toBe(true)
        expect(await users.removeUser('usr-1')).toBe(false)
        expect(await findAll(storage, [1, 2])).toEqual([false, true])
        expect(await users.findUser('user 1')).toBeUndefined()
        expect(await users.saveUser(sampleUser(1))).toEqual(withoutPassword(sampleUser(1)))
      }))

    it('lose expired sessions', () =>
      withStorage(async ({ storage }) => {
        const { users } = storage
        await saveAccounts(storage)
        await users.saveUser(sampleUser(1))
        const spans = [
          [10, 100],
          [11, 99],
          [11, 100],
        ] as const
        for (const [index, [lastSeenAt, expiresAt]] of spans.entries()) {
          const session = { ...sampleSession(index), userId: 'usr-1', lastSeenAt, expiresAt }
          await users.openSession(session, verified(1))
        }
        expect(await users.sweepUsers({ expired: 99, seen: 10 })).toBe(2)
        expect(await findAll(storage, [0, 1, 2])).toEqual([false, false, true])
        expect(await users.sweepUsers({ expired: 99, seen: 10 })).toBe(0)
      }))
  })
}

/** Creates a user; default account: Zoe. */
export function sampleUser(n: number, account: Account = ZOE): StoredUser {
  return {
    id: `usr-${n}`,
    name: `User ${n}`,
    account,
    scopes: ['read', 'admin'],
    createdAt: n,
    lastLoginAt: undefined,
    passwordHash: `hash-${n}`,
  }
}

export async function saveAccounts(storage: FullStorage): Promise<void> {
  for (const account of [ZOE, ANN]) await storage.accounts.saveAccount({ ...account, createdAt: 5 })
}

/** Removes fields that are never shown. */
function withoutPassword({ passwordHash: _, ...user }: StoredUser) {
  return user
}

/** Creates a session of the user with the same number. */
export function sampleSession(n: number): SessionRecord {
  return {
    tokenHash: `session-${n}`,
    userId: `usr-${n}`,
    createdAt: n,
    lastSeenAt: n,
    expiresAt: 1000,
  }
}

export function verified(n: number) {
  return { verifiedHash: `hash-${n}` }
}

async function findAll(
  storage: FullStorage,
  numbers: readonly number[],
): Promise<readonly boolean[]> {
  const found = numbers.map((n) => storage.users.findSession(`session-${n}`))
  return (await Promise.all(found)).map((session) => session !== undefined)
}
