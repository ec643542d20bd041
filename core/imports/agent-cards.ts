import {
  asHttpUrl,
  asList,
  asObject,
  asText,
  asTexts,
  isObject,
  type JsonObject,
} from '../schemas/values.ts'
import { findOwnDomain, isSharedHost, parseHost } from '../vendors/shared-hosts.ts'
import { readSecurity, toRequirements } from './card-security.ts'
import { type CardKind, MCP_NAME } from './detect-kind.ts'
import { createImportError } from './import-errors.ts'
import { type ImportLimits, limitItems } from './limits.ts'
import type { ImportWarning } from './records.ts'

/** A card as an OpenAPI document, so that it is extracted as other descriptions are. */
export interface TranslatedCard {
  readonly document: JsonObject
  /** Number of tools or skills that cannot be interpreted. */
  readonly skipped: number
  readonly warnings: readonly ImportWarning[]
}

/**
 * Translates a card. Tools and skills become operations without a path of their own: their path is
 * a fragment, which clients never send. Schemas stay at their places, and their references are
 * adapted. Throws `invalid_description` for a card without a name, and `too_expensive`.
 */
export function toOpenApi(card: {
  readonly document: JsonObject
  readonly kind: CardKind
  readonly limits: Pick<ImportLimits, 'maxOperations'>
}): TranslatedCard {
  const { document, kind } = card
  const list = kind === 'mcp' ? 'tools' : 'skills'
  const { maxOperations } = card.limits
  if (asList(document[list]).length > maxOperations) {
    const reason = `more than ${maxOperations} ${list}. Split it into several`
    throw createImportError('too_expensive', `Cannot import the card: ${reason}`)
  }
  const warnings: ImportWarning[] = []
  const warn = (pointer: string, message: string) => void warnings.push({ pointer, message })
  const info = asObject(document.serverInfo)
  const provider = asObject(document.provider)
  const named = asText(document.name) || asText(info.name)
  const title = asText(document.title) || asText(info.title) || named
  if (title.trim() === '') {
    throw createImportError('invalid_description', 'Cannot import the card: it has no name', {
      pointer: '/name',
    })
  }
  const servers = kind === 'mcp' ? readRemotes(document, warn) : readInterfaces(document, warn)
  const items = readItems(document, { list, warn })
  const known = items.flatMap((item, at) =>
    item ? [[`#${encodeURIComponent(item.name)}`, { $ref: `#/${list}/${at}` }] as const] : [],
  )
  const own = { summary: kind === 'mcp' ? 'MCP messages' : 'A2A messages' }
  const method = servers.length > 0 && servers.every(({ name }) => name === 'sse') ? 'get' : 'post'
  return {
    warnings,
    skipped: items.length - known.length,
    document: {
      openapi: '3.1.0',
      info: {
        title,
        version: asText(info.version) || asText(document.version),
        description: asText(document.description) || asText(info.description),
        contact: { name: asText(provider.organization), url: provider.url },
        'x-logo': document.iconUrl ?? asObject(asList(document.icons)[0]).src,
        'x-providerName':
          asText(provider.organization) || (kind === 'mcp' ? toPublisher(named, servers) : ''),
      },
      externalDocs: { url: findHomepage(document) },
      servers,
      ...readSecurity(document),
      paths: Object.fromEntries([
        ...(servers.length > 0 ? [['', { [method]: own }]] : []),
        ...known,
      ]),
      [list]: items.map((item) => item?.pathItem ?? null),
    },
  }
}

/** Converts a JSON pointer into the translated document to one into the card, as far as possible. */
export function toCardPointer(pointer: string): string {
  return pointer
    .replace(/^(\/(?:tools|skills)\/\d+)\/post(?:\/(?:requestBody|responses))?/, '$1')
    .replace(/^\/(?:info|components)(?=\/)/, '')
    .replace(/^\/paths.*/, '')
}

type Warn = (pointer: string, message: string) => void

interface CardServer {
  readonly url: string
  /** The transport. */
  readonly name: string
  readonly variables?: JsonObject
}

/** Reads the addresses of an MCP server; those of the deprecated transport SSE come last. */
function readRemotes(document: JsonObject, warn: Warn): readonly CardServer[] {
  const transport = asObject(document.transport)
  const endpoint = asText(transport.endpoint) || asText(transport.url)
  const remotes = limitItems(document.remotes)
  const servers = remotes.flatMap((value, at): CardServer[] => {
    const remote = asObject(value)
    const url = asHttpUrl(remote.url)
    if (url === '') warn(`/remotes/${at}`, 'No http or https URL; skipped')
    // A variable without values stays a placeholder of the URL.
    const variables = Object.entries(asObject(remote.variables)).flatMap(([name, value]) => {
      const { default: usual, value: fixed, choices } = asObject(value)
      const known = asText(fixed) || asText(usual) || asTexts(choices)[0]
      return known === undefined ? [] : [[name, { default: known, enum: choices }] as const]
    })
    return url === ''
      ? []
      : [{ url, name: asText(remote.type), variables: Object.fromEntries(variables) }]
  })
  if (asHttpUrl(endpoint) !== '' || /^\/(?!\/)/.test(endpoint)) {
    servers.push({ url: endpoint, name: asText(transport.type) })
  }
  if (servers.length === 0) {
    const isPackage = limitItems(document.packages).length > 0
    const reason = isPackage ? 'it runs as a package' : 'no address is an http or https URL'
    warn('/remotes', `No remote server: ${reason}, so that no URL matches it`)
  }
  const isLegacy = ({ name }: CardServer) => Number(name === 'sse')
  return servers.toSorted((one, other) => isLegacy(one) - isLegacy(other))
}

