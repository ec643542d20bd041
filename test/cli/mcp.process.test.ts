import { writeFile } from 'node:fs/promises'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeFolder, type TestFolder } from '../helpers/folder.ts'
import { callTool, type TestClient } from '../helpers/mcp.ts'
import { RUNTIME } from '../helpers/script.ts'

const MAIN = fileURLToPath(new URL('../../adapters/cli/main.ts', import.meta.url))
const INFO = { name: 'test-agent', version: '1.2.3' }

let folder: TestFolder

beforeAll(async () => {
  folder = await makeFolder()
  await writeFile(
    folder.pathOf('pay.js'),
    "await fetch('https://api.stripe.com/v1/charges', { method: 'POST' })\n",
  )
})

afterAll(() => folder.remove())

function launch() {
  const words = [MAIN, 'mcp', '--database', `sqlite:${folder.pathOf('mcp.db')}`]
  return {
    command: RUNTIME,
    args: RUNTIME === 'deno' ? ['run', '-A', ...words] : words,
    env: { ...process.env } as Record<string, string>,
    stderr: 'ignore' as const,
  }
}

const CLIENTS: Readonly<Record<string, () => Promise<TestClient>>> = {
  async '2026-07-28'() {
    const client = new Client(INFO, { versionNegotiation: { mode: 'auto' } })
    await client.connect(new StdioClientTransport(launch()))
    return client as unknown as TestClient
  },
  async '2025-11-25'() {
    const client = new EarlierClient(INFO)
    await client.connect(new EarlierTransport(launch()))
    return client as unknown as TestClient
  },
}

describe.each(Object.entries(CLIENTS))('The command mcp, for a client of %s', (_, connect) => {
  it('serves all tools and scans folders', async () => {
    const client = await connect()
    const { tools } = await client.listTools()
    expect(tools).toHaveLength(8)
    const found = await callTool(client, 'scan_project', { folder: folder.pathOf('.') })
    expect(found.structuredContent).toMatchObject({
      num_services: 1,
      services: [{ name: 'Stripe', hosts: ['api.stripe.com'], location: 'pay.js:1' }],
    })
    const missing = await callTool(client, 'scan_project', { folder: folder.pathOf('none') })
    expect(missing).toMatchObject({
      isError: true,
      text: expect.stringContaining('no such folder'),
    })
    await client.close()
  })
})
