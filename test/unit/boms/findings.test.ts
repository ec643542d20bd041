import { afterAll, describe, expect, it } from 'vitest'
import { buildFindingsBom } from '../../../core/boms/build-findings-bom.ts'
import type { BomPackageVulnerability } from '../../../core/boms/collect-bom.ts'
import { renderBom } from '../../../core/boms/render-bom.ts'
import { openTestService } from '../../helpers/service.ts'
import { readText } from './texts.ts'

const service = await openTestService()
afterAll(() => service.close())

const found = {
  method: undefined,
  packages: [],
  confidence: 0.9,
  approval: 'unreviewed' as const,
  reason: '',
}
const toPlaces = (...files: readonly string[]) =>
  files.map((file) => ({ file, line: 1, column: 1 }))

describe("the BOM of a scanner's findings", () => {
  it('contains the services of the catalogue and uncatalogued hosts', async () => {
    const [api] = await service.storage.catalogue.findApisByName({ vendorName: 'Pigeon' })
    const url = 'https://api.pigeon.example/v3/messages'
    const uses = [
      { ...found, url: 'unknown.example/v1', places: toPlaces('z.ts'), apiId: undefined },
      { ...found, url, method: 'post', places: toPlaces('a.ts', 'b.ts'), apiId: api?.id },
      { ...found, url: 'https://gone.example/v1', places: toPlaces('g.ts'), apiId: 999_999 },
    ]
    const scan = { projectName: 'Shop', scannedAt: Date.UTC(2026, 2, 14), uses }
    const bom = buildFindingsBom(service.storage.catalogue, scan)
    const shape = { format: 'specification', version: '1.5' } as const
    const text = await readText(await renderBom(bom, { shape, tool: { name: 't', version: '1' } }))
    const { scan_details, ...head } = JSON.parse(text)
    expect(head).toEqual({
      project_id: '',
      project_name: 'Shop',
      datetime_created: '2026-03-14 00:00',
    })
    const services: readonly { readonly name: string; readonly properties: unknown }[] =
      scan_details.services
    expect(services.map(({ name, properties }) => [name, properties])).toEqual([
      [
        api?.name,
        [
          { name: `${url} approval status`, value: 'unreviewed' },
          { name: `${url} found in file`, value: 'a.ts' },
          { name: `${url} found in file`, value: 'b.ts' },
        ],
      ],
      [
        'gone.example',
        [
          { name: 'https://gone.example/v1 approval status', value: 'unreviewed' },
          { name: 'https://gone.example/v1 found in file', value: 'g.ts' },
        ],
      ],
      [
        'unknown.example',
        [
          { name: 'unknown.example/v1 approval status', value: 'unreviewed' },
          { name: 'unknown.example/v1 found in file', value: 'z.ts' },
        ],
      ],
    ])
  })
})

