import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CveRecord } from '../../../core/vulnerabilities/index.ts'
import { openTestConsole, type TestConsole } from '../../helpers/console.ts'
import { expectTame } from '../../helpers/hostile-console.ts'
import { inParts, listHostileTexts } from '../../helpers/hostile-texts.ts'

const PAYLOADS = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'><svg/onload=alert(1)>",
  '</textarea></title><script>alert(1)</script>',
  'javascript:alert(1)',
  '{{constructor.constructor("alert(1)")()}}',
  '&lt;b&gt; &amp; &#0; &nbsp',
  '\u202eright to left\u2066',
  '\u0000\u0007\ud800 lone',
  'Ω≈ç√∫ ﷽ 👩‍👩‍👧‍👦',
  `${'long '.repeat(4000)}end`,
  ...inParts(listHostileTexts(), 10).map((part) => part.join('\n')),
]

describe('Hostile texts in CVE records', () => {
  let shown: TestConsole
  beforeAll(async () => {
    shown = await openTestConsole({ isEmpty: true })
    const records = PAYLOADS.map(createCve)
    await shown.app.vulnerabilities.loadRecords(one({ records }), { source: PAYLOADS[0] ?? '' })
    const exploited = PAYLOADS.map((text, index) => ({
      id: toId(index),
      name: text,
      addedOn: '2026-01-01',
      dueOn: text,
      action: text,
      isRansomware: true,
    }))
    await shown.app.vulnerabilities.loadKnownExploited(exploited, { source: 'kev' })
  })
  afterAll(() => shown.close())

  test('are escaped on every page', async () => {
    const asked = encodeURIComponent(PAYLOADS[1] ?? '')
    const pages = [
      '/console/',
      '/console/status',
      '/console/vulnerabilities',
      `/console/vulnerabilities?q=${asked}&vendor=${asked}&cwe=${asked}&year_from=${asked}`,
      '/console/vulnerabilities/vendors',
      `/console/vulnerabilities/vendors?vendor=${asked}&q=${asked}`,
      ...PAYLOADS.map((_, index) => `/console/vulnerabilities/${toId(index)}`),
    ]
    for (const path of pages) {
      const { status, html } = await shown.get(path)
      expect([path, status < 500]).toEqual([path, true])
      expectTame({ html })
    }
  })

  test('show character references of descriptions decoded, as text', async () => {
    const index = PAYLOADS.findIndex((text) => text.startsWith('&lt;'))
    const { html } = await shown.get(`/console/vulnerabilities/${toId(index)}`)
    expect(html).toContain('<p class="prose">&lt;b&gt; &amp; &amp;#0; &amp;nbsp</p>')
  })

  test('become links only if they are web addresses', async () => {
    const { html } = await shown.get(`/console/vulnerabilities/${toId(0)}`)
    expect(html).toContain(
      '<a href="https://example.com/%3Cscript%3E" rel="noopener noreferrer nofollow" target="_blank">',
    )
    expect(html).toContain('<li class="prose">javascript:alert(2)')
  })

  test('are found and downloaded', async () => {
    const { html } = await shown.get('/console/vulnerabilities/download?format=json')
    expect(JSON.parse(html)).toHaveLength(PAYLOADS.length)
  })
})

function toId(index: number): string {
  return `CVE-2026-${1000 + index}`
}

function createCve(text: string, index: number): CveRecord {
  const at = Date.UTC(2026, 0, 1)
  const cpe = `cpe:2.3:a:${text.replace(/[^\w<>"']/g, '\\$&').slice(0, 60)}:<b>:*:*:*:*:*:*:*:*`
  const node = { operator: 'OR' as const, isNegated: false, children: [] }
  return {
    id: toId(index),
    source: text,
    status: text,
    isRejected: false,
    publishedAt: at,
    modifiedAt: at,
    descriptions: [
      { language: 'en', text },
      { language: text, text },
    ],
    metrics: [
      { version: '3.1', source: text, isPrimary: true, score: 9.8, severity: text, vector: text },
    ],
    weaknesses: [{ source: text, isPrimary: true, id: text }],
    configurations: [
      {
        operator: 'OR',
        isNegated: false,
        nodes: [
          {
            ...node,
            matches: [
              { isVulnerable: true, cpe, range: { to: { version: text, isIncluded: true } } },
            ],
          },
        ],
      },
    ],
    references: [
      { url: 'https://example.com/%3Cscript%3E', source: text, tags: [text] },
      { url: 'javascript:alert(2)', source: text, tags: ['Exploit'] },
      { url: text, source: text, tags: [] },
    ],
    tags: [text],
  }
}

async function* one<T>(item: T): AsyncIterable<T> {
  yield item
}
