import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OPERATOR } from '../../adapters/cli/service.ts'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import { createApiDiscovery } from '../../core/app.ts'
import { type CommandOutcome, runCommand } from '../helpers/command-line.ts'
import { makeFolder, type TestFolder } from '../helpers/folder.ts'
import { findSarifFaults } from '../helpers/sarif.ts'

const STRIPE = 'CVE-2025-10001'
const TWILIO = 'CVE-2025-10002'
const FIXED = 'CVE-2025-10003'

const MANIFEST = {
  name: 'storefront',
  dependencies: { stripe: '^8.1.0', twilio: '4.2.1', '@sentry/node': 'latest' },
}

let folder: TestFolder
let database = ''

beforeAll(async () => {
  folder = await makeFolder()
  database = folder.pathOf('apis.db')
  await writeFile(folder.pathOf('package.json'), JSON.stringify(MANIFEST, null, 2))
  await mkdir(folder.pathOf('shop'))
  const dependencies = { twilio: '4.2.1' }
  await writeFile(
    folder.pathOf('shop/package.json'),
    JSON.stringify({ name: 'shop', dependencies }),
  )
  const feed = folder.pathOf('nvd.json')
  const vulnerabilities = [
    toNvdItem(STRIPE, { url: 'pkg:npm/stripe', from: '8.0.0', lessThan: '8.1.1' }),
    toNvdItem(TWILIO, { url: 'pkg:npm/twilio', from: '4.0.0', lessThan: '5.0.0' }),
    toNvdItem(FIXED, { url: 'pkg:npm/twilio', from: '0', lessThan: '4.2.1' }),
  ]
  const about = { format: 'NVD_CVE', version: '2.0', timestamp: '2025-06-02T00:00:00.000' }
  const totals = { resultsPerPage: 3, startIndex: 0, totalResults: 3 }
  await writeFile(feed, JSON.stringify({ ...totals, ...about, vulnerabilities }))
  const kev = folder.pathOf('kev.json')
  await writeFile(kev, JSON.stringify(toKevCatalogue(TWILIO)))
  for (const words of [
    ['nvd', '--from', feed],
    ['kev', '--from', kev],
  ]) {
    const loaded = await runCommand(['sync', ...words, '--database', database])
    expect([loaded.code, loaded.notes]).toEqual([0, expect.anything()])
  }
})
afterAll(() => folder.remove())

function scan(...words: readonly string[]): Promise<CommandOutcome> {
  return scanWith({}, ...words)
}

function scanWith(
  given: Parameters<typeof runCommand>[1],
  ...words: readonly string[]
): Promise<CommandOutcome> {
  const exclude = ['--exclude', '*.db*', '--exclude', 'nvd.json', '--exclude', 'kev.json']
  const project = folder.pathOf('.')
  const all = ['scan', 'project', project, ...exclude, '--database', database, ...words]
  return runCommand(all, given)
}

const textOf = ({ bytes }: CommandOutcome) => new TextDecoder().decode(bytes)