/** Reads the addresses of an A2A agent, the preferred one first. */
function readInterfaces(document: JsonObject, warn: Warn): readonly CardServer[] {
  const { url, preferredTransport } = document
  const current = limitItems(document.supportedInterfaces)
  const earlier = [
    { url, transport: preferredTransport ?? 'JSONRPC' },
    ...limitItems(document.additionalInterfaces),
  ]
  const listed = (current.length > 0 ? current : earlier).map(asObject)
  const servers = new Map<string, CardServer>()
  for (const each of listed) {
    const name = asText(each.protocolBinding) || asText(each.transport)
    const address = asText(each.url).trim()
    // The address of gRPC is a host with a port.
    const found = asHttpUrl(address) || asHttpUrl(name === 'GRPC' ? `https://${address}` : '')
    if (found === '')
      warn('', `Interface ${JSON.stringify(address.slice(0, 200))} is no URL; skipped`)
    else if (!servers.has(found)) servers.set(found, { url: found, name })
  }
  return [...servers.values()]
}

interface CardItem {
  readonly name: string
  readonly pathItem: JsonObject
}

/** Reads the tools or skills; undefined for those that cannot be interpreted. */
function readItems(
  document: JsonObject,
  { list, warn }: { readonly list: 'tools' | 'skills'; readonly warn: Warn },
): readonly (CardItem | undefined)[] {
  const names = new Set<string>()
  // A list of one word means that the tools depend on the client.
  const values = asList(document[list]).filter((value) => value !== 'dynamic')
  return values.map((value, at) => {
    const item = asObject(value)
    const name = (list === 'tools' ? asText(item.name) : asText(item.id)).trim().toWellFormed()
    const pointer = `/${list}/${at}`
    if (name === '' || names.has(name)) {
      warn(pointer, `${name === '' ? 'No name' : 'Duplicate name'}; skipped`)
      return undefined
    }
    names.add(name)
    const schemas = Object.fromEntries(
      ['inputSchema', 'outputSchema'].flatMap((key) =>
        isObject(item[key]) ? [[key, rebaseReferences(item[key], `#${pointer}/${key}`)]] : [],
      ),
    )
    const toContent = (key: string) =>
      schemas[key] && { 'application/json': { schema: { $ref: `#${pointer}/${key}` } } }
    const isRequired = asList(asObject(item.inputSchema).required).length > 0
    const operation = {
      operationId: name,
      summary:
        asText(item.title) ||
        asText(asObject(item.annotations).title) ||
        (list === 'skills' ? asText(item.name) : ''),
      description: item.description,
      tags: item.tags,
      security: toRequirements(item.securityRequirements ?? item.security),
      requestBody: schemas.inputSchema && {
        required: isRequired,
        content: toContent('inputSchema'),
      },
      responses: schemas.outputSchema && { 200: { content: toContent('outputSchema') } },
    }
    return { name, pathItem: { post: operation, ...schemas } }
  })
}

/** References of a tool's schema start at that schema. Returns the value itself without any. */
function rebaseReferences(value: unknown, base: string): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => rebaseReferences(item, base))
    return items.some((item, at) => item !== value[at]) ? items : value
  }
  if (!isObject(value)) return value
  let isChanged = false
  const entries = Object.entries(value).map(([key, item]) => {
    const isReference = key === '$ref' && typeof item === 'string' && /^#(?:\/|$)/.test(item)
    const rebased = isReference ? `${base}${item.slice(1)}` : rebaseReferences(item, base)
    isChanged ||= rebased !== item
    return [key, rebased] as const
  })
  return isChanged ? Object.fromEntries(entries) : value
}

function findHomepage(document: JsonObject): string {
  const { websiteUrl, documentationUrl, repository } = document
  const pages = [websiteUrl, documentationUrl, asObject(repository).url]
  return pages.map(asHttpUrl).find((page) => page !== '') ?? ''
}

/**
 * Returns the publisher by the namespace of a server's name: `acme.com` for `com.acme/weather`. A
 * user of a code host is the publisher unless an address shows another one.
 */
function toPublisher(name: string, servers: readonly CardServer[]): string {
  const [namespace = ''] = MCP_NAME.test(name) ? name.split('/', 1) : []
  const [, user] =
    /^(?:io\.github|io\.gitlab|com\.github|com\.gitlab)\.(.+)$/i.exec(namespace) ?? []
  if (user === undefined) return findOwnDomain(namespace.split('.').reverse().join('.')) ?? ''
  const isOwn = servers.some(({ url }) => !isSharedHost(parseHost(url).hostname ?? ''))
  return isOwn ? '' : user
}
