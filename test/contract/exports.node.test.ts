import { readFile } from 'node:fs/promises'
import {
  apiEntityV1alpha1Validator,
  componentEntityV1alpha1Validator,
  DefaultNamespaceEntityPolicy,
  type Entity,
  EntityPolicies,
  FieldFormatEntityPolicy,
  NoForeignRootFieldsEntityPolicy,
  SchemaValidEntityPolicy,
} from '@backstage/catalog-model'
import { loadAll } from 'js-yaml'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readApisJson } from '../../core/imports/apis-json.ts'
import type { Account } from '../../core/shared/account.ts'
import { openTestService, type TestService } from '../helpers/service.ts'

let service: TestService
let other: Account

beforeAll(async () => {
  service = await openTestService()
  const accounts = await service.app.accounts.listAccounts()
  other = accounts.find(({ id }) => id !== service.caller.account.id) ?? service.caller.account
  const { app, caller } = service
  for (const [account, project] of [
    [caller.account, 'storefront'],
    [caller.account, 'Store Front (EU)'],
    [other, 'secret-project'],
  ] as const) {
    await app.call(
      'submitProjectScan',
      {
        head: { project_name: project },
        rows: [
          { endpoint_url: 'https://api.pigeon.example/v3/messages' },
          { endpoint_url: 'https://eu.api.skycast.example/v2/forecast' },
          { endpoint_url: 'https://unknown.example/x' },
        ],
      } as never,
      { ...caller, account },
    )
  }
  // Later imports make the matches of the scans outdated.
  await app.call(
    'uploadDescription',
    {
      vendor: 'Wayfare',
      category: 'News & Media',
      file: new TextEncoder().encode(
        JSON.stringify({
          openapi: '3.1.0',
          info: {
            title: 'Tricky: "names" & ---\n... ✓',
            version: '1',
            description: 'Line one\n---\n# not a comment: {a: b}',
            contact: { email: 'api@wayfare.example' },
          },
          servers: [
            {
              url: 'https://{region}.wayfare.example/v1',
              variables: { region: { default: 'eu' } },
            },
          ],
          tags: [{ name: 'C++ & #Tags!' }, { name: '' }, { name: 'x'.repeat(100) }],
          paths: { '/old': { get: { deprecated: true, responses: { 200: { description: '' } } } } },
        }),
      ),
    },
    caller,
  )
  const card = new URL('../../fixtures/descriptions/skycast-mcp-server.json', import.meta.url)
  await app.call(
    'uploadDescription',
    { vendor: 'Skycast', category: 'News & Media', file: await readFile(card) },
    caller,
  )
  await app.agreements.enter({
    target: { apiName: 'Named only', vendorName: 'Quiet Partner' },
    agreements: [{ name: 'Terms', link: 'https://quiet.example/terms' }],
    by: caller.account,
  })
})
afterAll(() => service.close())

/** A definition is required, even of an API that is known by name only. */
const NAMED_ONLY = '{"openapi":"3.1.0","info":{"title":"Named only","version":"0"},"paths":{}}'

async function readAll(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of chunks) text += decoder.decode(chunk, { stream: true })
  return text
}

const URL_OF_FILE = 'https://tools.example/apis.json'
const name = v.pipe(v.string(), v.minLength(1))
const url = v.pipe(v.string(), v.url())
const day = v.pipe(v.string(), v.isoDate())
const contact = v.strictObject({
  FN: name,
  email: v.optional(v.pipe(v.string(), v.email())),
  url: v.optional(url),
})

/** Types that APIs.json reserves, and that of MCP servers. */
const PROPERTY_TYPES: readonly string[] = [
  ...['OpenAPI', 'MCPServerCard', 'TermsOfService', 'InterfaceLicense', 'PrivacyPolicy', 'Pricing'],
  ...['DeprecationPolicy', 'ServiceLevelAgreement', 'RateLimits', 'StatusPage', 'ChangeLog'],
  ...['Security', 'Support', 'Documentation'],
]

