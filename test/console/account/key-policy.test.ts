import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SCOPES } from '../../../core/index.ts'
import { type Browser, openPremises, type Premises } from '../../helpers/console-visit.ts'

describe('call limits of a key', () => {
  let premises: Premises
  let browser: Browser
  let keyId: string
  let path: string
  let api: { readonly id: string; readonly name: string }
  beforeAll(async () => {
    premises = await openPremises('https://apis.test', true)
    await premises.addUser('Root', SCOPES)
    await premises.addUser('Rea', ['read', 'call'])
    const { account, app, caller } = premises
    const { record } = await app.accounts.createKey({ account, name: 'ci', scopes: ['call'] })
    keyId = record.id
    path = `/console/account/keys/${keyId}`
    const { endpoints } = await app.call('searchEndpoints', { q: 'payments' }, caller)
    const [found] = endpoints
    api = { id: found?.encrypted_id ?? '', name: found?.name ?? '' }
    browser = premises.open()
    await browser.logIn('Root')
  })
  afterAll(() => premises.close())

  async function findPolicy() {
    const { policies } = await premises.app.call('listPolicies', {}, premises.caller)
    const policy = policies.find(({ key_id }) => key_id === keyId)
    if (!policy) return undefined
    const { vendors, api_ids, methods, daily_budget } = policy
    return { vendors, api_ids: api_ids?.length ?? null, methods, daily_budget }
  }

  it('are shown to administrators only', async () => {
    const reader = premises.open()
    await reader.logIn('Rea')
    expect((await reader.get(path)).html).not.toContain('Call limits')
    expect((await reader.get(`${path}/policy`)).status).toBe(403)
    const { html } = await browser.get(path)
    expect(html).toContain('No limits: the key may call every API through the gateway.')
    expect(html).toContain(`href="${path}/policy"`)
  })

  it('are not offered for a key without the scope call', async () => {
    const { account, app } = premises
    const { record } = await app.accounts.createKey({ account, name: 'docs', scopes: ['read'] })
    const { html } = await browser.get(`/console/account/keys/${record.id}`)
    expect(html).toContain('Without the scope <code>call</code>, the key cannot call APIs.')
    expect(html).not.toContain('may call every API')
    const row = (await browser.get('/console/account')).html.split(`${record.id}"`)[1] ?? ''
    expect(row).toMatch(/data-title="Calls" class="tight">none</)
  })

  it('are saved, shown with API names, and prefilled in the form', async () => {
    await browser.get(`${path}/policy`)
    const set = await browser.send(`${path}/policy`, {
      vendors: ' Skycast \r\n\r\n',
      api_ids: api.id,
      methods: ['GET', 'HEAD'],
      daily_budget: '1000',
    })
    expect([set.status, set.location]).toEqual([303, `${path}?done=limited`])
    expect(await findPolicy()).toEqual({
      vendors: ['Skycast'],
      api_ids: 1,
      methods: ['GET', 'HEAD'],
      daily_budget: 1000,
    })
    const { html } = await browser.get(set.location)
    for (const part of [
      'Limits saved.',
      `>${api.name}</a>`,
      '<dd>GET, HEAD</dd>',
      '<dd>1,000</dd>',
    ]) {
      expect(html).toContain(part)
    }
    expect((await browser.get('/console/account')).html).toMatch(
      /<td role="cell" data-title="Calls" class="tight">limited<\/td>/,
    )
    const form = (await browser.get(`${path}/policy`)).html
    expect(form).toMatch(/name="vendors"[^>]*>\nSkycast<\/textarea>/)
    expect(form).toContain(`>\n${api.id}</textarea>`)
    expect(form).toContain('name="methods" value="GET" checked')
    expect(form).not.toContain('name="methods" value="POST" checked')
    expect(form).toContain('value="1000"')
  })

  it('are rejected with each invalid field marked, and stay unchanged', async () => {
    const before = await findPolicy()
    const wrong = await browser.send(`${path}/policy`, {
      vendors: 'Nobody\nNoone',
      api_ids: 'nowhere',
      daily_budget: '7',
    })
    expect(wrong.status).toBe(400)
    expect(wrong.html).toContain(
      '<a href="#field-vendors">The list of vendors contains an unknown vendor: &quot;Nobody&quot;; contains an unknown vendor: &quot;Noone&quot;</a>',
    )
    expect(wrong.html).toContain('<a href="#field-api_ids">')
    expect(wrong.html).toContain('>\nNobody\nNoone</textarea>')
    const budget = await browser.send(`${path}/policy`, { vendors: '', daily_budget: '1.5' })
    expect([budget.status, budget.html.includes('id="field-daily_budget-error"')]).toEqual([
      400,
      true,
    ])
    const method = await browser.send(`${path}/policy`, { vendors: '', methods: ['G-T'] })
    expect([method.status, method.html.includes('id="field-methods-error"')]).toEqual([400, true])
    expect(await findPolicy()).toEqual(before)
  })

  it('still block every call after the form is saved unchanged', async () => {
    const body = { key_id: keyId, vendors: [] }
    await premises.app.call('putPolicy', { body }, premises.caller)
    expect((await browser.get(path)).html).toContain('<dt>APIs</dt><dd>none</dd>')
    const { html } = await browser.get(`${path}/policy`)
    expect(html).toContain('blocks every call')
    const value = /value="(\d*)" id="field-daily_budget"/.exec(html)?.[1] ?? ''
    await browser.send(`${path}/policy`, { vendors: '', api_ids: '', daily_budget: value })
    expect(await findPolicy()).toMatchObject({ vendors: null, daily_budget: 0 })
  })

  it('are copied to the key that replaces it', async () => {
    const { account, app, caller } = premises
    const { record } = await app.accounts.createKey({ account, name: 'old', scopes: ['call'] })
    const limits = { vendors: ['Skycast'], api_ids: null, methods: ['GET'], daily_budget: 3 }
    await app.call('putPolicy', { body: { key_id: record.id, ...limits } }, caller)
    await browser.get(`/console/account/keys/${record.id}`)
    const rotated = await browser.send(`/console/account/keys/${record.id}/rotate`, {
      overlap: '1',
    })
    const [, next] = /keys\/(\w+)\?done=rotated/.exec(rotated.location) ?? []
    const { policies } = await app.call('listPolicies', {}, caller)
    expect(policies.find(({ key_id }) => key_id === next)).toMatchObject(limits)
    expect(policies.find(({ key_id }) => key_id === record.id)).toMatchObject(limits)
  })

  it('are removed after confirmation', async () => {
    await browser.get(`${path}/policy`)
    const asked = await browser.send(`${path}/policy/remove`, {})
    expect([asked.status, asked.html.includes('Tick the box to remove the limits')]).toEqual([
      400,
      true,
    ])
    const lifted = await browser.send(`${path}/policy/remove`, { confirmed: 'yes' })
    expect([lifted.status, lifted.location]).toEqual([303, `${path}?done=unlimited`])
    expect(await findPolicy()).toBeUndefined()
    const again = await browser.send(`${path}/policy/remove`, { confirmed: 'yes' })
    expect(again.status).toBe(404)
  })
})
