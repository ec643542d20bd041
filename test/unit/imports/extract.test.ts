import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Parameter } from '../../../core/catalogue/records.ts'
import { parseMajorVersion } from '../../../core/imports/extract/api.ts'
import type { ExtractOptions } from '../../../core/imports/extract/extract-description.ts'
import { parseInline } from '../../../core/imports/parse-description.ts'
import { foldName } from '../../../core/shared/text.ts'

const FOLDER = new URL('../../../fixtures/descriptions/', import.meta.url)

function parseFixture(name: string, options: ExtractOptions = {}) {
  return parseInline({ bytes: readFileSync(new URL(name, FOLDER)), options })
}

function parseText(text: string, options: ExtractOptions = {}) {
  return parseInline({ bytes: new TextEncoder().encode(text), options })
}

/** Returns the members of a parameter that differ from their defaults. */
function slim(parameter: Parameter): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(parameter).filter(
      ([, value]) => value !== undefined && value !== '' && value !== false && value.length !== 0,
    ),
  )
}

describe('extracting Swagger 2.0', () => {
  const parsed = parseFixture('library-swagger-2.0.json')
  const [find, add, cover] = parsed.endpoints

  it('describes the API', () => {
    expect(parsed.api).toEqual({
      kind: 'http',
      name: 'Town Library',
      version: 'v2.3.1',
      majorVersion: '2',
      description: 'Books and loans of a town library.',
      homepage: 'https://library.example.org/docs',
      authTypes: ['BasicAuth', 'none', 'OAuth2', 'query'],
      licenses: [{ name: 'Apache 2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' }],
      servers: [
        { url: 'https://api.books.example.org/v2', name: '', variables: [] },
        { url: 'http://api.books.example.org/v2', name: '', variables: [] },
      ],
      tags: ['books'],
      contact: { name: 'Library desk', url: 'https://library.example.org/contact', email: '' },
      image: 'https://library.example.org/logo.png',
    })
  })

  it('extracts its agreements and provider', () => {
    expect(parsed.agreements).toEqual([
      {
        name: 'Apache 2.0',
        link: 'https://www.apache.org/licenses/LICENSE-2.0',
        kind: 'InterfaceLicense',
        spdxId: 'Apache-2.0',
      },
      {
        name: 'Terms of service',
        link: 'https://library.example.org/terms',
        kind: 'TermsOfService',
      },
      { name: 'Documentation', link: 'https://library.example.org/docs', kind: 'Documentation' },
      {
        name: 'Privacy policy',
        link: 'https://library.example.org/privacy',
        kind: 'PrivacyPolicy',
      },
    ])
    expect(parsed.provider).toEqual({ name: 'library.example.org', categories: [] })
  })

  it('extracts a complete operation', () => {
    expect({ ...find, parameters: find?.parameters.map(slim) }).toEqual({
      method: 'get',
      path: '/books',
      key: 'get /books',
      url: 'https://api.books.example.org/v2/books',
      servers: parsed.api.servers,
      summary: 'Find books',
      description: 'Find books',
      operationId: 'findBooks',
      tags: ['books'],
      parameters: [
        { name: 'page', placement: 'query', type: 'integer', format: 'int32', defaultValue: '1' },
        {
          name: 'shelf',
          placement: 'query',
          type: 'array',
          exampleValue: '["a","b"]',
          collectionFormat: 'multi',
          items: { type: 'string', enum: [] },
        },
      ],
      body: undefined,
      response: {
        status: '200',
        mediaType: 'application/json',
        example: '[{"isbn":"123","title":"Walden"}]',
        schema: '{"type":"array","items":{"$ref":"#/definitions/Book"}}',
      },
      responseFields: ['isbn', 'title', 'sequel', 'addedAt'],
      declaredStatuses: ['200', '404'],
      security: [
        [
          {
            scheme: 'key',
            authType: 'query',
            name: 'api_key',
            httpScheme: '',
            placement: 'query',
            scopes: [],
          },
        ],
      ],
      authTypes: ['query'],
      isDeprecated: false,
      isInbound: false,
    })
  })

  it('converts the properties of a body to parameters, except read-only ones', () => {
    expect(add?.parameters.map(slim)).toEqual([
      {
        name: 'isbn',
        placement: 'body',
        isRequired: true,
        type: 'string',
        description: 'The number on the back.',
        exampleValue: '123',
      },
      { name: 'title', placement: 'body', type: 'string' },
      { name: 'sequel', placement: 'body', type: 'object' },
    ])
    expect(add?.body).toEqual({
      mediaTypes: ['application/json'],
      isRequired: true,
      isFlattened: true,
      allowsAdditional: true,
    })
  })

  it('reads alternatives and combinations of security', () => {
    expect(add?.security).toEqual([
      [
        {
          scheme: 'desk',
          authType: 'BasicAuth',
          name: 'Authorization',
          httpScheme: 'basic',
          placement: 'header',
          scopes: [],
        },
      ],
      [
        {
          scheme: 'reader',
          authType: 'OAuth2',
          name: 'Authorization',
          httpScheme: 'bearer',
          placement: 'header',
          scopes: ['loans'],
        },
        {
          scheme: 'key',
          authType: 'query',
          name: 'api_key',
          httpScheme: '',
          placement: 'query',
          scopes: [],
        },
      ],
    ])
    expect(cover?.security).toEqual([])
    expect(cover?.authTypes).toEqual(['none'])
  })

  it('reads form parameters and files', () => {
    expect(cover?.parameters.map(slim)).toEqual([
      { name: 'isbn', placement: 'path', isRequired: true, type: 'string' },
      { name: 'cover', placement: 'formData', isRequired: true, type: 'file' },
      { name: 'note', placement: 'formData', type: 'string', enum: ['front', 'back'] },
    ])
    expect(cover?.body?.mediaTypes).toEqual(['multipart/form-data'])
  })

  it('extracts components that the responses refer to, by pointer', () => {
    expect([...parsed.components.keys()]).toEqual(['/definitions/Book'])
  })
})

