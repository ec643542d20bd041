import { describe, expect, it } from 'vitest'
import { createScryptHasher } from '../../../adapters/secret/scrypt.ts'
import { openSqlite } from '../../../adapters/storage/sqlite.ts'
import { createApiDiscovery } from '../../../core/app.ts'
import {
  codeOf,
  countHashes,
  ELSEWHERE,
  HOME,
  openTestUsers,
  PASSWORD,
} from '../../helpers/users.ts'

const HOUR_MS = 3_600_000
const NEW_PASSWORD = 'other lamps over water'

describe('log-in', () => {
  it('returns the user, the scopes and the expiry', async () => {
    const { users, logIn, account, clock, close } = await openTestUsers()
    const { token, loggedIn } = await logIn({ name: ' ÁDA ' })
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(loggedIn).toEqual({
      user: {
        id: expect.stringMatching(/^usr_\w{22}$/),
        name: 'Ada',
        account,
        scopes: ['read', 'call'],
        createdAt: clock(),
        lastLoginAt: clock(),
      },
      caller: { account, scopes: new Set(['read', 'call']) },
      expiresAt: clock() + 7 * 24 * HOUR_MS,
    })
    expect(await users.findLoggedIn(token)).toEqual(loggedIn)
    await close()
  })

  it('computes as many hashes for an unknown name as for a wrong password', async () => {
    const { logIn, hashes, close } = await openTestUsers()
    const tries = [
      { password: 'wrong' },
      { password: '' },
      { password: 'x'.repeat(300) },
      { password: 'half \ud800' },
      { name: 'Bob' },
      { name: '' },
      { name: 'Ada\0' },
      { name: 'x'.repeat(300) },
      { name: 'Bob', password: 'x'.repeat(300) },
      { name: (await findId(logIn)) ?? '' },
    ]
    const before = hashes()
    const seen: unknown[] = []
    for (const [index, each] of tries.entries()) {
      const clientAddress = `203.0.113.${index}`
      const error = await logIn({ ...each, clientAddress }).catch((thrown: unknown) => thrown)
      seen.push([(error as Error).message, hashes() - before])
    }
    expect(seen).toEqual(
      tries.map((_, index) => ['Cannot log in: incorrect user name or password', index + 1]),
    )
    await close()
  })

  it('returns a new token each time', async () => {
    const { users, logIn, close } = await openTestUsers()
    const tokens = [(await logIn()).token, (await logIn()).token]
    expect(new Set(tokens).size).toBe(2)
    for (const token of tokens) expect(await users.findLoggedIn(token)).toBeDefined()
    await close()
  })

  it('accepts a password in any Unicode normalization', async () => {
    const { users, logIn, account, close } = await openTestUsers()
    const password = 'cafe\u0301 au petit jour'
    await users.createUser({ name: 'Zoe\u0301', password, account, scopes: ['read'] })
    const typed = { name: 'zoe', password: 'caf\u00e9 au petit jour' }
    expect((await logIn(typed)).loggedIn.user.name).toBe('Zo\u00e9')
    await close()
  })

  it('rehashes the password if its hash is outdated', async () => {
    const { storage, account, logIn, close } = await openTestUsers()
    const former = (await storage.users.findUser('Ada'))?.passwordHash ?? ''
    const hasher = countHashes(createScryptHasher({ costLog2: 5 }))
    const app = createApiDiscovery({ storage, passwords: hasher.passwords })
    const request = { name: 'Ada', password: PASSWORD, clientAddress: HOME }
    expect(await codeOf(app.users.logIn({ ...request, password: 'wrong' }))).toBe('unauthenticated')
    expect((await storage.users.findUser('Ada'))?.passwordHash).toBe(former)
    expect([former.includes('ln=4,'), hasher.hashes()]).toEqual([true, 1])
    await app.users.logIn(request)
    await app.users.logIn(request)
    expect(hasher.hashes()).toBe(4)
    expect((await storage.users.findUser('Ada'))?.passwordHash).toContain('ln=5,')
    expect((await logIn()).loggedIn.user.account).toEqual(account)
    await close()
  })

  it('fails if the password was reset during verification', async () => {
    const { users, storage, logIn, close } = await openTestUsers()
    const { token } = await users.inviteToReset({ userName: 'Ada', account: undefined })
    const verify = createScryptHasher({ costLog2: 4 }).verify
    const app = createApiDiscovery({
      storage,
      passwords: {
        ...createScryptHasher({ costLog2: 4 }),
        async verify(password, hash) {
          await users.acceptInvitation({ token, name: '', password: NEW_PASSWORD })
          return verify(password, hash)
        },
      },
    })
    const request = { name: 'Ada', password: PASSWORD, clientAddress: HOME }
    expect(await codeOf(app.users.logIn(request))).toBe('unauthenticated')
    expect(await codeOf(logIn({ password: NEW_PASSWORD }))).toBeUndefined()
    await close()
  })

  it('does not count as failed if an error occurred', async () => {
    const { storage, close } = await openTestUsers()
    const app = createApiDiscovery({
      storage,
      passwords: createScryptHasher({ costLog2: 12, concurrency: 1, maxWaiting: 0 }),
    })
    const request = { name: 'Ada', password: PASSWORD, clientAddress: HOME }
    const tries = Array.from({ length: 30 }, () => codeOf(app.users.logIn(request)))
    const codes = await Promise.all(tries)
    expect(new Set(codes)).toEqual(new Set([undefined, 'overloaded', 'too_many_requests']))
    expect(codes.filter((code) => code === undefined)).toHaveLength(1)
    expect(await codeOf(app.users.logIn(request))).toBeUndefined()
    await close()
  })

  it('requires a hasher', async () => {
    const app = createApiDiscovery({ storage: await openSqlite({ file: ':memory:' }) })
    const request = { name: 'Ada', password: PASSWORD, clientAddress: ELSEWHERE }
    expect(await codeOf(app.users.logIn(request))).toBe('not_implemented')
    expect(await app.users.listUsers()).toEqual([])
    await app.close()
  })
})

