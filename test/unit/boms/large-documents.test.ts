import { describe, expect, it } from 'vitest'
import { createBatchedValidator } from '../../../core/boms/cyclonedx/batched-validator.ts'
import { explainBom } from '../../../core/boms/explaining/explain-bom.ts'
import { readBom } from '../../../core/boms/reading/read-bom.ts'

const HEAD = { bomFormat: 'CycloneDX', specVersion: '1.6' }

function toServices(count: number): { readonly 'bom-ref': string; name?: string }[] {
  return Array.from({ length: count }, (_, at) => ({ 'bom-ref': `s${at}`, name: `Service ${at}` }))
}

describe('a deeply nested document', () => {
  const open = '{"type":"library","name":"a \\" [","components":['
  const nest = (depth: number) =>
    `{"bomFormat":"CycloneDX","specVersion":"1.6","components":[${open.repeat(depth)}${']}'.repeat(depth)}]}`

  it('is explained in plain words', async () => {
    const { isValid, explanations } = await explainBom(nest(20_000))
    expect([isValid, explanations.map(({ what }) => what)]).toEqual([
      false,
      [
        'Cannot read this document: its lists and objects are nested 40002 levels deep, at most 500 are allowed. Flatten nested components or services',
      ],
    ])
    expect(() => readBom(nest(20_000))).toThrow(
      'nested 40002 levels deep, at most 5000 are allowed',
    )
    expect((await explainBom(nest(250))).explanations[0]?.what).toMatch('nested 502 levels deep')
  })

  it('is validated up to the limit', async () => {
    expect(await explainBom(nest(240))).toMatchObject({ isValid: true, explanations: [] })
  })
})

describe('a document with long lists', () => {
  it('is validated in batches, with each item in one', async () => {
    const sizes: number[] = []
    const judge = createBatchedValidator(async (document) => {
      const { services = [], components = [] } = document as {
        readonly services?: readonly unknown[]
        readonly components?: readonly unknown[]
      }
      sizes.push(services.length, components.length)
      return []
    })
    const components = Array.from({ length: 300 }, (_, at) => ({ name: `c${at}` }))
    expect(await judge({ ...HEAD, services: toServices(10_000), components })).toEqual([])
    expect(Math.max(...sizes)).toBe(250)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(10_300)
  })

  it('has issues with indexes in the whole list', async () => {
    const services = toServices(1000)
    delete services[777]?.name
    const { explanations } = await explainBom(JSON.stringify({ ...HEAD, services }))
    expect(explanations.map(({ pointer }) => pointer)).toEqual(['/services/777'])
  })

  it('has equal items detected at any distance', async () => {
    const services: object[] = toServices(1000)
    services.push({ name: 'Service 0', 'bom-ref': 's0' })
    const { explanations } = await explainBom(JSON.stringify({ ...HEAD, services }))
    expect(explanations).toMatchObject([
      { pointer: '/services', why: 'Items 0 and 1000 do not differ' },
    ])
  })

  it('may have equal items if the schema allows them in short lists', async () => {
    const property = { name: 'scanned', value: 'yes' }
    for (const count of [2, 300]) {
      const properties = Array.from({ length: count }, () => property)
      const { isValid } = await explainBom(JSON.stringify({ ...HEAD, properties }))
      expect(isValid).toBe(true)
    }
  })
})