describe('extracting OpenAPI 3.0', () => {
  const parsed = parseFixture('parcels-openapi-3.0.yaml', { baseUrl: 'https://base.example.com/a' })
  const byKey = new Map(parsed.endpoints.map((endpoint) => [endpoint.key, endpoint]))

  it('inserts server variables and resolves relative servers', () => {
    expect(byKey.get('get /parcels/{}')?.url).toBe(
      'https://eu.parcels.example.com/v1/parcels/{parcelId}',
    )
    expect(parsed.api.servers).toEqual([
      {
        url: 'https://{region}.parcels.example.com/{base}',
        name: '',
        variables: [
          { name: 'region', default: 'eu', values: ['eu', 'us'] },
          { name: 'base', default: 'v1', values: ['v1'] },
        ],
      },
      { url: 'https://base.example.com/local', name: '', variables: [] },
    ])
    expect(byKey.get('patch /parcels/{}')?.url).toBe(
      'https://write.parcels.example.com/parcels/{parcelId}',
    )
  })

  it('overrides the parameters of a path by those of an operation', () => {
    expect(byKey.get('get /parcels/{}')?.parameters.map(slim)).toEqual([
      { name: 'parcelId', placement: 'path', isRequired: true, type: 'string', format: 'uuid' },
      {
        name: 'lang',
        placement: 'query',
        type: 'string',
        description: 'From the operation',
        defaultValue: 'en',
        enum: ['en', 'de'],
      },
      {
        name: 'filter',
        placement: 'query',
        type: 'object',
        exampleValue: '{"weight":3}',
        style: 'deepObject',
        explode: true,
        allowReserved: true,
        contentType: 'application/json',
      },
    ])
  })

  it('merges inherited schemas for the parameters of a body, including cyclic ones', () => {
    const body = byKey
      .get('patch /parcels/{}')
      ?.parameters.filter(({ placement }) => placement === 'body')
    expect(body?.map(slim)).toEqual([
      { name: 'id', placement: 'body', isRequired: true, type: 'string' },
      {
        name: 'weight',
        placement: 'body',
        type: 'number',
        format: 'double',
        exampleValue: '1.5',
      },
      { name: 'inside', placement: 'body', type: 'array', items: { type: 'object', enum: [] } },
      { name: 'route', placement: 'body', type: 'object' },
    ])
  })

  it('reads forms, whole bodies, optional security and callbacks', () => {
    expect(byKey.get('post /parcels')?.parameters.map(slim)).toEqual([
      {
        name: 'label',
        placement: 'formData',
        isRequired: true,
        type: 'file',
        format: 'binary',
      },
      { name: 'weight', placement: 'formData', type: 'number', range: { minimum: 1 } },
    ])
    expect(byKey.get('put /parcels')?.parameters.map(slim)).toEqual([
      {
        name: 'body',
        placement: 'body',
        type: 'array',
        exampleValue: '[{"id":"a"}]',
        contentType: 'application/json',
        items: { type: 'object', enum: [] },
      },
    ])
    expect(byKey.get('patch /parcels/{}')?.authTypes).toEqual(['header', 'none'])
    expect(parsed.endpoints.filter(({ isInbound }) => isInbound).map(({ key }) => key)).toEqual([
      'callback patch /parcels/{} moved post {$request.body#/callbackUrl}',
    ])
  })

  it('imports valid parts and reports the others with pointers', () => {
    expect(parsed.report).toEqual({
      operations: 6,
      webhooks: 0,
      callbacks: 1,
      parameters: 14,
      skipped: 1,
      warnings: [
        {
          pointer: '/paths/~1parcels/delete/parameters/0',
          message:
            'External reference "https://elsewhere.example.com/parameters.yaml#/id" is not resolved',
        },
        {
          pointer: '/paths/~1parcels/delete/parameters/1',
          message: 'Reference "#/components/parameters/missing" not found in the description',
        },
        { pointer: '/paths/~1parcels/trace', message: 'Not an operation; skipped' },
      ],
    })
    expect(byKey.get('delete /parcels')?.authTypes).toEqual(['header'])
  })
})

