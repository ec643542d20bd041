import { describe, expect, it } from 'vitest'
import {
  type ServiceAddress,
  toAddresses,
  toLlmsText,
  toServiceCatalog,
} from '../../../core/discovery/service-documents.ts'

const SERVICE: ServiceAddress = {
  basePaths: ['/v1', '/api'],
  publicAddress: { origin: 'https://tools.example', path: '/discovery' },
  consoleUrl: 'https://tools.example/discovery/console',
  mcpPath: '/mcp',
  version: '1.2.3',
}

const LOCAL: ServiceAddress = {
  basePaths: [''],
  publicAddress: { origin: undefined, path: '/discovery' },
  consoleUrl: '/discovery/console',
  mcpPath: undefined,
  version: '1.2.3',
}

describe('the addresses of a service', () => {
  it('are those of its public URL, whatever the request says', () => {
    expect(toAddresses(SERVICE, 'http://127.0.0.1:8080')).toEqual({
      origin: 'https://tools.example',
      root: 'https://tools.example/discovery',
      base: 'https://tools.example/discovery/v1',
      registry: 'https://tools.example/discovery/v1/ard',
      guides: 'https://tools.example/discovery/console/guides',
      mcp: 'https://tools.example/discovery/mcp',
    })
  })

  it('are those of the request without a public origin', () => {
    expect(toAddresses(LOCAL, 'http://[::1]:8080')).toEqual({
      origin: 'http://[::1]:8080',
      root: 'http://[::1]:8080/discovery',
      base: 'http://[::1]:8080/discovery',
      registry: 'http://[::1]:8080/discovery/ard',
      guides: 'http://[::1]:8080/discovery/console/guides',
      mcp: undefined,
    })
  })

  it('are relative to the host in process', () => {
    const { root, guides } = toAddresses(LOCAL, undefined)
    expect([root, guides]).toEqual(['/discovery', '/discovery/console/guides'])
  })
})

describe('the AI Catalog of a service', () => {
  const listEntries = (service: ServiceAddress, origin: string) =>
    toServiceCatalog(toAddresses(service, origin), '1.2.3')

  it('names the domain of the service', () => {
    const { host, entries } = listEntries(SERVICE, '')
    expect(host.identifier).toBe('tools.example')
    expect(entries.map(({ identifier, type }) => [identifier, type])).toEqual([
      ['urn:air:tools.example:api-discovery:mcp', 'application/mcp-server-card+json'],
      ['urn:air:tools.example:api-discovery:openapi', 'application/openapi+json'],
      ['urn:air:tools.example:api-discovery:registry', 'application/ai-registry+json'],
      ['urn:air:tools.example:api-discovery:catalog', 'application/ai-catalog+json'],
    ])
    const [{ data } = {}] = entries
    expect([data?.name, data?.remotes]).toEqual([
      'example.tools/api-discovery',
      [expect.objectContaining({ url: 'https://tools.example/discovery/mcp' })],
    ])
  })

  it.each(['http://127.0.0.1:8080', 'http://[::1]', 'http://localhost:1', ''])(
    'uses a reserved domain for the origin "%s"',
    (origin) => {
      const { host, entries } = listEntries(LOCAL, origin)
      expect([host.identifier, entries[0]?.identifier]).toEqual([
        undefined,
        'urn:air:agent.localhost:api-discovery:openapi',
      ])
    },
  )

  it('lists the MCP endpoint only if it is served', () => {
    const types = listEntries(LOCAL, 'https://a.example').entries.map(({ type }) => type)
    expect(types).not.toContain('application/mcp-server-card+json')
  })
})

describe('llms.txt', () => {
  it('has a title, a summary and sections of links', () => {
    const lines = toLlmsText(toAddresses(SERVICE, undefined)).trimEnd().split('\n')
    expect(lines[0]).toMatch(/^# \S/)
    expect(lines[2]).toMatch(/^> \S/)
    expect(lines.filter((line) => line.startsWith('## '))).toEqual([
      '## HTTP API',
      '## Agents',
      '## Guides',
    ])
    const links = lines.filter((line) => line.startsWith('- '))
    expect(links).toHaveLength(8)
    for (const link of links) {
      expect(link).toMatch(/^- \[[^\]]+\]\(https:\/\/tools\.example\/discovery\/[^)]+\): \S/)
    }
  })

  it('omits a missing console and MCP endpoint', () => {
    const text = toLlmsText(toAddresses({ ...LOCAL, consoleUrl: undefined }, 'https://a.example'))
    expect(text).not.toMatch(/Guides|MCP/)
  })
})