describe('session', () => {
  it('ends after twelve idle hours, and after a week in any case', async () => {
    const { users, logIn, clock, close } = await openTestUsers()
    const [idle, used] = [(await logIn()).token, (await logIn()).token]
    clock.advance(12 * HOUR_MS - 1)
    expect(await users.findLoggedIn(used)).toBeDefined()
    await settle()
    clock.advance(1)
    expect(await users.findLoggedIn(idle)).toBeUndefined()
    for (let hours = 12; hours < 7 * 24; hours += 6) {
      expect(await users.findLoggedIn(used)).toBeDefined()
      await settle()
      clock.advance(6 * HOUR_MS)
    }
    expect(await users.findLoggedIn(used)).toBeUndefined()
    await close()
  })

  it('stores its last use once a minute', async () => {
    const { users, storage, logIn, clock, close } = await openTestUsers()
    const { token } = await logIn()
    const begun = clock()
    const seen: number[] = []
    for (const ms of [59_999, 1, 59_999, 1]) {
      clock.advance(ms)
      await Promise.all(Array.from({ length: 5 }, () => users.findLoggedIn(token)))
      await settle()
      seen.push((await lastSeen(storage, token)) - begun)
    }
    expect(seen).toEqual([0, 60_000, 60_000, 120_000])
    await close()
  })

  it('is removed from the database after log-out and expiry', async () => {
    const { users, storage, logIn, clock, close } = await openTestUsers()
    const [left, over] = [(await logIn()).token, (await logIn()).token]
    await users.logOut(left)
    await users.logOut(left)
    await users.logOut('no token')
    expect(await users.findLoggedIn(left)).toBeUndefined()
    expect(await lastSeen(storage, left)).toBeNaN()
    clock.advance(12 * HOUR_MS)
    expect(await lastSeen(storage, over)).not.toBeNaN()
    await logIn()
    expect(await lastSeen(storage, over)).toBeNaN()
    await close()
  })

  it('is found by its complete token only', async () => {
    const { users, logIn, close } = await openTestUsers()
    const { token } = await logIn()
    const others = ['', token.slice(1), `${token}A`, ` ${token}`, 'A'.repeat(43), '\0'.repeat(43)]
    for (const other of others) expect(await users.findLoggedIn(other)).toBeUndefined()
    await close()
  })

  it('applies new scopes at once, and ends with its user', async () => {
    const { users, logIn, close } = await openTestUsers()
    const { token } = await logIn()
    await users.changeScopes({ userName: 'ada', account: undefined, scopes: ['admin'] })
    expect((await users.findLoggedIn(token))?.caller.scopes).toEqual(new Set(['admin']))
    await users.removeUser({ userName: 'ADA', account: undefined })
    expect(await users.findLoggedIn(token)).toBeUndefined()
    expect(await codeOf(logIn())).toBe('unauthenticated')
    await close()
  })
})

describe('password change', () => {
  it('ends all other sessions', async () => {
    const { users, logIn, close } = await openTestUsers()
    const [here, there] = [(await logIn()).token, (await logIn()).token]
    const change = { token: here, oldPassword: PASSWORD, newPassword: NEW_PASSWORD }
    await users.changePassword(change)
    expect(await users.findLoggedIn(here)).toBeDefined()
    expect(await users.findLoggedIn(there)).toBeUndefined()
    expect(await codeOf(logIn())).toBe('unauthenticated')
    expect(await codeOf(logIn({ password: NEW_PASSWORD }))).toBeUndefined()
    await close()
  })

  it('is rejected for a wrong or weak password, and without a session', async () => {
    const { users, logIn, close } = await openTestUsers()
    const { token } = await logIn()
    const change = { token, oldPassword: PASSWORD, newPassword: NEW_PASSWORD }
    expect(await codeOf(users.changePassword({ ...change, oldPassword: 'x' }))).toBe('forbidden')
    for (const newPassword of ['short', 'ada123456789', 'acme-acme-acme']) {
      expect(await codeOf(users.changePassword({ ...change, newPassword }))).toBe('invalid_input')
    }
    await users.logOut(token)
    expect(await codeOf(users.changePassword(change))).toBe('unauthenticated')
    expect(await codeOf(logIn())).toBeUndefined()
    await close()
  })

  it('succeeds once for concurrent changes', async () => {
    const { users, logIn, close } = await openTestUsers()
    const { token } = await logIn()
    const codes = await Promise.all(
      ['first lamps over water', 'second lamps over water'].map((newPassword) =>
        codeOf(users.changePassword({ token, oldPassword: PASSWORD, newPassword })),
      ),
    )
    expect(codes.filter((code) => code === undefined)).toHaveLength(1)
    // The other change read the old password before or after it was changed.
    expect(['conflict', 'forbidden']).toContain(codes.find((code) => code !== undefined))
    await close()
  })
})

/** Waits until all pending promises have settled. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 0))

async function findId(logIn: Awaited<ReturnType<typeof openTestUsers>>['logIn']) {
  return (await logIn()).loggedIn.user.id
}

/** Returns NaN if the database has no such session. */
async function lastSeen(
  storage: Awaited<ReturnType<typeof openTestUsers>>['storage'],
  token: string,
): Promise<number> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token))
  const found = await storage.users.findSession(Buffer.from(digest).toString('hex'))
  return found?.session.lastSeenAt ?? Number.NaN
}