describe('extracting shared parts', () => {
  it('combines a shared response with the media type of each operation', () => {
    const get = (produces: readonly string[]) => ({
      get: { produces, responses: { 200: { $ref: '#/responses/ok' } } },
    })
    const { endpoints } = parseText(
      JSON.stringify({
        swagger: '2.0',
        info: { title: 'Shared', version: '1' },
        paths: { '/a': get(['application/xml']), '/b': get(['application/json']) },
        responses: { ok: { description: 'Well', schema: { type: 'string' } } },
      }),
    )
    expect(endpoints.map(({ response }) => response?.mediaType)).toEqual([
      'application/xml',
      'application/json',
    ])
  })
})

describe('extracting unusual parts', () => {
  const parse = (more: object) =>
    parseText(JSON.stringify({ openapi: '3.2.0', info: { title: 'Odd', version: '1' }, ...more }))

  it('truncates a title that is too long, and names an API without title by its host', () => {
    const title = `${'😀'.repeat(249)}ab😀`
    const long = parse({ info: { title } })
    expect(long.api.name).toBe(`${'😀'.repeat(249)}ab`)
    expect(long.report.warnings).toEqual([
      { pointer: '/info/title', message: 'Truncated from 502 to 500 characters' },
    ])
    const folded = parse({ info: { title: 'ﷺ'.repeat(100) } }).api.name
    expect([folded, foldName(folded).length <= 500]).toEqual(['ﷺ'.repeat(folded.length), true])
    expect(folded.length).toBeGreaterThan(15)
    const unnamed = parse({ info: {}, servers: [{ url: 'https://api.acme.example/v1' }] })
    expect(unnamed.api.name).toBe('api.acme.example')
    expect(unnamed.report.warnings).toEqual([
      { pointer: '/info/title', message: 'Missing title; using "api.acme.example"' },
    ])
  })

  it('resolves links of agreements, and reports invalid ones', () => {
    const info = { title: 'Odd', termsOfService: '/terms', license: { name: 'X', url: 'none' } }
    const bytes = new TextEncoder().encode(
      JSON.stringify({ openapi: '3.2.0', info, externalDocs: { url: '../docs' }, paths: {} }),
    )
    const options = { baseUrl: 'https://acme.example/v1/' }
    const { agreements, report } = parseInline({ bytes, options })
    expect(agreements.map(({ kind, link }) => [kind, link])).toEqual([
      ['TermsOfService', 'https://acme.example/terms'],
      ['Documentation', 'https://acme.example/docs'],
    ])
    expect(report.warnings).toEqual([])
    const { report: other } = parseInline({ bytes, options: {} })
    expect(other.warnings.map(({ pointer }) => pointer)).toEqual([
      '/info/termsOfService',
      '/externalDocs/url',
    ])
  })

  it('accepts methods in any case, and skips invalid ones', () => {
    const additionalOperations = { COPY: {}, 'two words': {}, '': {} }
    const { endpoints, report } = parse({ paths: { '/a': { GET: {}, additionalOperations } } })
    expect(endpoints.map(({ key }) => key)).toEqual(['get /a', 'copy /a'])
    expect(report).toMatchObject({
      operations: 4,
      skipped: 2,
      warnings: [
        {
          pointer: '/paths/~1a/additionalOperations/two words',
          message: 'Invalid HTTP method; skipped',
        },
        { pointer: '/paths/~1a/additionalOperations/', message: 'Invalid HTTP method; skipped' },
      ],
    })
  })

  it('reports schemas whose names are too long to store', () => {
    const name = 'x'.repeat(600)
    const schema = { $ref: `#/components/schemas/${name}` }
    const { components, report } = parse({
      paths: { '/a': { get: { responses: { 200: { content: { 'a/json': { schema } } } } } } },
      components: { schemas: { [name]: { type: 'string' } } },
    })
    expect(components.size).toBe(0)
    expect(report.warnings.map(({ message }) => message)).toEqual([
      'Pointer too long to store; not used in sample responses',
    ])
  })

  it('reads serialized examples of 3.2', () => {
    const content = { 'text/csv': { examples: { one: { serializedValue: 'a,b' } } } }
    const { endpoints } = parse({ paths: { '/a': { get: { responses: { 200: { content } } } } } })
    expect(endpoints[0]?.response?.example).toBe('a,b')
  })
})

