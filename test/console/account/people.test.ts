import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SESSION_COOKIE } from '../../../adapters/web/cookies.ts'
import { type Browser, openPremises, type Premises } from '../../helpers/console-visit.ts'
import { PASSWORD } from '../../helpers/users.ts'

const NEW_PASSWORD = 'paper boats in the harbour'

let premises: Premises
let root: Browser
beforeAll(async () => {
  premises = await openPremises()
  await premises.addUser('Root', ['read', 'import', 'admin'])
  root = premises.open()
  await root.logIn('Root')
})
afterAll(() => premises.close())

function linkIn(html: string): string {
  return /\/console\/welcome\?token=[\w-]+/.exec(html)?.[0] ?? ''
}

async function invite(scope: readonly string[]) {
  await root.get('/console/account/users')
  return root.send('/console/account/users', { scope })
}

/** Returns the path of a user's page. */
async function findUserPath(name: string): Promise<string> {
  const users = await premises.app.users.listUsers(premises.account)
  return `/console/account/users/${users.find((user) => user.name === name)?.id}`
}

describe('invitation', () => {
  it('is rejected with the reason', async () => {
    const guest = premises.open()
    const missing = await guest.get('/console/welcome')
    expect([missing.status, missing.html]).toEqual([
      404,
      expect.stringContaining('<p class="lead">The link contains no token. Open the complete link'),
    ])
    expect(missing.html).not.toContain('expired')
    const wrong = await guest.get('/console/welcome?token=wrong')
    expect([wrong.status, wrong.html]).toEqual([
      404,
      expect.stringContaining('The link was already used, has expired or is incomplete.'),
    ])
  })

  it('creates a user with a readable key, once', async () => {
    const link = linkIn((await invite(['read'])).html)
    const guest = premises.open()
    const { html, headers } = await guest.get(link)
    expect(html).toContain('You are invited to the account <strong>Account A</strong>')
    expect(headers.get('cache-control')).toBe('no-store')
    const token = link.split('=')[1] ?? ''
    const fields = { token, name: 'Grace', password: NEW_PASSWORD, repeated: NEW_PASSWORD }
    for (const [changed, status, words] of [
      [{ repeated: 'another' }, 400, 'The passwords do not match'],
      [{ password: 'short', repeated: 'short' }, 400, 'it must have 12 to 256 characters'],
      [{ name: 'ROOT' }, 409, 'The name is taken'],
      [{ name: ' ' }, 400, 'id="field-name-error"'],
    ] as const) {
      const again = await guest.send('/console/welcome', { ...fields, ...changed })
      expect([again.status, again.html.includes(words), again.html.includes('short"')]).toEqual([
        status,
        true,
        false,
      ])
    }
    const welcome = await guest.send('/console/welcome', fields)
    expect([welcome.status, welcome.location]).toEqual([303, '/console/?done=invite'])
    expect((await guest.get(welcome.location)).html).toContain('Your user was created')
    const late = premises.open()
    expect((await late.get(link)).status).toBe(404)
    await late.get('/console/login')
    expect((await late.send('/console/welcome', { ...fields, name: 'Eve' })).status).toBe(404)
  })

  it('redirects a user without the scope read to the account', async () => {
    const { app, account } = premises
    const { token } = await app.users.invite({ account, scopes: ['call'] })
    const guest = premises.open()
    await guest.get(`/console/welcome?token=${token}`)
    const fields = { token, name: 'Mae', password: NEW_PASSWORD, repeated: NEW_PASSWORD }
    const { location } = await guest.send('/console/welcome', fields)
    expect(location).toBe('/console/account')
    const credentials = await guest.get('/console/credentials')
    const own = '<a href="/console/credentials" aria-current="page">Credentials</a>'
    expect([credentials.status, credentials.html.includes(own)]).toEqual([200, true])
  })

  it('has at most the scopes of its creator, and can be revoked', async () => {
    expect((await invite(['read', 'call'])).status).toBe(403)
    expect((await invite([])).status).toBe(400)
    const link = linkIn((await invite(['read'])).html)
    const { html } = await root.get('/console/account/users')
    expect(html).toContain('<button class="danger">Revoke</button>')
    const path = /\/console\/account\/invitations\/\w+\/revoke/.exec(html)?.[0] ?? ''
    expect((await root.send(path, {})).status).toBe(303)
    expect((await premises.open().get(link)).status).toBe(404)
  })
})

