import * as v from 'valibot'
import { afterAll, describe, expect, it } from 'vitest'
import { contract } from '../../core/contract.ts'
import type { Operation } from '../../core/http/operation.ts'
import { PROBLEM_TYPES } from '../../core/http/problems.ts'
import { buildOpenApiDocument } from '../../core/openapi.ts'
import { openTestService } from '../helpers/service.ts'
import { askInProcess } from './ways.ts'

type Json = Readonly<Record<string, unknown>>

const operations: Readonly<Record<string, Operation>> = contract
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']
const basePaths = ['/api', '/v2/service']
const service = await openTestService({ app: { basePaths } })
const way = askInProcess(service)
const text = (await way.ask({ target: '/api/openapi.json' })).body
const document = JSON.parse(text) as Json
const paths = document.paths as Readonly<Record<string, Json>>
afterAll(() => service.close())

/** Every documented operation with its addresses on all servers. */
const documented = Object.entries(paths).flatMap(([path, item]) => {
  const servers = (item.servers ?? document.servers) as readonly { readonly url: string }[]
  return METHODS.filter((method) => item[method]).map((method) => ({
    path,
    method: method.toUpperCase(),
    operation: item[method] as Json,
    addresses: servers.map(({ url }) => `${url.replace(/\/$/, '')}${path}`),
  }))
})

