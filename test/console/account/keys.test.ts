import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Browser, openPremises, type Premises } from '../../helpers/console-visit.ts'

let premises: Premises
let browser: Browser
beforeAll(async () => {
  premises = await openPremises()
  await premises.addUser('Ada', ['read', 'call'])
  browser = premises.open()
  await browser.logIn('Ada')
})
afterAll(() => premises.close())

/** Finds the keys in a page. */
function keysIn(html: string): readonly string[] {
  return [...html.matchAll(/adk_live_\w{20,}/g)].map(([key]) => key)
}

async function make(fields: Readonly<Record<string, string | readonly string[]>>) {
  await browser.get('/console/account')
  const form = { name: 'build', scope: 'read', lifetime: '90', ...fields }
  return browser.send('/console/account/keys', form)
}

async function fetchStatus(key: string): Promise<number> {
  const request = new Request('https://apis.test/api/categories', { headers: { 'api-key': key } })
  return (await premises.app.fetch(request)).status
}

describe('API keys of an account', () => {
  it('are created, shown on request only, and work', async () => {
    const made = await make({})
    expect([made.status, made.location]).toEqual([
      303,
      expect.stringMatching(/^\/console\/account\/keys\/\w+\?done=made$/),
    ])
    const path = made.location.replace('?done=made', '')
    for (const quiet of [made.location, '/console/account']) {
      expect(keysIn((await browser.get(quiet)).html)).toEqual([])
    }
    const shown = await browser.send(`${path}/show`, {})
    expect([shown.status, shown.headers.get('cache-control')]).toEqual([200, 'no-store'])
    const [key = ''] = keysIn(shown.html)
    expect(new Set(keysIn(shown.html))).toEqual(new Set([key]))
    expect(shown.html).toContain(
      `curl -s -H &#39;api-key: ${key}&#39; \\\n  &#39;https://apis.test/api/endpoint_search?q=weather+forecast&#39;`,
    )
    expect(await fetchStatus(key)).toBe(200)
    expect((await browser.get(`${path}/show`)).status).toBe(405)
  })

  it('are rotated with an overlap, and revoked after confirmation', async () => {
    const path = (await make({ name: 'nightly' })).location.replace('?done=made', '')
    const [old = ''] = keysIn((await browser.send(`${path}/show`, {})).html)
    const rotated = await browser.send(`${path}/rotate`, { overlap: '1' })
    expect(rotated.location).toMatch(/\?done=rotated$/)
    const next = rotated.location.replace('?done=rotated', '')
    const [fresh = ''] = keysIn((await browser.send(`${next}/show`, {})).html)
    expect(fresh).not.toBe(old)
    expect([await fetchStatus(old), await fetchStatus(fresh)]).toEqual([200, 200])
    expect((await browser.send(`${next}/revoke`, {})).status).toBe(400)
    expect(await fetchStatus(fresh)).toBe(200)
    await browser.send(`${next}/revoke`, { confirmed: 'yes' })
    expect([await fetchStatus(old), await fetchStatus(fresh)]).toEqual([200, 401])
    const ended = await browser.get(next)
    expect(ended.html).toContain('A revoked or expired key cannot be reactivated')
  })

  it('have at most the scopes of their creator', async () => {
    expect((await make({ scope: ['read', 'admin'] })).status).toBe(403)
    const none = await make({ scope: [] })
    expect([none.status, none.html.includes('Choose at least one scope')]).toEqual([400, true])
    const unnamed = await make({ name: ' ' })
    expect([unnamed.status, unnamed.html.includes('aria-invalid="true"')]).toEqual([400, true])
  })

  it('with further scopes are neither shown nor changed', async () => {
    const { account } = premises
    const { record, key } = await premises.app.accounts.createKey({
      account,
      name: 'operator',
      scopes: ['read', 'admin'],
    })
    const path = `/console/account/keys/${record.id}`
    const { status, html } = await browser.get(path)
    expect([status, html.includes('has scopes that you do not have: admin')]).toEqual([200, true])
    for (const what of ['show', 'rotate', 'revoke']) {
      const answer = await browser.send(`${path}/${what}`, { confirmed: 'yes', overlap: '0' })
      expect([what, answer.status, answer.html.includes(key)]).toEqual([what, 403, false])
    }
    expect(await fetchStatus(key)).toBe(200)
  })

  it('of another account are not found, and never appear in pages or logs', async () => {
    const { app } = premises
    const other = await app.accounts.createAccount('Canary account')
    await premises.addUser('Canary user', ['read'], other)
    const keys = await app.accounts.listKeys(other)
    const keyId = keys[0]?.id ?? ''
    const key = await app.accounts.readKey({ account: other, keyId })
    for (const what of ['show', 'rotate', 'revoke']) {
      const fields = { confirmed: 'yes' }
      const { status } = await browser.send(`/console/account/keys/${keyId}/${what}`, fields)
      expect([what, status]).toEqual([what, 404])
    }
    for (const path of ['', `/keys/${keyId}`, '/calls', '/password']) {
      const { html } = await browser.get(`/console/account${path}`)
      expect([path, /canary/i.test(html), html.includes(key)]).toEqual([path, false, false])
    }
    const stranger = premises.open()
    await stranger.logIn('Canary user')
    await stranger.get('/console/account')
    await stranger.send(`/console/account/keys/${keyId}/show`, {})
    await stranger.logIn('Canary user', 'canary of a password')
    const log = premises.lines.join('\n')
    expect(log).toContain('user_logged_in')
    expect(log.includes(key)).toBe(false)
    expect(log).not.toMatch(/canary of a password|quiet lamps/)
  })
})

it('are listed page by page', async () => {
  const account = await premises.app.accounts.createAccount('Many')
  for (let n = 0; n < 51; n += 1) {
    await premises.app.accounts.createKey({ account, name: `key ${n}`, scopes: ['read'] })
  }
  await premises.addUser('Mona', ['read'], account)
  const browser = premises.open()
  await browser.logIn('Mona')
  const { html } = await browser.get('/console/account')
  expect(html).toContain('<a href="/console/account?page=2" rel="next">')
  expect(listNames(html)).toHaveLength(50)
  const names = [
    ...listNames(html),
    ...listNames((await browser.get('/console/account?page=2')).html),
  ]
  expect(new Set(names).size).toBe(51)
})

function listNames(html: string): readonly string[] {
  return [...html.matchAll(/role="rowheader"><a [^>]*>([^<]*)</g)].map(([, name = '']) => name)
}
