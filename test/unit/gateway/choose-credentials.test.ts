import { describe, expect, it } from 'vitest'
import type { Parameter, SecuritySchemeReference } from '../../../core/catalogue/records.ts'
import {
  chooseCredentials,
  findSecretLocation,
  isPassedByCaller,
} from '../../../core/gateway/credentials/choose-credentials.ts'
import { listOrigins } from '../../../core/gateway/credentials/list-origins.ts'
import type { CredentialKind } from '../../../core/gateway/records.ts'
import { toParameter } from '../../helpers/parameters.ts'

type Item = { readonly kind: CredentialKind; readonly name: string }

function use(changes: Partial<SecuritySchemeReference>): SecuritySchemeReference {
  return { scheme: 's', authType: 'header', name: '', httpScheme: '', scopes: [], ...changes }
}

const HEADER = use({ placement: 'header', name: 'X-Key' })
const QUERY = use({ authType: 'query', placement: 'query', name: 'key' })
const BASIC = use({ authType: 'BasicAuth', httpScheme: 'basic', name: 'Authorization' })
const BEARER = use({ httpScheme: 'bearer', name: 'Authorization', placement: 'header' })
const OAUTH = use({ authType: 'OAuth2', name: 'Authorization' })

const header: Item = { kind: 'header', name: 'x-key' }
const query: Item = { kind: 'query', name: 'key' }
const basic: Item = { kind: 'BasicAuth', name: '' }
const bearer: Item = { kind: 'bearer', name: '' }
const oauth: Item = { kind: 'OAuth2', name: '' }
const body: Item = { kind: 'body', name: 'token' }
const path: Item = { kind: 'path', name: 'token' }

function parameter(placement: Parameter['placement']): Parameter {
  return toParameter({ name: 'token', placement, isRequired: true })
}

describe('credentials of a call', () => {
  it.each<
    readonly [
      string,
      readonly (readonly SecuritySchemeReference[])[],
      readonly Item[],
      readonly Item[],
    ]
  >([
    ['none stored', [[HEADER]], [], []],
    ['of the scheme, header names folded', [[HEADER]], [basic, header], [header]],
    [
      'of the first alternative that is whole',
      [[HEADER, QUERY], [BASIC]],
      [header, basic],
      [basic],
    ],
    ['all of an alternative', [[HEADER, QUERY], [BASIC]], [basic, query, header], [header, query]],
    ['most of one where none is whole', [[HEADER, QUERY]], [basic, header], [header]],
    ['bearer for OAuth 2', [[OAUTH]], [basic, bearer], [bearer]],
    ['OAuth 2 for bearer', [[BEARER]], [oauth], [oauth]],
    ['none where no scheme fits', [[HEADER]], [query, basic], []],
    ['none where the endpoint is public', [], [query, header, basic, body, path], []],
    ['nothing for an empty alternative', [[], [HEADER]], [header], [header]],
  ])('are %s', (_, security, stored, expected) => {
    const endpoint = { security, parameters: [], body: undefined }
    expect(chooseCredentials({ endpoint, hasSchemes: true }, stored)).toEqual(expected)
  })

  it.each<readonly [string, readonly Item[], readonly Item[]]>([
    ['all', [query, header], [query, header]],
    ['one for each place', [basic, bearer, oauth, header], [basic, header]],
    ['none without a place in the call', [body, path, header], [header]],
  ])('are %s if the API description has no schemes', (_, stored, expected) => {
    const endpoint = { security: [], parameters: [], body: undefined }
    expect(chooseCredentials({ endpoint, hasSchemes: false }, stored)).toEqual(expected)
  })

  it.each<readonly [string, Partial<Parameter>, readonly Item[], readonly Item[]]>([
    ['header', { name: 'X-KEY', placement: 'header' }, [header, query, basic], [header]],
    ['query', { name: 'key', placement: 'query' }, [header, query, basic], [query]],
    ['Authorization', { name: 'Authorization', placement: 'header' }, [bearer, basic], [bearer]],
    ['form', { name: 'token', placement: 'formData' }, [body, path], [body]],
    ['path', { name: 'token', placement: 'path' }, [body, path], [path]],
    ['querystring', { name: 'key', placement: 'querystring' }, [query], []],
    ['other query', { name: 'Key', placement: 'query' }, [query], []],
  ])('are those for which there is a parameter: %s', (_, changes, stored, expected) => {
    const parameters = [{ ...parameter('query'), ...changes }]
    const endpoint = { security: [], parameters, body: undefined }
    expect(chooseCredentials({ endpoint, hasSchemes: true }, stored)).toEqual(expected)
  })

  it('are those of the schemes first, then those of parameters', () => {
    const parameters = [
      { ...parameter('query'), name: 'key' },
      { ...parameter('header'), name: 'Authorization' },
    ]
    const endpoint = { security: [[HEADER], [BASIC]], parameters, body: undefined }
    const choose = (stored: readonly Item[]) =>
      chooseCredentials({ endpoint, hasSchemes: true }, stored)
    expect(choose([query, bearer, header])).toEqual([header, query, bearer])
    expect(choose([query, bearer, basic])).toEqual([basic, query])
  })

  it('are of the kind that the scheme names, if there is one', () => {
    const security = [[{ ...OAUTH, httpScheme: 'bearer' }]]
    const endpoint = { parameters: [], body: undefined }
    for (const stored of [
      [bearer, oauth],
      [oauth, bearer],
    ]) {
      const choose = (each: typeof security) =>
        chooseCredentials({ endpoint: { ...endpoint, security: each }, hasSchemes: true }, stored)
      expect(choose(security)).toEqual([oauth])
      expect(choose([[BEARER]])).toEqual([bearer])
    }
  })
})

