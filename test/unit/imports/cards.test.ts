import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { EndpointDescription } from '../../../core/catalogue/records.ts'
import type { ExtractOptions } from '../../../core/imports/extract/extract-description.ts'
import { parseInline } from '../../../core/imports/parse-description.ts'
import { inferVendorName } from '../../../core/imports/vendors.ts'
import { createMatcher } from '../../../core/matching/matcher.ts'

const FOLDER = new URL('../../../fixtures/descriptions/', import.meta.url)

function parseFixture(name: string, options: ExtractOptions = {}) {
  return parseInline({ bytes: readFileSync(new URL(name, FOLDER)), options })
}

function parseValue(value: unknown) {
  return parseInline({ bytes: new TextEncoder().encode(JSON.stringify(value)), options: {} })
}

function inferVendor({ provider, api }: ReturnType<typeof parseInline>): string {
  return inferVendorName({ providerName: provider.name, api })
}

/** Returns the endpoints as lines: method, URL, summary, authentication, parameters. */
function toLines(endpoints: readonly EndpointDescription[]): readonly string[] {
  return endpoints.map(({ method, url, summary, authTypes, parameters }) =>
    [method, url, summary, authTypes.join('+'), parameters.map(({ name }) => name).join('+')].join(
      ' | ',
    ),
  )
}

const REMOTE = { type: 'streamable-http', url: 'https://mcp.harbour-berths.org/mcp' }
const SERVER = { name: 'org.harbour-berths/mcp', version: '1.0.0', remotes: [REMOTE] }

