import type { Server, ServerVariable } from '../../catalogue/records.ts'
import { asList, asObject, asText, isObject, type JsonObject } from '../../schemas/values.ts'
import { ENDPOINT_LIMITS } from '../limits.ts'
import type { ExtractionContext } from './context.ts'

/**
 * Returns the servers of an OpenAPI 3 document, path item or operation; undefined if it declares
 * none. Resolves relative URLs against `baseUrl` if there is one.
 */
export function readServers(
  owner: JsonObject,
  baseUrl: string | undefined,
): readonly Server[] | undefined {
  // Reads one more of each than is stored, so that `bounds.ts` cuts it and warns.
  const servers = asList(owner.servers)
    .slice(0, ENDPOINT_LIMITS.maxItems + 1)
    .filter(isObject)
    .map((server) => ({
      url: resolveUrl(asText(server.url).trim(), baseUrl),
      name: asText(server.name),
      variables: readVariables(server.variables),
    }))
  return servers.length > 0 ? servers : undefined
}

/**
 * Returns the document's own servers. In Swagger, one per scheme, built from `schemes`, `host` and
 * `basePath`.
 */
export function readDocumentServers(
  context: ExtractionContext,
  baseUrl: string | undefined,
): readonly Server[] {
  if (context.isSwagger) return readSwaggerServers(context.document, baseUrl)
  const servers = readServers(context.document, baseUrl)
  if (servers) return servers
  return baseUrl === undefined || context.card ? [] : [createServer(resolveUrl('/', baseUrl))]
}

/**
 * Servers for a Swagger operation's own `schemes` on the document's host; undefined without any.
 */
export function createSchemeServers(
  schemes: unknown,
  servers: readonly Server[],
): readonly Server[] | undefined {
  const names = readSchemes(schemes)
  const first = servers[0]
  if (names.length === 0 || !first || !isAbsolute(first.url)) return undefined
  return names.map((name) => createServer(first.url.replace(/^[a-z]+/, name)))
}

/** Returns a server's URL with the default values of its variables. */
export function expandServerUrl(server: Server): string {
  return server.url.replace(/\{([^{}]*)\}/g, (whole, name: string) => {
    const variable = server.variables.find((candidate) => candidate.name === name)
    return variable ? variable.default : whole
  })
}

/** True if a URL has a scheme and a host. Call it after `expandServerUrl`. */
export function isAbsolute(url: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/]/i.test(url)
}

/** Joins server and path with exactly one slash. */
export function joinUrl(base: string, path: string): string {
  return `${base.replace(/\/+$/, '')}${path.startsWith('/') ? '' : '/'}${path}`
}

function createServer(url: string): Server {
  return { url, name: '', variables: [] }
}

function readVariables(value: unknown): readonly ServerVariable[] {
  return Object.entries(asObject(value)).map(([name, variable]) => {
    const listed = asList(asObject(variable).enum).slice(0, ENDPOINT_LIMITS.maxItems + 1)
    const values = listed.map(asText)
    const given = asObject(variable).default
    return { name, default: given === undefined ? (values[0] ?? '') : asText(given), values }
  })
}

function readSwaggerServers(document: JsonObject, baseUrl: string | undefined): readonly Server[] {
  const host = asText(document.host)
    .trim()
    .replace(/^[a-z]+:\/\//i, '')
    .replace(/\/+$/, '')
  const basePath = asText(document.basePath).trim()
  const path = basePath === '' || basePath.startsWith('/') ? basePath : `/${basePath}`
  const base = baseUrl === undefined ? undefined : /^([a-z]+):\/\/([^/?#]+)/i.exec(baseUrl)
  const schemes = readSchemes(document.schemes)
  const authority = host || base?.[2]
  if (authority === undefined) return path === '' ? [] : [createServer(path)]
  const used = schemes.length > 0 ? schemes : [base?.[1] ?? 'https']
  return used.map((scheme) => createServer(`${scheme}://${authority}${path}`))
}

/** Returns the known schemes, https before http, as the list itself has no order of preference. */
function readSchemes(value: unknown): readonly string[] {
  const given = new Set(asList(value).map((scheme) => asText(scheme).toLowerCase()))
  return ['https', 'http', 'wss', 'ws'].filter((scheme) => given.has(scheme))
}

/** Resolves a URL as in RFC 3986 5.2. Supports templates, whose braces `new URL` would encode. */
export function resolveUrl(url: string, baseUrl: string | undefined): string {
  if (baseUrl === undefined || /^(?:[a-z][a-z0-9+.-]*:|\{)/i.test(url)) return url
  const base = /^([a-z]+:)(\/\/[^/?#]+)([^?#]*)/i.exec(baseUrl)
  if (!base) return url
  const [, scheme = '', authority = '', path = ''] = base
  if (url.startsWith('//')) return `${scheme}${url}`
  if (url.startsWith('/')) return `${scheme}${authority}${url}`
  const folder = path.slice(0, path.lastIndexOf('/') + 1) || '/'
  return `${scheme}${authority}${removeDots(`${folder}${url}`)}`
}

function removeDots(path: string): string {
  const steps: string[] = []
  for (const step of path.split('/')) {
    if (step === '..') {
      if (steps.length > 1) steps.pop()
    } else if (step !== '.') {
      steps.push(step)
    }
  }
  return steps.join('/')
}
