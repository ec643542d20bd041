import { describe, expect, it } from 'vitest'
import { chooseShape, toContentType } from '../../../core/boms/bom-shapes.ts'

const specification = { format: 'specification', version: '1.5' } as const

describe('the format chosen by an Accept header', () => {
  it.each([
    ['*/*', specification],
    ['application/json', specification],
    ['text/html, application/*;q=0.5', specification],
    ['application/vnd.cyclonedx+json', { format: 'cyclonedx-json', version: '1.5' }],
    ['Application/vnd.CycloneDX+JSON; Version="1.6"', { format: 'cyclonedx-json', version: '1.6' }],
    ['application/vnd.cyclonedx+xml; version=1.7', { format: 'cyclonedx-xml', version: '1.7' }],
    [
      'application/json;q=0.5, application/vnd.cyclonedx+xml;version=1.6;q=0.9',
      { format: 'cyclonedx-xml', version: '1.6' },
    ],
    ['application/vnd.cyclonedx+json; version=1.4, application/json;q=0.1', specification],
    ['application/vnd.cyclonedx+json; version=1.4', undefined],
    ['application/xml', undefined],
    ['application/json;q=0', undefined],
    ['', undefined],
  ] as const)('%s', (accept, shape) => {
    expect(chooseShape(accept)).toEqual(shape)
  })

  it('is in the content type', () => {
    expect(toContentType(specification)).toBe('application/json')
    expect(toContentType({ format: 'cyclonedx-xml', version: '1.7' })).toBe(
      'application/vnd.cyclonedx+xml; version=1.7',
    )
  })
})
