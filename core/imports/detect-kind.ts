import {
  asList,
  asObject,
  asText,
  getOwnMember,
  isObject,
  type JsonObject,
} from '../schemas/values.ts'
import { createImportError } from './import-errors.ts'

/** The kinds of cards: an MCP server (`server.json` or server card), an A2A agent card. */
export type CardKind = 'mcp' | 'a2a'

/** The supported description formats. */
export type DescriptionKind =
  | 'swagger-2.0'
  | 'openapi-3.0'
  | 'openapi-3.1'
  | 'openapi-3.2'
  | CardKind

/** Unsupported document types, recognised by a characteristic member. */
const UNSUPPORTED_TYPES: readonly (readonly [key: string, name: string])[] = [
  ['swaggerVersion', 'a Swagger 1.x description; convert it to OpenAPI 3 first'],
  ['asyncapi', 'an AsyncAPI document, which describes messages, not HTTP operations'],
  ['arazzo', 'an Arazzo workflow document'],
  ['overlay', 'an OpenAPI overlay; apply it to its description first'],
  ['_postman_id', 'a Postman collection; export it as OpenAPI first'],
  ['raml', 'a RAML description'],
  ['smithy', 'a Smithy model'],
  ['discoveryVersion', 'a Google discovery document; convert it to OpenAPI first'],
  ['bomFormat', 'a CycloneDX BOM'],
  ['spdxVersion', 'an SPDX document'],
  ['__schema', 'a GraphQL introspection result'],
  ['mcpServers', "a client's list of MCP servers; import their server.json or server cards"],
  ['jsonrpc', 'a JSON-RPC message'],
  ['openrpc', 'an OpenRPC description'],
  ['AWSTemplateFormatVersion', 'a CloudFormation template'],
  ['kind', 'a Kubernetes or configuration object'],
  ['$schema', 'a JSON Schema or a document that follows one'],
]

/**
 * Detects the format of a parsed document and its version as written. Throws `invalid_description`
 * for other documents and names their type if it is known.
 */
export function detectKind(document: unknown): {
  readonly document: JsonObject
  readonly kind: DescriptionKind
  readonly version: string
} {
  if (!isObject(document)) {
    const what = Array.isArray(document)
      ? 'a list'
      : document === null
        ? 'null'
        : `a ${typeof document}`
    throw createImportError(
      'invalid_description',
      `Cannot import the file: it contains ${what}, not an object`,
      {
        pointer: '',
      },
    )
  }
  const openapi = asText(getOwnMember(document, 'openapi')).trim()
  const swagger = asText(getOwnMember(document, 'swagger')).trim()
  if (/^3(\.0|$)/.test(openapi)) return { document, kind: 'openapi-3.0', version: openapi }
  if (/^3\.1/.test(openapi)) return { document, kind: 'openapi-3.1', version: openapi }
  if (/^3\.2/.test(openapi)) return { document, kind: 'openapi-3.2', version: openapi }
  if (/^2(\.0|$)/.test(swagger)) return { document, kind: 'swagger-2.0', version: swagger }
  if (/^3\.[012]/.test(swagger) && openapi === '') {
    throw createVersionError('swagger', swagger, 'use "openapi" for version 3')
  }
  if (openapi !== '')
    throw createVersionError('openapi', openapi, 'supported versions are 3.0, 3.1 and 3.2')
  if (swagger !== '') throw createVersionError('swagger', swagger, 'the supported version is 2.0')
  const card = detectCard(document)
  if (card) return card
  throw createImportError(
    'invalid_description',
    `Cannot import the file: it is ${describeDocument(document)}`,
    {
      pointer: '',
    },
  )
}

function createVersionError(key: string, version: string, advice: string) {
  return createImportError(
    'invalid_description',
    `Cannot import the description: unsupported "${key}" version ${JSON.stringify(version.slice(0, 40))}; ${advice}`,
    { pointer: `/${key}` },
  )
}

function describeDocument(document: JsonObject): string {
  const schema = asText(getOwnMember(getOwnMember(document, 'info'), 'schema'))
  if (schema.includes('postman')) return 'a Postman collection; export it as OpenAPI first'
  if (Array.isArray(getOwnMember(getOwnMember(document, 'log'), 'entries'))) {
    return 'an HTTP archive (HAR)'
  }
  const tools = getOwnMember(getOwnMember(document, 'result'), 'tools') ?? document.tools
  if (asList(tools).some((tool) => isObject(asObject(tool).inputSchema))) {
    return 'a list of MCP tools without their server; add it as "tools" to the server.json or server card of the server'
  }
  const other = UNSUPPORTED_TYPES.find(([key]) => Object.hasOwn(document, key))
  return (
    other?.[1] ??
    'not an API description: it has no "openapi" or "swagger" version, and is no card of an MCP server or A2A agent'
  )
}

/**
 * Detects a card; undefined for other documents. `server.json` is also accepted as the registry
 * returns it, as the member `server`. Names and lists alone are not sufficient: other documents
 * have them too.
 */
function detectCard(
  document: JsonObject,
):
  | { readonly document: JsonObject; readonly kind: CardKind; readonly version: string }
  | undefined {
  const version = asText(document.protocolVersion)
  if (isAgentCard(document)) return { document, kind: 'a2a', version }
  if (isServerCard(document)) return { document, kind: 'mcp', version }
  // A registry wraps the card. A list of tools may stand beside it.
  const { server, tools } = document
  return isObject(server) && isServerCard(server)
    ? { document: tools === undefined ? server : { tools, ...server }, kind: 'mcp', version }
    : undefined
}

/** A2A 1.0: `supportedInterfaces`. A2A 0.x: `url` with `protocolVersion` or `capabilities`. */
function isAgentCard(document: JsonObject): boolean {
  const { name, url, skills, supportedInterfaces, protocolVersion, capabilities } = document
  if (typeof name !== 'string' || !Array.isArray(skills)) return false
  if (skills.length > 0 && !skills.some(isObject)) return false
  return (
    asList(supportedInterfaces).some(
      (each) => typeof asObject(each).protocolBinding === 'string',
    ) ||
    (typeof url === 'string' && (typeof protocolVersion === 'string' || isObject(capabilities)))
  )
}

function isServerCard(document: JsonObject): boolean {
  const { $schema, name, remotes, packages, serverInfo, transport } = document
  if (typeof $schema === 'string' && MCP_SCHEMA.test($schema)) return true
  if (isObject(serverInfo)) {
    return typeof serverInfo.name === 'string' && hasTransport(transport)
  }
  return (
    typeof name === 'string' &&
    MCP_NAME.test(name) &&
    (asList(remotes).some(hasTransport) ||
      asList(packages).some((each) => typeof asObject(each).registryType === 'string'))
  )
}

const MCP_SCHEMA =
  /^https:\/\/static\.modelcontextprotocol\.io\/schemas\/[\w.-]+\/server(?:-card)?\.schema\.json$/

/** A namespace in reverse-DNS form and a name: `com.acme/weather`. */
export const MCP_NAME = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+\/[\w.-]+$/i

/** Servers spell the transport in several ways: `streamable-http`, `streamableHttp`, `http`. */
function hasTransport(remote: unknown): boolean {
  return /^(?:(?:streamable[-_]?)?http|sse)$/i.test(asText(asObject(remote).type))
}
