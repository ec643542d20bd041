import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareBoms } from '../../../core/boms/combine.ts'
import { createJsonValidator } from '../../../core/boms/cyclonedx/json-validator.ts'
import { explainBom, type ValidatorCache } from '../../../core/boms/explaining/explain-bom.ts'
import { readBom } from '../../../core/boms/reading/read-bom.ts'
import { type BOM_FORMATS, SPEC_VERSIONS } from '../../../core/boms/records.ts'
import { renderBoms } from '../../../core/boms/render-bom.ts'
import { arbitraryBom } from './arbitrary-boms.ts'
import { readText } from './texts.ts'

const judges: ValidatorCache = new Map()

const TOOL = { name: 'test', version: '1' }

function readGolden(operation: string, index: number): unknown {
  const url = new URL(`../../../fixtures/golden/${operation}.json`, import.meta.url)
  return JSON.parse(readFileSync(url, 'utf8'))[index].json
}

async function convert(
  text: string,
  format: (typeof BOM_FORMATS)[number],
  version: (typeof SPEC_VERSIONS)[number] = '1.5',
): Promise<string> {
  const { boms } = readBom(text)
  return readText(await renderBoms(boms, { shape: { format, version }, tool: TOOL }))
}

/** BOMs in the specification's format. */
const goldens = [
  ['2.9', JSON.stringify(readGolden('getProjectBom', 0))],
  ['2.10', JSON.stringify((readGolden('getNetworkBom', 0) as readonly unknown[])[0])],
] as const

describe.each(goldens)("the specification's format %s", (_, text) => {
  it('is unchanged after reading and writing', async () => {
    const again = await convert(text, 'specification')
    expect(sortServices(JSON.parse(again))).toEqual(sortServices(JSON.parse(text)))
  })

  it.each(SPEC_VERSIONS)('is repaired into valid CycloneDX %s', async (version) => {
    expect((await explainBom(text, judges)).isValid).toBe(false)
    expect(await explainBom(await convert(text, 'cyclonedx-json', version), judges)).toEqual({
      shape: 'cyclonedx-json',
      version,
      isBySchema: true,
      isValid: true,
      explanations: [],
    })
    const xml = await explainBom(await convert(text, 'cyclonedx-xml', version), judges)
    expect([xml.isValid, xml.version]).toEqual([true, version])
  })

  it.each(['cyclonedx-json', 'cyclonedx-xml'] as const)(
    'retains the same services in %s',
    async (format) => {
      const back = await convert(await convert(text, format), 'specification')
      expect(sortServices(JSON.parse(back))).toEqual(sortServices(JSON.parse(text)))
    },
  )
})

describe('agreements on one page', () => {
  it.each(['cyclonedx-json', 'cyclonedx-xml'] as const)('are retained in %s', async (format) => {
    const url = 'https://pay.example/legal'
    const licenses = ['Terms of service', 'Privacy policy'].map((name) => ({ name, url }))
    const externalReferences = [{ type: 'license', url }]
    const service = { name: 'Pay', licenses, externalReferences }
    const details = { bomFormat: 'CycloneDX', specVersion: '1.5', services: [service] }
    const text = JSON.stringify({ project_id: 'p', project_name: 'P', scan_details: details })
    const back = JSON.parse(await convert(await convert(text, format), 'specification'))
    expect(back.scan_details.services).toMatchObject([service])
  })
})

describe('documents without times', () => {
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    services: [
      {
        name: 'Pay',
        endpoints: ['https://api.pay.example/v1'],
        properties: [
          { name: 'api-discovery:matched', value: 'true' },
          { name: 'api-discovery:endpoint:approval', value: 'https://api.pay.example/v1 yes' },
        ],
      },
    ],
  }
  const xml = `<bom xmlns="http://cyclonedx.org/schema/bom/1.5"><services><service><name>Pay</name>
    <endpoints><endpoint>https://api.pay.example/v1</endpoint></endpoints></service></services></bom>`

  it.each([JSON.stringify(document), xml])(
    'still have none after conversion: %.12s',
    async (text) => {
      for (const format of ['cyclonedx-json', 'cyclonedx-xml', 'specification'] as const) {
        expect(await convert(text, format)).not.toMatch(/19(?:69|70)/)
      }
      const strict = await convert(text, 'cyclonedx-json')
      expect(await explainBom(strict, judges)).toMatchObject({ isValid: true, explanations: [] })
      expect(JSON.parse(strict).metadata.timestamp).toBeUndefined()
      expect(JSON.parse(await convert(text, 'specification'))).toMatchObject({
        datetime_created: '',
        scan_details: { metadata: { timestamp: '' } },
      })
    },
  )
})

