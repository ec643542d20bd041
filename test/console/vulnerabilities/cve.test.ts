import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestConsole, type TestConsole } from '../../helpers/console.ts'

describe('The CVE page', () => {
  let shown: TestConsole
  beforeAll(async () => {
    shown = await openTestConsole()
  })
  afterAll(() => shown.close())

  test('shows all data of a CVE, the most urgent first', async () => {
    const { html, text } = await shown.get('/console/vulnerabilities/cve-2021-44228')
    expect(text).toContain('CVE-2021-44228 Critical 10.0 CVSS 3.1 Known exploited Ransomware')
    expect(text).toContain('Example record Log4Shell')
    expect(text).toContain('Fix due by 2021-12-24 Required action Update as the vendor says.')
    expect(text).toContain('log4j from 2.0.1 before 2.3.1 , from 2.4.0 before 2.12.2')
    expect(text).toContain('2.0 beta9')
    expect(text).toContain('Attack vector over the network AV:N')
    expect(text).toContain('Authentication none Au:N')
    expect(html).toContain(
      '<a href="https://cwe.mitre.org/data/definitions/917.html" rel="noopener noreferrer nofollow" target="_blank">CWE-917</a>',
    )
    expect(html).toContain('href="/console/vulnerabilities?vendor=apache&amp;product=log4j"')
    expect(text).toContain('higher than for >99.9 % of all records')
    expect(text).toContain('Assigned by example')
    expect(text.indexOf('Known to be exploited')).toBeLessThan(text.indexOf('Affected'))
  })

  test('shows who states each affected product', async () => {
    const both = await shown.get('/console/vulnerabilities/CVE-2024-3094')
    expect(both.text).toContain('xz 5.6.0 , 5.6.1 tukaani NVD')
    expect(both.text).toContain('xz 5.6.0 , 5.6.1 not named secalert@redhat.com')
    expect(both.text).toContain(
      'SSVC Active exploitation; attacks can be automated; total technical impact',
    )
    const { text } = await shown.get('/console/vulnerabilities/CVE-2025-38236')
    expect(text).toContain(
      'from 5.15 (except before 5.15, from 6.1.143 up to 6.1.*, from 6.6.96 up to 6.6.*',
    )
  })

  test('renders every example record', async () => {
    for (let page = 1; page <= 3; page += 1) {
      const { html } = await shown.get(`/console/vulnerabilities?page=${page}`)
      for (const [, path = ''] of html.matchAll(/<h3><a href="([^"]+)"/g)) {
        const { status, text } = await shown.get(path)
        expect([path, status]).toEqual([path, 200])
        expect(text).not.toMatch(/undefined|\[object|NaN/)
      }
    }
  })

  test('responds with 404 to an unknown id', async () => {
    for (const id of ['CVE-1999-9999', 'nothing', '%3Cscript%3E', 'x'.repeat(500)]) {
      const { status, html } = await shown.get(`/console/vulnerabilities/${id}`)
      expect(status).toBe(404)
      expect(html).not.toContain('<script>')
    }
  })

  test('explains an unknown id by KEV and EPSS', async () => {
    const id = 'CVE-1999-9998'
    const entry = {
      id,
      name: '',
      addedOn: '2021-12-10',
      dueOn: '',
      action: '',
      isRansomware: false,
    }
    await shown.app.vulnerabilities.loadKnownExploited([entry], { source: 'kev', keepsRest: true })
    const { status, text } = await shown.get(`/console/vulnerabilities/${id}`)
    expect(status).toBe(404)
    expect(text).toContain(
      `CVE record "${id}" not found. No record is loaded, but CISA lists it as known exploited since 2021-12-10.`,
    )
  })

  test('lists the catalogued APIs that it may affect, and the scans that use them', async () => {
    const [api] = await shown.app.catalogue.listFacts()
    const project = await shown.app.scans.findProjects(shown.caller.account, { limit: 1 })
    expect(project).toHaveLength(1)
    const { items } = await shown.app.catalogue.browse({
      q: 'ledgerly',
      chosen: {},
      page: { page: 1, size: 1 },
    })
    const found = items[0]?.api
    expect(api && found).toBeDefined()
    if (!found) return
    const name = (text: string) => text.toLowerCase().replace(/[^a-z0-9]+/g, '_')
    await shown.app.vulnerabilities.loadRecords(
      one({
        id: 'CVE-2026-0001',
        vendor: name(found.vendor.name),
        product: name(found.vendor.name),
      }),
      { source: 'test' },
    )
    const { html, text } = await shown.get('/console/vulnerabilities/CVE-2026-0001')
    expect(text).toContain('In your catalogue')
    expect(text).toContain('unconfirmed')
    expect(html).toContain(`href="/console/apis/${found.encryptedId}"`)
    expect(text).toContain(`${found.name} of ${found.vendor.name}, used by `)
  })
})

async function* one(given: { id: string; vendor: string; product: string }) {
  const at = Date.UTC(2026, 0, 1)
  const cpe = `cpe:2.3:a:${given.vendor}:${given.product}:1.0:*:*:*:*:*:*:*`
  const node = {
    operator: 'OR' as const,
    isNegated: false,
    matches: [{ isVulnerable: true, cpe }],
    children: [],
  }
  yield {
    records: [
      {
        id: given.id,
        source: 'test@example.com',
        status: 'Analyzed',
        isRejected: false,
        publishedAt: at,
        modifiedAt: at,
        descriptions: [{ language: 'en', text: 'A flaw.' }],
        metrics: [],
        weaknesses: [],
        configurations: [{ operator: 'OR' as const, isNegated: false, nodes: [node] }],
        references: [],
        tags: [],
      },
    ],
  }
}