describe('server.json of MCP', () => {
  const parsed = parseFixture('skycast-mcp-server.json')

  it('describes the server', () => {
    expect(parsed.api).toEqual({
      kind: 'mcp',
      name: 'Skycast for agents',
      version: '1.4.0',
      majorVersion: '1',
      description: 'Forecasts and weather warnings for any place.',
      homepage: 'https://skycast-mcp.org/agents',
      authTypes: ['header'],
      licenses: [],
      servers: [
        {
          url: 'https://mcp.skycast-mcp.org/{region}/mcp',
          name: 'streamable-http',
          variables: [{ name: 'region', default: 'eu', values: ['eu', 'us'] }],
        },
        { url: 'https://mcp.skycast-mcp.org/sse', name: 'sse', variables: [] },
      ],
      tags: [],
      contact: { name: '', url: '', email: '' },
      image: 'https://skycast-mcp.org/icon.png',
    })
    expect(inferVendor(parsed)).toBe('skycast-mcp.org')
  })

  it('lists the tools at the address of the server, each with its own fragment', () => {
    const at = 'https://mcp.skycast-mcp.org/eu/mcp'
    expect(toLines(parsed.endpoints)).toEqual([
      `post | ${at} | MCP messages | header | `,
      `post | ${at}#get_forecast | Get a forecast | header | place+days+units`,
      `post | ${at}#list%20warnings | List warnings | header | `,
    ])
    expect(parsed.endpoints.map(({ key }) => key)).toEqual([
      'post /',
      'post /#get_forecast',
      'post /#list%20warnings',
    ])
  })

  it('reads the schemas of tools, whose references start at the schema', () => {
    const [, tool] = parsed.endpoints
    expect(tool?.parameters).toMatchObject([
      { name: 'place', isRequired: true, type: 'string', description: 'Name or coordinates' },
      { name: 'days', isRequired: false, defaultValue: '3', range: { minimum: 1, maximum: 14 } },
      { name: 'units', placement: 'body', enum: ['metric', 'imperial'] },
    ])
    expect(tool?.responseFields).toEqual(['days', 'high'])
    expect([...parsed.components.keys()]).toEqual([
      '/tools/0/outputSchema',
      '/tools/0/outputSchema/$defs/Day',
    ])
  })

  it('reports the parts that are dropped, where they are in the file', () => {
    const remotes = [REMOTE, { type: 'sse', url: 'unix:/run/a.sock' }]
    const tools = [{ name: 'a' }, { name: 'a' }, { description: 'No name' }, { name: 'b' }]
    const { report, endpoints } = parseValue({ ...SERVER, remotes, tools })
    expect(endpoints.map(({ path }) => path)).toEqual(['', '#a', '#b'])
    expect(report).toEqual({
      operations: 5,
      webhooks: 0,
      callbacks: 0,
      parameters: 0,
      skipped: 2,
      warnings: [
        { pointer: '/remotes/1', message: 'No http or https URL; skipped' },
        { pointer: '/tools/1', message: 'Duplicate name; skipped' },
        { pointer: '/tools/2', message: 'No name; skipped' },
      ],
    })
    const inputSchema = { type: 'object', properties: { a: { $ref: '#/$defs/Missing' } } }
    const broken = parseValue({ ...SERVER, tools: [{ name: 'a', inputSchema }] })
    expect(broken.report.warnings).toEqual([
      {
        pointer: '',
        message: 'Reference "#/tools/0/inputSchema/$defs/Missing" not found in the description',
      },
    ])
    const long = parseValue({ ...SERVER, tools: [{ name: 'a', description: 'x'.repeat(100_001) }] })
    expect(long.report.warnings.map(({ pointer }) => pointer)).toEqual(['/tools/0/description'])
  })

  it('is accepted as the registry returns it, and as YAML', () => {
    expect(parseValue({ server: SERVER, _meta: {} }).api.name).toBe('org.harbour-berths/mcp')
    const yaml =
      'name: org.harbour-berths/mcp\nversion: 2.0.0\nremotes: [{type: sse, url: "https://a.harbour-berths.org/sse"}]\n'
    const { api, endpoints } = parseInline({ bytes: new TextEncoder().encode(yaml), options: {} })
    expect([api.kind, api.version, endpoints[0]?.method]).toEqual(['mcp', '2.0.0', 'get'])
  })

  it('without remotes has no address', () => {
    const packages = [{ registryType: 'npm', identifier: '@a/b', version: '1.0.0' }]
    const card = { name: 'io.github.ada/notes', version: '1.0.0', packages }
    const bytes = new TextEncoder().encode(JSON.stringify({ ...card, tools: [{ name: 'add' }] }))
    const parsed = parseInline({ bytes, options: { baseUrl: 'https://notes.harbour-berths.org' } })
    expect(parsed.api.servers).toEqual([])
    expect(toLines(parsed.endpoints)).toEqual(['post | #add |  | undeclared | '])
    expect(parsed.report.warnings).toEqual([
      {
        pointer: '/remotes',
        message: 'No remote server: it runs as a package, so that no URL matches it',
      },
    ])
    expect(inferVendor(parsed)).toBe('ada')
  })

  it.each([
    ['com.harbour-berths.tools/mcp', 'https://mcp.run.app/mcp', 'harbour-berths.com'],
    ['io.github.ada/harbour', 'https://mcp.harbour-berths.org/mcp', 'harbour-berths.org'],
    ['io.github.ada/harbour', 'https://raw.githubusercontent.com/mcp', 'ada'],
  ])('names the publisher of %s at %s: %s', (name, url, vendor) => {
    expect(inferVendor(parseValue({ ...SERVER, name, remotes: [{ ...REMOTE, url }] }))).toBe(vendor)
  })

  it('declares secret headers as alternatives of authentication', () => {
    const header = (name: string, more: object) => ({ name, isSecret: true, ...more })
    const remotes = [
      { ...REMOTE, headers: [header('X-Key', { isRequired: true }), { name: 'X-Plain' }] },
      { ...REMOTE, headers: [header('Authorization', { value: 'Basic {secret}' })] },
    ]
    const [first] = parseValue({ ...SERVER, remotes }).endpoints
    expect(
      first?.security.map((each) => each.map(({ name, authType }) => [name, authType])),
    ).toEqual([[['X-Key', 'header']], [['Authorization', 'BasicAuth']], []])
  })
})