describe('scan project with vulnerable packages', () => {
  it('prints the CVEs of packages in their versions, and marks versions of ranges', async () => {
    const { code, results, notes } = await scan()
    expect(code).toBe(0)
    const lines = results.join('\n').split('\n')
    const start = lines.findIndex((line) => line.startsWith('VULNERABLE PACKAGE'))
    expect(lines.slice(start).map((line) => line.trimEnd())).toEqual([
      'VULNERABLE PACKAGE      CVE             CVSS      AFFECTED        KEV',
      'pkg:npm/stripe@8.1.0 *  CVE-2025-10001  7.5 high  >=8.0.0,<8.1.1  -',
      'pkg:npm/twilio@4.2.1    CVE-2025-10002  7.5 high  >=4.0.0,<5.0.0  yes',
    ])
    expect(notes.join('\n')).toContain(
      '* The lowest version that the manifest permits; the installed one may be newer.',
    )
  })

  it('says how many packages were checked against how many CVE records', async () => {
    const summaries = async (outcome: Promise<CommandOutcome>) =>
      (await outcome).notes.filter((line) => /^\d+ packages? /.test(line))
    expect(await summaries(scan())).toEqual([
      '2 packages checked against 3 CVE records: 2 have CVEs.',
    ])
    const safe = await makeFolder()
    const manifest = { name: 'safe', dependencies: { twilio: '6.0.0' } }
    await writeFile(safe.pathOf('package.json'), JSON.stringify(manifest))
    const project = ['scan', 'project', safe.pathOf('.'), '--database']
    expect(await summaries(runCommand([...project, database]))).toEqual([
      '1 package checked against 3 CVE records: no known CVEs.',
    ])
    const empty = safe.pathOf('empty.db')
    expect((await runCommand(['migrate', '--database', empty])).code).toBe(0)
    expect(await summaries(runCommand([...project, empty]))).toEqual([
      '1 package not checked for CVEs: load CVE records with "api-discovery sync all".',
    ])
    await safe.remove()
  })

  it('has them in --json', async () => {
    const { vulnerable_packages: packages } = JSON.parse(textOf(await scan('--json')))
    const cve = { score: 7.5, severity: 'HIGH' }
    expect(packages).toEqual([
      {
        package: 'pkg:npm/stripe@8.1.0',
        is_lowest_version: true,
        num_cves: 1,
        cves: [{ cve_id: STRIPE, ...cve, known_exploited: false, affected: '>=8.0.0,<8.1.1' }],
      },
      {
        package: 'pkg:npm/twilio@4.2.1',
        is_lowest_version: false,
        num_cves: 1,
        cves: [{ cve_id: TWILIO, ...cve, known_exploited: true, affected: '>=4.0.0,<5.0.0' }],
      },
    ])
  })

  it('logs them in SARIF with their CVEs, at all their manifests', async () => {
    const log = JSON.parse(textOf(await scan('--sarif')))
    expect(findSarifFaults(log)).toEqual([])
    const results = log.runs[0].results.filter(
      ({ ruleId }: { readonly ruleId: string }) => ruleId === 'vulnerable-package',
    )
    expect(results.map(toShort)).toEqual([
      [
        'warning',
        'pkg:npm/stripe@8.1.0 has CVE-2025-10001 (CVSS 7.5 high, affects >=8.0.0,<8.1.1), confirmed for the lowest version that the manifest permits.',
        ['package.json'],
      ],
      [
        'error',
        'pkg:npm/twilio@4.2.1 has CVE-2025-10002 (CVSS 7.5 high, known exploited, affects >=4.0.0,<5.0.0), confirmed by package and version.',
        ['package.json', 'shop/package.json'],
      ],
    ])
  })

  it('fails on known exploited ones with --fail-on kev, without a catalogue', async () => {
    const { code, results, notes } = await scan('--fail-on', 'kev')
    expect(code).toBe(3)
    const failures = [...results, ...notes].join('\n').match(/^kev .*$/gm) ?? []
    expect(failures.map((line) => line.replaceAll(/ {2,}/g, '  '))).toEqual([
      'kev  pkg:npm/twilio@4.2.1  package.json:5  it has CVE-2025-10002, known to be exploited (confirmed by package and version)',
    ])
  })
})