describe('user', () => {
  it('sets a new password with a link, and is logged out elsewhere', async () => {
    await premises.addUser('Ada', ['read'])
    const ada = premises.open()
    await ada.logIn('Ada')
    const path = await findUserPath('Ada')
    await root.get(path)
    const made = await root.send(`${path}/reset`, {})
    const link = linkIn(made.html)
    const guest = premises.open()
    expect((await guest.get(link)).html).toContain('<h1>Set a new password</h1>')
    const token = link.split('=')[1] ?? ''
    const fields = { token, password: NEW_PASSWORD, repeated: NEW_PASSWORD }
    expect((await guest.send('/console/welcome', fields)).location).toBe('/console/?done=reset')
    expect((await ada.get('/console/account')).status).toBe(303)
    expect((await ada.logIn('Ada')).status).toBe(401)
    expect((await ada.logIn('Ada', NEW_PASSWORD)).status).toBe(303)
  })

  it('changes the password, and stays logged in here only', async () => {
    await premises.addUser('Bob', ['read'])
    const [here, there] = [premises.open(), premises.open()]
    await here.logIn('Bob')
    await there.logIn('Bob')
    await here.get('/console/account/password')
    const change = (fields: Readonly<Record<string, string>>) =>
      here.send('/console/account/password', {
        old_password: PASSWORD,
        password: NEW_PASSWORD,
        repeated: NEW_PASSWORD,
        ...fields,
      })
    expect((await change({ old_password: 'a wrong guess' })).status).toBe(403)
    expect((await change({ repeated: 'another' })).status).toBe(400)
    expect((await change({ password: 'Bob', repeated: 'Bob' })).status).toBe(400)
    expect((await change({})).location).toBe('/console/account/password?done=changed')
    expect((await here.get('/console/account')).status).toBe(200)
    expect((await there.get('/console/account')).status).toBe(303)
  })

  it('receives scopes at once, and is removed after confirmation', async () => {
    await premises.addUser('Carl', ['read'])
    const carl = premises.open()
    await carl.logIn('Carl')
    const path = await findUserPath('Carl')
    await root.get(path)
    expect((await root.send(`${path}/scopes`, { scope: ['read', 'call'] })).status).toBe(403)
    expect((await root.send(`${path}/scopes`, { scope: ['read', 'admin'] })).status).toBe(303)
    expect((await carl.get('/console/account/users')).status).toBe(200)
    expect((await root.send(`${path}/remove`, {})).status).toBe(400)
    expect((await root.send(`${path}/remove`, { confirmed: 'yes' })).status).toBe(303)
    const session = carl.jar.get(SESSION_COOKIE) ?? ''
    expect(await premises.app.users.findLoggedIn(session)).toBeUndefined()
  })

  it('of another account, with further scopes, or the viewer is not changed', async () => {
    await premises.addUser('Chief', ['read', 'call', 'admin'])
    const other = await premises.app.accounts.createAccount('Elsewhere')
    await premises.addUser('Stranger', ['read'], other)
    const [stranger] = await premises.app.users.listUsers(other)
    const before = await premises.app.users.listUsers()
    for (const [path, status] of [
      [await findUserPath('Root'), 403],
      [await findUserPath('Chief'), 403],
      [`/console/account/users/${stranger?.id}`, 404],
    ] as const) {
      for (const what of ['scopes', 'reset', 'remove']) {
        const fields = { scope: 'read', confirmed: 'yes' }
        const answer = await root.send(`${path}/${what}`, fields)
        expect([path, what, answer.status]).toEqual([path, what, status])
      }
    }
    expect(await premises.app.users.listUsers()).toEqual(before)
    expect((await root.get('/console/account/users')).html).not.toContain('Stranger')
  })

  it('without the scope admin sees no users', async () => {
    await premises.addUser('Dora', ['read'])
    const dora = premises.open()
    await dora.logIn('Dora')
    expect((await dora.get('/console/account/users')).status).toBe(403)
    expect((await dora.get('/console/account')).html).not.toContain('/console/account/users')
    expect((await dora.get('/console/account/calls')).status).toBe(403)
  })
})
