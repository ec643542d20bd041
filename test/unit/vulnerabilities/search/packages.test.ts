import { beforeAll, describe, expect, it } from 'vitest'
import { findPackageVulnerabilities } from '../../../../core/vulnerabilities/package-vulnerabilities.ts'
import type { ReportedProduct, ReportedVersion } from '../../../../core/vulnerabilities/records.ts'
import type { Vulnerabilities } from '../../../../core/vulnerabilities/service.ts'
import { loadAll } from './loaded.ts'
import { affects, sampleRecord } from './samples.ts'

const NPM = 'CVE-2024-0001'
const PYTHON = 'CVE-2024-0002'
const ANALYZED = 'CVE-2024-0003'
const OPEN = 'CVE-2024-0004'
const MAVEN = 'CVE-2024-0005'
const LONG = 'CVE-2024-0006'
const EXCEPTIONS = 'CVE-2024-0007'
const LONG_NAME = `kit-${'long'.repeat(100)}`

const RECORDS = [
  sampleRecord(NPM, {
    reported: [
      reports('pkg:npm/%40acme/other', [between('1.0.0', '9.0.0')]),
      reports('pkg:npm/%40acme/sdk', [
        between('1.0.0', '1.4.2', 'custom'),
        between('2.0.0-beta.1', '2.1.0'),
      ]),
    ],
  }),
  sampleRecord(PYTHON, {
    reported: [reports('pkg:pypi/acme-sdk', [between('0', '1.0', 'semver')])],
  }),
  sampleRecord(ANALYZED, {
    configurations: affects('acme:sdk:1.4.0'),
    reported: [reports('pkg:npm/@acme/sdk', [between('1.4.0', '1.4.1')])],
  }),
  sampleRecord(OPEN, {
    reported: [
      {
        ...reports('pkg:npm/@acme/sdk', [{ version: '1.9.9', status: 'unaffected' }]),
        defaultStatus: 'affected',
      },
    ],
  }),
  sampleRecord(MAVEN, {
    reported: [
      {
        ...reports(undefined, [between('1.0', '1.5', 'maven'), between('31', '32.0.0')]),
        collectionUrl: 'https://repo.maven.apache.org/maven2',
        packageName: 'org.acme:sdk',
      },
    ],
  }),
  sampleRecord(LONG, {
    reported: [
      reports(`pkg:npm/${LONG_NAME}`, [between('1.0.0', '2.0.0')]),
      reports('pkg:npm/kit', [between(`1.0.0-${'a'.repeat(700)}`, '2.0.0')]),
    ],
  }),
  sampleRecord(EXCEPTIONS, {
    reported: [
      { ...reports('pkg:npm/kit', exceptEach(3, 5)), defaultStatus: 'affected' },
      { ...reports('pkg:npm/kit', exceptEach(4, 50)), defaultStatus: 'affected' },
    ],
  }),
]

let database: Vulnerabilities

beforeAll(async () => {
  database = await loadAll({ records: RECORDS })
})

describe('a search by package', () => {
  it.each([
    ['pkg:npm/%40Acme/SDK', [OPEN, ANALYZED, NPM]],
    ['pkg:npm/@acme/sdk@1.4.0', [OPEN, ANALYZED, NPM]],
    ['pkg:npm/@acme/sdk@1.4.2', [OPEN]],
    ['pkg:npm/@acme/sdk@1.4.2-patch', [OPEN, NPM]],
    ['pkg:npm/@acme/sdk@1.9.9', []],
    ['pkg:npm/@acme/sdk@2.0.0-alpha.2', [OPEN]],
    ['pkg:npm/@acme/sdk@2.0.0-beta.10', [OPEN, NPM]],
    ['pkg:npm/@acme/sdk@3.0.0', [OPEN]],
    ['pkg:npm/sdk', []],
    ['pkg:pypi/Acme.SDK@1.0rc1', [PYTHON]],
    ['pkg:pypi/acme_sdk@1.0.post1', []],
    ['pkg:maven/org.acme/sdk', [MAVEN]],
    ['pkg:maven/org.acme/sdk@1.5', []],
    ['pkg:maven/Org.Acme/sdk@1.4', []],
    ['pkg:maven/org.acme/sdk@31.1-jre', [MAVEN]],
    ['pkg:maven/org.acme/sdk@32.0.0-jre', []],
    [`pkg:npm/${LONG_NAME}@1.5.0`, [LONG]],
    [`pkg:npm/${LONG_NAME}@2.0.0`, []],
    [`pkg:npm/${LONG_NAME}s@1.5.0`, []],
    ['pkg:npm/kit@1.5.0', [LONG]],
    ['pkg:npm/kit@3.0.5', [EXCEPTIONS]],
    ['pkg:npm/kit@3.0.4', []],
    ['pkg:npm/kit@4.0.50', [EXCEPTIONS]],
    ['pkg:npm/kit@4.0.49', []],
    ['pkg:npm/kit@5.0.0', []],
  ])('finds %s', async (purl, ids) => {
    const results = await database.search({ term: 'cve', filters: { purl } })
    expect(results.count).toBe(ids.length)
    const sorted = (await toLines(results.hits)).map(({ cve_id: id }) => id).sort()
    expect(sorted).toEqual([...ids].sort())
  })

  it('names the product of the package with the version that matches', async () => {
    const results = await database.search({
      term: 'cve',
      filters: { purl: 'pkg:npm/@acme/sdk@2.0.5' },
      page: { page: 1, size: 10 },
    })
    const lines = await toLines(results.hits)
    expect(lines.map(({ cve_id: id, version }) => [id, version])).toEqual([
      [NPM, '>=2.0.0-beta.1,<2.1.0'],
      [OPEN, '-'],
    ])
  })

  it('names listed products of records that NVD analyzed', async () => {
    const filters = { purl: 'pkg:npm/@acme/sdk@1.4.0' }
    const results = await database.search({ term: ANALYZED, filters })
    expect(await toLines(results.hits)).toMatchObject([{ product: 'sdk', version: '1.4.0' }])
  })

  it('combines with other filters', async () => {
    const filters = { purl: 'pkg:npm/@acme/sdk', vendor: 'acme', product: 'sdk', version: '1.4.0' }
    expect((await database.search({ term: 'cve', filters })).count).toBe(1)
  })

  it('rejects an invalid package URL with the reason', async () => {
    const filters = { purl: 'pkg:maven/sdk' }
    await expect(database.search({ term: 'cve', filters })).rejects.toMatchObject({
      code: 'invalid_input',
      message: 'Invalid package URL "pkg:maven/sdk": maven requires a "namespace" component',
    })
  })
})

