import { describe, expect, it } from 'vitest'
import type { Invitation } from '../../../core/users/records.ts'
import type { WithStorage } from '../storage.ts'
import { sampleSession, sampleUser, saveAccounts, verified } from './users.ts'

const ZOE = { id: 'zoe-1', name: 'Zoe' }
const ANN = { id: 'ann-1', name: 'Ann' }
const NOBODY = { id: 'nobody', name: 'Nobody' }
const TRIES = 100

/** Single-use invitation and password links. */
export function describeInvitations(withStorage: WithStorage): void {
  describe('invitations', () => {
    it('are found by token, and listed in order of creation while they are valid', () =>
      withStorage(async ({ storage }) => {
        const { users } = storage
        await saveAccounts(storage)
        await users.saveUser(sampleUser(1, ANN))
        const [invite, reset] = [sampleInvite(1), sampleReset(2)]
        await users.saveInvitation({ ...invite, tokenHash: 'token-1' })
        await users.saveInvitation({ ...reset, tokenHash: 'token-2' })
        expect(await users.findInvitation('token-1')).toEqual(invite)
        expect(await users.findInvitation('token-2')).toEqual(reset)
        expect(await users.findInvitation('token-3')).toBeUndefined()
        expect(await users.listInvitations(99, undefined)).toEqual([invite, reset])
        expect(await users.listInvitations(99, ANN)).toEqual([reset])
        expect(await users.listInvitations(100, undefined)).toEqual([reset])
        expect(await users.removeInvitation('inv-2', ZOE)).toBe(false)
        expect(await users.findInvitation('token-2')).toEqual(reset)
        expect(await users.removeInvitation('inv-2', ANN)).toBe(true)
        expect(await users.removeInvitation('inv-2', undefined)).toBe(false)
        expect(await users.findInvitation('token-2')).toBeUndefined()
        expect(await users.sweepUsers({ expired: 99, seen: 0 })).toBe(0)
        expect(await users.sweepUsers({ expired: 100, seen: 0 })).toBe(1)
        expect(await users.findInvitation('token-1')).toBeUndefined()
      }))

    it('require an existing account or user', () =>
      withStorage(async ({ storage }) => {
        const { users } = storage
        await saveAccounts(storage)
        const lost = { ...sampleInvite(1), account: NOBODY, tokenHash: 'token-1' }
        await expect(users.saveInvitation(lost)).rejects.toMatchObject({ code: 'not_found' })
        const unknown = { ...sampleReset(1), tokenHash: 'token-1' }
        await expect(users.saveInvitation(unknown)).rejects.toMatchObject({ code: 'not_found' })
        expect(await users.listInvitations(0, undefined)).toEqual([])
      }))

    it('create a user, and remain when the name is taken', () =>
      withStorage(async ({ storage }) => {
        const { users } = storage
        await saveAccounts(storage)
        await users.saveUser(sampleUser(1))
        await users.saveInvitation({ ...sampleInvite(1), tokenHash: 'token-1' })
        const taken = { ...sampleUser(2), name: 'user 1' }
        await expect(users.acceptInvitation('token-1', taken)).rejects.toMatchObject({
          code: 'conflict',
        })
        expect(await users.findInvitation('token-1')).toEqual(sampleInvite(1))
        expect(await users.acceptInvitation('token-1', sampleUser(2))).toBe(true)
        expect(await users.findUser('usr-2')).toEqual(sampleUser(2))
        expect(await users.acceptInvitation('token-1', sampleUser(3))).toBe(false)
        expect(await users.findUser('usr-3')).toBeUndefined()
      }))

    it('have no effect after expiry, or for another purpose', () =>
      withStorage(async ({ storage }) => {
        const { users } = storage
        await saveAccounts(storage)
        await users.saveUser(sampleUser(1))
        await users.saveInvitation({ ...sampleInvite(1), tokenHash: 'token-1' })
        await users.saveInvitation({ ...sampleReset(2), tokenHash: 'token-2' })
        const late = { ...sampleUser(2), createdAt: 100 }
        expect(await users.acceptInvitation('token-1', late)).toBe(false)
        expect(await users.acceptInvitation('token-2', sampleUser(2))).toBe(false)
        const change = { passwordHash: 'new', now: 1 }
        expect(await users.acceptReset('token-1', change)).toBeUndefined()
        expect(await users.acceptReset('token-2', { ...change, now: 200 })).toBeUndefined()
        expect(await users.findUser('usr-1')).toEqual(sampleUser(1))
        expect(await users.findUser('usr-2')).toBeUndefined()
        expect(await users.listInvitations(0, undefined)).toHaveLength(2)
      }))

    it('reset a password, which ends all sessions', () =>
      withStorage(async ({ storage }) => {
        const { users } = storage
        await saveAccounts(storage)
        for (const n of [1, 2]) {
          await users.saveUser(sampleUser(n))
          await users.openSession(sampleSession(n), verified(n))
        }
        await users.saveInvitation({ ...sampleReset(1), tokenHash: 'token-1' })
        const change = { passwordHash: 'new', now: 150 }
        expect(await users.acceptReset('token-1', change)).toEqual({
          ...sampleUser(1),
          lastLoginAt: 1,
          passwordHash: 'new',
        })
        expect(await users.acceptReset('token-1', change)).toBeUndefined()
        expect(await users.findSession('session-1')).toBeUndefined()
        expect(await users.findSession('session-2')).toBeDefined()
        expect(await users.openSession(sampleSession(1), verified(1))).toBe(false)
      }))

    it('to reset a password replace earlier ones, and end with a new password or the user', () =>
      withStorage(async ({ storage }) => {
        const { users } = storage
        await saveAccounts(storage)
        await users.saveUser(sampleUser(1))
        for (const n of [1, 2]) {
          await users.saveInvitation({ ...sampleReset(n), tokenHash: `token-${n}` })
        }
        expect(await users.findInvitation('token-1')).toBeUndefined()
        expect(await users.findInvitation('token-2')).toBeDefined()
        const change = { userId: 'usr-1', oldHash: 'hash-1', newHash: 'new', tokenHash: '' }
        expect(await users.changePassword(change)).toBe(true)
        expect(await users.findInvitation('token-2')).toBeUndefined()
        await users.saveInvitation({ ...sampleReset(3), tokenHash: 'token-3' })
        await users.removeUser('usr-1')
        expect(await users.findInvitation('token-3')).toBeUndefined()
      }))

    it(`are accepted once, under concurrency`, () =>
      withStorage(async ({ storage, reopen }) => {
        await saveAccounts(storage)
        const other = await reopen?.()
        const both = [storage, other ?? storage].map(({ users }) => users)
        await storage.users.saveUser(sampleUser(1))
        await storage.users.saveInvitation({ ...sampleInvite(1), tokenHash: 'token-1' })
        await storage.users.saveInvitation({ ...sampleReset(2), tokenHash: 'token-2' })
        const numbers = Array.from({ length: TRIES }, (_, n) => n + 2)
        const accepted = await Promise.all(
          numbers.map((n) => both[n % 2]?.acceptInvitation('token-1', sampleUser(n, ANN))),
        )
        const reset = await Promise.all(
          numbers.map((n) =>
            both[n % 2]?.acceptReset('token-2', { passwordHash: `new-${n}`, now: 1 }),
          ),
        )
        expect(accepted.filter((isDone) => isDone)).toEqual([true])
        expect((await storage.users.listUsers(undefined)).map(({ id }) => id)).toEqual([
          'usr-1',
          `usr-${accepted.indexOf(true) + 2}`,
        ])
        const done = reset.filter((user) => user !== undefined)
        expect(done).toHaveLength(1)
        expect(await storage.users.findUser('usr-1')).toEqual(done[0])
        await other?.close()
      }))
  })
}

export function sampleInvite(n: number): Invitation {
  return {
    id: `inv-${n}`,
    kind: 'invite',
    userName: undefined,
    account: ZOE,
    scopes: ['read', 'call'],
    createdAt: n,
    expiresAt: 100,
  }
}

/** Creates a password link for the first user, in the user's account. */
export function sampleReset(n: number): Invitation {
  return {
    id: `inv-${n}`,
    kind: 'reset',
    userName: 'User 1',
    account: n === 2 ? ANN : ZOE,
    scopes: ['read'],
    createdAt: n,
    expiresAt: 200,
  }
}
