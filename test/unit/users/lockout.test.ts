import { describe, expect, it } from 'vitest'
import { createScryptHasher } from '../../../adapters/secret/scrypt.ts'
import { createLockout } from '../../../core/users/lockout.ts'
import { createManualClock } from '../../helpers/random.ts'
import { codeOf, ELSEWHERE, HOME, openTestUsers, PASSWORD } from '../../helpers/users.ts'

const MINUTE_MS = 60_000

describe('lockout', () => {
  it('delays a name after five failures, from any address', async () => {
    const { users, logIn, clock, hashes, close } = await openTestUsers()
    for (let n = 1; n <= 5; n += 1) {
      const guess = { password: `guess ${n}`, clientAddress: `198.51.100.${n}` }
      expect(await codeOf(logIn(guess))).toBe('unauthenticated')
    }
    await expect(logIn()).rejects.toMatchObject({ code: 'too_many_requests', retryAfter: 1 })
    expect(hashes()).toBe(5)
    clock.advance(1000)
    const { token } = await logIn()
    expect(await users.findLoggedIn(token)).toBeDefined()
    await close()
  })

  it('delays unknown and impossible names in the same way', async () => {
    const { logIn, hashes, close } = await openTestUsers()
    for (const name of ['Bob', 'x'.repeat(5000)]) {
      const codes: unknown[] = []
      for (let n = 0; n < 6; n += 1) codes.push(await codeOf(logIn({ name, clientAddress: '' })))
      expect(codes).toEqual([...Array(5).fill('unauthenticated'), 'too_many_requests'])
    }
    expect(hashes()).toBe(10)
    await close()
  })

  it('reserves capacity for an address that logged in before', async () => {
    const hasher = createScryptHasher({ costLog2: 4, concurrency: 1, maxWaiting: 4 })
    const { logIn, users, close } = await openTestUsers({ hasher })
    await users.createUser({
      name: 'Bob',
      password: PASSWORD,
      account: (await logIn()).loggedIn.user.account,
      scopes: ['read'],
    })
    const flood = Array.from({ length: 50 }, (_, index) =>
      codeOf(logIn({ name: `nobody ${index}`, clientAddress: `198.51.100.${index}` })),
    )
    const own = ['Ada', 'Bob', 'nobody'].map((name) => codeOf(logIn({ name })))
    // Bob has never logged in, and the third user does not exist: only the address counts.
    expect(await Promise.all(own)).toEqual([undefined, undefined, 'unauthenticated'])
    expect(await Promise.all(flood)).toContain('overloaded')
    await close()
  })

  it('does not lock users out of addresses they logged in from', async () => {
    const { logIn, clock, close } = await openTestUsers()
    await logIn()
    for (let n = 0; n < 40; n += 1) {
      await codeOf(logIn({ password: 'guess', clientAddress: `203.0.113.${n}` }))
      clock.advance(15 * MINUTE_MS)
    }
    await codeOf(logIn({ password: 'guess', clientAddress: '203.0.113.200' }))
    expect(await codeOf(logIn({ clientAddress: ELSEWHERE }))).toBe('too_many_requests')
    expect(await codeOf(logIn())).toBeUndefined()
    await close()
  })

  it('never exceeds 15 minutes, from any address', async () => {
    const { logIn, clock, close } = await openTestUsers()
    for (let n = 0; n < 40; n += 1) {
      await codeOf(logIn({ password: 'guess', clientAddress: ELSEWHERE }))
      clock.advance(15 * MINUTE_MS)
    }
    expect(await codeOf(logIn({ clientAddress: ELSEWHERE }))).toBeUndefined()
    await close()
  })

  it('delays an address after twenty failures, with any names', async () => {
    const { logIn, hashes, close } = await openTestUsers()
    const addresses = ['2001:db8::1', '2001:db8::ffff:1']
    for (let n = 0; n < 20; n += 1) {
      const clientAddress = addresses[n % 2] ?? ''
      expect(await codeOf(logIn({ name: `name ${n}`, clientAddress }))).toBe('unauthenticated')
    }
    expect(await codeOf(logIn({ clientAddress: '2001:db8::2' }))).toBe('too_many_requests')
    expect(await codeOf(logIn({ clientAddress: '2001:db8:0:1::2' }))).toBeUndefined()
    expect(hashes()).toBe(21)
    await close()
  })

  it('counts concurrent attempts, and only failed ones', async () => {
    const { logIn, close } = await openTestUsers()
    const guesses = await Promise.all(
      Array.from({ length: 30 }, () => codeOf(logIn({ password: 'guess' }))),
    )
    expect(guesses.filter((code) => code === 'unauthenticated')).toHaveLength(5)
    expect(guesses.filter((code) => code === 'too_many_requests')).toHaveLength(25)
    await close()
    const { logIn: again, close: end } = await openTestUsers()
    for (let n = 0; n < 50; n += 1) expect(await codeOf(again())).toBeUndefined()
    await end()
  })

  it('applies to the current password separately from log-ins', async () => {
    const { users, logIn, clock, close } = await openTestUsers()
    const { token } = await logIn()
    const change = { token, oldPassword: 'guess', newPassword: 'other lamps over water' }
    const codes: unknown[] = []
    for (let n = 0; n < 6; n += 1) codes.push(await codeOf(users.changePassword(change)))
    expect(codes).toEqual([...Array(5).fill('forbidden'), 'too_many_requests'])
    expect(await codeOf(logIn())).toBeUndefined()
    clock.advance(1000)
    const right = { ...change, oldPassword: PASSWORD }
    expect(await codeOf(users.changePassword(right))).toBeUndefined()
    await close()
  })

  it('stores a limited number of names and addresses', () => {
    const lockout = createLockout(createManualClock())
    for (let n = 0; n < 100_000; n += 1) {
      const address = `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`
      const attempt = lockout.enter({ name: `name ${n}`, address })
      if (n % 4 === 0) attempt.succeed()
    }
    expect(lockout.sizes).toEqual({ names: 50_000, addresses: 10_000, known: 10_000 })
    expect(() => lockout.enter({ name: 'name 1', address: HOME })).not.toThrow()
  })
})
