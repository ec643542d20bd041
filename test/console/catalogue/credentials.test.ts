import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApiDiscovery } from '../../../core/index.ts'
import { openConsoleOf, openTestConsole, type TestConsole } from '../../helpers/console.ts'
import { strongRandom } from '../../helpers/random.ts'
import { openTestService } from '../../helpers/service.ts'

const ORIGIN = 'https://eu.api.skycast.example'

/** Imports an API, and returns the path of its page. */
async function importApi(shown: TestConsole, title: string, more: object): Promise<string> {
  const document = { openapi: '3.1.0', info: { title, version: '1' }, ...more }
  const { apiId } = await shown.app.imports.importDescription({
    bytes: new TextEncoder().encode(JSON.stringify(document)),
    isPublic: true,
    vendorName: 'Cobalt',
    createVendor: true,
    by: shown.caller.account,
  })
  return `/console/apis/${apiId}`
}

describe('The credential forms', () => {
  let shown: TestConsole
  let api: string
  let endpoint: string
  beforeAll(async () => {
    shown = await openTestConsole()
    const { endpoints } = await shown.app.call('searchEndpoints', { q: 'forecast' }, shown.caller)
    api = `/console/apis/${endpoints[0]?.encrypted_id}`
    endpoint = endpoints[0]?.matched_endpoints[0]?.endpoint_id ?? ''
    for (const { credential_id } of await list()) {
      await shown.app.call('removeCredential', { credential_id }, shown.caller)
    }
  })
  afterAll(() => shown.close())

  async function list() {
    return (await shown.app.call('listCredentials', {}, shown.caller)).credentials
  }

  test('are linked from the API and from an endpoint without a credential', async () => {
    expect((await shown.get(api)).html).toContain(`href="${api}/credentials"`)
    const { html, text } = await shown.get(`${api}/endpoints/${endpoint}`)
    expect(html).toContain(`href="${api}/credentials?endpoint=${endpoint}"`)
    expect(text).toContain('store a credential')
    expect(text).not.toContain('PUT /gateway')
  })

  test('prefill the declared type, and list the addresses without selecting them', async () => {
    const { html, text } = await shown.get(`${api}/credentials`)
    expect(text).toContain('No credentials for this API')
    expect(html).toContain('<option value="query:appid" selected>Key in the query: appid</option>')
    expect(html).toMatch(/value="appid" id="field-name" name="name" required/)
    expect(html).toContain(`<input type="checkbox" name="origins" value="${ORIGIN}">`)
    expect(html).toMatch(/<input type="password" id="field-value" name="value" required/)
  })

  test('store a credential, never show its value, and link back to the endpoint', async () => {
    const stored = await shown.post(`${api}/credentials`, {
      type: 'query:appid',
      name: 'appid',
      value: 'canary-9921',
      origins: [ORIGIN],
      endpoint,
    })
    const to = stored.headers.get('location') ?? ''
    expect([stored.status, to]).toEqual([
      303,
      `${api}/credentials?done=stored&endpoint=${endpoint}`,
    ])
    expect(await list()).toMatchObject([
      { kind: 'query', name: 'appid', origins: [ORIGIN], vendor: null },
    ])
    const after = await shown.get(to)
    expect(after.text).toContain('Credential stored.')
    expect(after.text).toMatch(
      /Key in the query: appid Skycast \w+.* https:\/\/eu\.api\.skycast\.example 2026-03-14 \d\d:\d\d Remove/,
    )
    expect(after.html).toContain(`href="${api}/endpoints/${endpoint}#try"`)
    const tried = await shown.get(`${api}/endpoints/${endpoint}`)
    expect(tried.text).toContain('Sent with the call: Stored credential query “appid” of this API')
    expect(`${after.html}${tried.html}`).not.toContain('canary-9921')
  })

  test('reject a form without a confirmed address, and do not repeat the value', async () => {
    const before = await list()
    const { status, html, text } = await shown.post(`${api}/credentials`, {
      type: 'query:appid',
      name: 'key2',
      value: 'canary-1188',
    })
    expect(status).toBe(400)
    expect(text).toContain('There is a problem')
    expect(html).toContain('<a href="#field-origins">Addresses are missing')
    expect(html).toContain('<fieldset id="field-origins" aria-describedby="field-origins-error">')
    expect(html).toMatch(/value="key2" id="field-name"/)
    expect(html).not.toContain('canary-1188')
    expect(await list()).toEqual(before)
  })

  test('mark each invalid field', async () => {
    const form = { type: 'OAuth2', client_id: '', token_url: 'http://x.example', origins: [ORIGIN] }
    const { status, html } = await shown.post(`${api}/credentials`, form)
    expect(status).toBe(400)
    for (const name of ['client_id', 'client_secret', 'token_url']) {
      expect(html).toContain(`<a href="#field-${name}">`)
      expect(html).toContain(`id="field-${name}-error"`)
    }
    const unknown = await shown.post(`${api}/credentials`, { type: 'magic', origins: [ORIGIN] })
    expect(unknown.status).toBe(400)
    const wrong = await shown.post(`${api}/credentials`, {
      type: 'bearer',
      value: 'x',
      more_origins: 'https://api.example/v1',
    })
    expect([wrong.status, wrong.text.includes('Addresses must be origins')]).toEqual([400, true])
  })

  test('store a credential for all APIs of the vendor', async () => {
    const form = { type: 'bearer', value: 'x', for: 'vendor', more_origins: 'https://x.example' }
    expect((await shown.post(`${api}/credentials`, form)).status).toBe(303)
    expect((await list()).at(-1)).toMatchObject({
      api_id: null,
      vendor: 'Skycast',
      kind: 'bearer',
      origins: ['https://x.example'],
    })
    expect((await shown.get('/console/credentials')).text).toContain('All APIs of Skycast')
  })

  test('support schemes of other kinds, and undeclared keys', async () => {
    const servers = [{ url: 'https://cobalt.example' }]
    const flows = { clientCredentials: { tokenUrl: 'https://cobalt.example/token', scopes: {} } }
    const schemes = await importApi(shown, 'Cobalt schemes', {
      servers,
      components: {
        securitySchemes: {
          basic: { type: 'http', scheme: 'basic' },
          digest: { type: 'http', scheme: 'digest' },
          oauth: { type: 'oauth2', flows },
          jar: { type: 'apiKey', in: 'cookie', name: 'sid' },
        },
      },
      security: [{ basic: [] }, { digest: [] }, { oauth: [] }, { jar: [] }],
      paths: { '/': { get: { responses: {} } } },
    })
    const { html } = await shown.get(`${schemes}/credentials`)
    const offered = [...html.matchAll(/<option value="([^"]+)"[^>]*>(?![^<]*not declared)/g)]
    expect(offered.map(([, value]) => value)).toEqual([
      'BasicAuth',
      'OAuth2',
      'bearer',
      'cookie:sid',
    ])
    expect(html).toContain('name="username"')
    expect((await shown.get(`${schemes}/credentials?type=OAuth2`)).html).toContain(
      'name="client_secret"',
    )
    const parameters = [{ name: 'X-Api-Key', in: 'header', schema: { type: 'string' } }]
    const undeclared = await importApi(shown, 'Cobalt keys', {
      paths: { '/': { get: { parameters, responses: {} } } },
    })
    const bare = await shown.get(`${undeclared}/credentials`)
    expect(bare.html).toContain('<option value="header:X-Api-Key" selected>')
    expect(bare.text).toContain('The description contains no absolute address')
    expect(bare.html).toMatch(
      /<input type="url" value="" id="field-origins" name="origins" required/,
    )
  })

  test('remove a credential after confirmation', async () => {
    const [first] = await list()
    const path = `/console/credentials/${first?.credential_id}/remove`
    const asked = await shown.post(path, {})
    expect([asked.status, asked.text.includes('Select the box')]).toEqual([400, true])
    const removed = await shown.post(path, { confirmed: 'yes' })
    expect(removed.headers.get('location')).toBe('/console/credentials?done=removed')
    expect((await list()).map(({ credential_id }) => credential_id)).not.toContain(
      first?.credential_id,
    )
    expect((await shown.post(path, { confirmed: 'yes' })).status).toBe(404)
  })
})

test('A service that cannot encrypt credentials says so at the form', async () => {
  const service = await openTestService({ isEmpty: true })
  const { storage, clock } = service
  const app = createApiDiscovery({ storage, clock, random: strongRandom })
  const shown = await openConsoleOf({ ...service, app })
  const api = await importApi(shown, 'Bare', { paths: { '/': { get: { responses: {} } } } })
  const form = { type: 'bearer', value: 'x', origins: [ORIGIN] }
  const { status, text } = await shown.post(`${api}/credentials`, form)
  expect([status, text.includes('Cannot store credentials')]).toEqual([501, true])
  await shown.close()
})