describe('location of a credential', () => {
  const nowhere = { parameters: [], body: undefined }

  it.each([
    [nowhere, header, { placement: 'header', name: 'x-key' }],
    [nowhere, { kind: 'cookie' as const, name: 'S' }, { placement: 'cookie', name: 'S' }],
    [nowhere, oauth, { placement: 'header', name: 'authorization' }],
    [nowhere, path, undefined],
    [nowhere, body, undefined],
    [{ ...nowhere, parameters: [parameter('path')] }, path, { placement: 'path', name: 'token' }],
    [{ ...nowhere, parameters: [parameter('path')] }, body, undefined],
    [
      { ...nowhere, parameters: [parameter('formData')] },
      body,
      { placement: 'formData', name: 'token' },
    ],
    [{ ...nowhere, parameters: [parameter('body')] }, body, { placement: 'body', name: 'token' }],
  ])('%#', (endpoint, item, expected) => {
    expect(findSecretLocation(endpoint, item)).toEqual(expected)
  })

  it('is overridden by a value of the caller', () => {
    const place = { placement: 'header', name: 'x-key' } as const
    for (const given of [{ 'X-KEY': 'a' }, { 'header.X-Key': 'a' }, { 'x-key': '' }]) {
      expect(isPassedByCaller(given, place)).toBe(true)
    }
    for (const given of [{}, { 'X-Key': null }, { key: 'a' }, { 'query.x-key': 'a' }]) {
      expect(isPassedByCaller(given, place)).toBe(false)
    }
    expect(isPassedByCaller({ KEY: 'a' }, { placement: 'query', name: 'key' })).toBe(false)
  })
})

describe('origins of servers', () => {
  it('are those of absolute servers, with each allowed value of a variable', () => {
    const variables = [
      { name: 'region', default: 'eu', values: ['eu', 'us'] },
      { name: 'port', default: '443', values: ['443', '8443'] },
    ]
    const servers = [
      { url: 'https://{region}.a.example:{port}/v1', name: '', variables },
      { url: 'HTTP://B.example/', name: '', variables: [] },
      { url: 'https://{tenant}.c.example', name: '', variables: [] },
      { url: '/v1', name: '', variables: [] },
      { url: 'ftp://d.example', name: '', variables: [] },
      { url: 'https://b.example:80', name: '', variables: [] },
    ]
    expect(listOrigins(servers)).toEqual([
      'https://eu.a.example',
      'https://us.a.example',
      'https://eu.a.example:8443',
      'http://b.example',
      'https://b.example:80',
    ])
  })

  it('are searched in at most 10,000 URLs, checking each server once', () => {
    const values = Array.from({ length: 20_000 }, (_, index) => `v${index}`)
    const variables = [{ name: 'version', default: 'v0', values }]
    const long = { url: 'https://a.example/{version}', name: '', variables }
    const other = { url: 'https://b.example', name: '', variables: [] }
    expect(listOrigins([long, other])).toEqual(['https://a.example'])
    const same = Array.from({ length: 20_000 }, () => ({ ...long, variables: [] }))
    expect(listOrigins([...same, other])).toEqual(['https://a.example', 'https://b.example'])
  })

  it('are limited to 100', () => {
    const servers = Array.from({ length: 300 }, (_, index) => ({
      url: `https://a${index}.example`,
      name: '',
      variables: [],
    }))
    expect(listOrigins(servers).length).toBe(100)
  })
})
