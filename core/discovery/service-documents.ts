import type { CatalogEntry } from './wire.ts'
import { SPEC_VERSION } from './wire.ts'

/** The addresses of this service and of its parts. */
export interface ServiceAddress {
  readonly basePaths: readonly string[]
  readonly publicAddress: { readonly origin: string | undefined; readonly path: string }
  /** Without an origin if none was configured; undefined without a console. */
  readonly consoleUrl: string | undefined
  /** Undefined without an MCP endpoint. */
  readonly mcpPath: string | undefined
  readonly version: string
}

const TITLE = 'API Discovery'
const SUMMARY = 'Catalogue of third-party APIs: find, call, assess and inventory them.'

/** Addresses as the client of a request sees them; relative to the host if that is unknown. */
export function toAddresses(service: ServiceAddress, requestOrigin: string | undefined) {
  const { publicAddress, basePaths, consoleUrl, mcpPath } = service
  const origin = publicAddress.origin ?? requestOrigin ?? ''
  const root = origin + publicAddress.path
  const base = root + (basePaths[0] ?? '')
  const consoleOrigin = publicAddress.origin === undefined ? origin : ''
  return {
    origin,
    root,
    base,
    registry: `${base}/ard`,
    guides: consoleUrl === undefined ? undefined : `${consoleOrigin}${consoleUrl}/guides`,
    mcp: mcpPath === undefined ? undefined : root + mcpPath,
  }
}

type Addresses = ReturnType<typeof toAddresses>

/** Builds the members of an AI Catalog before its entries. */
export function toCatalogHead({ origin, base }: Addresses) {
  const domain = findDomain(origin)
  return {
    specVersion: SPEC_VERSION,
    host: {
      displayName: TITLE,
      ...(domain === undefined ? {} : { identifier: domain }),
      documentationUrl: `${base}/docs`,
    },
  } as const
}

/** Builds the AI Catalog of the service's own resources. */
export function toServiceCatalog(addresses: Addresses, version: string) {
  const { origin, base, registry, mcp } = addresses
  const publisher = findDomain(origin) ?? LOCAL_PUBLISHER
  const toEntry = (kind: string, entry: Omit<CatalogEntry, 'identifier'>): CatalogEntry => ({
    identifier: `urn:air:${publisher}:api-discovery:${kind}`,
    ...entry,
    version,
  })
  const entries = [
    ...(mcp === undefined
      ? []
      : [
          toEntry('mcp', {
            displayName: `${TITLE} (MCP)`,
            type: 'application/mcp-server-card+json',
            data: toServerCard({ publisher, url: mcp, version }),
            description: 'Tools for agents over the catalogue, the gateway and scans.',
            representativeQueries: [
              'find an API that sends text messages',
              'call an endpoint of a catalogued API',
              'which known vulnerabilities affect this API?',
            ],
          }),
        ]),
    toEntry('openapi', {
      displayName: `${TITLE} (HTTP API)`,
      type: 'application/openapi+json',
      url: `${base}/openapi.json`,
      description: SUMMARY,
      representativeQueries: [
        'list the endpoints of an API',
        'which terms of service apply to an API?',
        'which APIs does a project use?',
      ],
    }),
    toEntry('registry', {
      displayName: `${TITLE} (registry)`,
      type: 'application/ai-registry+json',
      url: registry,
      description: 'Search of the catalogued APIs. Requires an API key.',
      representativeQueries: ['find an API for weather forecasts', 'find payment APIs'],
    }),
    toEntry('catalog', {
      displayName: `${TITLE} (catalogued APIs)`,
      type: 'application/ai-catalog+json',
      url: `${base}/ai-catalog.json`,
      description: 'All catalogued APIs. Requires an API key.',
      representativeQueries: ['list all catalogued APIs', 'which APIs does this catalogue have?'],
    }),
  ]
  return { ...toCatalogHead(addresses), entries }
}

/** Reserved for services without a domain (RFC 6761). */
const LOCAL_PUBLISHER = 'agent.localhost'

/** Returns the host of an origin if it is a domain name; undefined for addresses. */
function findDomain(origin: string): string | undefined {
  const host = URL.canParse(origin) ? new URL(origin).hostname : ''
  return /^[a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z][a-z\d-]*$/.test(host) ? host : undefined
}

/** Builds the MCP server card of the MCP endpoint. */
function toServerCard(server: {
  readonly publisher: string
  readonly url: string
  readonly version: string
}) {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: `${server.publisher.split('.').reverse().join('.')}/api-discovery`,
    title: TITLE,
    version: server.version,
    description: SUMMARY,
    remotes: [
      {
        type: 'streamable-http',
        url: server.url,
        headers: [
          {
            name: 'Authorization',
            description: '"Bearer", a space, and an API key',
            isRequired: true,
            isSecret: true,
          },
        ],
      },
    ],
  }
}

/** Writes the description of the service for language models (llmstxt.org). */
export function toLlmsText({ root, base, registry, guides, mcp }: Addresses): string {
  return `# ${TITLE}

> ${SUMMARY}

Requests need an API key in the header \`api-key\` or \`Authorization: Bearer\`, except for public operations. Names and descriptions of catalogued APIs are data of third parties.

## HTTP API

- [OpenAPI document](${base}/openapi.json): all operations with parameters and responses
- [API reference](${base}/docs): the same for people, with examples
- [API catalogue](${root}/.well-known/api-catalog): addresses of the HTTP API (RFC 9727)

## Agents

${mcp === undefined ? '' : `- [MCP endpoint](${mcp}): tools over Streamable HTTP\n`}- [AI Catalog](${root}/.well-known/ai-catalog.json): resources of this service
- [Registry](${registry}): search of the catalogued APIs (ARD); POST to \`${registry}/search\`
- [Catalogued APIs](${base}/ai-catalog.json): the whole catalogue; requires an API key
${
  guides === undefined
    ? ''
    : `
## Guides

- [Guides](${guides}): how to import, search, call, assess and scan
`
}`
}
