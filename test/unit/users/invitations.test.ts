import { describe, expect, it } from 'vitest'
import { codeOf, openTestUsers, PASSWORD } from '../../helpers/users.ts'

const DAY_MS = 86_400_000
const NEW_PASSWORD = 'other lamps over water'

describe('invitation', () => {
  it('describes its purpose while it is open', async () => {
    const { users, account, clock, close } = await openTestUsers()
    const { token, invitation } = await users.invite({ account, scopes: ['call', 'read', 'call'] })
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(invitation).toEqual({
      id: expect.stringMatching(/^inv_\w{22}$/),
      kind: 'invite',
      userName: undefined,
      account,
      scopes: ['read', 'call'],
      createdAt: clock(),
      expiresAt: clock() + 7 * DAY_MS,
    })
    expect(await users.findInvitation(token)).toEqual(invitation)
    expect(await users.findInvitation(token.slice(1))).toBeUndefined()
    expect(await users.listInvitations()).toEqual([invitation])
    expect(await users.listInvitations(account)).toEqual([invitation])
    expect(await users.listInvitations({ id: 'other', name: 'Other' })).toEqual([])
    clock.advance(7 * DAY_MS - 1)
    expect(await users.findInvitation(token)).toEqual(invitation)
    clock.advance(1)
    expect(await users.findInvitation(token)).toBeUndefined()
    expect(await users.listInvitations()).toEqual([])
    const accepted = users.acceptInvitation({ token, name: 'Bob', password: PASSWORD })
    expect(await codeOf(accepted)).toBe('not_found')
    await close()
  })

  it('creates a logged-in user, once', async () => {
    const { users, account, hashes, close } = await openTestUsers()
    const { token } = await users.invite({ account, scopes: ['admin'] })
    const request = { token, name: ' Bob ', password: NEW_PASSWORD }
    const { token: session, loggedIn } = await users.acceptInvitation(request)
    expect(loggedIn.user).toMatchObject({ name: 'Bob', account, scopes: ['admin'] })
    expect(await users.findLoggedIn(session)).toEqual(loggedIn)
    expect((await users.listUsers(account)).map(({ name }) => name)).toEqual(['Ada', 'Bob'])
    const before = hashes()
    const again = users.acceptInvitation({ ...request, name: 'Cleo' })
    expect(await codeOf(again)).toBe('not_found')
    // A request without a valid link causes no hashing.
    expect(hashes()).toBe(before)
    await close()
  })

  it('stays valid after an invalid name, a weak password, or a name that is taken', async () => {
    const { users, account, close } = await openTestUsers()
    const { token } = await users.invite({ account, scopes: ['read'] })
    const tries = [
      ['', 'invalid_input'],
      ['\u0301', 'invalid_input'],
      ['line\nbreak', 'invalid_input'],
      ['usr_1', 'invalid_input'],
      ['x'.repeat(101), 'invalid_input'],
      ['\ufdfa'.repeat(40), 'invalid_input'],
      ['ÁDA', 'conflict'],
    ] as const
    for (const [name, code] of tries) {
      const accepted = users.acceptInvitation({ token, name, password: NEW_PASSWORD })
      expect([name, await codeOf(accepted)]).toEqual([name, code])
    }
    const weak = users.acceptInvitation({ token, name: 'Bob', password: 'bob123456789' })
    expect(await codeOf(weak)).toBe('invalid_input')
    const right = users.acceptInvitation({ token, name: 'Bob', password: NEW_PASSWORD })
    expect(await codeOf(right)).toBeUndefined()
    await close()
  })

  it('is redeemed once by concurrent attempts', async () => {
    const { users, account, close } = await openTestUsers()
    const { token } = await users.invite({ account, scopes: ['read'] })
    const tries = Array.from({ length: 100 }, (_, n) =>
      codeOf(users.acceptInvitation({ token, name: `Bob ${n}`, password: NEW_PASSWORD })),
    )
    const codes = await Promise.all(tries)
    expect(codes.filter((code) => code === undefined)).toHaveLength(1)
    expect(codes.filter((code) => code === 'not_found')).toHaveLength(99)
    expect(await users.listUsers()).toHaveLength(2)
    await close()
  })

  it('can be revoked', async () => {
    const { users, account, close } = await openTestUsers()
    const { token, invitation } = await users.invite({ account, scopes: ['read'] })
    await users.revokeInvitation({ id: invitation.id, account: undefined })
    expect(await users.findInvitation(token)).toBeUndefined()
    expect(await codeOf(users.revokeInvitation({ id: invitation.id, account: undefined }))).toBe(
      'not_found',
    )
    await close()
  })

  it('can be revoked by its own account or an operator', async () => {
    const { app, users, account, close } = await openTestUsers()
    const other = await app.accounts.createAccount('Other')
    const { token, invitation } = await users.invite({ account, scopes: ['read'] })
    const revoked = users.revokeInvitation({ id: invitation.id, account: other })
    expect(await codeOf(revoked)).toBe('not_found')
    expect(await users.findInvitation(token)).toEqual(invitation)
    await users.revokeInvitation({ id: invitation.id, account })
    expect(await users.findInvitation(token)).toBeUndefined()
    await close()
  })

  it('requires an existing account, scopes, and a valid duration', async () => {
    const { users, account, close } = await openTestUsers()
    const nobody = { id: 'acc_0', name: 'Nobody' }
    expect(await codeOf(users.invite({ account: nobody, scopes: ['read'] }))).toBe('not_found')
    expect(await codeOf(users.invite({ account, scopes: [] }))).toBe('invalid_input')
    for (const expiresInMs of [0, -1, 1.5, 30 * DAY_MS + 1, Number.NaN]) {
      const invited = users.invite({ account, scopes: ['read'], expiresInMs })
      expect(await codeOf(invited)).toBe('invalid_input')
    }
    expect(await codeOf(users.inviteToReset({ userName: 'Bob', account: undefined }))).toBe(
      'not_found',
    )
    await close()
  })
})

