import { afterAll, describe, expect, it } from 'vitest'
import { createMcpHandler } from '../../../adapters/mcp/index.ts'
import { CLIENTS, callTool } from '../../helpers/mcp.ts'
import { listApis, TASKS, TOOL_NAMES } from '../../helpers/mcp-tasks.ts'
import { openTestService } from '../../helpers/service.ts'

const service = await openTestService()
const mcp = createMcpHandler(service.app)
afterAll(() => service.close())

it('has these tools', async () => {
  const client = await (CLIENTS['2026-07-28'] as (typeof CLIENTS)[string])({
    mcp,
    key: service.keys.all,
  })
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(TOOL_NAMES)
  await client.close()
})

describe.each(Object.entries(CLIENTS))('A client of %s', (version, connect) => {
  it.each(Object.entries(TASKS))('%s', async (_, run) => {
    const client = await connect({ mcp, key: service.keys.all })
    await run(client)
    await client.close()
  })

  it('describes tools of MCP servers, and does not call them', async () => {
    const url = 'https://mcp.harbour-berths.org/mcp'
    const inputSchema = { type: 'object', properties: { berth: { type: 'string' } } }
    const card = {
      name: 'org.harbour-berths/berths',
      version: '1.0.0',
      remotes: [{ type: 'streamable-http', url }],
      tools: [{ name: 'reserve_berth', description: 'Reserves a berth.', inputSchema }],
    }
    await service.app.imports.importDescription({
      bytes: new TextEncoder().encode(JSON.stringify(card)),
      createVendor: true,
      isPublic: true,
    })
    const client = await connect({ mcp, key: service.keys.all })
    const found = await callTool(client, 'search_apis', { query: 'reserve berth' })
    const [api] = listApis(found)
    expect(api).toMatchObject({ kind: 'mcp', name: 'org.harbour-berths/berths' })
    expect(found.text).toContain('org.harbour-berths/berths (harbour-berths.org, ')
    expect(found.text).toContain(', MCP server), api_id')
    const tool = { endpoint_id: api?.endpoints[0]?.endpoint_id }
    const described = await callTool(client, 'describe_endpoint', tool)
    expect(described.structuredContent).toMatchObject({
      kind: 'mcp',
      url: `${url}#reserve_berth`,
      servers: [url],
    })
    expect(described.text).toContain(
      `It belongs to an MCP server. Connect an MCP client to ${url}.`,
    )
    const called = await callTool(client, 'call_endpoint', { ...tool, values: { berth: '7' } })
    expect(called.isError).toBe(true)
    expect(called.text).toContain(
      `Cannot call endpoint "${tool.endpoint_id}": it belongs to an MCP server. Connect an MCP client to ${url}`,
    )
    await client.close()
  })

  it('is named in the history', async () => {
    const client = await connect({ mcp, key: service.keys.all })
    const found = await callTool(client, 'search_apis', { query: 'weather forecast' })
    const [api] = listApis(found)
    await callTool(client, 'call_endpoint', {
      endpoint_id: api?.endpoints[0]?.endpoint_id,
      values: { lat: 1, lon: 2 },
    })
    await client.close()
    await service.app.gateway.flush()
    const { calls } = await service.app.call('listCalls', { size: 1 }, service.caller)
    expect(calls).toMatchObject([{ caller: 'agent' }])
    // Clients of earlier versions send their name in another request than the call.
    expect(calls[0]?.client).toBe(version === '2026-07-28' ? 'test-agent 1.2.3' : 'agent-host/7')
  })
})

describe('A call that changes something', () => {
  const find = async (client: Parameters<typeof callTool>[0]) => {
    const found = await callTool(client, 'search_apis', { query: 'send a text message' })
    const apis = listApis(found)
    const post = apis.flatMap(({ endpoints }) => endpoints).find(({ method }) => method === 'POST')
    return { endpoint_id: post?.endpoint_id, values: { to: '+41790000000', text: 'Hello' } }
  }
  const connect = CLIENTS['2026-07-28'] as (typeof CLIENTS)[string]

  it('is sent after the user has confirmed it', async () => {
    const asked: string[] = []
    const answer = (message: string) => {
      asked.push(message)
      return 'accept' as const
    }
    const client = await connect({ mcp, key: service.keys.all, answer })
    const sent = await callTool(client, 'call_endpoint', await find(client))
    expect(sent.structuredContent).toMatchObject({ is_sent: true, method: 'POST' })
    expect(asked).toHaveLength(1)
    expect(asked[0]).toMatch(/POST https:\/\/.*%2B41790000000/s)
    await client.close()
  })

  it('is not sent if the user declines, or cannot be asked', async () => {
    const declining = await connect({ mcp, key: service.keys.all, answer: () => 'decline' })
    const declined = await callTool(declining, 'call_endpoint', await find(declining))
    expect(declined.structuredContent).toMatchObject({ is_sent: false, status: null })
    expect(declined.text).toContain('the user did not confirm it')
    await declining.close()
    for (const version of Object.values(CLIENTS)) {
      const silent = await version({ mcp, key: service.keys.all })
      const refused = await callTool(silent, 'call_endpoint', await find(silent))
      expect(refused.structuredContent).toMatchObject({ is_sent: false })
      expect(refused.text).toContain('gateway policies set')
      await silent.close()
    }
  })

  it('is sent at once if the policy of the key permits its method', async () => {
    const { account } = service.caller
    const { key, record } = await service.app.accounts.createKey({
      account,
      name: 'agent',
      scopes: ['read', 'call'],
    })
    await service.app.gateway.policies.put(account, { keyId: record.id, methods: ['GET', 'POST'] })
    const client = await connect({ mcp, key })
    const sent = await callTool(client, 'call_endpoint', await find(client))
    expect(sent.structuredContent).toMatchObject({ is_sent: true, method: 'POST' })
    await client.close()
  })
})

describe('What an agent must not conclude', () => {
  const connect = CLIENTS['2026-07-28'] as (typeof CLIENTS)[string]

  it('that a package is safe if no CVE records are loaded', async () => {
    const empty = await openTestService({ isEmpty: true })
    const client = await connect({ mcp: createMcpHandler(empty.app), key: empty.keys.all })
    const found = await callTool(client, 'search_vulnerabilities', {
      query: 'lodash',
      package: 'pkg:npm/lodash@4.17.15',
    })
    expect(found.text).toMatch(/^No CVE records are loaded, so that nothing is known/)
    await client.close()
    await empty.close()
  })

  it('how a member is called from an operation', async () => {
    const client = await connect({ mcp, key: service.keys.all })
    const refused = await callTool(client, 'search_vulnerabilities', {
      query: 'x',
      package: 'lodash',
    })
    expect(refused).toMatchObject({ isError: true })
    expect(refused.text).toMatch(/^Some values are invalid\. Correct the values by the schema/)
    expect(refused.text).toContain('\npackage ')
    expect(refused.text).not.toContain('purl ')
    await client.close()
  })

  it('that a value has no bounds, or that no credential is needed', async () => {
    const client = await connect({ mcp, key: service.keys.other })
    const found = await callTool(client, 'search_apis', { query: 'weather forecast' })
    const [api] = listApis(found)
    const described = await callTool(client, 'describe_endpoint', {
      endpoint_id: api?.endpoints.find(({ method }) => method === 'GET')?.endpoint_id,
    })
    expect(described.text).toContain(`"api-discovery gateway credentials set --api ${api?.api_id}"`)
    expect(described.text).toMatch(/days \(query; integer; minimum 1, maximum 14/)
    await client.close()
  })
})
