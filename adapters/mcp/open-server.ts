import { createMcpHandler } from '@modelcontextprotocol/server'
import type { ApiDiscovery, Caller, Logger } from '../../core/index.ts'
import { createServer } from './create-server.ts'
import { TOOLS } from './tools.ts'

/** Opens the protocol over HTTP: a new server for each request, for the caller of the request. */
export function openHttpServer(
  app: ApiDiscovery,
  logger: Logger | undefined,
  create = createServer,
): (request: Request, caller: Caller) => Promise<Response> {
  const { fetch } = createMcpHandler(
    ({ authInfo }) =>
      create({
        app,
        caller: authInfo?.extra?.caller as Caller,
        tools: TOOLS,
        canAskEarlier: false,
        onError: (error) => logger?.log('error', 'mcp_tool_failed', { reason: String(error) }),
      }),
    {
      onerror: (error) => logger?.log('info', 'mcp_rejected', { reason: error.message }),
      // The tools never change.
      maxSubscriptions: 1,
    },
  )
  return (request, caller) => {
    const authInfo = { token: '', clientId: caller.keyId ?? '', scopes: [...caller.scopes] }
    return fetch(request, { authInfo: { ...authInfo, extra: { caller } } })
  }
}
