import { ServiceError } from '../../core/errors.ts'
import { readBytes } from '../../core/http/body.ts'
import { toFailureResponse } from '../../core/http/failure.ts'
import { type FetchHandler, toFetchHandler } from '../../core/http/fetch.ts'
import type {
  ApiDiscovery,
  Caller,
  HttpHandler,
  HttpRequest,
  HttpResponse,
  Logger,
} from '../../core/index.ts'
import { SCOPES, stripPublicPath } from '../../core/index.ts'
import { toClientName } from './present.ts'

/** Options of the MCP endpoint. */
export interface McpOptions {
  /** Path of the endpoint below the path of `publicUrl`; default `/mcp`. */
  readonly path?: string
  /** Origins of pages that may use the endpoint, besides its own. */
  readonly allowedOrigins?: readonly string[]
  /**
   * Host names that requests may be addressed to. Set it for a server on a loopback address, which
   * pages of other sites can otherwise reach by DNS rebinding. Default: any.
   */
  readonly allowedHosts?: readonly string[]
  /** Receives failures. */
  readonly logger?: Logger
}

/** The MCP endpoint of a service. */
export interface McpHandler {
  /** Handles a request, whatever its path. */
  readonly handle: HttpHandler
  readonly fetch: FetchHandler
}

/** Path of the endpoint in servers of this package. */
const MCP_PATH = '/mcp'
/** Path of the metadata of a protected resource (RFC 9728), followed by the path of the resource. */
const METADATA_PATH = '/.well-known/oauth-protected-resource'
/** Size of the largest request. */
const MAX_BYTES = 4 * 1024 * 1024
/** Headers that the protocol uses. Others, such as cookies, stay here. */
const HEADERS = [
  ...['content-type', 'accept', 'mcp-protocol-version', 'mcp-method', 'mcp-name', 'mcp-session-id'],
  ...['last-event-id', 'traceparent', 'tracestate'],
]

/**
 * Creates the MCP endpoint (Streamable HTTP, stateless): tools for agents over the catalogue, the
 * gateway, vulnerabilities and scans, with the keys, scopes, policies and limits of the service.
 * Requires the package `@modelcontextprotocol/server`, which is loaded with the first request.
 *
 * @example
 * ```ts
 * import { createMcpHandler } from 'api-discovery/mcp'
 *
 * const mcp = createMcpHandler(app)
 * // With Hono: server.all('/mcp', ({ req }) => mcp.fetch(req.raw))
 * ```
 */
export function createMcpHandler(app: ApiDiscovery, options: McpOptions = {}): McpHandler {
  const { logger, allowedOrigins = [], allowedHosts } = options
  const path = options.path ?? MCP_PATH
  let serving: Promise<Serve> | undefined

  const handle = async (request: HttpRequest): Promise<HttpResponse> => {
    const startedAt = app.clock()
    let caller: Caller | undefined
    let response: HttpResponse
    try {
      checkSender(request, { allowedOrigins, allowedHosts })
      response = await app.runAsCaller(request, 'mcp', async (found) => {
        caller = found
        serving ??= openServe(app, logger)
        const client = toClientName(request.header('user-agent') ?? '')
        return (await serving)(request, { ...found, source: 'agent', client })
      })
    } catch (error) {
      if (serving !== undefined) await serving.catch(() => (serving = undefined))
      response = addChallenge(toFailureResponse(error), toMetadataUrl(app, { request, path }))
      if (response.status >= 500) logger?.log('error', 'mcp_failed', { reason: String(error) })
    }
    const ms = app.clock() - startedAt
    const { status } = response
    app.recordRequest({ request, path, operation: 'mcp', status, ms, caller })
    return response
  }
  return { handle, fetch: toFetchHandler(handle, logger ? { logger } : {}) }
}

/**
 * Wraps the handler of a server: requests to the path of the endpoint, and to its metadata, are
 * answered here, and all others there.
 */
export function withMcp(
  next: HttpHandler,
  { app, mcp }: { readonly app: ApiDiscovery; readonly mcp: McpHandler },
): HttpHandler {
  return (request) => {
    const [path] = stripPublicPath(request.target, app.publicAddress.path).split('?', 1)
    if (path === MCP_PATH) return mcp.handle(request)
    if (path === METADATA_PATH || path === `${METADATA_PATH}${MCP_PATH}`) {
      return toMetadataResponse(app, request)
    }
    return next(request)
  }
}

/** Answers one request for a caller. */
type Serve = (request: HttpRequest, caller: Caller) => Promise<HttpResponse>

async function openServe(app: ApiDiscovery, logger: Logger | undefined): Promise<Serve> {
  const { openServer } = await import('./open-server.ts').catch((cause: unknown) => {
    throw new ServiceError(
      'not_implemented',
      'Cannot serve agents: the package @modelcontextprotocol/server is not installed',
      { cause },
    )
  })
  const fetch = openServer(app, logger)
  return async (request, caller) => {
    const { method, body, signal } = request
    const headers = new Headers()
    for (const name of HEADERS) {
      const value = request.header(name)
      if (value !== undefined) headers.set(name, value)
    }
    const bytes = body && method === 'POST' ? await readBytes(body, MAX_BYTES) : undefined
    const init = {
      method,
      headers,
      signal,
      ...(bytes && { body: bytes as Uint8Array<ArrayBuffer> }),
    }
    const response = await fetch(new Request('http://mcp.invalid/', init), caller)
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: response.body ?? undefined,
    }
  }
}

/**
 * Rejects requests of pages of other sites, and requests that DNS rebinding sends to a loopback
 * address.
 */
function checkSender(
  request: HttpRequest,
  options: {
    readonly allowedOrigins: readonly string[]
    readonly allowedHosts: readonly string[] | undefined
  },
): void {
  const host = request.header('host') ?? ''
  const { allowedHosts, allowedOrigins } = options
  if (allowedHosts && !allowedHosts.includes(toHostName(host))) {
    throw new ServiceError('forbidden', 'Cannot accept the request: its host is not of this server')
  }
  const sender = request.header('origin')
  if (sender === undefined || allowedOrigins.includes(sender)) return
  const isOwn = URL.canParse(sender) && new URL(sender).host === toHost(request.origin, host)
  if (isOwn) return
  throw new ServiceError(
    'forbidden',
    'Cannot accept the request: it was sent by a page of another origin',
  )
}

function toHost(origin: string | undefined, host: string): string {
  return origin !== undefined && URL.canParse(origin) ? new URL(origin).host : host
}

function toHostName(host: string): string {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : ''
}

/** Names the metadata in a response with status 401 (RFC 9728 5.1). */
function addChallenge(response: HttpResponse, metadata: string | undefined): HttpResponse {
  if (response.status !== 401) return response
  const challenge = metadata === undefined ? 'Bearer' : `Bearer resource_metadata="${metadata}"`
  return { ...response, headers: { ...response.headers, 'www-authenticate': challenge } }
}

function toMetadataUrl(
  app: ApiDiscovery,
  { request, path }: { readonly request: HttpRequest; readonly path: string },
): string | undefined {
  const { origin = request.origin, path: publicPath } = app.publicAddress
  return origin === undefined ? undefined : `${origin}${METADATA_PATH}${publicPath}${path}`
}

function toMetadataResponse(app: ApiDiscovery, request: HttpRequest): HttpResponse {
  const { origin, path } = app.publicAddress
  const document = {
    resource: `${origin ?? request.origin ?? ''}${path}${MCP_PATH}`,
    resource_name: 'api-discovery',
    bearer_methods_supported: ['header'],
    scopes_supported: SCOPES,
  }
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(document),
  }
}