describe('the packages of a BOM', () => {
  const packages = ['pkg:npm/@acme/sdk@1.2.0', 'pkg:npm/other', 'pkg:npm/acme@2.0.0']
  const uses = [
    {
      ...{ ...found, url: 'https://api.acme.example', places: toPlaces('package.json') },
      ...{ apiId: undefined, packages, lowestPackages: ['pkg:gem/acme@3.1', 'pkg:npm/acme@1.0.0'] },
    },
  ]
  const cve = {
    ...{ id: 'CVE-2026-1', description: 'A flaw.', publishedAt: Date.UTC(2026, 0, 1) },
    ...{ modifiedAt: Date.UTC(2026, 0, 2), weaknesses: ['CWE-79'], vendor: 'Acme' },
    metric: {
      ...{ version: '3.1', source: 'cna@acme.example', score: 7.5, severity: 'HIGH' },
      vector: 'CVSS:3.1/AV:N',
    },
  }

  async function render(changes: Partial<BomPackageVulnerability> = {}, count = 1) {
    const scan = { projectName: 'Shop', scannedAt: Date.UTC(2026, 2, 14), uses }
    const bom = buildFindingsBom(service.storage.catalogue, scan)
    const shape = { format: 'cyclonedx-json', version: '1.6' } as const
    const text = await readText(
      await renderBom(bom, {
        ...{ shape, tool: { name: 't', version: '1' } },
        findPackageVulnerabilities: async (used) =>
          used
            .filter(({ purl }) => purl !== 'pkg:npm/acme@2.0.0')
            .map((each) => ({
              ...each,
              found: [
                {
                  ...{ ...cve, product: 'Kit', isExploited: true, authority: 'cve' },
                  affectedVersions: '>=1.0,<4',
                  ...changes,
                },
              ],
              count,
            })),
      }),
    )
    return JSON.parse(text)
  }

  it('are components if they have a version', async () => {
    const { components, dependencies } = await render()
    expect(components).toEqual([
      {
        ...{ type: 'library', name: 'acme', version: '3.1' },
        ...{ 'bom-ref': 'pkg:gem/acme@3.1', purl: 'pkg:gem/acme@3.1' },
        properties: [{ name: 'api-discovery:lowest_version', value: 'true' }],
      },
      {
        ...{ type: 'library', group: '@acme', name: 'sdk', version: '1.2.0' },
        ...{ 'bom-ref': 'pkg:npm/%40acme/sdk@1.2.0', purl: 'pkg:npm/%40acme/sdk@1.2.0' },
      },
      {
        ...{ type: 'library', name: 'acme', version: '1.0.0' },
        ...{ 'bom-ref': 'pkg:npm/acme@1.0.0', purl: 'pkg:npm/acme@1.0.0' },
        properties: [{ name: 'api-discovery:lowest_version', value: 'true' }],
      },
      {
        ...{ type: 'library', name: 'acme', version: '2.0.0' },
        ...{ 'bom-ref': 'pkg:npm/acme@2.0.0', purl: 'pkg:npm/acme@2.0.0' },
      },
    ])
    expect(dependencies[0].dependsOn).toContain('pkg:gem/acme@3.1')
    expect(dependencies).toContainEqual({ ref: 'pkg:npm/acme@2.0.0' })
  })

  it('have one vulnerability per CVE, with the affected versions', async () => {
    const { vulnerabilities } = await render()
    const url = 'https://www.cve.org/CVERecord?id=CVE-2026-1'
    const source = { name: 'CVE Program', url }
    const toVersions = (version: string, range: string) => [
      { version, status: 'affected' },
      { range, status: 'affected' },
    ]
    expect(vulnerabilities).toEqual([
      {
        ...{ 'bom-ref': 'vulnerability:CVE-2026-1', id: 'CVE-2026-1', source },
        ratings: [
          {
            ...{
              source: { name: 'cna@acme.example' },
              score: 7.5,
              severity: 'high',
              method: 'CVSSv31',
            },
            vector: 'CVSS:3.1/AV:N',
          },
        ],
        ...{ cwes: [79], description: 'A flaw.' },
        ...{ published: '2026-01-01T00:00:00.000Z', updated: '2026-01-02T00:00:00.000Z' },
        affects: [
          {
            ref: 'pkg:gem/acme@3.1',
            versions: toVersions('3.1', 'vers:gem/>=1.0|<4'),
          },
          {
            ref: 'pkg:npm/%40acme/sdk@1.2.0',
            versions: toVersions('1.2.0', 'vers:npm/>=1.0|<4'),
          },
          {
            ref: 'pkg:npm/acme@1.0.0',
            versions: toVersions('1.0.0', 'vers:npm/>=1.0|<4'),
          },
        ],
        properties: [
          { name: 'api-discovery:vulnerability:product', value: 'Acme Kit' },
          { name: 'api-discovery:vulnerability:known_exploited', value: 'true' },
        ],
      },
    ])
  })

  it('have no range with exceptions', async () => {
    const { vulnerabilities } = await render({ affectedVersions: 'some versions of >=1.0,<4' })
    expect(vulnerabilities[0].affects[0].versions).toEqual([{ version: '3.1', status: 'affected' }])
  })

  it('are affected unless a review says that they are fixed', async () => {
    const review = { cveId: cve.id, purl: 'pkg:gem/acme', note: 'A note.', by: '', at: undefined }
    const toVersions = async (status: 'not_affected' | 'fixed') =>
      (await render({ review: { ...review, status } })).vulnerabilities[0].affects[0].versions
    expect(await toVersions('not_affected')).toEqual([
      { version: '3.1', status: 'affected' },
      { range: 'vers:gem/>=1.0|<4', status: 'affected' },
    ])
    expect(await toVersions('fixed')).toEqual([{ version: '3.1', status: 'unaffected' }])
  })

  it('name NVD as the source of its own ratings only', async () => {
    const metric = { ...cve.metric, source: 'nvd@nist.gov' }
    const { vulnerabilities } = await render({ authority: 'nvd', metric })
    const url = 'https://nvd.nist.gov/vuln/detail/CVE-2026-1'
    expect(vulnerabilities[0].ratings[0].source).toEqual({ name: 'NVD', url })
    const { vulnerabilities: others } = await render({ authority: 'nvd' })
    expect(others[0].ratings[0].source).toEqual({ name: 'cna@acme.example' })
  })

  it('have the number of all CVEs if some are not listed', async () => {
    const { components } = await render({}, 120)
    expect(components[0].properties).toContainEqual({
      name: 'api-discovery:vulnerabilities:known',
      value: '120',
    })
  })
})