describe('extracting OpenAPI 3.1 and 3.2', () => {
  const parsed = parseFixture('sensors-openapi-3.2.yaml')

  it('supports new methods, path item references, webhooks and tag parents', () => {
    expect(parsed.endpoints.map(({ key, tags }) => [key, tags])).toEqual([
      ['query /readings', ['readings', 'data']],
      ['copy /readings', []],
      ['get /sensors/{}', []],
      ['webhook post alarm', []],
    ])
    expect(parsed.report).toEqual({
      operations: 3,
      webhooks: 1,
      callbacks: 0,
      parameters: 4,
      skipped: 0,
      warnings: [],
    })
  })

  it('reads querystring parameters, item schemas, data values and SPDX identifiers', () => {
    const [query, , sensor] = parsed.endpoints
    expect(query?.parameters.map(slim)).toEqual([
      {
        name: 'selection',
        placement: 'querystring',
        type: 'object',
        contentType: 'application/x-www-form-urlencoded',
      },
    ])
    expect(query?.response?.schema).toBe(
      '{"type":"array","items":{"$ref":"#/components/schemas/Reading"}}',
    )
    expect(sensor?.response?.example).toBe('{"name":"North"}')
    expect(parsed.api.licenses).toEqual([
      {
        name: 'European Union Public Licence',
        url: 'https://spdx.org/licenses/EUPL-1.2.html',
      },
    ])
  })
})

