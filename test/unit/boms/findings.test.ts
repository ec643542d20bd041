import { afterAll, describe, expect, it } from 'vitest'
import { buildFindingsBom } from '../../../core/boms/build-findings-bom.ts'
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
