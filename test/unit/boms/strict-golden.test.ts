import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { buildNetworkBom, buildProjectBom } from '../../../core/boms/build-bom.ts'
import type { FindVulnerabilities } from '../../../core/boms/collect-bom.ts'
import type { Bom } from '../../../core/boms/model.ts'
import { renderBom } from '../../../core/boms/render-bom.ts'
import { openTestService } from '../../helpers/service.ts'
import { openXmlJudge } from '../../helpers/xml-schemas.ts'
import { readText } from './texts.ts'

/** `UPDATE_GOLDEN=1` rewrites the files. */
const isUpdate = process.env.UPDATE_GOLDEN === '1'
const service = await openTestService()
afterAll(() => service.close())

const { account } = service.caller
const sources = { scans: service.app.scans, catalogue: service.storage.catalogue }

async function buildProject(): Promise<Bom> {
  const [project] = await service.app.scans.findProjects(account, { limit: 1 })
  if (!project) throw new Error('no project')
  return buildProjectBom(sources, { account, project })
}

async function buildNetwork(): Promise<Bom> {
  const filter = { repositories: 1, instances: 10 }
  const [instances] = await service.app.scans.findNetworks(account, filter)
  if (!instances) throw new Error('no network')
  return buildNetworkBom(sources, { account, instances })
}

/** One CVE of one vendor. */
const findVulnerabilities: FindVulnerabilities = async ({ api }) =>
  api.vendorName === 'Ledgerly'
    ? {
        found: [
          {
            id: 'CVE-2026-12345',
            description: 'A made-up flaw in the payments of Ledgerly.',
            publishedAt: Date.UTC(2026, 0, 5),
            modifiedAt: Date.UTC(2026, 0, 9),
            metric: {
              version: '3.1',
              source: 'nvd@nist.gov',
              score: 9.8,
              severity: 'CRITICAL',
              vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
            },
            weaknesses: ['CWE-287'],
            isExploited: true,
            authority: 'nvd',
            vendor: 'ledgerly',
            product: 'payments',
          },
        ],
        count: 21,
      }
    : { found: [], count: 0 }

const tool = { name: 'api-discovery', version: '1.2.3' }

async function renderCompared(
  bom: Bom,
  format: 'cyclonedx-json' | 'cyclonedx-xml',
): Promise<string> {
  const shape = { format, version: '1.6' } as const
  const text = await readText(await renderBom(bom, { shape, tool, findVulnerabilities }))
  return format === 'cyclonedx-json' ? `${JSON.stringify(JSON.parse(text), undefined, 2)}\n` : text
}

function compareWithGolden(name: string, text: string): void {
  const url = new URL(`../../../fixtures/golden/boms/${name}`, import.meta.url)
  if (isUpdate) writeFileSync(url, text)
  expect(text).toBe(readFileSync(url, 'utf8'))
}

describe.each([
  ['project', buildProject],
  ['network', buildNetwork],
] as const)('the CycloneDX document of a %s', (name, build) => {
  it('equals the golden file byte for byte, in JSON', async () => {
    compareWithGolden(`${name}.cdx.json`, await renderCompared(await build(), 'cyclonedx-json'))
  })

  it('equals the golden file byte for byte, in XML', async () => {
    const text = await renderCompared(await build(), 'cyclonedx-xml')
    compareWithGolden(`${name}.cdx.xml`, text)
    expect(await openXmlJudge('1.6')?.([text])).toEqual(openXmlJudge('1.6') ? [] : undefined)
  })
})

describe('data of a service that Dependency-Track imports', () => {
  it('is complete', async () => {
    const document = JSON.parse(await renderCompared(await buildProject(), 'cyclonedx-json'))
    const [payments] = document.services.filter(
      ({ name }: { readonly name: string }) => name === 'Ledgerly Payments',
    )
    const { properties: _, 'bom-ref': ref, ...kept } = payments
    expect(kept).toEqual({
      provider: { name: 'Ledgerly' },
      group: 'ledgerly.example',
      name: 'Ledgerly Payments',
      version: '1.4.2',
      description: 'Take card payments, refund them, and send invoices.',
      endpoints: [
        'https://api.ledgerly.example/v1/payments',
        'https://api.ledgerly.example/v1/unheard-of',
      ],
      authenticated: true,
      'x-trust-boundary': true,
      data: [{ flow: 'bi-directional', classification: 'unclassified', name: 'API calls' }],
      licenses: [
        { license: { id: 'Apache-2.0', url: 'https://spdx.org/licenses/Apache-2.0.html' } },
      ],
      externalReferences: [
        { type: 'license', url: 'https://spdx.org/licenses/Apache-2.0.html' },
        {
          type: 'other',
          url: 'https://ledgerly.example/legal/terms',
          comment: 'Agreement: Terms of service',
        },
      ],
    })
    const [{ id, affects, analysis }] = document.vulnerabilities
    expect([id, affects, analysis.state]).toEqual(['CVE-2026-12345', [{ ref }], 'in_triage'])
    const notes = document.annotations.filter(({ subjects }: { subjects: readonly string[] }) =>
      subjects.includes(ref),
    )
    expect(notes.map(({ text }: { text: string }) => text)).toEqual([
      'Rejected\npost https://api.ledgerly.example/v1/payments',
    ])
  })
})
