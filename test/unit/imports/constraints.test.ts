import { describe, expect, it } from 'vitest'
import { parseInline } from '../../../core/imports/parse-description.ts'

function importFirstEndpoint(document: object) {
  const bytes = new TextEncoder().encode(JSON.stringify(document))
  return parseInline({ bytes, options: {} }).endpoints[0]
}

function readQuery(schema: object) {
  const endpoint = importFirstEndpoint({
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1' },
    servers: [{ url: 'https://shop.example.org' }],
    paths: { '/a': { get: { parameters: [{ name: 'x', in: 'query', schema }], responses: {} } } },
  })
  const parameter = endpoint?.parameters[0]
  return {
    type: parameter?.type,
    otherTypes: parameter?.otherTypes,
    enum: parameter?.enum,
    items: parameter?.items,
    range: parameter?.range,
  }
}

const NONE = { otherTypes: undefined, enum: [], items: undefined, range: undefined }

describe('constraints of parameters', () => {
  it('contain bounds as declared, and exclusive bounds declared as flags', () => {
    expect(readQuery({ type: 'integer', minimum: 1, exclusiveMaximum: 9 })).toEqual({
      ...NONE,
      type: 'integer',
      range: { minimum: 1, exclusiveMaximum: 9 },
    })
    expect(readQuery({ type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 5 })).toEqual({
      ...NONE,
      type: 'number',
      range: { exclusiveMinimum: 0, maximum: 5 },
    })
  })

  it('contain the types of all alternatives, and every type if one alternative has none', () => {
    const span = { type: 'object', properties: { gte: { type: 'integer' } } }
    expect(readQuery({ anyOf: [span, { type: 'integer' }] })).toEqual({
      ...NONE,
      type: 'object',
      otherTypes: ['integer'],
    })
    expect(readQuery({ type: ['string', 'null', 'boolean'] })).toEqual({
      ...NONE,
      type: 'string',
      otherTypes: ['boolean'],
    })
    expect(readQuery({ oneOf: [{ type: 'string' }, {}] }).otherTypes).toEqual([
      'integer',
      'number',
      'boolean',
      'array',
      'object',
    ])
  })

  it('contain allowed values of alternatives only if all of them list values', () => {
    const open = { anyOf: [{ type: 'string', enum: [''] }, { type: 'string' }] }
    expect(readQuery(open)).toEqual({ ...NONE, type: 'string' })
    const closed = { oneOf: [{ type: 'string', enum: ['a'] }, { const: 'b' }, { type: 'null' }] }
    expect(readQuery(closed)).toEqual({ ...NONE, type: 'string', enum: ['a', 'b'] })
  })

  it('contain type and allowed values of items', () => {
    const items = { type: 'string', enum: ['a', 'b'] }
    expect(readQuery({ type: 'array', maxItems: 2, items })).toEqual({
      ...NONE,
      type: 'array',
      items,
      range: { maxItems: 2 },
    })
  })

  it('use commas as the list separator of Swagger', () => {
    const x = { name: 'x', in: 'query', type: 'array', items: { type: 'string' } }
    const endpoint = importFirstEndpoint({
      swagger: '2.0',
      info: { title: 'Shop', version: '1' },
      host: 'shop.example.org',
      paths: { '/a': { get: { parameters: [x], responses: {} } } },
    })
    expect(endpoint?.parameters[0]?.collectionFormat).toBe('csv')
  })
})

describe('encodings of forms', () => {
  it('set the style and the media type of a property', () => {
    const endpoint = importFirstEndpoint({
      openapi: '3.0.3',
      info: { title: 'Shop', version: '1' },
      paths: {
        '/a': {
          post: {
            requestBody: {
              content: {
                'multipart/form-data': {
                  schema: {
                    type: 'object',
                    properties: { meta: { type: 'object' }, page: { type: 'object' } },
                  },
                  encoding: {
                    meta: { contentType: 'application/json' },
                    page: { style: 'deepObject', explode: true },
                  },
                },
              },
            },
            responses: {},
          },
        },
      },
    })
    expect(
      endpoint?.parameters.map(({ name, style, explode, contentType }) => ({
        name,
        style,
        explode,
        contentType,
      })),
    ).toEqual([
      { name: 'meta', style: undefined, explode: undefined, contentType: 'application/json' },
      { name: 'page', style: 'deepObject', explode: true, contentType: undefined },
    ])
  })
})

describe('placements of credentials', () => {
  it('differ by scheme, including cookies and headers', () => {
    const schemes = {
      a: { type: 'apiKey', in: 'cookie', name: 'sid' },
      b: { type: 'apiKey', in: 'header', name: 'X-Key' },
      c: { type: 'http', scheme: 'bearer' },
      d: { type: 'mutualTLS' },
    }
    const endpoint = importFirstEndpoint({
      openapi: '3.1.0',
      info: { title: 'Shop', version: '1' },
      components: { securitySchemes: schemes },
      security: [{ a: [], b: [], c: [], d: [] }],
      paths: { '/a': { get: { responses: {} } } },
    })
    expect(endpoint?.security[0]?.map(({ name, placement }) => [name, placement])).toEqual([
      ['sid', 'cookie'],
      ['X-Key', 'header'],
      ['Authorization', 'header'],
      ['', undefined],
    ])
  })
})
