import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPremisesWith, type Premises } from '../../helpers/console-visit.ts'

let premises: Premises
/** How far the service's clock is ahead of the system clock. */
let aheadMs = 0
beforeAll(async () => {
  premises = await openPremisesWith({ clock: () => Date.now() + aheadMs })
  await premises.addUser('Ada', ['read'])
})
afterAll(() => premises.close())

const fetchWithKey = (key: string, method: string, path: string) =>
  premises.app.fetch(new Request(`http://a.test${path}`, { method, headers: { 'api-key': key } }))

test('Lists refused requests with reason and solution, for their account only', async () => {
  const { app, account } = premises
  const scopes = ['read'] as const
  const reader = await app.accounts.createKey({ account, name: 'nightly <b>', scopes })
  const ended = await app.accounts.createKey({ account, name: 'ended', scopes })
  await app.accounts.revokeKey({ account, keyId: ended.record.id })
  expect((await fetchWithKey(reader.key, 'DELETE', '/api/apis?id=1')).status).toBe(403)
  for (let n = 0; n < 3; n += 1)
    expect((await fetchWithKey(ended.key, 'GET', '/api/imports')).status).toBe(401)

  const ada = premises.open()
  await ada.logIn('Ada')
  const { html } = await ada.get('/console/account/refused')
  const rows = /<tbody[^>]*>([\s\S]*)<\/tbody>/.exec(html)?.[1]?.replaceAll(/<[^>]*>/g, ' ') ?? ''
  expect(rows).toMatch(
    /removeApi +scope missing +1 +nightly &lt;b&gt; +\S+ +Use a key with the scope +admin +\./,
  )
  expect(rows).toMatch(/listImports +key revoked +3 +ended +\S+ +Use another key/)
  for (const key of [reader.key, ended.key]) expect(html).not.toContain(key)
  // The user lacks the scope for this page.
  expect(html).not.toContain('/console/account/calls')

  const ofKey = await ada.get(`/console/account/keys/${ended.record.id}`)
  expect(ofKey.html).toContain('<h2>Refused requests</h2>')
  expect([ofKey.html.includes('listImports'), ofKey.html.includes('removeApi')]).toEqual([
    true,
    false,
  ])
  const filtered = await ada.get(`/console/account/refused?key=${reader.record.id}`)
  expect(filtered.html).not.toContain('listImports')

  await premises.addUser('Bo', ['read'], await app.accounts.createAccount('Other'))
  const bo = premises.open()
  await bo.logIn('Bo')
  const path = `/console/account/refused?key=${reader.record.id}`
  expect((await bo.get(path)).html).toContain('No refused requests')
})

test("Uses the service's clock for the expiry of keys", async () => {
  const { app, account } = premises
  const made = await app.accounts.createKey({
    account,
    name: 'short',
    scopes: ['read'],
    expiresInMs: 60_000,
  })
  const ada = premises.open()
  await ada.logIn('Ada')
  const path = `/console/account/keys/${made.record.id}`
  expect((await ada.get(path)).html).toContain('active')
  aheadMs = 60_000
  expect((await ada.get(path)).html).toContain('expired')
})