describe('reviews of CVEs of packages', () => {
  const REVIEW = {
    status: 'not_affected',
    justification: 'vulnerable_code_not_in_execute_path',
    note: 'Only tests send messages.',
  }
  const CONTENT = {
    endpoints: [],
    vulnerabilities: [
      { cve_id: TWILIO, package: 'pkg:npm/twilio', ...REVIEW, reviewed_at: '2025-07-01T08:00:00Z' },
      { cve_id: STRIPE, package: 'pkg:npm/stripe@8.1.0', status: 'affected', response: 'update' },
    ],
  }
  let baseline = ''

  beforeAll(async () => {
    baseline = folder.pathOf('review.json')
    await writeFile(baseline, JSON.stringify(CONTENT))
  })

  it('are shown in the table and in --json', async () => {
    const { results } = await scan('--baseline', baseline)
    const rows = results.join('\n').match(/^pkg:.*$/gm) ?? []
    expect(rows.map((row) => row.split(/ {2,}/).at(-1)?.trimEnd())).toEqual([
      'affected',
      'not affected',
    ])
    const terminal = { columns: 90, hasColors: false }
    const narrow = await scanWith({ terminal }, '--baseline', baseline)
    // Nothing is truncated.
    expect(narrow.results.join('\n').split('VULNERABLE')[1]).not.toContain('…')
    const { vulnerable_packages: packages } = JSON.parse(
      textOf(await scan('--json', '--baseline', baseline)),
    )
    expect(packages[1].cves[0].review).toEqual({
      ...REVIEW,
      reviewed_at: '2025-07-01T08:00:00.000Z',
    })
  })

  it('resolve a check, and suppress the result in SARIF', async () => {
    const { code, bytes } = await scan('--fail-on', 'kev', '--sarif', '--baseline', baseline)
    expect(code).toBe(0)
    const log = JSON.parse(new TextDecoder().decode(bytes))
    expect(findSarifFaults(log)).toEqual([])
    const results = log.runs[0].results.filter(
      ({ ruleId }: { readonly ruleId: string }) => ruleId === 'vulnerable-package',
    )
    expect(
      results.map(({ level, baselineState, suppressions = [] }: SuppressedResult) => [
        level,
        baselineState,
        suppressions.map(({ justification }) => justification),
      ]),
    ).toEqual([
      ['warning', 'unchanged', []],
      [
        'note',
        'unchanged',
        ['not affected: vulnerable code not in execute path. Only tests send messages.'],
      ],
    ])
  })

  it('are new in SARIF if the baseline does not have them', async () => {
    const file = folder.pathOf('empty.json')
    await writeFile(file, JSON.stringify({ endpoints: [] }))
    const log = JSON.parse(textOf(await scan('--sarif', '--baseline', file)))
    const results: readonly (SarifResult & SuppressedResult)[] = log.runs[0].results
    const states = results.map(({ ruleId, baselineState }) => [ruleId, baselineState])
    expect(states.filter(([rule]) => rule === 'vulnerable-package')).toEqual([
      ['vulnerable-package', 'new'],
      ['vulnerable-package', 'new'],
    ])
  })

  it('are an OpenVEX document, the same for the same time', async () => {
    const environment = { SOURCE_DATE_EPOCH: '1751371200' }
    const words = ['--vex', '--author', 'Shop team', '--baseline', baseline]
    const print = async () => textOf(await scanWith({ environment }, ...words))
    const text = await print()
    expect(await print()).toBe(text)
    const toProducts = (purl: string) => [{ '@id': purl, identifiers: { purl } }]
    const toVulnerability = (name: string) => ({
      '@id': `https://nvd.nist.gov/vuln/detail/${name}`,
      name,
    })
    expect(JSON.parse(text)).toEqual({
      '@context': 'https://openvex.dev/ns/v0.2.0',
      '@id': expect.stringMatching(/^https:\/\/openvex\.dev\/docs\/public\/vex-[0-9a-f]{64}$/),
      author: 'Shop team',
      timestamp: '2025-07-01T12:00:00.000Z',
      version: 1,
      tooling: expect.stringMatching(/^api-discovery \d/),
      statements: [
        {
          vulnerability: toVulnerability(STRIPE),
          products: toProducts('pkg:npm/stripe@8.1.0'),
          status: 'affected',
          action_statement: 'Update the package.',
        },
        {
          vulnerability: toVulnerability(TWILIO),
          products: toProducts('pkg:npm/twilio@4.2.1'),
          status: 'not_affected',
          justification: REVIEW.justification,
          impact_statement: REVIEW.note,
          timestamp: '2025-07-01T08:00:00.000Z',
        },
      ],
    })
  })

  it('are no OpenVEX document without a CVE, which the format forbids', async () => {
    const { code, bytes, notes } = await scan('--vex', '--exclude', 'package.json')
    expect([code, bytes?.length ?? 0]).toEqual([1, 0])
    expect(notes).toContain('No VEX document to write: no package has a known CVE.')
  })

  it('need a valid time only for documents with a time', async () => {
    const environment = { SOURCE_DATE_EPOCH: 'today' }
    expect((await scanWith({ environment }, '--json')).code).toBe(0)
    expect((await scanWith({ environment }, '--vex')).code).toBe(2)
  })

  it('are the analysis of vulnerabilities in a CycloneDX BOM', async () => {
    const text = textOf(await scan('--bom', 'cyclonedx-json', '--baseline', baseline))
    const { vulnerabilities }: BomWithAnalysis = JSON.parse(text)
    expect(vulnerabilities.map(({ id, analysis, affects }) => [id, analysis, affects])).toEqual([
      [
        STRIPE,
        { state: 'exploitable', response: ['update'], detail: 'pkg:npm/stripe@8.1.0: affected' },
        [
          {
            ref: 'pkg:npm/stripe@8.1.0',
            versions: [
              { version: '8.1.0', status: 'affected' },
              { range: 'vers:npm/>=8.0.0|<8.1.1', status: 'affected' },
            ],
          },
        ],
      ],
      [
        TWILIO,
        {
          state: 'not_affected',
          justification: 'code_not_reachable',
          detail: `pkg:npm/twilio@4.2.1: not_affected, ${REVIEW.justification}. ${REVIEW.note}`,
        },
        [
          {
            ref: 'pkg:npm/twilio@4.2.1',
            versions: [
              { version: '4.2.1', status: 'affected' },
              { range: 'vers:npm/>=4.0.0|<5.0.0', status: 'affected' },
            ],
          },
        ],
      ],
    ])
  })

  it('are preserved by --write-baseline, which adds open CVEs', async () => {
    const file = folder.pathOf('written.json')
    const [first] = CONTENT.vulnerabilities
    await writeFile(file, JSON.stringify({ endpoints: [], vulnerabilities: [first] }))
    expect((await scan('--write-baseline', file)).code).toBe(0)
    const { vulnerabilities } = JSON.parse(await readFile(file, 'utf8'))
    expect(vulnerabilities).toEqual([
      { cve_id: STRIPE, package: 'pkg:npm/stripe@8.1.0', status: 'under_investigation' },
      { ...first, reviewed_at: '2025-07-01T08:00:00.000Z' },
    ])
  })

  it('must say why a package is not affected', async () => {
    const file = folder.pathOf('wrong.json')
    const vulnerabilities = [{ cve_id: TWILIO, package: 'pkg:npm/twilio', status: 'not_affected' }]
    await writeFile(file, JSON.stringify({ endpoints: [], vulnerabilities }))
    const { code, notes } = await scan('--baseline', file)
    expect([code, notes.join('\n')]).toEqual([
      1,
      expect.stringContaining(
        'item 1 of vulnerabilities needs a justification or a note, because its status is not_affected',
      ),
    ])
  })
})

