import type { EndpointDescription, Parameter, Server } from '../../catalogue/records.ts'
import { asList, asObject, asText, isObject, type JsonObject } from '../../schemas/values.ts'
import { ENDPOINT_LIMITS } from '../limits.ts'
import { createBodyReader } from './bodies.ts'
import type { ExtractionContext } from './context.ts'
import type { FoundOperation } from './operations.ts'
import { createParameterReader } from './parameters.ts'
import { createRateLimitReader } from './rate-limits.ts'
import { createResponseReader } from './responses.ts'
import { createSchemaReader } from './schemas.ts'
import { createSecurityReader, deriveAuthTypes } from './security.ts'
import {
  createSchemeServers,
  expandServerUrl,
  joinUrl,
  readDocumentServers,
  readServers,
} from './servers.ts'

/** Converts operations of one description to endpoints. */
export interface EndpointReader {
  /** The document's own servers. */
  readonly servers: readonly Server[]
  /** Requires `found.operation` to be an object or null. */
  read(found: FoundOperation): EndpointDescription
  /** The JSON texts of all response schemas read so far. */
  schemaTexts(): Iterable<string>
}

/** Creates the reader. Parts that several operations share are read once. */
export function createEndpointReader(
  context: ExtractionContext,
  baseUrl: string | undefined,
): EndpointReader {
  const { document, isSwagger } = context
  const schemas = createSchemaReader(context)
  const parameters = createParameterReader(context, schemas)
  const bodies = createBodyReader(context, schemas)
  const responses = createResponseReader(context, schemas)
  const security = createSecurityReader(context)
  const rateLimits = createRateLimitReader(context)
  const servers = readDocumentServers(context, baseUrl)
  const bases = new Map<readonly Server[], string>()
  const tagParents = readTagParents(document.tags)

  const read = (found: FoundOperation): EndpointDescription => {
    const { method, path, item, pointer } = found
    const operation = asObject(found.operation)
    const isInbound = found.inbound !== ''
    const own = findServers(operation, item)
    const list = parameters.read(
      [
        { value: item.parameters, at: () => `${found.itemPointer}/parameters` },
        { value: operation.parameters, at: () => `${pointer}/parameters` },
      ],
      isInbound ? '' : path,
    )
    const parts = isSwagger
      ? bodies.readSwagger(list.body, list.parameters, operation.consumes ?? document.consumes)
      : bodies.readContent(operation.requestBody, () => `${pointer}/requestBody`)
    const all: readonly Parameter[] =
      parts && parts.parameters.length > 0
        ? [...list.parameters, ...parts.parameters]
        : list.parameters
    const ways = isInbound ? [] : security.read(operation.security, () => `${pointer}/security`)
    const tags = readTags(operation.tags)
    const limits = isInbound ? undefined : rateLimits.read({ operation, item, tags })
    const text = asText(operation.description) || asText(item.description)
    const summary = asText(operation.summary) || asText(item.summary) || truncateFirstLine(text)
    return {
      method,
      path: isInbound || context.card || path.startsWith('/') ? path : `/${path}`,
      key: toEndpointKey(found),
      url: isInbound
        ? path
        : context.card
          ? `${getBaseUrl(own)}${path}`
          : joinUrl(getBaseUrl(own), path),
      servers: isInbound ? [] : own,
      summary,
      description: text || summary,
      operationId: asText(operation.operationId),
      tags,
      parameters: all,
      body: parts?.body,
      ...responses.read(
        operation.responses,
        operation.produces ?? document.produces,
        () => `${pointer}/responses`,
      ),
      security: ways,
      authTypes: isInbound
        ? ['undeclared']
        : deriveAuthTypes(ways, {
            parameters: all,
            isDeclared: security.isDeclared(operation.security),
          }),
      isDeprecated: operation.deprecated === true,
      isInbound,
      ...(limits ? { rateLimits: limits } : {}),
    }
  }
  return { servers, read, schemaTexts: responses.schemaTexts }

  function getBaseUrl(list: readonly Server[]): string {
    const known = bases.get(list)
    if (known !== undefined) return known
    const base = list[0] ? expandServerUrl(list[0]) : ''
    bases.set(list, base)
    return base
  }

  function findServers(operation: JsonObject, item: JsonObject): readonly Server[] {
    if (isSwagger) return createSchemeServers(operation.schemes, servers) ?? servers
    return readServers(operation, baseUrl) ?? readServers(item, baseUrl) ?? servers
  }

  function readTags(value: unknown): readonly string[] {
    const tags = new Set<string>()
    for (const tag of asList(value)) {
      // Reads one more than is stored, so that `bounds.ts` cuts it and warns.
      if (tags.size > ENDPOINT_LIMITS.maxItems) break
      let name: string | undefined = isObject(tag) ? asText(tag.name) : asText(tag)
      while (name && !tags.has(name) && tags.size <= ENDPOINT_LIMITS.maxItems) {
        tags.add(name)
        name = tagParents.get(name)
      }
    }
    return [...tags]
  }
}

/** Reads the parents of tags from `tags[].parent` (OpenAPI 3.2). */
function readTagParents(tags: unknown): ReadonlyMap<string, string> {
  const parents = new Map<string, string>()
  for (const tag of asList(tags).map(asObject)) {
    const parent = asText(tag.parent)
    if (parent !== '') parents.set(asText(tag.name), parent)
  }
  return parents
}

/**
 * Returns method and path with erased parameter names. Inbound operations have a distinct prefix.
 */
function toEndpointKey({ method, path, inbound }: FoundOperation): string {
  if (inbound !== '') return `${inbound} ${method} ${path}`
  const template = path.startsWith('/') ? path : `/${path}`
  return `${method} ${template.replace(/\{[^{}]*\}/g, '{}')}`
}

function truncateFirstLine(description: string): string {
  const line = description.slice(0, 400).trim().split('\n', 1)[0] ?? ''
  return line.length > 200 ? `${line.slice(0, 199)}…` : line
}