describe('reset link', () => {
  it('sets the password, ends all sessions and starts a new one', async () => {
    const { users, logIn, account, close } = await openTestUsers()
    const former = (await logIn()).token
    const { token, invitation } = await users.inviteToReset({ userName: 'ada', account: undefined })
    expect(invitation).toMatchObject({ kind: 'reset', userName: 'Ada', account })
    expect(await users.findLoggedIn(former)).toBeDefined()
    const request = { token, name: 'ignored', password: NEW_PASSWORD }
    const weak = users.acceptInvitation({ ...request, password: 'ada123456789' })
    expect(await codeOf(weak)).toBe('invalid_input')
    const accepted = await users.acceptInvitation(request)
    expect(accepted.loggedIn.user.name).toBe('Ada')
    expect(await users.findLoggedIn(accepted.token)).toEqual(accepted.loggedIn)
    expect(await users.findLoggedIn(former)).toBeUndefined()
    expect(await codeOf(logIn())).toBe('unauthenticated')
    expect(await codeOf(users.acceptInvitation(request))).toBe('not_found')
    await close()
  })

  it('becomes invalid with the next one, a password change, or the removal of the user', async () => {
    const { users, logIn, close } = await openTestUsers()
    const first = (await users.inviteToReset({ userName: 'Ada', account: undefined })).token
    const second = (await users.inviteToReset({ userName: 'Ada', account: undefined })).token
    expect(await users.findInvitation(first)).toBeUndefined()
    const { token } = await logIn()
    await users.changePassword({ token, oldPassword: PASSWORD, newPassword: NEW_PASSWORD })
    expect(await users.findInvitation(second)).toBeUndefined()
    const third = (await users.inviteToReset({ userName: 'Ada', account: undefined })).token
    await users.removeUser({ userName: 'Ada', account: undefined })
    expect(await users.findInvitation(third)).toBeUndefined()
    await close()
  })

  it('becomes invalid if the user receives further scopes', async () => {
    const { users, close } = await openTestUsers()
    const ada = { userName: 'Ada', account: undefined }
    const { token } = await users.inviteToReset(ada)
    await users.changeScopes({ ...ada, scopes: ['read'] })
    expect(await users.findInvitation(token)).toMatchObject({ kind: 'reset' })
    await users.changeScopes({ ...ada, scopes: ['read', 'admin'] })
    expect(await users.findInvitation(token)).toBeUndefined()
    const accepted = users.acceptInvitation({ token, name: 'Ada', password: NEW_PASSWORD })
    expect(await codeOf(accepted)).toBe('not_found')
    const again = await users.inviteToReset(ada)
    expect(await users.findInvitation(again.token)).toMatchObject({ scopes: ['read', 'admin'] })
    await close()
  })
})

describe('first key of an account', () => {
  it("is created with its first user, can be read, and has the user's scopes", async () => {
    const { app, users, account, close } = await openTestUsers()
    const [key, ...others] = await app.accounts.listKeys(account)
    expect([key?.name, key?.scopes, others]).toEqual(['default', ['read', 'call'], []])
    const plain = await app.accounts.readKey({ account, keyId: key?.id ?? '' })
    const headers = { 'api-key': plain }
    const request = new Request('http://service.test/api/categories', { headers })
    expect((await app.fetch(request)).status).toBe(200)
    const { token } = await users.invite({ account, scopes: ['admin'] })
    await users.acceptInvitation({ token, name: 'Bob', password: NEW_PASSWORD })
    expect(await app.accounts.listKeys(account)).toHaveLength(1)
    await close()
  })

  it('is created again if no key is active', async () => {
    const { app, users, account, close } = await openTestUsers()
    const [key] = await app.accounts.listKeys(account)
    await app.accounts.revokeKey({ account, keyId: key?.id ?? '' })
    const { token } = await users.invite({ account, scopes: ['ingest'] })
    await users.acceptInvitation({ token, name: 'Bob', password: NEW_PASSWORD })
    const scopes = (await app.accounts.listKeys(account)).map((each) => each.scopes)
    expect(scopes).toEqual([['read', 'call'], ['ingest']])
    await close()
  })
})