describe('a policy on vulnerable packages, without a catalogue', () => {
  async function assess(policy: unknown, ...words: readonly string[]) {
    const file = folder.pathOf('policy.json')
    await writeFile(file, JSON.stringify(policy))
    const subject = [folder.pathOf('.'), '--policy', file, '--json', '--include', 'package.json']
    const outcome = await runCommand(['assess', ...subject, '--database', database, ...words])
    const { packages, violations }: VerdictDocument = JSON.parse(textOf(outcome))
    return {
      code: outcome.code,
      packages,
      violations: violations.map((one) => [
        one.severity,
        one.condition,
        one.package,
        one.statement,
      ]),
    }
  }

  it('fails for known exploited CVEs and for scores', async () => {
    expect(await assess({ deny: ['kev'], warn: ['cve>=7'] })).toEqual({
      code: 3,
      packages: 2,
      violations: [
        [
          ...['fail', 'kev', 'pkg:npm/twilio@4.2.1'],
          'It has a CVE known to be exploited (confirmed by package and version)',
        ],
        [
          ...['warn', 'cve>=7', 'pkg:npm/stripe@8.1.0'],
          'It has a CVE with a CVSS score of 7 or more (confirmed for the lowest version that the manifest permits)',
        ],
        [
          ...['warn', 'cve>=7', 'pkg:npm/twilio@4.2.1'],
          'It has a CVE with a CVSS score of 7 or more (confirmed by package and version)',
        ],
      ],
    })
  })

  it('passes with an exception for the package, or a review', async () => {
    const exception = { allow: ['kev'], until: '2999-12-31', reason: 'Pilot' }
    const exceptions = [{ package: 'pkg:npm/twilio', ...exception }]
    expect(await assess({ deny: ['kev'], exceptions })).toMatchObject({
      code: 0,
      violations: [['excepted', 'kev', 'pkg:npm/twilio@4.2.1', expect.anything()]],
    })
    const baseline = folder.pathOf('resolved.json')
    const review = { cve_id: TWILIO, package: 'pkg:npm/twilio', status: 'fixed' }
    await writeFile(baseline, JSON.stringify({ endpoints: [], vulnerabilities: [review] }))
    expect(await assess({ deny: ['kev'] }, '--baseline', baseline)).toEqual({
      code: 0,
      packages: 2,
      violations: [],
    })
  })
})