/** The members that APIs.json 0.17 requires and names (section 3.3.1), and its reserved types. */
const apisJson = v.strictObject({
  aid: v.literal('tools.example:team-apis'),
  name: v.literal('Team APIs'),
  description: name,
  type: v.literal('Collection'),
  url: v.literal(URL_OF_FILE),
  created: day,
  modified: day,
  specificationVersion: v.literal('0.17'),
  tags: v.array(name),
  maintainers: v.array(contact),
  apis: v.array(
    v.strictObject({
      aid: v.pipe(v.string(), v.regex(/^[a-z\d.-]+:[\w.-]+$/)),
      name,
      description: name,
      image: v.optional(url),
      humanURL: v.optional(url),
      baseURL: v.optional(url),
      version: v.optional(name),
      tags: v.array(v.string()),
      properties: v.array(
        v.strictObject({
          type: v.pipe(
            v.string(),
            v.check((type) => PROPERTY_TYPES.includes(type)),
          ),
          name: v.optional(name),
          url,
        }),
      ),
      contact: v.array(contact),
    }),
  ),
})

describe('APIs.json', () => {
  const options = { url: URL_OF_FILE, name: 'Team APIs', baseUrl: 'https://tools.example/api' }

  it('contains every API in the form of version 0.17', async () => {
    const file = v.parse(apisJson, JSON.parse(await readAll(service.app.exports.apisJson(options))))
    expect(file.created).toBe('2026-03-10')
    const { total } = await service.app.catalogue.browse({
      q: '',
      chosen: {},
      page: { size: 1, page: 1 },
    })
    expect(file.apis).toHaveLength(total)
    expect(new Set(file.apis.map(({ aid }) => aid)).size).toBe(total)
    const tricky = file.apis.find((api) => api.name.startsWith('Tricky'))
    expect([tricky?.baseURL, tricky?.contact]).toEqual([
      'https://eu.wayfare.example/v1',
      [{ FN: 'Wayfare', email: 'api@wayfare.example' }],
    ])
  })

  it('is read by the import with all agreements', async () => {
    const text = await readAll(service.app.exports.apisJson(options))
    const read = readApisJson(new TextEncoder().encode(text))
    const links = new Map(read.map((api) => [api.name, api.agreements.map(({ link }) => link)]))
    const { items } = await service.app.catalogue.browse({
      q: '',
      chosen: {},
      page: { size: 100, page: 1 },
    })
    let agreements = 0
    for (const { api } of items) {
      const { own, vendor } = await service.app.catalogue.listAgreements(api)
      const known = [...own, ...vendor].map(({ link }) => link).filter((link) => link !== '')
      agreements += known.length
      expect([api.name, links.get(api.name)]).toEqual([api.name, known])
    }
    expect(agreements).toBeGreaterThan(3)
  })

  it('has no links to descriptions without an address', async () => {
    const text = await readAll(service.app.exports.apisJson({ url: URL_OF_FILE }))
    expect(text).not.toContain('OpenAPI')
  })

  it('of an empty catalogue is valid', async () => {
    const empty = await openTestService({ isEmpty: true })
    const text = await readAll(empty.app.exports.apisJson(options))
    expect(v.parse(apisJson, JSON.parse(text)).apis).toEqual([])
    await empty.close()
  })
})

