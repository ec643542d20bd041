import { ServiceError } from '../../core/errors.ts'
import { readBytes } from '../../core/http/body.ts'
import { toFailureResponse } from '../../core/http/failure.ts'
import { type FetchHandler, toFetchHandler } from '../../core/http/fetch.ts'
import { createRequestIds } from '../../core/http/request-log.ts'
import {
  type ApiDiscovery,
  type Caller,
  type HttpHandler,
  type HttpRequest,
  type HttpResponse,
  type Logger,
  SCOPES,
  stripPublicPath,
} from '../../core/index.ts'
import { toClientName } from './present.ts'

/** Options of the MCP endpoint. */
export interface McpOptions {
  /**
   * Host names that requests may be addressed to. Set it for a server on a loopback address, which
   * pages of other sites can otherwise reach by DNS rebinding. Default: any.
   */
  readonly allowedHosts?: readonly string[]
  /** Whether the server also serves the metadata of the endpoint (RFC 9728). */
  readonly hasMetadata?: boolean
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
export const MCP_PATH = '/mcp'
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
  return createMcpEndpoint(app, options, async () => {
    const { openHttpServer } = await import('./open-server.ts')
    return openHttpServer(app, options.logger)
  })
}

/** Creates the endpoint; `open` loads the server of the protocol at the first request. */
export function createMcpEndpoint(
  app: ApiDiscovery,
  options: McpOptions,
  open: () => Promise<ServeRequest>,
): McpHandler {
  const { logger, allowedHosts } = options
  const nextRequestId = createRequestIds(app.clock)
  let opening: Promise<Respond> | undefined

  const handle = async (request: HttpRequest): Promise<HttpResponse> => {
    const startedAt = app.clock()
    const requestId = nextRequestId(request.header('x-request-id'))
    let caller: Caller | undefined
    let response: HttpResponse
    try {
      checkSender(request, allowedHosts)
      response = await app.runAsCaller(request, 'mcp', async (found) => {
        caller = found
        opening ??= openProtocol(open)
        const client = toClientName(request.header('user-agent') ?? '')
        return (await opening)(request, { ...found, source: 'agent', client })
      })
    } catch (error) {
      // The next request tries again to load a package that could not be loaded.
      if (opening !== undefined) await opening.catch(() => (opening = undefined))
      response = addChallenge(
        toFailureResponse(error, requestId),
        options.hasMetadata ? toMetadataUrl(app, request) : undefined,
      )
      if (response.status >= 500) {
        logger?.log('error', 'mcp_failed', { request_id: requestId, reason: String(error) })
      }
    }
    const ms = app.clock() - startedAt
    const { status } = response
    app.recordRequest({ request, path: MCP_PATH, operation: 'mcp', status, ms, caller, requestId })
    return { ...response, headers: { ...response.headers, 'x-request-id': requestId } }
  }
  return { handle, fetch: toFetchHandler(handle, logger ? { logger } : {}) }
}

/**
 * Adds the endpoint to the handler of a server: requests to its path and to its metadata are
 * answered here, and all others there.
 */
export function withMcp(
  next: HttpHandler,
  app: ApiDiscovery,
  options: Pick<McpOptions, 'allowedHosts' | 'logger'>,
): HttpHandler {
  const mcp = createMcpHandler(app, { ...options, hasMetadata: true })
  const { path: publicPath } = app.publicAddress
  return (request) => {
    const [path = ''] = stripPublicPath(request.target, publicPath).split('?', 1)
    if (path === MCP_PATH) return mcp.handle(request)
    if (isMetadataPath(path, publicPath)) return toMetadataResponse(app, request)
    return next(request)
  }
}

/** The path of the resource follows that of its metadata, with or without the public path. */
function isMetadataPath(path: string, publicPath: string): boolean {
  if (!path.startsWith(METADATA_PATH)) return false
  return ['', MCP_PATH, `${publicPath}${MCP_PATH}`].includes(path.slice(METADATA_PATH.length))
}

/** Serves one request of the protocol for a caller. */
type ServeRequest = (request: Request, caller: Caller) => Promise<Response>

/** Responds to one request of a caller. */
type Respond = (request: HttpRequest, caller: Caller) => Promise<HttpResponse>

async function openProtocol(open: () => Promise<ServeRequest>): Promise<Respond> {
  const serve = await open().catch((cause: unknown) => {
    if (!String(cause).includes('@modelcontextprotocol/server')) throw cause
    throw new ServiceError(
      'not_implemented',
      'Cannot serve agents: the package @modelcontextprotocol/server is not installed',
      { cause },
    )
  })
  return async (request, caller) => {
    const { method, body, signal } = request
    const headers = new Headers()
    for (const name of HEADERS) {
      const value = request.header(name)
      if (value !== undefined) headers.set(name, value)
    }
    const bytes = body && method === 'POST' ? await readBytes(body, MAX_BYTES) : undefined
    if (bytes && isBatch(bytes)) {
      throw new ServiceError('invalid_body', 'Cannot accept a batch: send one request at a time')
    }
    const init = {
      method,
      headers,
      signal,
      ...(bytes && { body: bytes as Uint8Array<ArrayBuffer> }),
    }
    const response = await serve(new Request('http://mcp.invalid/', init), caller)
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: response.body ?? undefined,
    }
  }
}

/** Whether a body is a JSON array: the limits of a key count requests. */
function isBatch(bytes: Uint8Array): boolean {
  return bytes.find((byte) => byte > SPACE) === OPENING_BRACKET
}

const SPACE = 0x20
const OPENING_BRACKET = 0x5b

/**
 * Rejects requests of pages of other sites, and requests that DNS rebinding sends to a loopback
 * address.
 */
function checkSender(request: HttpRequest, allowedHosts: readonly string[] | undefined): void {
  const host = request.header('host') ?? ''
  if (allowedHosts && !allowedHosts.includes(toHostName(host))) {
    throw new ServiceError('forbidden', 'Cannot accept the request: its host is not of this server')
  }
  const sender = request.header('origin')
  if (sender === undefined) return
  if (URL.canParse(sender) && new URL(sender).host === toHost(request.origin, host)) return
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

function toMetadataUrl(app: ApiDiscovery, request: HttpRequest): string | undefined {
  const { origin = request.origin, path } = app.publicAddress
  return origin === undefined ? undefined : `${origin}${METADATA_PATH}${path}${MCP_PATH}`
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