describe('URLs of endpoints', () => {
  const urls = [
    'https://api.example.com/v1/users/{id}',
    'https://{tenant}.example.com/v1?q={}',
    'https://api.example.com/%7Bid%7D',
    'https://api.example.com/a b/ä/[0]/100%',
    'https://api.example.com/a%20b',
    'https://api.example.com:{}/v1',
    '/v1/users',
  ]
  const document = {
    project_id: 'prj_1',
    project_name: 'Storefront',
    datetime_created: '2026-01-02 03:04',
    scan_details: {
      bomFormat: 'CycloneDX',
      specVersion: '1.5',
      metadata: { timestamp: '2026-01-02T03:04:05' },
      services: [
        {
          name: 'Weather',
          provider: { name: 'Acme' },
          endpoints: urls,
          properties: urls.flatMap((url) => [
            { name: `${url} approval status`, value: 'yes' },
            { name: `${url} found in file`, value: 'src/a.ts' },
          ]),
        },
      ],
    },
  }

  it.each(['cyclonedx-json', 'cyclonedx-xml'] as const)('are retained in %s', async (format) => {
    const strict = await convert(JSON.stringify(document), format)
    expect((await explainBom(strict, judges)).isValid).toBe(true)
    expect(JSON.parse(await convert(strict, 'specification'))).toEqual(document)
    expect(await convert(strict, format)).toBe(strict)
  })

  it('are read as templates if another producer has encoded their braces', async () => {
    const other = {
      bomFormat: 'CycloneDX',
      specVersion: '1.5',
      services: [{ name: 'Weather', endpoints: ['https://api.example.com/%7Bid%7D?q=%20'] }],
    }
    const back = JSON.parse(await convert(JSON.stringify(other), 'specification'))
    expect(back.scan_details.services[0].endpoints).toEqual(['https://api.example.com/{id}?q=%20'])
  })
})

describe('documents with arbitrary texts', () => {
  it("are written in the specification's format, read and repaired", async () => {
    const judge = createJsonValidator('1.6')
    for (const { toBom } of fc.sample(arbitraryBom, { numRuns: 60, seed: 3 })) {
      const shape = { format: 'specification', version: '1.5' } as const
      const text = await readText(await renderBoms([toBom()], { shape, tool: TOOL }))
      const json = await convert(text, 'cyclonedx-json', '1.6')
      expect(await judge?.(JSON.parse(json))).toEqual([])
    }
  })

  it('are equal in JSON and in XML', async () => {
    for (const { toBom } of fc.sample(arbitraryBom, { numRuns: 60, seed: 4 })) {
      const [json, xml] = await Promise.all(
        (['cyclonedx-json', 'cyclonedx-xml'] as const).map(async (format) => {
          const shape = { format, version: '1.7' } as const
          return readText(await renderBoms([toBom()], { shape, tool: TOOL }))
        }),
      )
      const [first] = readBom(json ?? '').boms
      const [second] = readBom(xml ?? '').boms
      if (!first || !second) throw new Error('no bill')
      const { added, gone } = (await compareBoms(first, second)).services
      expect([added.length, gone.length]).toEqual([0, 0])
    }
  })
})

/** Services are sorted by reference when they are converted. */
function sortServices(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(sortServices)
    const isNamed = items.every((item) => typeof (item as { name?: unknown }).name === 'string')
    const byText = (a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)
    return isNamed ? items.sort(byText) : items
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      member === null ? member : sortServices(member),
    ]),
  )
}
