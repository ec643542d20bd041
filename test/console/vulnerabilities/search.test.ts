import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestConsole, type TestConsole } from '../../helpers/console.ts'

const LOG4J = ['CVE-2021-45105', 'CVE-2021-45046', 'CVE-2021-44228']

describe('The vulnerability search page', () => {
  let shown: TestConsole
  beforeAll(async () => {
    shown = await openTestConsole()
  })
  afterAll(() => shown.close())

  const search = (query: string) => shown.get(`/console/vulnerabilities?${query}`)
  const find = async (query: string) => toIds((await search(query)).html)

  test('says how complete the records are, unless filters are set', async () => {
    const { text } = await shown.get('/console/vulnerabilities')
    expect(text).toContain('How complete the records are')
    expect(text).toMatch(/With neither product nor score 2025 2 2 \(100 %\) 0 \(0 %\) 1 \(50 %\) 0/)
    const narrowed = await shown.get('/console/vulnerabilities?q=log4j')
    expect(narrowed.text).not.toContain('How complete')
    const active = await shown.get('/console/vulnerabilities?exploitation=active')
    expect(active.text).toContain('1 record')
    expect(active.text).toContain('CVE-2024-3094')
  })

  test('finds records by the URL of a package', async () => {
    const affected = await search('purl=pkg:npm/lodash@4.17.15')
    expect(affected.text).toContain('1 record ')
    expect(affected.text).toContain('CVE-2020-8203')
    const unaffected = await search('purl=pkg:npm/lodash@4.17.20&severity=high')
    expect(unaffected.text).toContain(
      'No results Remove a word or a filter to broaden the search. Clear all filters Few CVE records name packages. Search for the product lodash 4.17.20',
    )
    expect(unaffected.html).toContain(
      'href="/console/vulnerabilities?severity=high&amp;product=lodash&amp;version=4.17.20"',
    )
    expect((await search('q=zebra')).text).not.toContain('Few CVE records')
    expect((await search('purl=pkg:maven/log4j')).text).toContain(
      'must be a package URL like pkg:npm/lodash@4.17.15: maven requires a "namespace" component',
    )
  })

  test('lists all records by page, newest first, with an exact count', async () => {
    const first = await search('')
    expect(first.text).toContain(
      '65 records 67 in all: 2 of them are rejected and not shown. Show all',
    )
    expect((await search('rejected=yes')).text).toContain('67 records')
    expect(first.text).toContain('Page 1 of 3')
    const pages = [toIds(first.html), await find('page=2'), await find('page=3')]
    expect(pages.map(({ length }) => length)).toEqual([25, 25, 15])
    expect(new Set(pages.flat()).size).toBe(65)
    expect(pages[0]?.[0]).toBe('CVE-2025-38236')
    expect((await search('page=9')).text).toContain('Page not found')
  })

  test('shows the severity, the affected product and the exploitation of each record', async () => {
    const { html, text } = await search('q=CVE-2024-0012')
    expect(text).toContain('1 record ')
    expect(html).toContain('<h3><a href="/console/vulnerabilities/CVE-2024-0012">')
    expect(text).toContain(
      'Critical 9.3 CVSS 4.0 Known exploited Ransomware EPSS 99.7 % Example record',
    )
    expect(text).toContain(
      'paloaltonetworks pan-os >=10.2.0,<10.2.12 (+2 more) · Published 2024-11-18 16:15',
    )
  })

  test.each([
    ['q=log4j', LOG4J],
    ['q=jndi+"logged+text"', ['CVE-2021-44228']],
    ['q=jndi+"text+logged"', []],
    ['vendor=APACHE&product=log4j&version=2.14', LOG4J],
    ['vendor=apache&product=log4j&version=2.17', []],
    ['kev=yes&year_from=2024&year_to=2024&severity=medium', ['CVE-2024-9474']],
    ['ransomware=yes&year_from=2022&year_to=2022&severity=high', ['CVE-2022-30190']],
    ['severity=low', ['CVE-2020-19909', 'CVE-2014-3566']],
    ['severity=none', ['CVE-2025-38236']],
    ['score_from=9.3&score_to=9.3&cvss=4', ['CVE-2024-0012']],
    ['score_from=9.3&score_to=9.3&cvss=3', []],
    ['cwe=CWE-917&score_from=10', ['CVE-2021-44228']],
    ['published_from=2024-11-18&published_to=2024-11-18', ['CVE-2024-9474', 'CVE-2024-0012']],
    ['kev_from=2021-12-10&kev_to=2021-12-10&q=log4j', ['CVE-2021-44228']],
    ['epss_from=0.9998&q=log4j', ['CVE-2021-45105', 'CVE-2021-44228']],
    ['percentile_from=1&q=log4j', ['CVE-2021-44228']],
    ['vector=AV:N/AC:L/PR:N&q=log4j', ['CVE-2021-44228']],
    ['host=logging.apache.org', LOG4J],
    ['tag=exploit&q=log4j', ['CVE-2021-44228']],
    ['modified_to=2000-01-01', ['CVE-1999-0001']],
    ['modified_from=2000-01-01&published_to=1999-12-31', []],
  ])('filters by %s', async (query, ids) => {
    expect(await find(query)).toEqual(ids)
  })

  test('charts the results by year and severity, with the same numbers in a table', async () => {
    const { html } = await search('year_from=2020&year_to=2022&severity=critical&severity=high')
    expect(html).toContain('<title>2021, Critical: 4</title>')
    expect(html.indexOf('class="hits"')).toBeLessThan(html.indexOf('2021, Critical: 4'))
    expect(html).toContain('In all: critical 9, high 8, medium 0, low 0, not rated 0.')
    expect(html).toMatch(
      /year_from=2021&amp;year_to=2021&amp;severity=critical&amp;severity=high">2021<\/a><\/th>(<td class="number">0<\/td>){3}<td class="number">3<\/td><td class="number">4/,
    )
  })

  test('keeps the search in its form and links', async () => {
    const { html } = await search('q=windows&severity=critical&vendor=microsoft')
    expect(html).toContain('name="q" type="search" value="windows"')
    expect(html).toContain('value="critical" checked')
    expect(html).toContain('<details open><summary>More filters')
    expect(html).toContain(
      'download?q=windows&amp;severity=critical&amp;vendor=microsoft&amp;format=csv',
    )
  })

  test.each([
    ['score_from=11', 'CVSS from must be a number from 0 to 10'],
    ['published_from=2024-02-30', 'published from must be a day like 2026-01-31'],
    ['version=1.0', 'version requires a vendor or a product'],
    ['cwe=79', 'the weakness must be a weakness like CWE-79'],
    ['q=%2B%2B', 'the term must contain at least one letter or digit'],
    ['vector=AV', 'vector must be metrics of a CVSS vector, like AV:N/PR:N'],
  ])('rejects %s and returns no results', async (query, words) => {
    const page = await search(query)
    expect(page.status).toBe(400)
    expect(page.text).toContain(words)
    expect(page.html).toContain('aria-invalid="true"')
    expect(toIds(page.html)).toEqual([])
    expect((await shown.get(`/console/vulnerabilities/download?${query}`)).status).toBe(400)
  })

  test('suggests a next step if there are no results', async () => {
    expect((await search('q=nothing+like+that')).text).toContain('No results')
  })
})

test('The vulnerability search page of an empty database shows the commands to load it', async () => {
  const shown = await openTestConsole({ isEmpty: true })
  const page = await shown.get('/console/vulnerabilities')
  expect(page.status).toBe(200)
  expect(page.text).toContain('api-discovery sync all')
  expect((await shown.get('/console/vulnerabilities/vendors')).text).toContain('0 vendors')
  await shown.close()
})

test('The vulnerability search page is visible to every user with read access', async () => {
  const service = await openTestConsole()
  const viewer = { name: 'Bob', caller: { ...service.caller, scopes: new Set(['call' as const]) } }
  await service.close()
  const shown = await openTestConsole({ viewer })
  for (const path of ['', '/download?format=csv', '/vendors', '/CVE-2021-44228']) {
    expect((await shown.get(`/console/vulnerabilities${path}`)).status).toBe(403)
  }
  await shown.close()
})

function toIds(html: string): readonly string[] {
  return [...html.matchAll(/<h3><a href="\/console\/vulnerabilities\/([^"]+)"/g)].map(
    ([, id = '']) => id,
  )
}