describe('a policy on a stored scan', () => {
  it('passes with a review of the CVE in --baseline', async () => {
    const storage = await openSqlite({ file: database })
    const app = createApiDiscovery({ storage })
    const endpoint = { endpoint_url: 'https://api.twilio.com', endpoint_method: 'post' }
    const rows = [{ ...endpoint, package: 'pkg:npm/twilio@4.2.1' }]
    await app.call('submitProjectScan', { head: { project_name: 'stored' }, rows }, OPERATOR)
    await app.close()
    const policy = folder.pathOf('policy.json')
    await writeFile(policy, JSON.stringify({ deny: ['kev'] }))
    const review = { cve_id: TWILIO, package: 'pkg:npm/twilio', status: 'fixed' }
    const baseline = folder.pathOf('stored.json')
    await writeFile(baseline, JSON.stringify({ endpoints: [], vulnerabilities: [review] }))
    const words = ['assess', '--project', 'stored', '--policy', policy, '--database', database]
    const failed = await runCommand(words)
    expect([failed.code, failed.notes.at(-1)]).toEqual([
      3,
      'Policy failed: 1 failure, 0 warnings, 0 excepted; 0 APIs, 1 other host and 1 package checked.',
    ])
    expect((await runCommand([...words, '--baseline', baseline])).code).toBe(0)
  })
})

interface SuppressedResult {
  readonly level: string
  readonly baselineState?: string
  readonly suppressions?: readonly { readonly justification: string }[]
}

interface BomWithAnalysis {
  readonly vulnerabilities: readonly Readonly<Record<'id' | 'analysis' | 'affects', unknown>>[]
}

interface VerdictDocument {
  readonly packages: number
  readonly violations: readonly Readonly<
    Record<'severity' | 'condition' | 'package' | 'statement', string>
  >[]
}

function toShort({ level, message, locations, relatedLocations = [] }: SarifResult) {
  const files = [...locations, ...relatedLocations].map(
    ({ physicalLocation }) => physicalLocation.artifactLocation.uri,
  )
  return [level, message.text, files]
}

interface SarifResult {
  readonly ruleId: string
  readonly level: string
  readonly message: { readonly text: string }
  readonly locations: readonly FileLocation[]
  readonly relatedLocations?: readonly FileLocation[]
}

interface FileLocation {
  readonly physicalLocation: { readonly artifactLocation: { readonly uri: string } }
}

function toNvdItem(
  id: string,
  { url, from, lessThan }: Readonly<Record<'url' | 'from' | 'lessThan', string>>,
) {
  const vector = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H'
  const cvssData = { version: '3.1', vectorString: vector, baseScore: 7.5, baseSeverity: 'HIGH' }
  const versions = [{ version: from, lessThan, versionType: 'semver', status: 'affected' }]
  const product = { vendor: 'Acme', product: url.slice(8), packageURL: url }
  return {
    cve: {
      id,
      sourceIdentifier: 'cna@acme.example',
      published: '2025-06-01T00:00:00.000',
      lastModified: '2025-06-01T00:00:00.000',
      vulnStatus: 'Received',
      descriptions: [{ lang: 'en', value: `A flaw in ${url}.` }],
      affected: [
        {
          source: 'cna@acme.example',
          affectedData: [{ ...product, defaultStatus: 'unaffected', versions }],
        },
      ],
      metrics: { cvssMetricV31: [{ source: 'cna@acme.example', type: 'Secondary', cvssData }] },
      references: [],
    },
  }
}

function toKevCatalogue(cveID: string) {
  const entry = { vendorProject: 'Acme', product: 'Kit', vulnerabilityName: 'A flaw' }
  const dates = { dateAdded: '2025-06-02', dueDate: '2025-06-20' }
  const texts = { shortDescription: 'A flaw.', requiredAction: 'Update.', notes: '' }
  return {
    ...{ title: 'Catalog', catalogVersion: '2025.06.02', dateReleased: '2025-06-02T00:00:00Z' },
    count: 1,
    vulnerabilities: [
      { cveID, ...entry, ...dates, ...texts, knownRansomwareCampaignUse: 'Unknown' },
    ],
  }
}

describe('--fail-on kev', () => {
  it('is refused without the KEV catalogue', async () => {
    const other = folder.pathOf('without-kev.db')
    const feed = folder.pathOf('nvd.json')
    const loaded = await runCommand(['sync', 'nvd', '--from', feed, '--database', other])
    expect(loaded.code).toBe(0)
    const words = ['scan', 'project', folder.pathOf('.'), '--fail-on', 'kev', '--database', other]
    const { code, notes } = await runCommand(words)
    expect([code, notes]).toEqual([
      1,
      ['Cannot check kev: the KEV catalogue is not loaded; run "sync kev" first'],
    ])
  })
})