describe('Backstage entities', () => {
  const policy = EntityPolicies.allOf([
    new SchemaValidEntityPolicy(),
    new DefaultNamespaceEntityPolicy(),
    new NoForeignRootFieldsEntityPolicy(),
    new FieldFormatEntityPolicy(),
  ])

  async function exportEntities(account: Account, baseUrl?: string) {
    const options = { account, owner: 'group:default/platform', baseUrl }
    const text = await readAll(service.app.exports.backstage(options))
    return loadAll(text) as readonly (Entity & { readonly spec: Record<string, unknown> })[]
  }

  it('satisfy the validators of Backstage, with unique names', async () => {
    const entities = await exportEntities(service.caller.account)
    for (const entity of entities) {
      const validator =
        entity.kind === 'API' ? apiEntityV1alpha1Validator : componentEntityV1alpha1Validator
      expect([entity.metadata.name, await validator.check(entity)]).toEqual([
        entity.metadata.name,
        true,
      ])
      await policy.enforce(entity)
    }
    const names = entities.map(({ kind, metadata }) => `${kind} ${metadata.name.toLowerCase()}`)
    expect(new Set(names).size).toBe(names.length)
  })

  it('describe APIs with the texts of their descriptions', async () => {
    const entities = await exportEntities(service.caller.account)
    const apis = entities.filter(({ kind }) => kind === 'API')
    expect(apis.map(({ metadata }) => metadata.title)).toContain('Skycast Weather')
    for (const { metadata, spec } of apis) {
      const api = await service.app.catalogue.getApi(
        metadata.annotations?.['api-discovery/api-id'] ?? '',
      )
      const source = await service.app.imports.findSource(api.id)
      const text = source ? new TextDecoder().decode(source.bytes) : NAMED_ONLY
      expect([metadata.title, spec.definition]).toEqual([api.name, text])
    }
    const tricky = apis.find(({ metadata }) => metadata.title?.startsWith('Tricky'))
    expect(tricky?.metadata).toMatchObject({
      name: expect.stringMatching(/^tricky-names\.[A-Za-z\d]{18}$/),
      description: 'Line one\n---\n# not a comment: {a: b}',
      tags: ['c++-#tags'],
    })
    expect(tricky?.spec).toMatchObject({ type: 'openapi', lifecycle: 'deprecated' })
  })

  it('describe MCP servers with their addresses', async () => {
    const entities = await exportEntities(service.caller.account)
    const server = entities.find(({ spec }) => spec.type === 'mcp-server')
    expect(server?.spec.remotes).toEqual([
      { type: 'streamable-http', url: 'https://mcp.skycast-mcp.org/eu/mcp' },
    ])
  })

  it('refer to the definitions at the address of the service', async () => {
    const entities = await exportEntities(service.caller.account, 'https://tools.example/api')
    const skycast = entities.find(({ metadata }) => metadata.title === 'Skycast Weather')
    expect(skycast?.spec.definition).toEqual({
      $text: 'https://tools.example/api/apis/description?api_id=W5VXva5MQp3HQNYuTD',
    })
  })

  it('name the APIs that projects consume', async () => {
    const entities = await exportEntities(service.caller.account)
    const components = entities.filter(({ kind }) => kind === 'Component')
    const find = (title: string) => components.find(({ metadata }) => metadata.title === title)
    expect(find('storefront')?.metadata.name).toBe('storefront')
    expect(find('Store Front (EU)')?.metadata.name).toMatch(/^store-front-eu\.[A-Za-z\d]{7}$/)
    const consumed = find('storefront')?.spec.consumesApis as readonly string[]
    const names = new Map(
      entities
        .filter(({ kind }) => kind === 'API')
        .map(({ metadata }) => [metadata.name, metadata]),
    )
    expect(consumed.map((each) => names.get(each)?.title).sort()).toEqual([
      'Pigeon Messaging',
      'Skycast Weather',
    ])
  })

  it('contain the projects of the account only', async () => {
    const titlesOf = async (account: Account) =>
      (await exportEntities(account))
        .filter(({ kind }) => kind === 'Component')
        .map(({ metadata }) => metadata.title)
    const own = await titlesOf(service.caller.account)
    expect(own).toEqual(expect.arrayContaining(['storefront', 'Store Front (EU)']))
    expect(own).not.toContain('secret-project')
    expect(await titlesOf(other)).toEqual(['secret-project'])
    expect(await titlesOf({ id: 'acc_none', name: 'none' })).toEqual([])
  })
})
