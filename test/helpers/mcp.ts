import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as EarlierStdio } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { Client as OldestClient } from 'modelcontextprotocol-sdk-1.17/client/index.js'
import { StdioClientTransport as OldestStdio } from 'modelcontextprotocol-sdk-1.17/client/stdio.js'
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
  /** Endpoint in this process; without it, the address of a server is needed. */
  readonly mcp?: Pick<McpHandler, 'fetch'>
  readonly url?: string
  readonly key?: string
  /** Answers questions to the user; without it, the client cannot ask. */
  readonly answer?: (message: string) => 'accept' | 'decline'
}

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
    await client.connect(new StreamableHTTPClientTransport(...toTransport(options)))
    return client as unknown as TestClient
  },
  async '2025-11-25'(options) {
    const client = new EarlierClient(INFO)
    await client.connect(new EarlierTransport(...toTransport(options)) as never)
    return client as unknown as TestClient
  },
  async '2025-06-18'(options) {
    const client = new OldestClient(INFO)
    await client.connect(new OldestTransport(...toTransport(options)) as never)
    return client as unknown as TestClient
  },
}

function toTransport({ mcp, url = 'http://127.0.0.1:8080', key }: ClientOptions) {
  const headers = {
    'user-agent': 'agent-host/7',
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
  }
  const fetchHere = async (input: string | URL | Request, init?: RequestInit) =>
    mcp?.fetch(new Request(input as string, init)) as Promise<Response>
  const options = { requestInit: { headers }, ...(mcp && { fetch: fetchHere }) }
  return [new URL(`${url}/mcp`), options] as const
}

/** How a process that serves agents over standard input is started. */
export interface Launch {
  readonly command: string
  readonly args: string[]
  readonly env: Record<string, string>
  readonly stderr: 'ignore'
}

/** Connects the same clients over standard input. */
export const STDIO_CLIENTS: Readonly<Record<string, (launch: Launch) => Promise<TestClient>>> = {
  async '2026-07-28'(launch) {
    const client = new Client(INFO, { versionNegotiation: { mode: 'auto' } })
    await client.connect(new StdioClientTransport(launch))
    return client as unknown as TestClient
  },
  async '2025-11-25'(launch) {
    const client = new EarlierClient(INFO)
    await client.connect(new EarlierStdio(launch) as never)
    return client as unknown as TestClient
  },
  async '2025-06-18'(launch) {
    const client = new OldestClient(INFO)
    await client.connect(new OldestStdio(launch) as never)
    return client as unknown as TestClient
  },
}

/** Posts a body to the endpoint as a client of this machine does. */
export function postToMcp(
  mcp: Pick<McpHandler, 'fetch'>,
  headers: Readonly<Record<string, string>>,
  body: unknown,
): Promise<Response> {
  const request = new Request('http://127.0.0.1:8080/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      host: '127.0.0.1:8080',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return Promise.resolve(mcp.fetch(request))
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
