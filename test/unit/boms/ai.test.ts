import { Validation } from '@cyclonedx/cyclonedx-library'
import { afterAll, describe, expect, it } from 'vitest'
import { buildFindingsBom } from '../../../core/boms/build-findings-bom.ts'
import { readBom } from '../../../core/boms/reading/read-bom.ts'
import { renderBom } from '../../../core/boms/render-bom.ts'
import { openTestService } from '../../helpers/service.ts'
import { readText } from './texts.ts'

const service = await openTestService()
afterAll(() => service.close())

const tool = { name: 't', version: '1' }
const usage = {
  method: undefined,
  packages: [],
  places: [{ file: 'a.ts', line: 1, column: 1 }],
  apiId: undefined,
  confidence: 0.9,
  approval: 'unreviewed' as const,
  reason: '',
}

function buildBom() {
  return buildFindingsBom(service.storage.catalogue, {
    projectName: 'Shop',
    scannedAt: Date.UTC(2026, 2, 14),
    uses: [
      {
        ...usage,
        url: 'https://api.openai.com/v1',
        vendorName: 'OpenAI',
        kinds: ['ai-models'],
        models: ['gpt-4o', 'o3'],
      },
      { ...usage, url: 'https://api.pinecone.io', vendorName: 'Pinecone' },
      { ...usage, url: 'https://mcp.linear.app/mcp', vendorName: 'Linear', kinds: ['mcp-server'] },
    ],
  })
}

describe('a CycloneDX BOM with AI services', () => {
  it('describes their types and models, which are components that services depend on', async () => {
    const shape = { format: 'cyclonedx-json', version: '1.6' } as const
    const bom = JSON.parse(await readText(await renderBom(buildBom(), { shape, tool })))
    expect(bom.components).toEqual([
      {
        type: 'machine-learning-model',
        'bom-ref': 'model:host:api.openai.com/gpt-4o',
        supplier: { name: 'OpenAI' },
        name: 'gpt-4o',
      },
      {
        type: 'machine-learning-model',
        'bom-ref': 'model:host:api.openai.com/o3',
        supplier: { name: 'OpenAI' },
        name: 'o3',
      },
    ])
    const services: readonly {
      name: string
      properties: readonly { name: string; value: string }[]
    }[] = bom.services
    const described = services.map(({ name, properties }) => [
      name,
      ...properties.flatMap(({ name: key, value }) =>
        /:(?:kind|model)$/.test(key) ? [value] : [],
      ),
    ])
    expect(described).toEqual([
      ['api.openai.com', 'ai-models', 'gpt-4o', 'o3'],
      ['api.pinecone.io', 'vector-store'],
      ['mcp.linear.app', 'mcp-server'],
    ])
    expect(bom.dependencies).toContainEqual({
      ref: 'host:api.openai.com',
      dependsOn: ['model:host:api.openai.com/gpt-4o', 'model:host:api.openai.com/o3'],
    })
  })

  it.each(['1.5', '1.6', '1.7'] as const)('is valid and reads back: %s', async (version) => {
    const shape = { format: 'cyclonedx-json', version } as const
    const text = await readText(await renderBom(buildBom(), { shape, tool }))
    const validator = new Validation.JsonStrictValidator(version as never)
    expect(await validator.validate(text)).toBe(null)
    const [read] = readBom(text).boms
    const again = read && (await readText(await renderBom(read, { shape, tool })))
    expect(JSON.parse(again ?? '{}').components).toEqual(JSON.parse(text).components)
  })
})
