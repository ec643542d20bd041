import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestConsole, type TestConsole } from '../../helpers/console.ts'

describe('The download of search results', () => {
  let shown: TestConsole
  beforeAll(async () => {
    shown = await openTestConsole()
  })
  afterAll(() => shown.close())

  const download = (query: string) => shown.get(`/console/vulnerabilities/download?${query}`)

  test('contains the rows of the extended search as JSON', async () => {
    const { headers, html } = await download('q=log4j&format=json')
    expect(headers.get('content-type')).toBe('application/json')
    expect(headers.get('content-disposition')).toContain('attachment')
    const body = { search_term: 'log4j', extended: true }
    const { mapping } = await shown.app.call('searchVulnerabilities', { body }, shown.caller)
    expect(mapping.vulnerabilities).toHaveLength(3)
    expect(JSON.parse(html)).toEqual(mapping.vulnerabilities)
  })

  test('contains all results, regardless of the page', async () => {
    const { html } = await download('page=2&format=json')
    expect(JSON.parse(html)).toHaveLength(65)
    expect(JSON.parse((await download('q=nobody+knows&format=json')).html)).toEqual([])
  })

  test('contains a line per record as CSV', async () => {
    const { headers, html } = await download('q=CVE-2024-0012&format=csv')
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const [head, line, ...rest] = html.replace('\ufeff', '').split('\r\n')
    expect(rest).toEqual([''])
    expect(head).toBe(
      'cve_id,published,last_modified,severity,cvss_score,cvss_version,cvss_vector,known_exploited_since,due_date,ransomware,epss_score,epss_percentile,vendor,product,version,cwe_ids,description',
    )
    expect(line).toMatch(
      /^CVE-2024-0012,2024-11-18T16:15:11\.683Z,[^,]+,critical,9\.3,4\.0,CVSS:4\.0\/[^,]+,2024-11-18,2024-12-09,true,0\.99698,0\.99951,paloaltonetworks,pan-os,">=10\.2\.0,<10\.2\.12",CWE-306,/,
    )
  })

  test('contains no formula and no broken line as CSV', async () => {
    const texts = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', 'a "quoted", text\r\nof two lines', '']
    const records = texts.map((text, index) => createCve(`CVE-2026-100${index}`, text))
    await shown.app.vulnerabilities.loadRecords(one({ records }), { source: 'test' })
    const { html } = await download('published_from=2026-01-01&format=csv')
    expect(html).toContain(",'=1+1\r\n")
    expect(html).toContain(",'+1\r\n")
    expect(html).toContain(",'-1\r\n")
    expect(html).toContain(",'@SUM(A1)\r\n")
    expect(html).not.toContain(',\t=1')
    expect(html).toContain(',"a ""quoted"", text\r\nof two lines"\r\n')
    expect(html).toContain(
      'CVE-2026-1006,2026-01-01T00:00:00.000Z,2026-01-01T00:00:00.000Z,none,,,',
    )
  })
})

function createCve(id: string, text: string) {
  const at = Date.UTC(2026, 0, 1)
  return {
    id,
    source: 'test@example.com',
    status: 'Analyzed',
    isRejected: false,
    publishedAt: at,
    modifiedAt: at,
    descriptions: text === '' ? [] : [{ language: 'en', text }],
    metrics: [],
    weaknesses: [],
    configurations: [],
    references: [],
    tags: [],
  }
}

async function* one<T>(item: T): AsyncIterable<T> {
  yield item
}
