import { expect } from 'vitest'
import { callTool, type TestClient, type ToolResult } from './mcp.ts'

/** Names of the tools that every server has. */
export const TOOL_NAMES = [
  ...['search_apis', 'describe_endpoint', 'call_endpoint', 'find_usages'],
  ...['search_vulnerabilities', 'assess_api', 'compare_scans'],
]

interface FoundApi {
  readonly api_id: string
  readonly name: string
  readonly endpoints: readonly { readonly endpoint_id: string; readonly method: string }[]
}

/** Lists the APIs of a result of `search_apis`. */
export const listApis = ({ structuredContent }: ToolResult) =>
  (structuredContent?.apis ?? []) as readonly FoundApi[]

async function findWeather(client: TestClient) {
  const found = await callTool(client, 'search_apis', { query: 'weather forecast' })
  const [api] = listApis(found)
  return { found, apiId: api?.api_id, endpointId: api?.endpoints[0]?.endpoint_id, name: api?.name }
}

/** Ten tasks that an agent does with the example catalogue, with any client. */
export const TASKS: Readonly<Record<string, (client: TestClient) => Promise<void>>> = {
  async 'lists the tools'(client) {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(TOOL_NAMES))
  },
  async 'finds an API by what it does'(client) {
    const { found, name, endpointId } = await findWeather(client)
    expect(name).toBe('Skycast Weather')
    expect(found.text).toContain(endpointId)
  },
  async 'describes an endpoint'(client) {
    const { endpointId } = await findWeather(client)
    const described = await callTool(client, 'describe_endpoint', { endpoint_id: endpointId })
    expect(described.structuredContent).toMatchObject({
      api: 'Skycast Weather',
      method: 'GET',
      auth_types: ['query'],
    })
    expect(described.text).toContain('lat (query; number; required')
    expect(described.text).toContain('Authentication: query appid')
  },
  async 'calls an endpoint'(client) {
    const { endpointId } = await findWeather(client)
    const values = { lat: 46.95, lon: 7.45 }
    const called = await callTool(client, 'call_endpoint', { endpoint_id: endpointId, values })
    expect(called.structuredContent).toMatchObject({ is_sent: true, method: 'GET' })
    expect(called.text).toContain('lat=46.95')
  },
  async 'assesses an API'(client) {
    const { apiId } = await findWeather(client)
    const assessed = await callTool(client, 'assess_api', { api_id: apiId })
    expect(assessed.text).toMatch(/^\d+ blockers, \d+ risks, \d+ strengths/)
  },
  async 'finds where an API is used'(client) {
    const { apiId } = await findWeather(client)
    const used = await callTool(client, 'find_usages', { api_id: apiId })
    expect(used.structuredContent?.api).toBe('Skycast Weather')
    expect(used.structuredContent?.usages).not.toEqual([])
  },
  async 'compares scans'(client) {
    const { apiId } = await findWeather(client)
    const used = await callTool(client, 'find_usages', { api_id: apiId })
    const [usage] = (used.structuredContent?.usages ?? []) as readonly {
      readonly scan_id: string
    }[]
    const scan = { scan_id: usage?.scan_id, before: usage?.scan_id }
    const compared = await callTool(client, 'compare_scans', scan)
    expect(compared.structuredContent).toMatchObject({ num_changes: 0, next_page: null })
  },
  async 'finds a vulnerability'(client) {
    const cves = await callTool(client, 'search_vulnerabilities', { query: 'CVE-2021-44228' })
    expect(cves.structuredContent).toMatchObject({
      total: 1,
      vulnerabilities: [{ cve_id: 'CVE-2021-44228', is_exploited: true }],
    })
  },
  async 'reads the description of an API'(client) {
    const { apiId } = await findWeather(client)
    const uri = `api-discovery://apis/${apiId}/description`
    expect(JSON.stringify(await client.readResource({ uri }))).toContain('Skycast Weather')
  },
  async 'learns what is wrong, and what to do next'(client) {
    const unknown = await callTool(client, 'describe_endpoint', { endpoint_id: 'aaaaaaa' })
    expect(unknown).toMatchObject({ isError: true })
    expect(unknown.text).toMatch(/not found.*Search again/)
    const { endpointId } = await findWeather(client)
    const invalid = await callTool(client, 'call_endpoint', { endpoint_id: endpointId })
    expect(invalid.text).toMatch(
      /^Some values are invalid\. Correct the values.*lat is required\nlon is required\n/s,
    )
    const none = await callTool(client, 'search_apis', { query: 'zzqqxx' })
    expect(none.text).toMatch(/^No API found for "zzqqxx"/)
  },
}