it('a server card with serverInfo has an endpoint that may be relative', () => {
  const parsed = parseFixture('harbour-mcp-card.json', { baseUrl: 'https://harbour-berths.org/x' })
  expect(parsed.api).toMatchObject({
    kind: 'mcp',
    name: 'Harbour Berths',
    version: '0.9.1',
    homepage: 'https://harbour-berths.org/docs',
    authTypes: ['none', 'OAuth2'],
  })
  expect(toLines(parsed.endpoints)).toEqual([
    'post | https://harbour-berths.org/agents/mcp | MCP messages | none+OAuth2 | ',
  ])
  expect(inferVendor(parsed)).toBe('harbour-berths.org')
})

it('a server card with serverInfo is accepted as it is found in practice', () => {
  const { api } = parseValue({
    $schema: 'https://static.modelcontextprotocol.io/schemas/mcp-server-card/v1.json',
    serverInfo: { name: 'harbour' },
    transport: { type: 'streamableHttp', url: 'https://mcp.harbour-berths.org' },
    authentication: { schemes: [{ type: 'basic', description: 'User and password' }, {}] },
  })
  expect([api.name, api.servers[0]?.url, api.authTypes]).toEqual([
    'harbour',
    'https://mcp.harbour-berths.org',
    ['BasicAuth'],
  ])
})

describe('agent cards of A2A', () => {
  it('0.3 list interfaces, schemes and skills', () => {
    const parsed = parseFixture('parcels-agent-0.3.json')
    expect(parsed.api).toMatchObject({
      kind: 'a2a',
      name: 'Parcel Desk',
      majorVersion: '2',
      homepage: 'https://parcel-desk.org/agents',
      authTypes: ['header', 'OAuth2'],
      servers: [
        { url: 'https://agents.parcel-desk.org/a2a', name: 'JSONRPC' },
        { url: 'https://agents.parcel-desk.org:443', name: 'GRPC' },
      ],
      tags: ['delivery', 'routes'],
      contact: { name: 'Parcel Works', url: 'https://parcel-desk.org' },
      image: 'https://parcel-desk.org/icon.png',
    })
    expect(toLines(parsed.endpoints)).toEqual([
      'post | https://agents.parcel-desk.org/a2a | A2A messages | header | ',
      'post | https://agents.parcel-desk.org/a2a#plan-delivery | Plan a delivery | OAuth2 | ',
    ])
    expect([parsed.version, inferVendor(parsed)]).toEqual(['0.3.0', 'Parcel Works'])
    expect(parsed.report.warnings).toEqual([
      { pointer: '', message: 'Interface "unix:/run/agent.sock" is no URL; skipped' },
    ])
  })

  it('1.0 may repeat the address of 0.x, which is not an interface then', () => {
    const supportedInterfaces = [
      { url: 'https://a.parcel-desk.org/rpc', protocolBinding: 'JSONRPC' },
    ]
    const url = 'https://a.parcel-desk.org'
    const { api } = parseValue({
      name: 'A',
      url,
      skills: [],
      capabilities: {},
      supportedInterfaces,
    })
    expect(api.servers.map((server) => server.url)).toEqual(['https://a.parcel-desk.org/rpc'])
  })

  it('1.0 have other forms of the same', () => {
    const parsed = parseFixture('parcels-agent-1.0.json')
    expect(parsed.api).toMatchObject({ kind: 'a2a', authTypes: ['OAuth2', 'query'] })
    expect(toLines(parsed.endpoints)).toEqual([
      'post | https://agents.parcel-desk.org/a2a/v1 | A2A messages | OAuth2 | ',
      'post | https://agents.parcel-desk.org/a2a/v1#track | Track a parcel | query | ',
    ])
    expect(parsed.endpoints[0]?.security).toMatchObject([[{ scopes: ['parcels'] }]])
  })
})

