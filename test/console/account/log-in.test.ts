import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { parseNextPath } from '../../../adapters/web/account/login-page.ts'
import { SESSION_COOKIE } from '../../../adapters/web/cookies.ts'
import { toFetchHandler } from '../../../core/http/fetch.ts'
import { openPremises, type Premises } from '../../helpers/console-visit.ts'
import { PASSWORD } from '../../helpers/users.ts'

let premises: Premises
beforeAll(async () => {
  premises = await openPremises()
  await premises.addUser('Ada', ['read', 'call'])
})
afterAll(() => premises.close())

describe('log-in', () => {
  it('redirects to the requested page, with a cookie for this host only', async () => {
    const browser = premises.open()
    const asked = await browser.get('/console/account?done=x')
    expect([asked.status, asked.location]).toEqual([
      303,
      '/console/login?next=%2Fconsole%2Faccount%3Fdone%3Dx',
    ])
    const { html } = await browser.get(asked.location)
    expect(html).toContain('<input type="hidden" name="next" value="/console/account?done=x">')
    const next = '/console/account?done=x'
    const entered = await browser.send('/console/login', { name: 'ADA', password: PASSWORD, next })
    expect([entered.status, entered.location, entered.headers.get('cache-control')]).toEqual([
      303,
      next,
      'no-store',
    ])
    expect(entered.cookies).toEqual([
      expect.stringMatching(
        /^__Host-api-discovery-session=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
      ),
    ])
    expect((await browser.get(next)).html).toContain('<h1>Hello, Ada</h1>')
    expect((await browser.get('/console/login')).location).toBe('/console/')
  })

  it('shows the same message for a wrong password and an unknown user', async () => {
    const browser = premises.open('192.0.2.7')
    const wrong = await browser.logIn('Ada', 'not the password')
    const nobody = await browser.logIn('Bob', 'not the password')
    expect([wrong.status, nobody.status]).toEqual([401, 401])
    expect(wrong.html.replaceAll('Ada', 'Bob')).toBe(nobody.html)
    expect(wrong.html).toContain('Incorrect user name or password.')
    expect(wrong.html).not.toContain('not the password')
    expect(browser.jar.has(SESSION_COOKIE)).toBe(false)
  })

  it('is delayed after failures, and says for how long', async () => {
    const browser = premises.open('192.0.2.8')
    for (let attempt = 0; attempt < 6; attempt += 1) await browser.logIn('Carol', 'a guess')
    const { status, html } = await browser.logIn('Carol', 'a guess')
    expect(status).toBe(429)
    expect(html).toMatch(/Too many failed attempts\. Try again in \d+ seconds?\./)
  })

  it('replaces the previous session of the browser', async () => {
    const browser = premises.open()
    const planted = 'A'.repeat(43)
    browser.jar.set(SESSION_COOKIE, planted)
    await browser.logIn('Ada')
    const first = browser.jar.get(SESSION_COOKIE) ?? ''
    expect(first).not.toBe(planted)
    expect(await premises.app.users.findLoggedIn(planted)).toBeUndefined()
    await browser.get('/console/account')
    await browser.send('/console/login', { name: 'Ada', password: PASSWORD })
    const second = browser.jar.get(SESSION_COOKIE) ?? ''
    expect(second).not.toBe(first)
    expect(await premises.app.users.findLoggedIn(first)).toBeUndefined()
    expect(await premises.app.users.findLoggedIn(second)).toMatchObject({ user: { name: 'Ada' } })
  })

  it('is removed from the database after log-out', async () => {
    const browser = premises.open()
    await browser.logIn('Ada')
    const session = browser.jar.get(SESSION_COOKIE) ?? ''
    expect((await browser.get('/console/logout')).status).toBe(405)
    await browser.get('/console/account')
    const left = await browser.send('/console/logout', {})
    expect([left.status, left.location]).toEqual([303, '/console/login?done=logout'])
    expect(left.cookies).toEqual([
      '__Host-api-discovery-session=; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=0',
    ])
    expect(await premises.app.users.findLoggedIn(session)).toBeUndefined()
    browser.jar.set(SESSION_COOKIE, session)
    expect((await browser.get('/console/account')).location).toMatch(/^\/console\/login/)
  })

  it('warns that it does not work over plain HTTP, except on the local machine', async () => {
    const words = 'Log-in does not work over plain HTTP'
    const shown = async (origin: string) => {
      const elsewhere = await openPremises(origin)
      const { html } = await elsewhere.open().get('/console/login')
      await elsewhere.close()
      return html
    }
    const html = await shown('http://apis.lan:8080')
    expect(html).toContain(words)
    expect(html).toContain('ssh -N -L 8080:127.0.0.1:8080 apis.lan')
    for (const origin of ['http://127.0.0.1:8080', 'http://localhost', 'https://apis.lan']) {
      expect([origin, (await shown(origin)).includes(words)]).toEqual([origin, false])
    }
  })

  it('is shown for any requested host', async () => {
    const ask = toFetchHandler(premises.handle)
    for (const host of ['127.0.0.1:99999', '256.256.256.256', 'a%zz', '[::::]']) {
      const request = new Request('http://apis.test/console/login', { headers: { host } })
      expect([host, (await ask(request)).status]).toEqual([host, 200])
    }
  })

  it('redirects background requests to the whole page', async () => {
    const browser = premises.open()
    const { status, headers } = await browser.get('/console/apis?q=x', { 'hx-request': 'true' })
    expect([status, headers.get('hx-redirect')]).toEqual([200, '/console/login'])
  })
})

describe('form', () => {
  test.each([
    ['of another site', {}, { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' }],
    ['of a sister site', {}, { origin: 'https://evil.apis.test', 'sec-fetch-site': 'same-site' }],
    ['of an opaque origin', {}, { origin: 'null' }],
    ['without a token', { form_token: '' }, {}],
    ['with the token of another browser', { form_token: 'a'.repeat(64) }, {}],
  ])('%s is rejected', async (_, fields, headers) => {
    const browser = premises.open()
    await browser.logIn('Ada')
    await browser.get('/console/account')
    const before = await premises.app.accounts.listKeys(premises.account)
    const form = { name: 'x', scope: 'read', lifetime: '30', ...fields }
    const { status } = await browser.send('/console/account/keys', form, headers)
    expect(status).toBe(403)
    expect(await premises.app.accounts.listKeys(premises.account)).toEqual(before)
    const out = await browser.send('/console/logout', fields, headers)
    expect(out.status).toBe(403)
    expect((await browser.get('/console/account')).status).toBe(200)
  })

  test('of the log-in is rejected from another site too', async () => {
    const browser = premises.open()
    await browser.get('/console/login')
    const headers = { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' }
    const fields = { name: 'Ada', password: PASSWORD }
    const { status, cookies } = await browser.send('/console/login', fields, headers)
    expect([status, cookies]).toEqual([403, []])
  })
})

describe('page after the log-in', () => {
  it.each([
    ['/console/apis?q=a', '/console/apis?q=a'],
    ['', '/console/'],
    ['https://evil.test/console/', '/console/'],
    ['//evil.test/console/', '/console/'],
    ['/console/..//evil.test', '/console/'],
    ['/console/%2e%2e//evil.test', '/console/'],
    ['/console/\\..\\..\\\\evil.test', '/console/'],
    ['/console/../api/endpoint_list', '/console/'],
    ['/consoleevil', '/console/'],
    ['/console/login?next=x', '/console/'],
    ['/console/logout', '/console/'],
    ['javascript:alert(1)', '/console/'],
  ])('of %s is %s', (asked, taken) => {
    expect(parseNextPath(asked)).toBe(taken)
  })
})
