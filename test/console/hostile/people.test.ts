import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  expectAll,
  expectTame,
  type HostileConsole,
  openHostileConsole,
} from '../../helpers/hostile-console.ts'
import { listHostileTexts, toLines } from '../../helpers/hostile-texts.ts'

/** Names as users may have them: one line, without direction marks. */
const NAMES = toLines(
  listHostileTexts(2).map((text) => text.replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '')),
  90,
)

describe('A name that somebody chose stays a text', () => {
  let shown: HostileConsole
  beforeAll(async () => {
    shown = await openHostileConsole()
  })
  afterAll(() => shown.close())

  test('of users, in their list, on their pages, in links for a password and in the header', async () => {
    const { app, account } = shown
    const refused: string[] = []
    for (const name of NAMES) {
      await shown.addUser(name, ['read']).catch(() => refused.push(name))
    }
    // Rejected names equal another one after folding, or contain no significant characters.
    expect(refused.length).toBeLessThan(NAMES.length / 3)
    const users = (await app.users.listUsers(account)).filter(({ name }) => name !== 'Root')
    const names = users.map(({ name }) => name)
    const paths = users.map(({ id }) => `/console/account/users/${id}`)
    expectAll(await shown.read(['/console/account/users', ...paths]), names)
    for (const userName of names.slice(0, 20)) {
      const { token } = await app.users.inviteToReset({ userName, account })
      expectAll(await shown.read([`/console/welcome?token=${token}`]), [userName])
    }
    expectAll(await shown.read(['/console/account/users']), [`password reset of ${names[0]}`])
    const browser = shown.open('192.0.2.9')
    expect((await browser.logIn(names[0] ?? '')).status).toBe(303)
    for (const path of ['/console/', '/console/account', '/console/account/password']) {
      expectAll(expectTame(await browser.get(path)), names.slice(0, 1))
    }
  })

  test('of keys', async () => {
    const { app, account } = shown
    await shown.root.get('/console/account')
    for (const name of NAMES) {
      const { status, html } = await shown.root.send('/console/account/keys', {
        name,
        scope: 'read',
      })
      if (status !== 303) expectAll(expectTame({ html }), [name])
    }
    const keys = await app.accounts.listKeys(account)
    const names = keys.map(({ name }) => name)
    expect(names.length).toBeGreaterThan(NAMES.length - 20)
    const paths = keys.map(({ id }) => `/console/account/keys/${id}`)
    const lists = Array.from(
      { length: Math.ceil(keys.length / 50) },
      (_, index) => `/console/account?page=${index + 1}`,
    )
    expectAll(await shown.read([...lists, ...paths.slice(0, 100)]), names)
  })

  test('of accounts, where a link shows them to anybody', async () => {
    const { app } = shown
    const guest = shown.open()
    for (const text of NAMES.slice(0, 150)) {
      const account = await app.accounts.createAccount(text).catch(() => undefined)
      if (account === undefined) continue
      const { token } = await app.users.invite({ account, scopes: ['read'] })
      const seen = await guest.get(`/console/welcome?token=${token}`)
      expectAll(expectTame(seen), [account.name])
      const again = await guest.send('/console/welcome', { token, name: text, password: text })
      expectAll(expectTame(again), [text])
    }
  })

  test('typed at the log-in', async () => {
    for (const name of listHostileTexts(2).slice(0, 200)) {
      const browser = shown.open('192.0.2.77')
      await browser.get('/console/login')
      const seen = await browser.send('/console/login', { name, password: name, next: name })
      expect([401, 429]).toContain(seen.status)
      const typed = name.replaceAll(/\r\n?/g, '\n').replaceAll(/\p{Cs}/gu, '\ufffd')
      expectAll(expectTame(seen).replaceAll(/\r\n?/g, '\n'), [typed])
    }
  })
})
