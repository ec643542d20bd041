import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPremises, type Premises } from '../../helpers/console-visit.ts'

let premises: Premises
beforeAll(async () => {
  premises = await openPremises(undefined, true)
  await premises.addUser('Ada', ['read', 'call'])
})
afterAll(() => premises.close())

test('Lists calls with their outcome and links to their endpoints', async () => {
  const browser = premises.open()
  await browser.logIn('Ada')
  const found = await premises.app.call('listCalls', {}, premises.caller)
  expect(found.num_results).toBeGreaterThan(0)
  const { html } = await browser.get('/console/account/calls')
  expect(html).toContain(`Calls, newest first: ${found.num_results}<`)
  for (const { endpoint_id: id, origin } of found.calls) {
    expect([html.includes(`/endpoints/${id}"`), html.includes(origin)]).toEqual([true, true])
  }
  const keys = await premises.app.accounts.listKeys(premises.caller.account)
  const names = new Map(keys.map(({ id, name }) => [id, name]))
  const callers = found.calls.map(({ key_id, caller }) => names.get(key_id) ?? caller)
  for (const caller of callers) expect(html).toContain(caller)
  const link = /<a href="(\/console\/apis\/[^"]+\/endpoints\/[^"]+)">/.exec(html)?.[1] ?? ''
  expect((await browser.get(link)).status).toBe(200)
  const other = premises.open()
  await premises.addUser('Bo', ['call'], await premises.app.accounts.createAccount('Other'))
  await other.logIn('Bo')
  const none = await other.get('/console/account/calls')
  expect(none.html).toContain('No calls yet')
  expect(none.html).toContain('api-discovery gateway ENDPOINT_ID --account Other<')
})