describe('documents that resemble a card', () => {
  it.each([
    ['a package', { name: '@acme/mcp', version: '1.0.0', description: 'MCP server' }],
    ['a package of PHP', { name: 'acme/mcp', type: 'library', repositories: [{ type: 'vcs' }] }],
    ['a server without transport', { name: 'acme.org/mcp', remotes: [{ url: 'https://a.org' }] }],
    ['a curriculum', { name: 'Ada', url: 'https://ada.org', skills: ['mathematics'] }],
    ['an agent without address', { name: 'Ada', skills: [], capabilities: {} }],
    ['information on a server', { serverInfo: { name: 'a' }, capabilities: {} }],
  ])('are refused: %s', (_, document) => {
    expect(() => parseValue(document)).toThrow(
      'Cannot import the file: it is not an API description: it has no "openapi" or "swagger" version, and is no card of an MCP server or A2A agent',
    )
  })

  it.each([
    [{ tools: [{ name: 'a', inputSchema: {} }] }],
    [{ jsonrpc: '2.0', id: 1, result: { tools: [{ name: 'a', inputSchema: {} }] } }],
  ])('are refused with advice: %j', (document) => {
    expect(() => parseValue(document)).toThrow(
      'Cannot import the file: it is a list of MCP tools without their server; add it as "tools" to the server.json or server card of the server',
    )
  })

  it('are refused with advice: the configuration of a client', () => {
    expect(() => parseValue({ mcpServers: { a: { url: 'https://a.org/mcp' } } })).toThrow(
      "Cannot import the file: it is a client's list of MCP servers; import their server.json or server cards",
    )
  })

  it('are refused without a name', () => {
    const $schema = 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json'
    expect(() => parseValue({ $schema, remotes: [REMOTE] })).toThrow(
      'Cannot import the card: it has no name',
    )
  })
})

describe('the matcher', () => {
  it.each([
    ['post', 'https://mcp.skycast-mcp.org/us/mcp', 'post /'],
    ['post', 'https://mcp.skycast-mcp.org/eu/mcp/', 'post /'],
    ['', 'https://mcp.skycast-mcp.org/sse', 'post /'],
    ['', 'https://mcp.skycast-mcp.org/eu/mcp#get_forecast', 'post /#get_forecast'],
    ['get', 'https://mcp.skycast-mcp.org/eu/mcp', undefined],
    ['', 'https://mcp.skycast-mcp.org/status', undefined],
  ])('finds the server of %s %s', (method, url, key) => {
    const { endpoints } = parseFixture('skycast-mcp-server.json')
    const matcher = createMatcher()
    // A tool that was imported before the address of its server is not preferred.
    const targets = endpoints.toReversed().map((endpoint, id) => ({
      ...endpoint,
      ...{ id, shortId: endpoint.key, apiId: 1, apiName: 'Skycast', vendorName: 'Skycast' },
    }))
    matcher.addEndpoints(targets)
    const match = matcher.match({ method, url })
    expect([match?.apiName, match?.shortId]).toEqual(['Skycast', key])
  })
})

describe('detection', () => {
  it('takes the tools beside a server of a registry', () => {
    const tools = [{ name: 'list_berths', inputSchema: { type: 'object' } }]
    const { api, endpoints } = parseValue({ server: SERVER, tools })
    expect(api.kind).toBe('mcp')
    expect(endpoints.map(({ url }) => url)).toContain(
      'https://mcp.harbour-berths.org/mcp#list_berths',
    )
  })

  it('does not take a page about a person for an agent', () => {
    const person = { name: 'Jo', url: 'https://jo.example', skills: ['a', 'b'], capabilities: {} }
    expect(() => parseValue(person)).toThrow('not an API description')
  })

  it('says that a server runs as a package only if it has one', () => {
    const toWarnings = (value: object) =>
      parseValue(value).report.warnings.map(({ message }) => message)
    const remotes = [{ type: 'streamable-http', url: 'wss://mcp.harbour-berths.org' }]
    expect(toWarnings({ ...SERVER, remotes }).join()).not.toContain('package')
    const packages = [{ registryType: 'npm', identifier: 'berths' }]
    expect(toWarnings({ ...SERVER, remotes: [], packages }).join()).toContain('runs as a package')
  })
})
