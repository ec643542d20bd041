import { describe, expect, it } from 'vitest'
import { parseInline } from '../../../core/imports/parse-description.ts'

const KEY = { type: 'apiKey', in: 'header', name: 'X-Key' }

/** Reads a description of two operations; returns `auth_types` of the API and of each operation. */
function readAuthTypes(parts: {
  readonly schemes?: Readonly<Record<string, unknown>>
  readonly security?: unknown
  readonly get?: Readonly<Record<string, unknown>>
  readonly post?: Readonly<Record<string, unknown>>
}) {
  const { schemes, security, get, post } = parts
  const document = {
    openapi: '3.1.0',
    info: { title: 'Pay', version: '1' },
    servers: [{ url: 'https://api.pay.example' }],
    ...(security === undefined ? {} : { security }),
    paths: { '/a': { get: get ?? {}, post: post ?? {} } },
    components: { securitySchemes: schemes ?? {} },
  }
  const bytes = new TextEncoder().encode(JSON.stringify(document))
  const { api, endpoints } = parseInline({ bytes, options: {} })
  return { api: api.authTypes, endpoints: endpoints.map(({ authTypes }) => authTypes) }
}

describe('auth_types of a description', () => {
  it('are undeclared if no scheme and no requirement is declared', () => {
    expect(readAuthTypes({})).toEqual({
      api: ['undeclared'],
      endpoints: [['undeclared'], ['undeclared']],
    })
  })

  it.each([
    ['an empty requirement list of the document', { security: [] }],
    ['an empty requirement of the document', { security: [{}] }],
  ])('are none by %s', (_, parts) => {
    expect(readAuthTypes(parts)).toEqual({ api: ['none'], endpoints: [['none'], ['none']] })
  })

  it('are none for an operation that declares so, and undeclared for the others', () => {
    expect(readAuthTypes({ get: { security: [] } })).toEqual({
      api: ['none', 'undeclared'],
      endpoints: [['none'], ['undeclared']],
    })
  })

  it('are none for an operation without requirement if others have one', () => {
    const post = { security: [{ key: [] }] }
    expect(readAuthTypes({ schemes: { key: KEY }, post })).toEqual({
      api: ['header', 'none'],
      endpoints: [['none'], ['header']],
    })
  })

  it('are none for an operation without requirement if another uses an undefined scheme', () => {
    expect(readAuthTypes({ post: { security: [{ basic: [] }] } }).endpoints).toEqual([
      ['none'],
      ['BasicAuth'],
    ])
  })

  it('are derived from a parameter that is evidently a key, and undeclared for the others', () => {
    const get = { parameters: [{ name: 'api_key', in: 'query', schema: { type: 'string' } }] }
    expect(readAuthTypes({ get })).toEqual({
      api: ['query', 'undeclared'],
      endpoints: [['query'], ['undeclared']],
    })
  })
})
