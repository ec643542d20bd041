import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CommandOutcome, runCommand } from '../helpers/command-line.ts'
import { makeFolder, type TestFolder } from '../helpers/folder.ts'
import { findSarifFaults } from '../helpers/sarif.ts'

const DESCRIPTIONS = fileURLToPath(new URL('../../fixtures/seed/descriptions/', import.meta.url))
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
  const exclude = ['--exclude', '*.db*', '--exclude', 'nvd.json', '--exclude', 'kev.json']
  const project = folder.pathOf('.')
  return runCommand(['scan', 'project', project, ...exclude, '--database', database, ...words])
}

const textOf = ({ bytes }: CommandOutcome) => new TextDecoder().decode(bytes)

describe('scan project with vulnerable packages', () => {
  it('prints the CVEs of packages in their versions, and marks versions of ranges', async () => {
    const { code, results, notes } = await scan()
    expect(code).toBe(0)
    const lines = results.join('\n').split('\n')
    const start = lines.findIndex((line) => line.startsWith('VULNERABLE PACKAGE'))
    expect(lines.slice(start).map((line) => line.trimEnd())).toEqual([
      'VULNERABLE PACKAGE      CVE             CVSS      AFFECTED        EXPLOITED',
      'pkg:npm/stripe@8.1.0 *  CVE-2025-10001  7.5 high  >=8.0.0,<8.1.1',
      'pkg:npm/twilio@4.2.1    CVE-2025-10002  7.5 high  >=4.0.0,<5.0.0  known exploited',
    ])
    expect(notes.join('\n')).toContain(
      '* The lowest version that the manifest permits; the installed one may be newer.',
    )
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

  it('logs them in SARIF, at their manifest', async () => {
    const log = JSON.parse(textOf(await scan('--sarif')))
    expect(findSarifFaults(log)).toEqual([])
    const results = log.runs[0].results.filter(
      ({ ruleId }: { readonly ruleId: string }) => ruleId === 'vulnerable-package',
    )
    expect(results.map(toShort)).toEqual([
      [
        'warning',
        'pkg:npm/stripe@8.1.0 has CVE-2025-10001 (confirmed for the lowest version that the manifest permits).',
        'package.json',
      ],
      [
        'error',
        'pkg:npm/twilio@4.2.1 has CVE-2025-10002 (confirmed by package and version).',
        'package.json',
      ],
    ])
  })

  it('fails on known exploited ones with --fail-on kev', async () => {
    const words = ['import', DESCRIPTIONS, '--create-vendors', '--database', database]
    expect((await runCommand(words)).code).toBe(0)
    const { code, results, notes } = await scan('--fail-on', 'kev')
    expect(code).toBe(3)
    const failures = [...results, ...notes].join('\n').match(/^kev .*$/gm) ?? []
    expect(failures.map((line) => line.replaceAll(/ {2,}/g, '  '))).toEqual([
      'kev  pkg:npm/twilio@4.2.1  package.json:5  it has CVE-2025-10002, known to be exploited (confirmed by package and version)',
    ])
  })
})

function toShort({ level, message, locations }: SarifResult): readonly string[] {
  return [level, message.text, locations[0]?.physicalLocation.artifactLocation.uri ?? '']
}

interface SarifResult {
  readonly level: string
  readonly message: { readonly text: string }
  readonly locations: readonly {
    readonly physicalLocation: { readonly artifactLocation: { readonly uri: string } }
  }[]
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