describe('extracting careless descriptions', () => {
  it('accepts missing info, null path items and null operations', () => {
    const parsed = parseText(
      'openapi: 3\nservers: [{url: "https://a.example/"}]\npaths: {/a: null, b: {get: null}}',
    )
    expect(parsed.api.name).toBe('a.example')
    expect(parsed.endpoints.map(({ key, url }) => [key, url])).toEqual([
      ['get /b', 'https://a.example/b'],
    ])
  })

  it('adds undeclared path parameters and infers a missing "in"', () => {
    const parsed = parseText(
      '{"openapi":"3.0.0","paths":{"/a/{x}/{y}":{"get":{"parameters":[{"name":"x"},{"name":"z"},{}]}}}}',
    )
    expect(parsed.endpoints[0]?.parameters.map(({ name, placement }) => [name, placement])).toEqual(
      [
        ['x', 'path'],
        ['z', 'query'],
        ['y', 'path'],
      ],
    )
  })

  it('retains two templates that differ only in parameter names', () => {
    const parsed = parseText(
      '{"openapi":"3.0.0","paths":{"/a/{x}":{"get":{}},"/a/{y}":{"get":{}}}}',
    )
    expect(parsed.endpoints.map(({ key }) => key)).toEqual(['get /a/{}', 'get /a/{y}'])
  })

  it('skips an operation with a duplicate method and path', () => {
    const parsed = parseText(
      '{"openapi":"3.0.0","info":{"title":"x"},"paths":{"/a/{id}":{"get":{},"GET":{}},"a/{id}":{"get":{}}}}',
    )
    expect(parsed.endpoints.map(({ key }) => key)).toEqual(['get /a/{}'])
    expect(parsed.report.warnings).toEqual([
      { pointer: '/paths/~1a~1{id}/GET', message: 'Duplicate operation; skipped' },
      { pointer: '/paths/a~1{id}/get', message: 'Duplicate operation; skipped' },
    ])
    expect(parsed.report).toMatchObject({ operations: 3, skipped: 2 })
  })

  it('applies unused schemes to all operations', () => {
    const parsed = parseText(
      '{"swagger":"2.0","info":{"title":"x"},"securityDefinitions":{"k":{"type":"apiKey","in":"header","name":"X-K"}},"paths":{"/a":{"get":{}}}}',
    )
    expect(parsed.api.authTypes).toEqual(['header'])
    expect(parsed.report.warnings).toEqual([
      {
        pointer: '/securityDefinitions',
        message:
          'No "security" requirement found; assuming that the schemes apply to all operations',
      },
    ])
  })

  it('accepts a single text or object instead of a list', () => {
    const parsed = parseText(
      'swagger: "2.0"\nconsumes: application/json\nsecurityDefinitions: {k: {type: basic}}\npaths: {/a: {post: {security: {k: []}, parameters: [{in: body, name: b, schema: {type: string}}]}}}',
    )
    expect(parsed.endpoints.map(({ authTypes, body }) => [authTypes, body?.mediaTypes])).toEqual([
      [['BasicAuth'], ['application/json']],
    ])
  })

  it('ignores dangling and circular references', () => {
    const parsed = parseText(
      '{"openapi":"3.0.0","info":{"title":"x"},"paths":{"/a":{"$ref":"#/paths/~1b"},"/b":{"$ref":"#/paths/~1a"},"/c":{"get":{"parameters":[{"$ref":"#"}],"responses":{"200":{"$ref":"file:///etc/hostname"}}}}}}',
    )
    expect(parsed.report.operations).toBe(1)
    expect(parsed.report.warnings.map(({ message }) => message)).toEqual([
      'Reference "#/paths/~1b" is circular',
      'Reference "#/paths/~1a" is circular',
      'Parameter without a name; ignored',
      'External reference "file:///etc/hostname" is not resolved',
    ])
  })

  it.each([
    ['v1.2', '1'],
    ['2', '2'],
    ['1.0.0-beta', '1'],
    ['1.0.0-oas3', '1'],
    ['v1beta1', '1'],
    ['0.58-ddc52bb', '0'],
    ['11.1.00', '11'],
    ['2020-01-01', ''],
    ['20200101', ''],
    ['2021.3', ''],
    ['04-01-2019', ''],
    ['latest', ''],
    ['NA', ''],
    ['', ''],
  ])('parses the major version of "%s": "%s"', (version, major) => {
    expect(parseMajorVersion(version)).toBe(major)
  })
})
