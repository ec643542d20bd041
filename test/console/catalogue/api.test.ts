import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SCOPES } from '../../../core/index.ts'
import { openTestConsole, type TestConsole } from '../../helpers/console.ts'

describe('The page of an API', () => {
  let shown: TestConsole
  beforeAll(async () => {
    shown = await openTestConsole()
  })
  afterAll(() => shown.close())

  async function pathOf(name: string): Promise<string> {
    const { endpoints } = await shown.app.call('searchEndpoints', { q: name }, shown.caller)
    return `/console/apis/${endpoints[0]?.encrypted_id}`
  }

  test('shows its facts, terms and endpoints', async () => {
    const path = await pathOf('Ledgerly Payments')
    const { status, text, html } = await shown.get(path)
    expect(status).toBe(200)
    expect(html.match(/<h1>[^<]*<\/h1>/g)).toEqual(['<h1>Ledgerly Payments</h1>'])
    for (const part of [
      'Vendor Ledgerly',
      'Version 1.4.2',
      'Category Finance & Banking',
      'Authentication Key in a header',
      'Licence Apache-2.0',
      'Take card payments, refund them, and send invoices.',
      '4 endpoints, 1 webhook or callback',
      'First seen 2026-03-10 08:00',
    ]) {
      expect(text).toContain(part)
    }
    const byNumber = await shown.app.catalogue.getApi(path.split('/').at(-1) ?? '')
    expect((await shown.get(`/console/apis/${byNumber.id}`)).status).toBe(200)
  })

  test('shows the kind and tools of an MCP server, which the gateway does not call', async () => {
    await shown.app.imports.importDescription({
      bytes: await readFile('fixtures/descriptions/skycast-mcp-server.json'),
      vendorName: 'Skycast',
      isPublic: true,
    })
    const { endpoints } = await shown.app.call('searchEndpoints', { kind: 'mcp' }, shown.caller)
    const path = `/console/apis/${endpoints[0]?.encrypted_id}`
    const { text, html } = await shown.get(path)
    for (const part of [
      'Kind MCP server Version 1.4.0',
      'Servers https://mcp.skycast-mcp.org/{region}/mcp streamable-http',
      '3 endpoints',
      'post https://mcp.skycast-mcp.org/eu/mcp MCP messages',
      'post #get_forecast Get a forecast',
    ]) {
      expect(text).toContain(part)
    }
    expect(text).not.toContain('No callable address')
    const [, tool = ''] =
      /href="([^"]+)"><span class="method">post<\/span> <span class="mono">#get/.exec(html) ?? []
    const shownTool = await shown.get(tool)
    expect(shownTool.text).toMatch(
      /Calls not possible Cannot call endpoint "\w+": it belongs to an MCP server. Connect an MCP client to https:\/\/mcp.skycast-mcp.org\/\{region\}\/mcp\./,
    )
    expect(shownTool.text).not.toContain('Start a rate-limit test')
    const list = await shown.get('/console/apis?kind=mcp')
    expect(list.text).toContain('Kind: MCP server ✕')
    expect(list.html).toContain('<span class="badge">MCP server</span>')
    const tests = await shown.get(`/console/rate-limits/new?api=${endpoints[0]?.encrypted_id}`)
    expect(tests.text).toContain('of an MCP server, cannot be tested')
  })

  test('shows the source, date and changes of each agreement', async () => {
    const path = await pathOf('Pigeon Messaging')
    const body = {
      api_id: path.split('/').at(-1) ?? '',
      agreements: [
        { agreement_name: 'Privacy <b>', agreement_link: 'https://pigeon.example/privacy' },
      ],
    }
    await shown.app.call('replaceAgreements', { body }, shown.caller)
    const { text, html } = await shown.get(path)
    expect(text).toContain(
      'Terms of service Terms of service https://pigeon.example/terms description 2026-03-11 08:00 never',
    )
    expect(text).toMatch(/Privacy <b> [\w ]+ https:\/\/pigeon.example\/privacy manual 2026-03-14/)
    expect(text).toContain('Changes of agreements')
    expect(html).toContain(
      '<a href="https://pigeon.example/privacy" rel="noopener noreferrer nofollow" target="_blank">Privacy &lt;b&gt;</a>',
    )
  })

  test('shows the assessment, each statement with its evidence', async () => {
    const { text, html } = await shown.get(await pathOf('Ledgerly Payments'))
    expect(text).toContain(
      'neutral A permissive software licence is named, but terms of service apply Apache-2.0',
    )
    expect(html).toContain(
      '<span class="badge">neutral</span> A permissive software licence is named, but terms of service apply\n<blockquote>Apache-2.0</blockquote><p class="soft"><a href="https://spdx.org/licenses/Apache-2.0.html" rel="noopener noreferrer nofollow" target="_blank">licence</a>, <time datetime="2026-03-10T08:00:00.000Z">2026-03-10 08:00</time></p>',
    )
  })

  test('searches its endpoints by words, method and deprecation', async () => {
    const path = await pathOf('Wayfare Maps')
    const all = await shown.get(path)
    expect(all.text).toContain('3 endpoints')
    const old = await shown.get(`${path}?deprecated=yes`)
    expect(old.text).toContain('1 endpoint ')
    expect(old.text).toContain('Deprecated')
    const none = await shown.get(`${path}?find=%25&method=delete`)
    expect(none.text).toContain('No matching endpoints. Show all')
  })

  test("lists only the viewer's own projects and networks that use it", async () => {
    const path = await pathOf('Ledgerly Payments')
    const { text, html } = await shown.get(path)
    expect(text).toContain('Projects (1)')
    expect(html).toMatch(/href="\/console\/scans\/projects\/[^"]+"/)
    const byNetwork = await shown.get(await pathOf('Skycast Weather'))
    expect(byNetwork.text).toContain('Networks (1)')
    expect(byNetwork.html).toMatch(/href="\/console\/scans\/networks\/[^"]+"/)
    const stranger = {
      name: 'Bob',
      caller: { account: { id: 'other', name: 'Other' }, scopes: new Set(SCOPES) },
    }
    const other = await openTestConsole({ viewer: stranger })
    const theirs = await other.get(path)
    expect(theirs.text).toContain('Not found in your scans')
    expect(theirs.text).not.toContain('Projects (')
    await other.close()
  })

  test('counts only the usages of this API, with their review status', async () => {
    const own = await openTestConsole()
    const path = await pathOf('Pigeon Messaging')
    const submit = async (day: number, urls: readonly string[]) => {
      const head = { project_name: 'Dovecote', datetime_created: `2026-03-0${day}T08:00:00Z` }
      const rows = urls.map((endpoint_url) => ({ endpoint_url, endpoint_method: 'get' }))
      return own.app.call('submitProjectScan', { head, rows }, own.caller)
    }
    const of = (path: string) => `https://api.pigeon.example/v3/${path}`
    const { project_id } = await submit(1, [
      of('a'),
      of('b'),
      'https://api.ledgerly.example/v1/payments',
      'https://unknown.example',
    ])
    const review = (...names: readonly string[]) => {
      const endpoints = names.map((name) => ({ endpoint_url: of(name), approval: 'yes' as const }))
      return own.app.call('reviewProjectScan', { body: { project_id, endpoints } }, own.caller)
    }
    const row = async () =>
      /Dovecote 2026-03-0\d 08:00 .*?(?= None of|$)/.exec((await own.get(path)).text)?.[0]
    expect(await row()).toContain('Dovecote 2026-03-01 08:00 2 Unreviewed')
    await review('a')
    expect(await row()).toContain('Dovecote 2026-03-01 08:00 2 1 of 2 approved')
    await review('a', 'b')
    expect(await row()).toContain('Dovecote 2026-03-01 08:00 2 Approved')
    await submit(2, ['https://unknown.example'])
    expect((await own.get(path)).text).not.toContain('Dovecote')
    await own.close()
  })

  test('reports a missing API', async () => {
    for (const id of ['nothing', '0', '%00', '%3Cb%3E', '9'.repeat(30)]) {
      const { status, text } = await shown.get(`/console/apis/${id}`)
      expect([id, status]).toEqual([id, 404])
      expect(text).toContain('API not found; it may have been removed')
    }
  })

  test('lists known vulnerabilities as unconfirmed, exploited ones first', async () => {
    const bytes = new TextEncoder().encode(
      JSON.stringify({ openapi: '3.1.0', info: { title: 'Log4j', version: '2' }, paths: {} }),
    )
    await shown.app.imports.importDescription({
      bytes,
      vendorName: 'Apache',
      createVendor: true,
      isPublic: true,
    })
    const { text, html } = await shown.get(await pathOf('Log4j'))
    expect(text).toMatch(/Unconfirmed: \d+ CVEs? mentions? a product/)
    expect(text).toContain('known exploited')
    expect(html).toContain('<a href="/console/vulnerabilities/CVE-2021-44228">CVE-2021-44228</a>')
    expect(text).toContain('No endpoints')
  })
})
