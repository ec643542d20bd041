/** What a catalogued API is: an HTTP API, a server of the Model Context Protocol, an A2A agent. */
export const API_KINDS = ['http', 'mcp', 'a2a'] as const

export type ApiKind = (typeof API_KINDS)[number]

/**
 * Returns the name of a kind for display.
 *
 * @example
 * ```ts
 * import { formatApiKind } from 'api-discovery/catalogue'
 *
 * formatApiKind('mcp') // 'MCP server'
 * ```
 */
export function formatApiKind(kind: ApiKind): string {
  return { http: 'HTTP API', mcp: 'MCP server', a2a: 'A2A agent' }[kind]
}

/**
 * Returns what to do instead of a call through the gateway, for an MCP server or an A2A agent. Omits
 * a relative address, and one with spaces, as it might be a sentence that misleads agents.
 *
 * @example
 * ```ts
 * import { adviseClient } from 'api-discovery/catalogue'
 *
 * const servers = [{ url: 'https://mcp.skycast.example/mcp' }]
 * adviseClient({ kind: 'mcp', servers }) // 'Connect an MCP client to https://mcp.skycast.example/mcp'
 * ```
 */
export function adviseClient(api: {
  readonly kind: ApiKind
  readonly servers: readonly { readonly url: string }[]
}): string {
  const protocol = api.kind === 'mcp' ? 'MCP' : 'A2A'
  const [server] = api.servers
  if (!server) return `Its description names no address: run its package with an ${protocol} client`
  const isPlain = /^https?:\/\/[!-~]{1,300}$/.test(server.url)
  return `Connect an ${protocol} client to ${isPlain ? server.url : 'its server'}`
}