describe('the OpenAPI document', () => {
  it('is the same at every address and in the library', async () => {
    expect(text).toBe(JSON.stringify(buildOpenApiDocument({ basePaths })))
    for (const target of ['/openapi.json', '/v2/service/openapi.json', '/api/openapi.json/']) {
      expect((await way.ask({ target })).body).toBe(text)
    }
  })

  it('contains exactly the routes of the table', () => {
    const routes = Object.values(operations).flatMap((operation) => {
      const { mount = 'base' } = operation
      const prefixes = mount === 'root' ? [''] : mount === 'both' ? [...basePaths, ''] : basePaths
      const methods = operation.alsoPost ? [operation.method, 'POST'] : [operation.method]
      return prefixes.flatMap((prefix) =>
        operation.paths.flatMap((path) => methods.map((method) => `${method} ${prefix}${path}`)),
      )
    })
    const found = documented.flatMap(({ method, addresses }) =>
      addresses.map((address) => `${method} ${address}`),
    )
    expect(found.sort()).toEqual(routes.sort())
  })

  it('lists exactly the routed paths and methods', async () => {
    for (const { path, addresses } of documented) {
      const methods = documented.filter((each) => each.path === path).map(({ method }) => method)
      const allowed = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS']
      for (const target of addresses) {
        const { status, headers } = await way.ask({ method: 'OPTIONS', target })
        expect([target, status, headers.allow]).toEqual([target, 204, allowed.sort().join(', ')])
      }
    }
  })

  it('has unique operation IDs, declared tags, and valid references', () => {
    const ids = documented.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    const tags = (document.tags as readonly Json[]).map(({ name }) => name)
    expect(new Set(tags).size).toBe(tags.length)
    for (const { operation } of documented) {
      for (const tag of operation.tags as readonly string[]) expect(tags).toContain(tag)
    }
    for (const reference of findReferences(document)) expect(follow(reference)).toBeTypeOf('object')
  })

  it('describes parameters, bodies and responses in OpenAPI 3.1', () => {
    expect(document.openapi).toBe('3.1.1')
    for (const { path, operation } of documented) {
      const parameters = operation.parameters as readonly Json[]
      const names = parameters.map(({ name, in: place }) => `${place} ${name}`)
      expect([path, new Set(names).size]).toEqual([path, names.length])
      for (const parameter of parameters) {
        expect(['query', 'header']).toContain(parameter.in)
        // OpenAPI ignores header parameters of these names.
        expect(['accept', 'content-type', 'authorization']).not.toContain(parameter.name)
        expect(parameter.description).toMatch(/\.$/)
        expect(parameter.schema).toBeTypeOf('object')
      }
      const responses = operation.responses as Readonly<Record<string, Json>>
      expect(Object.keys(responses).every((code) => /^([1-5]\d\d|default)$/.test(code))).toBe(true)
      const isPassedOn = String(operation.operationId).startsWith('callEndpoint')
      expect(responses.default).toEqual({
        $ref: `#/components/responses/${isPassedOn ? 'PassedOn' : 'Problem'}`,
      })
      const isPlanned = operation['x-not-implemented'] === true
      expect([
        path,
        Object.hasOwn(responses, isPlanned ? '501' : '200') || Object.hasOwn(responses, '204'),
      ]).toEqual([path, true])
      const body = operation.requestBody as Json | undefined
      if (body) expect(Object.keys(body.content as Json).length).toBeGreaterThan(0)
    }
  })

  it('distinguishes target responses from failures of the service by a header', () => {
    const { responses } = document.components as { readonly responses: Json }
    expect(responses.PassedOn).toMatchObject({
      headers: {
        'gateway-error': { schema: { type: 'string', enum: Object.keys(PROBLEM_TYPES) } },
      },
      content: {
        '*/*': {},
        'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
      },
    })
    const call = documented.find(({ operation }) => operation.operationId === 'callEndpoint')
    const body = call?.operation.requestBody as Json | undefined
    expect(Object.keys(body?.content as Json)).toEqual([
      'application/json',
      'multipart/form-data',
      'application/x-www-form-urlencoded',
    ])
  })

  it('contains patterns that match all accepted values', () => {
    const parameters = Object.values(operations).flatMap(({ params = {} }) => Object.values(params))
    const patterned = parameters.filter(({ document: { pattern } }) => pattern !== undefined)
    expect(patterned.length).toBeGreaterThan(0)
    for (const { schema, document: known } of patterned) {
      for (const value of ['CVE-2014-0160', 'cve-2014-0160', 'Cve-2026-1234567', 'CVE-14-0160']) {
        const isTaken = v.safeParse(schema, value).success
        expect([value, new RegExp(String(known.pattern), 'u').test(value)]).toEqual([
          value,
          isTaken,
        ])
      }
    }
  })

  it('marks public and planned operations, and the scope of all others', () => {
    for (const { operation } of documented) {
      const name = String(operation.operationId).replace(/(Alias\d|ByPost)+$/, '')
      const { scope, isPlanned, section } = operations[name] as Operation
      expect(operation.security).toEqual(scope === 'public' ? [] : undefined)
      expect(operation['x-not-implemented']).toBe(isPlanned)
      if (scope !== 'public') expect(operation.description).toContain(`Scope: \`${scope}\`.`)
      if (section) expect(operation.description).toContain(`Specification ${section}.`)
    }
  })

  it('can be imported by the service itself', async () => {
    const headers = { 'api-key': service.keys.all }
    await way.ask({ method: 'POST', target: '/api/vendors', headers, body: '{"name":"Ourselves"}' })
    const answer = await way.ask({
      method: 'POST',
      target: '/api/benchmark/upload_swagger',
      headers: {
        ...headers,
        vendor: 'Ourselves',
        category: 'Software & Services',
        base_url: 'https://service.example',
      },
      body: text,
    })
    const { result, info, report } = JSON.parse(answer.body)
    expect({ result, info, ...report }).toEqual({
      result: 'Success',
      info: '',
      operations: documented.length,
      webhooks: 0,
      callbacks: 0,
      parameters: report.parameters,
      added: documented.length,
      changed: 0,
      removed: 0,
      unchanged: 0,
      skipped: 0,
      warnings: [],
    })
    const search = await way.ask({ target: '/api/endpoint_search?q=own+vendor+search', headers })
    expect(JSON.parse(search.body).endpoints[0].name).toBe('API Discovery')
    const match = await service.app.match({
      method: 'GET',
      url: 'https://service.example/api/endpoint_search?q=x',
    })
    expect([match?.apiName, match?.level, match?.method]).toEqual([
      'API Discovery',
      'endpoint',
      'get',
    ])
  })
})

function findReferences(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) =>
    key === '$ref' ? [String(member)] : findReferences(member),
  )
}

function follow(reference: string): unknown {
  return reference
    .slice(2)
    .split('/')
    .reduce<unknown>((value, step) => (value as Json | undefined)?.[step], document)
}