describe('the CVEs of packages', () => {
  const toPackages = (length: number) =>
    Array.from({ length }, (_, patch) => ({ purl: `pkg:npm/kit@9.0.${patch}`, isLowest: false }))

  it('are found without blocking the event loop', async () => {
    const none = await database.search({ term: 'cve', filters: { purl: 'pkg:npm/none@1.0.0' } })
    async function search() {
      const end = performance.now() + 2
      while (performance.now() < end);
      return none
    }
    let turns = 0
    const timer = setInterval(() => {
      turns += 1
    }, 0)
    await findPackageVulnerabilities({ search }, { packages: toPackages(20) })
    clearInterval(timer)
    expect(turns).toBeGreaterThan(0)
  })

  it('are not searched for more than 20,000 packages', async () => {
    await expect(
      findPackageVulnerabilities(database, { packages: toPackages(20_001) }),
    ).rejects.toMatchObject({ code: 'too_large' })
  })

  it('describe ranges with exceptions', async () => {
    const packages = ['pkg:npm/@acme/sdk@3.0.0', 'pkg:npm/kit@3.0.5', 'pkg:npm/kit@1.5.0'].map(
      (purl) => ({ purl, isLowest: false }),
    )
    const found = await findPackageVulnerabilities(database, { packages })
    expect(found.map((used) => [used.purl, used.found.map((cve) => cve.affectedVersions)])).toEqual(
      [
        ['pkg:npm/@acme/sdk@3.0.0', ['all but some versions']],
        ['pkg:npm/kit@3.0.5', ['some versions of >=3.0.0,<4.0.0']],
        ['pkg:npm/kit@1.5.0', [`>=1.0.0-${'a'.repeat(700)},<2.0.0`]],
      ],
    )
  })
})

function reports(
  packageUrl: string | undefined,
  versions: readonly ReportedVersion[],
): ReportedProduct {
  return {
    ...{ source: 'cna@acme.example', vendor: 'Acme', product: packageUrl ?? 'Kit' },
    ...{ packageUrl, cpes: [], modules: [], platforms: [], defaultStatus: 'unaffected', versions },
  }
}

/** Affects a major version except its first `count` patches. */
function exceptEach(major: number, count: number): readonly ReportedVersion[] {
  return [
    between(`${major}.0.0`, `${major + 1}.0.0`),
    ...Array.from({ length: count }, (_, patch) => {
      return { version: `${major}.0.${patch}`, status: 'unaffected' as const, type: 'semver' }
    }),
  ]
}

function between(version: string, lessThan: string, type = 'semver'): ReportedVersion {
  return { version, status: 'affected', type, lessThan }
}

async function toLines(
  hits: Awaited<ReturnType<Vulnerabilities['search']>>['hits'],
): Promise<readonly Readonly<Record<string, string>>[]> {
  const lines: Readonly<Record<string, string>>[] = []
  for await (const batch of hits) {
    for (const { line, named } of batch) lines.push({ ...JSON.parse(line), ...named })
  }
  return lines
}
