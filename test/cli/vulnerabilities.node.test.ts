import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadExampleVulnerabilities } from '../../adapters/cli/seed.ts'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import { createApiDiscovery } from '../../core/app.ts'
import type { CveRecord } from '../../core/vulnerabilities/records.ts'
import { sampleJob } from '../conformance/storage/job-samples.ts'
import { runCommand } from '../helpers/command-line.ts'
import { makeFolder, type TestFolder } from '../helpers/folder.ts'

let folder: TestFolder
let database = ''

beforeAll(async () => {
  folder = await makeFolder()
  database = folder.pathOf('filled.db')
  const hourAgo = () => Date.now() - 3_700_000
  const storage = await openSqlite({ file: database, clock: hourAgo })
  const app = createApiDiscovery({ storage, clock: hourAgo })
  await loadExampleVulnerabilities(app.vulnerabilities)
  await app.close()
})
afterAll(() => folder.remove())

function runVulnerabilities(
  words: readonly string[],
  given: Parameters<typeof runCommand>[1] = {},
) {
  return runCommand(['vulnerabilities', ...words, '--database', database], given)
}

/** Removes colours and bold type. */
function toPlain(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the codes
  return line.replace(/\u001b\[\d+m/g, '')
}

describe('vulnerabilities search', () => {
  it('prints a table of results, their number and the age of the data', async () => {
    const { code, results, notes } = await runVulnerabilities(['search', 'log4j'])
    expect(code).toBe(0)
    expect(results.map(toPlain)).toEqual([
      'CVE             PUBLISHED   CVSS           EPSS  KEV     PRODUCT                    DESCRIPTION',
      'CVE-2021-45105  2021-12-18  5.9 MEDIUM     >99%  -       apache log4j >=2.0.1,… +2  [example] A look-up that refers to …',
      'CVE-2021-45046  2021-12-14  9.0 CRITICAL   >99%  ransom  apache log4j >=2.0.1,… +1  [example] The first repair of Log4S…',
      'CVE-2021-44228  2021-12-10  10.0 CRITICAL  >99%  ransom  apache log4j >=2.0.1,… +5  [example] Log4Shell: Apache Log4j 2…',
    ])
    expect(notes).toEqual(['3 CVEs, newest first.', 'Newest data: examples 2025-07-08.'])
  })

  it.each([
    [['apache', 'struts', '--cvss3', '>9'], ['CVE-2017-5638']],
    [['openssl', '--cvss2', '5.0', '--kev'], ['CVE-2014-0160']],
    [
      ['pan-os', '--cvss', '>=9'],
      ['CVE-2024-0012', 'CVE-2024-3400'],
    ],
    [['openssl', '--severity', 'high', '--year', '>=2010 <=2020'], ['CVE-2014-0160']],
    [['pan-os', '--cvss4', '>= 9'], ['CVE-2024-0012']],
    [['fortios', '--year', '2019', '--ransomware'], ['CVE-2018-13379']],
    [['kernel', '--epss', '>0.8', '--cwe', 'CWE-362'], ['CVE-2016-5195']],
    [['log4j', '--published', '>2021-12-14'], ['CVE-2021-45105']],
    [
      ['xz', '--vendor', 'tukaani', '--product', 'xz', '--product-version', '5.6.1'],
      ['CVE-2024-3094'],
    ],
    [['"http server"', '--year', '<2021'], ['CVE-2009-3555']],
    [['withdrawn', '--include-rejected'], ['CVE-2023-5129']],
    [['log4j', '--size', '1', '--page', '3'], ['CVE-2021-44228']],
    [['microsoft', '--cvss-vector', 'AV:L/PR:N'], ['CVE-2022-30190']],
    [['kernel', '--reference-host', 'git.kernel.org'], ['CVE-2025-38236']],
    [['log4j', '--reference-tag', 'exploit'], ['CVE-2021-44228']],
    [['apache', 'log4j', '--epss-percentile', '<=0.9999'], ['CVE-2021-45046']],
    [['cpython', '--modified', '>=2025-01-01'], ['CVE-2025-0938']],
    [['jenkins', '--kev-added', '>=2024-06-01'], ['CVE-2024-23897']],
    [['--vendor', 'tukaani'], ['CVE-2024-3094']],
    [['--purl', 'pkg:npm/lodash@4.17.15'], ['CVE-2020-8203']],
    [['--exploitation', 'poc,active'], ['CVE-2024-3094']],
    [['--kev-added', '>=2024-11-01', '--cvss3', '>9'], ['CVE-2024-0012']],
    [
      ['--vendor', 'openssl', '--year', '2014'],
      ['CVE-2014-3566', 'CVE-2014-0160'],
    ],
  ])('finds by %j', async (words, expected) => {
    const { code, results } = await runVulnerabilities(['search', ...words])
    expect([code, results.slice(1).map((line) => line.split(' ')[0])]).toEqual([0, expected])
  })

  it.each([60, 80, 89, 90, 100, 200])('fits a terminal of %i columns', async (columns) => {
    const { results } = await runVulnerabilities(['search', 'the', '--size', '100'], {
      terminal: { columns, hasColors: false },
    })
    const widths = results.map((line) => [...toPlain(line)].length)
    expect(Math.max(...widths)).toBeLessThanOrEqual(columns)
    expect(results[0]?.includes('PRODUCT')).toBe(columns >= 80)
    expect(results[0]?.includes('PUBLISHED')).toBe(columns >= 90)
  })

  it('prints a hyphen for an unknown product', async () => {
    const { results } = await runVulnerabilities(['search', 'CVE-2024-12254'])
    expect(toPlain(results[1] ?? '')).toMatch(/^CVE-2024-12254 .* - {4}- {8}\[example\] /)
  })

  it('requires a term or a filter', async () => {
    for (const words of [[], ['--size', '3'], ['--include-rejected'], ['--vendor', ' ']]) {
      expect([words, await runVulnerabilities(['search', ...words])]).toEqual([
        words,
        {
          code: 2,
          results: [],
          notes: ["Cannot search: pass a term, or a filter such as --kev or --cvss3 '>9'"],
        },
      ])
    }
    expect((await runVulnerabilities(['search', '--vendor', 'nobody'])).notes[0]).toBe(
      'No CVEs match these filters.',
    )
    const help = await runVulnerabilities(['search', '--help'])
    expect(help.results.join(' ').replace(/\s+/g, ' ')).toContain(
      'Without a term, the filters apply to all records: the search term is "cve", part of every CVE ID.',
    )
  })

  it('offers the search by product if no record names a package', async () => {
    const offers = (product: string) =>
      `Few CVE records name packages. Search by product: api-discovery vulnerabilities search --database ${database} ${product}`
    for (const [words, command] of [
      [['--purl', 'pkg:npm/axios'], '--product axios'],
      [
        ['--purl', 'pkg:npm/%40acme/sdk@1.2.0', '--kev', '--page', '1', '--size', '20'],
        '--kev --product @acme/sdk --product-version 1.2.0',
      ],
      [['http', '--purl', "pkg:generic/it's"], "--product 'it'\\''s' http"],
      [
        ['--purl', 'pkg:npm/-x', '--cvss3', '>9', '--cwe', 'CWE-79', '--size', '5', '--', '-ab'],
        "--cvss3 '>9' --cwe CWE-79 --size 5 --product=-x -- -ab",
      ],
    ] as const) {
      const search = ['vulnerabilities', 'search', '--database', database]
      const { results, notes } = await runCommand([...search, ...words])
      expect([words, results, notes[1]]).toEqual([words, [], offers(command)])
    }
    const named = await runVulnerabilities(['search', '--purl', 'pkg:npm/lodash@4.17.15'])
    expect(named.notes).toEqual(['1 CVE.', 'Newest data: examples 2025-07-08.'])
  })

  it('colours severities if the terminal has colours', async () => {
    const terminal = { columns: 100, hasColors: true }
    const colored = await runVulnerabilities(['search', 'poodle', 'ssl'], { terminal })
    expect(colored.results[1]).toContain('\u001b[32m3.4 LOW\u001b[39m')
    const plain = await runVulnerabilities(['search', 'poodle'], {
      terminal: { ...terminal, hasColors: false },
    })
    expect(plain.results[1]).not.toContain('\u001b')
    const shown = await runVulnerabilities(['show', 'cve-2014-3566'], { terminal })
    expect(shown.results[0]).toBe('CVE-2014-3566  \u001b[32m3.4 LOW\u001b[39m')
  })

  it('marks scores that are not CVSS 3, and missing ones', async () => {
    const { results } = await runVulnerabilities(['search', 'cpython'])
    expect(results.slice(1).map((line) => line.slice(28, 40).trimEnd())).toEqual([
      '6.3 MEDIUM v',
      '8.7 HIGH v4',
    ])
    const beast = await runVulnerabilities(['search', 'beast'])
    expect(beast.results[1]).toContain('4.3 MEDIUM v2')
    const none = await runVulnerabilities(['search', 'msg_oob'])
    expect(none.results[1]).toMatch(
      /^CVE-2025-38236 {2}2025-07-08 {2}- +<1% {3}- +linux linux >=3.* \+1 +\[example\] In/,
    )
  })

  it('reports further pages, pages past the end, and no results', async () => {
    const first = await runVulnerabilities(['search', 'log4j', '--size', '2'])
    expect(first.notes[0]).toBe('3 CVEs, newest first: 1 to 2; use --page 2 for more.')
    const last = await runVulnerabilities(['search', 'log4j', '--size', '2', '--page', '2'])
    expect(last.notes[0]).toBe('3 CVEs, newest first: number 3.')
    expect((await runVulnerabilities(['search', 'heartbleed'])).notes[0]).toBe('1 CVE.')
    const past = await runVulnerabilities(['search', 'log4j', '--page', '9'])
    expect([past.code, past.results, past.notes[0]]).toEqual([
      0,
      [],
      'Page 9 is past the end of 3 CVEs.',
    ])
    const none = await runVulnerabilities(['search', 'zebra', '--kev'])
    expect([none.code, none.results, none.notes[0]]).toEqual([0, [], 'No results for "zebra".'])
  })

  it('prints the mapping as JSON, extended on request', async () => {
    const { results } = await runVulnerabilities(['search', 'heartbleed', '--json'])
    const { num_results: count, vulnerabilities } = JSON.parse(results[0] ?? '')
    expect([count, vulnerabilities[0].cve_id, vulnerabilities[0].epss]).toEqual([
      '1',
      'CVE-2014-0160',
      undefined,
    ])
    const extended = await runVulnerabilities(['search', 'heartbleed', '--json', '--extended'])
    expect(JSON.parse(extended.results[0] ?? '').vulnerabilities[0].epss).toEqual({
      score: 0.99999,
      percentile: 0.99997,
    })
  })

  it('names all invalid options', async () => {
    const wrong = await runVulnerabilities(['search', 'log4j', '--cvss3', 'abc', '--size', '101'])
    expect([wrong.code, wrong.notes]).toEqual([
      2,
      [
        'Cannot search: --cvss3 must be a number like 7.5, optionally after >, <, >=, <= or =, or a range like >=4 <7; --size must be an integer from 1 to 100',
      ],
    ])
    const empty = await runVulnerabilities(['search', '"*"', '--year', 'x'])
    expect([empty.code, empty.notes]).toEqual([
      2,
      [
        'Cannot search: the term must contain at least one letter or digit; --year must be a year like 2021, optionally after >, <, >=, <= or =, or a range like >=2019 <=2021',
      ],
    ])
  })
})

describe('vulnerabilities show', () => {
  it('shows the whole record', async () => {
    const { code, results } = await runVulnerabilities(['show', 'CVE-2024-0012'])
    expect(code).toBe(0)
    expect(results.map(toPlain)).toEqual([
      'CVE-2024-0012  9.8 CRITICAL',
      'Published 2024-11-18, changed 2024-11-18; analyzed; assigned by example',
      'Example record: its texts are not from NVD.',
      '',
      'Whoever reaches the web interface for the management of PAN-OS becomes administrator of the',
      'firewall: a header that the proxy in front sets decides whether a login is asked for.',
      '',
      'Known exploited vulnerability since 2024-11-18, fix due by 2024-12-09, used in ransomware campaigns.',
      'Update as the vendor says.',
      '',
      'EPSS: 99.70 % probability of exploitation within 30 days, higher than 99.95 % of all CVEs',
      '',
      'CVSS  SCORE  SEVERITY  VECTOR                                                           SOURCE',
      '4.0   9.3    CRITICAL  CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:L/SI:N/SA:N  psirt@paloaltonetworks.com (Secondary)',
      '3.1   9.8    CRITICAL  CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H                     nvd@nist.gov (Primary)',
      '',
      'Weaknesses:',
      '  CWE-306',
      '',
      'Affected, as NVD states:',
      '  paloaltonetworks pan-os >=10.2.0,<10.2.12',
      '  paloaltonetworks pan-os >=11.0.0,<11.0.6',
      '  paloaltonetworks pan-os 10.2.12',
      '',
      'References:',
      '  https://security.paloaltonetworks.com/CVE-2024-0012 (Vendor Advisory)',
    ])
  })

  it('shows a rejected record', async () => {
    const { results } = await runVulnerabilities(['show', 'CVE-2023-5129'])
    expect(results).toEqual([
      'CVE-2023-5129  -',
      'Published 2023-09-25, changed 2023-09-25; rejected; assigned by example',
      'Example record: its texts are not from NVD.',
      '',
      'Rejected reason: withdrawn by its issuer as a second number for CVE-2023-4863.',
    ])
  })

  it('prints JSON, and rejects unknown and invalid IDs', async () => {
    const { results } = await runVulnerabilities(['show', 'CVE-2014-0160', '--json'])
    expect(JSON.parse(results[0] ?? '')).toMatchObject({
      cve_id: 'CVE-2014-0160',
      descriptions: [{ language: 'en' }, { language: 'es' }],
    })
    const unknown = await runVulnerabilities(['show', 'CVE-1998-9999'])
    expect([unknown.code, unknown.notes]).toEqual([1, ['CVE record "CVE-1998-9999" not found']])
    const malformed = await runVulnerabilities(['show', '44228'])
    expect([malformed.code, malformed.notes]).toEqual([
      2,
      ['"44228" must be a CVE ID like CVE-2021-44228, or an alias (GHSA or EUVD)'],
    ])
  })

  it('shows what reporters state, and the assessment', async () => {
    const { results } = await runVulnerabilities(['show', 'CVE-2024-3094'])
    const lines = results.join('\n').split('\n')
    expect(lines).toContain('SSVC: exploitation active, automatable: yes, technical impact total')
    const start = lines.indexOf('Affected, as NVD states:')
    expect(lines.slice(start, start + 7)).toEqual([
      'Affected, as NVD states:',
      '  tukaani xz 5.6.0',
      '  tukaani xz 5.6.1',
      '',
      'Affected, as secalert@redhat.com states:',
      '  - xz 5.6.0',
      '  - xz 5.6.1',
    ])
  })
})

describe('a CVE without a record', () => {
  const id = 'CVE-2021-99999'
  const addedOn = '2021-12-10'
  const entry = { id, name: '', addedOn, dueOn: '', action: '', isRansomware: false }
  const say = (facts: string) =>
    `No record is loaded, but ${facts}. Load the records: api-discovery sync nvd`

  it.each([
    [
      'both.db',
      [entry],
      true,
      `CISA lists it as known exploited since ${addedOn}, and its EPSS is 99.90 %`,
    ],
    ['kev.db', [entry], false, `CISA lists it as known exploited since ${addedOn}`],
    ['epss.db', [], true, 'its EPSS is 99.90 %'],
  ])('is explained by KEV and EPSS: %s', async (name, entries, isScored, facts) => {
    const file = folder.pathOf(name)
    const app = createApiDiscovery({ storage: await openSqlite({ file }) })
    async function* scores() {
      yield isScored ? [{ id, score: 0.999, percentile: 1 }] : []
    }
    await app.vulnerabilities.loadKnownExploited(entries, { source: 'kev' })
    await app.vulnerabilities.loadEpss(scores(), { source: 'epss' })
    const run = (...words: readonly string[]) =>
      runCommand(['vulnerabilities', ...words, '--database', file])
    const notFound = `CVE record "${id}" not found`
    expect(await run('show', id)).toMatchObject({ code: 1, notes: [notFound, say(facts)] })
    expect(await run('search', id)).toMatchObject({ code: 0, results: [], notes: [say(facts)] })
    await loadExampleVulnerabilities(app.vulnerabilities)
    await app.vulnerabilities.loadKnownExploited(entries, { source: 'kev' })
    await app.vulnerabilities.loadEpss(scores(), { source: 'epss' })
    await app.close()
    expect((await run('show', id.toLowerCase())).notes).toEqual([notFound, say(facts)])
    const searched = await run('search', id.toLowerCase())
    expect(searched.notes.slice(0, 2)).toEqual([
      `No results for "${id.toLowerCase()}".`,
      say(facts),
    ])
    const loaded = await run('search', 'CVE-2021-44228', '--year', '1999')
    expect(loaded.notes.length).toBe(2)
  })
})

describe('vulnerabilities status', () => {
  it('shows the size and age of the database', async () => {
    const { code, results, notes } = await runVulnerabilities(['status'])
    expect([code, results, notes]).toEqual([
      0,
      [
        '67 CVE records, including 2 rejected',
        '83 products of 48 vendors',
        "Of 2025: 100 % name a product, 0 % have NVD's configurations, 50 % a score",
        '40 known exploited, 44 EPSS scores',
        '',
        'SOURCE    NEWEST DATA  LOADED',
        'examples  2025-07-08   1 hour ago',
      ],
      [],
    ])
    const { records, sources } = JSON.parse(
      (await runVulnerabilities(['status', '--json'])).results[0] ?? '',
    )
    expect([records, sources[0].name]).toEqual([67, 'examples'])
  })

  it('exits with 1 if data is older than --max-age', async () => {
    const old = await runVulnerabilities(['status', '--max-age', '3d'])
    expect([old.code, old.results.length, old.notes]).toEqual([
      1,
      7,
      ['Data older than 3d: examples.'],
    ])
    const json = await runVulnerabilities(['status', '--max-age', '3d', '--json'])
    expect([json.code, JSON.parse(json.results.join('')).records]).toEqual([1, 67])
    expect((await runVulnerabilities(['status', '--max-age', '5200w'])).code).toBe(0)
    const wrong = await runVulnerabilities(['status', '--max-age', 'soon'])
    expect([wrong.code, wrong.notes]).toEqual([
      2,
      ['Invalid duration "soon": it must have the form 90d, 12h or 30m'],
    ])
  })

  it('explains failed syncs of a server', async () => {
    const file = folder.pathOf('failed.db')
    const storage = await openSqlite({ file })
    const now = Date.UTC(2026, 2, 14, 8)
    const kind = 'vulnerability-sync'
    await storage.jobs.addJob(
      sampleJob({ kind, accountId: 'operator', lock: kind, createdAt: now, dueAt: now }),
    )
    const job = await storage.jobs.claimJob({ kinds: [kind], now, leaseMs: 1_000 })
    const results = [{ source: 'kev', state: 'failed', message: 'it responded with 503' }]
    const end = {
      state: 'failed',
      result: '',
      failure: '',
      summary: JSON.stringify({ results }),
    } as const
    await storage.jobs.endJob(job ?? { id: 0, fence: 0 }, { ...end, now })
    await storage.close()
    const { notes } = await runCommand(['vulnerabilities', 'status', '--database', file])
    expect(notes[0]).toBe(
      'The sync of kev failed at 2026-03-14T08:00:00+00:00: it responded with 503',
    )
  })

  it('explains how to load an empty database, like search and show', async () => {
    const empty = join(folder.pathOf('empty.db'))
    expect((await runCommand(['migrate', '--database', empty])).code).toBe(0)
    const say = 'The vulnerability database is empty: load it with "api-discovery sync all".'
    for (const words of [['status'], ['search', 'log4j'], ['show', 'CVE-2021-44228']]) {
      const outcome = await runCommand(['vulnerabilities', ...words, '--database', empty])
      expect([words, outcome.results, outcome.notes]).toEqual([words, [], [say]])
    }
    const aged = ['vulnerabilities', 'status', '--max-age', '3d', '--database', empty]
    expect(await runCommand(aged)).toMatchObject({ code: 1, notes: [say] })
    const missing = await runCommand(['vulnerabilities', 'status', '--database', `${empty}.not`])
    expect([missing.code, missing.notes[0]?.includes('file not found')]).toEqual([1, true])
  })
})

describe('records with long and hostile texts', () => {
  const hostile = 'two\u001b]0;title\u0007 \u0000\u202e\u2066'.repeat(20)
  const record: CveRecord = {
    id: 'CVE-2026-1234567',
    source: hostile,
    status: hostile,
    isRejected: false,
    publishedAt: Date.UTC(2026, 0, 1),
    modifiedAt: Date.UTC(2026, 0, 1),
    descriptions: [{ language: 'en', text: hostile }],
    metrics: [
      {
        version: '4.0',
        source: hostile,
        isPrimary: true,
        score: 10,
        severity: 'CRITICAL',
        vector: hostile,
      },
    ],
    weaknesses: [{ source: hostile, isPrimary: true, id: hostile }],
    configurations: [],
    references: [{ url: hostile, source: hostile, tags: [hostile] }],
    tags: [hostile],
  }
  let hostileDatabase = ''
  beforeAll(async () => {
    hostileDatabase = folder.pathOf('hostile.db')
    const storage = await openSqlite({ file: hostileDatabase })
    const app = createApiDiscovery({ storage })
    async function* records() {
      const metrics = record.metrics.map((each) => ({ ...each, severity: '\u001b[5mBLINK' }))
      const descriptions = [{ language: 'en', text: 'Before&nbsp;2.0 &lt;b&gt;, &amp;lt;' }]
      yield {
        records: [
          record,
          { ...record, id: 'CVE-2026-1000', metrics },
          { ...record, id: 'CVE-2026-1001', descriptions },
        ],
      }
    }
    await app.vulnerabilities.loadRecords(records(), { source: 'test' })
    await app.close()
  })

  it.each([60, 80, 89, 90, 100, 200])('fit a terminal of %i columns', async (columns) => {
    const terminal = { columns, hasColors: false }
    const words = ['vulnerabilities', 'search', record.id, '--database', hostileDatabase]
    const { results } = await runCommand(words, { terminal })
    expect(results.length).toBe(2)
    const widths = results.map((line) => [...toPlain(line)].length)
    expect(Math.max(...widths)).toBeLessThanOrEqual(columns)
  })

  it('have character references decoded once, except as JSON', async () => {
    const show = async (...words: readonly string[]) =>
      (await runCommand(['vulnerabilities', ...words, '--database', hostileDatabase])).results
    expect(await show('show', 'CVE-2026-1001')).toContain('Before 2.0 <b>, &lt;')
    expect((await show('search', 'CVE-2026-1001'))[1]).toContain('Before 2.0 <b>, &lt;')
    const [json = ''] = await show('show', 'CVE-2026-1001', '--json')
    expect(JSON.parse(json).cve_description).toBe('Before&nbsp;2.0 &lt;b&gt;, &amp;lt;')
  })

  it('have control characters escaped', async () => {
    for (const words of [
      ['search', 'two'],
      ['show', 'CVE-2026-1000'],
    ]) {
      const all = ['vulnerabilities', ...words, '--database', hostileDatabase]
      const { code, results, notes } = await runCommand(all)
      expect(code).toBe(0)
      for (const line of [...results, ...notes])
        expect(toPlain(line)).not.toMatch(/[\p{Cc}\p{Bidi_C}]/u)
      // Not even colours.
      expect(results.join('')).not.toContain('\u001b[5m')
    }
  })
})
