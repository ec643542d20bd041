import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { Client as OldestClient } from 'modelcontextprotocol-sdk-1.17/client/index.js'
import { StreamableHTTPClientTransport as OldestTransport } from 'modelcontextprotocol-sdk-1.17/client/streamableHttp.js'
import type { McpHandler } from '../../adapters/mcp/index.ts'

/** Result of a tool as the tests read it. */
export interface ToolResult {
  readonly content: readonly { readonly type: string; readonly text?: string }[]
  readonly structuredContent?: Readonly<Record<string, unknown>>
  readonly isError?: boolean
}

/** What the tests use of the official clients. */
export interface TestClient {
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>
  callTool(call: {
    readonly name: string
    readonly arguments: Readonly<Record<string, unknown>>
  }): Promise<unknown>
  readResource(request: { readonly uri: string }): Promise<unknown>
  close(): Promise<void>
}

/** How a client is connected. */
export interface ClientOptions {
  readonly mcp: Pick<McpHandler, 'fetch'>
  readonly key: string
  /** Answers questions to the user; without it, the client cannot ask. */
  readonly answer?: (message: string) => 'accept' | 'decline'
}

const URL_OF_MCP = new URL('http://127.0.0.1:8080/mcp')
const INFO = { name: 'test-agent', version: '1.2.3' }

/** Connects the newest official client, and the newest ones of two earlier protocol versions. */
export const CLIENTS: Readonly<Record<string, (options: ClientOptions) => Promise<TestClient>>> = {
  async '2026-07-28'(options) {
    const { answer } = options
    const client = new Client(INFO, {
      capabilities: answer ? { elicitation: { form: {} } } : {},
      versionNegotiation: { mode: 'auto' },
    })
    if (answer) {
      client.setRequestHandler('elicitation/create', (request) => {
        const action = answer((request.params as { readonly message: string }).message)
        return action === 'accept' ? { action, content: { confirm: true } } : { action }
      })
    }
    await client.connect(new StreamableHTTPClientTransport(URL_OF_MCP, toTransport(options)))
    return client as unknown as TestClient
  },
  async '2025-11-25'(options) {
    const client = new EarlierClient(INFO)
    await client.connect(new EarlierTransport(URL_OF_MCP, toTransport(options)) as never)
    return client as unknown as TestClient
  },
  async '2025-06-18'(options) {
    const client = new OldestClient(INFO)
    await client.connect(new OldestTransport(URL_OF_MCP, toTransport(options)) as never)
    return client as unknown as TestClient
  },
}

function toTransport({ mcp, key }: ClientOptions) {
  return {
    fetch: async (input: string | URL | Request, init?: RequestInit) =>
      mcp.fetch(new Request(input as string, init)),
    requestInit: { headers: { authorization: `Bearer ${key}`, 'user-agent': 'agent-host/7' } },
  }
}

/** Calls a tool and returns its result with the joined text. */
export async function callTool(
  client: TestClient,
  name: string,
  input: Readonly<Record<string, unknown>> = {},
): Promise<ToolResult & { readonly text: string }> {
  const result = (await client.callTool({ name, arguments: input })) as ToolResult
  return { ...result, text: result.content.map(({ text = '' }) => text).join('\n') }
}
