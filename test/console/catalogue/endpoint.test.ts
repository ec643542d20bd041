import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createConsole } from '../../../adapters/web/console.ts'
import type { Scope } from '../../../core/index.ts'
import { openTestConsole, type ShownPage, type TestConsole } from '../../helpers/console.ts'

/** Would end a string or be evaluated if it were not escaped. */
const ODD = `\${x} \`y\` </script>`

describe('The page of an endpoint', () => {
  let shown: TestConsole
  beforeAll(async () => {
    shown = await openTestConsole()
  })
  afterAll(() => shown.close())

  /** Returns the page of the first endpoint in a search. */
  async function pathOf(q: string): Promise<string> {
    const { endpoints } = await shown.app.call('searchEndpoints', { q }, shown.caller)
    const [api] = endpoints
    return `/console/apis/${api?.encrypted_id}/endpoints/${api?.matched_endpoints[0]?.endpoint_id}`
  }

  async function fill(path: string, fields: Readonly<Record<string, string>>): Promise<ShownPage> {
    const { html } = await shown.get(path)
    const shape = /name="shape" value="(\w+)"/.exec(html)?.[1] ?? ''
    return shown.post(path, { shape, ...fields })
  }

  test('shows parameters and responses', async () => {
    const { status, text, html } = await shown.get(await pathOf('send text message'))
    expect(status).toBe(200)
    expect(html).toContain(
      '<h1><span class="method">post</span> <span class="mono">/messages</span></h1>',
    )
    for (const part of [
      'Address https://api.pigeon.example/v3/messages',
      'OAuth 2 (bearer) oauth, scopes messages:send',
      'Body: application/x-www-form-urlencoded',
      'to Required formData string Number in E.164 form. +41790000000',
      '{ "id": "msg_1", "state": "queued" }',
    ]) {
      expect(text).toContain(part)
    }
  })

  test('has a form of the parameters, with prefilled required values', async () => {
    const { html } = await shown.get(await pathOf('send text message'))
    expect(html).toContain(
      '<input type="text" value="+41790000000" id="field-value-0" name="value-0" required',
    )
    expect(html).toContain('<input type="password" id="field-value-3"')
    const forecast = await shown.get(await pathOf('forecast'))
    expect(forecast.html).toMatch(/<select id="field-value-\d+" name="value-\d+"[^>]*>\s*<option/)
  })

  test('sends the call through the gateway and shows the response as text', async () => {
    const path = await pathOf('send text message')
    const secret = 'Bearer canary-1234'
    const values = { 'value-0': '+372 <b>', 'value-1': 'hi', 'value-3': secret }
    const { status, text, html } = await fill(path, { ...values, action: 'send' })
    expect(status).toBe(200)
    expect(text).toContain('Response Status 200')
    expect(text).toContain('"url": "https://api.pigeon.example/v3/messages"')
    expect(text).toContain('to=%2B372%20%3Cb%3E&text=hi')
    expect(html).toContain('value="+372 &lt;b&gt;" id="field-value-0"')
    // The mirror returns the request, key included; no other part of the page contains the key.
    expect(html.replace(/<section class="panel" id="answer"[\s\S]*?<\/section>/, '')).not.toContain(
      'canary-1234',
    )
    const { calls } = await shown.app.call('listCalls', { size: 1 }, shown.caller)
    const endpoint_id = path.split('/').at(-1)
    expect(calls[0]).toMatchObject({ endpoint_id, status: 200, key_id: '', caller: 'console' })
  })

  test('shows the same call as curl, TypeScript and Python, without sending it', async () => {
    const path = await pathOf('send text message')
    const before = await shown.app.call('listCalls', { size: 1 }, shown.caller)
    const { html, text } = await fill(path, {
      'value-0': "o'neil",
      'value-1': 'a "b"\n',
      'value-3': 'canary',
      action: 'show',
    })
    expect(text).toContain('Nothing was sent.')
    expect(html).not.toContain('canary')
    const id = path.split('/').at(-1)
    expect(readSnippet(html, 'service-curl')).toBe(
      `curl -X POST 'http://console.test/api/gateway?endpoint_id=${id}' \\\n  -H "api-key: $API_DISCOVERY_KEY" \\\n  -H 'content-type: application/json' \\\n  --data-raw '{"to":"o'\\''neil","text":"a \\"b\\"\\n","Authorization":"YOUR_SECRET"}'`,
    )
    expect(readSnippet(html, 'service-client')).toContain(`endpoint_id: "${id}",\n  body: {\n`)
    expect(readSnippet(html, 'service-python')).toContain(
      `    json={\n        "to": "o'neil",\n        "text": "a \\"b\\"\\n",\n        "Authorization": "YOUR_SECRET",\n    },`,
    )
    expect(readSnippet(html, 'target-curl')).toContain(
      "-X POST https://api.pigeon.example/v3/messages -H 'authorization: ***'",
    )
    expect(readSnippet(html, 'target-python')).toContain('"authorization": "***",')
    const after = await shown.app.call('listCalls', { size: 1 }, shown.caller)
    expect(after.num_results).toBe(before.num_results)
  })

  test('shows code that makes the same call', async () => {
    const { html } = await fill(await pathOf('send text message'), {
      'value-0': "o'neil \\ \u2028",
      'value-1': ODD,
      'value-2': 'a,b',
      action: 'show',
    })
    const sent: unknown[] = []
    const fetch = async (url: string, init: { readonly body: string }) => {
      sent.push([url, init.body])
      return { status: 200, text: async () => '' }
    }
    const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor
    for (const id of ['service-fetch', 'target-fetch']) {
      await new AsyncFunction('fetch', 'console', readSnippet(html, id))(fetch, { log() {} })
    }
    const [[, viaService], [url, direct]] = sent as [[string, string], [string, string]]
    expect(JSON.parse(viaService)).toEqual({
      to: "o'neil \\ \u2028",
      text: ODD,
      tags: 'a,b',
    })
    expect(url).toBe('https://api.pigeon.example/v3/messages')
    expect(Object.fromEntries(new URLSearchParams(direct))).toMatchObject({
      to: "o'neil \\ \u2028",
      text: ODD,
    })
  })

  test('shows an error at the field, and sends nothing', async () => {
    const path = await pathOf('send text message')
    const { status, html, text } = await fill(path, { 'value-0': '', action: 'send' })
    expect(status).toBe(400)
    expect(text).toContain('No response')
    expect(html).toContain('<p class="error" id="field-value-0-error">is required</p>')
  })

  test('does not assign values to the fields of a changed description', async () => {
    const path = await pathOf('send text message')
    const { status, text } = await shown.post(path, {
      shape: 'old',
      'value-0': 'x',
      action: 'send',
    })
    expect(status).toBe(409)
    expect(text).toContain('The description has changed since the page was loaded')
  })

  test('saves a response as a file that no browser displays', async () => {
    const path = await pathOf('send text message')
    const calls = async () => (await shown.app.call('listCalls', {}, shown.caller)).num_results
    const before = await calls()
    const sent = await fill(path, { 'value-0': '1', 'value-1': '2', action: 'send' })
    const valueIn = (name: string) =>
      new RegExp(`name="${name}" value="([^"]*)"`).exec(sent.html)?.[1] ?? ''
    expect(sent.html).toContain(`action="${path}/answer"`)
    const kept = { type: valueIn('type'), content: valueIn('content') }
    const { status, html, headers } = await shown.post(`${path}/answer`, kept)
    expect([status, await calls()]).toEqual([200, before + 1])
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename*=UTF-8''answer-${path.split('/').at(-1)}.json`,
    )
    expect(headers.get('content-type')).toBe('application/octet-stream')
    expect(JSON.parse(html)).toMatchObject({ body: 'to=1&text=2' })
    const odd = await shown.post(`${path}/answer`, { ...kept, content: '<b>', type: '../x' })
    expect([odd.status, odd.text.includes('does not contain the response')]).toEqual([400, true])
  })

  test('uses the public address of the service in code', async () => {
    const apis = await createConsole({
      app: shown.app,
      authenticate: () => ({ name: 'Ada', caller: shown.caller }),
      basePath: '/v9/apis',
    })
    const response = await apis.fetch(
      new Request(`http://console.test${await pathOf('forecast')}`, {
        headers: { host: 'console.test' },
      }),
    )
    const html = await response.text()
    expect(html).toContain('http://console.test/v9/apis/gateway?endpoint_id=')
    expect(html).not.toContain('http://console.test/api/')
  })

  test('names the stored credential to be sent, without its value', async () => {
    const fresh = await openTestConsole()
    const path = await pathOf('forecast')
    const api_id = path.split('/')[3] ?? ''
    const origins = ['https://eu.api.skycast.example']
    const body = { api_id, kind: 'query' as const, name: 'appid', value: 'canary-5678', origins }
    await fresh.app.call('putCredential', { body }, fresh.caller)
    const { html, text } = await fresh.get(path)
    expect(text).toContain(
      'Sent with the call: Stored credential query “appid” of this API, in query appid',
    )
    expect(html).not.toContain('canary-5678')
    await fresh.close()
  })

  test('leaves fields named like inherited members empty', async () => {
    const names = ['constructor', 'toString', '__proto__', 'hasOwnProperty']
    const schema = { type: 'string' }
    const parameters = names.map((name) => ({ name, in: 'query', required: true, schema }))
    const document = {
      openapi: '3.1.0',
      info: { title: 'Odd names', version: '1' },
      servers: [{ url: 'https://odd.example' }],
      paths: { '/odd': { get: { parameters, responses: {} } } },
    }
    const { apiId } = await shown.app.imports.importDescription({
      bytes: new TextEncoder().encode(JSON.stringify(document)),
      isPublic: true,
      vendorName: 'Odd',
      createVendor: true,
    })
    const api = await shown.app.catalogue.getApi(apiId)
    const listed = await shown.app.catalogue.listEndpoints({ apiId: api.id }, { size: 1, page: 1 })
    const id = listed.items[0]?.shortId
    for (const path of [
      `/console/apis/${apiId}/endpoints/${id}`,
      `/console/rate-limits/new?endpoint=${id}`,
    ]) {
      const { html } = await shown.get(path)
      const values = [...html.matchAll(/<input type="text" value="([^"]*)" id="field-value/g)]
      expect([path, ...values.map(([, value]) => value)]).toEqual([path, '', '', '', ''])
    }
  })

  test('requires the scope to call, and rejects the form without it', async () => {
    const { caller } = shown
    const viewer = { name: 'Ada', caller: { ...caller, scopes: new Set<Scope>(['read']) } }
    const reader = await openTestConsole({ viewer })
    const path = await pathOf('send text message')
    const { status, text, html } = await reader.get(path)
    expect(status).toBe(200)
    expect(text).toContain('To call this endpoint, you need the scope call')
    expect(html).not.toContain('name="shape"')
    expect((await reader.post(path, { action: 'send' })).status).toBe(403)
    await reader.close()
  })

  test('explains why webhooks cannot be called, and rejects foreign endpoints', async () => {
    const { endpoints } = await shown.app.call('searchEndpoints', { q: 'ledgerly' }, shown.caller)
    const api = await shown.app.catalogue.getApi(endpoints[0]?.encrypted_id ?? '')
    const listed = await shown.app.catalogue.listEndpoints(
      { apiId: api.id, text: 'paymentPaid' },
      { size: 1, page: 1 },
    )
    const base = `/console/apis/${api.encryptedId}/endpoints`
    const webhook = await shown.get(`${base}/${listed.items[0]?.shortId}`)
    expect(webhook.status).toBe(200)
    expect(webhook.text).toContain('Calls not possible')
    const other = (await pathOf('forecast')).split('/').at(-1)
    for (const id of [other, 'nothing', '%00']) {
      expect([id, (await shown.get(`${base}/${id}`)).status]).toEqual([id, 404])
    }
  })
})

function readSnippet(html: string, id: string): string {
  const text = new RegExp(`<pre id="${id}"[^>]*>([\\s\\S]*?)</pre>`).exec(html)?.[1] ?? ''
  const entities: Readonly<Record<string, string>> = {
    '&amp;': '&',
    '&lt;': '<',
    '&gt;': '>',
    '&quot;': '"',
    '&#39;': "'",
  }
  return text.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? '')
}
