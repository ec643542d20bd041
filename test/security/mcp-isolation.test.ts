import { afterAll, describe, expect, it } from 'vitest'
import { createMcpHandler } from '../../adapters/mcp/index.ts'
import type { Scope } from '../../core/shared/account.ts'
import { ADMITTED, OTHER, REFUSED } from '../helpers/key-cells.ts'
import { postToMcp } from '../helpers/mcp.ts'
import { openTestService, type TestService } from '../helpers/service.ts'

const service = await openTestService()
const counts = { cells: 0 }
afterAll(async () => {
  console.log(
    `isolation over MCP: ${counts.cells} cells of ${Object.keys(REQUESTS).length} requests`,
  )
  await service.close()
})

const { endpoints } = await service.app.call('searchEndpoints', { q: 'weather' }, service.caller)
const [api] = endpoints
const [endpoint] = api?.matched_endpoints ?? []
const projects = await service.app.call('listScannedProjects', {}, service.caller)
const [project] = Array.isArray(projects) ? projects : [projects]
const scan_id = project?.project_id ?? ''

interface Asked {
  readonly method: 'tools/call' | 'resources/read'
  readonly name: string
  readonly params: Readonly<Record<string, unknown>>
}

const callTool = (name: string, input: Readonly<Record<string, unknown>>): Asked => ({
  method: 'tools/call',
  name,
  params: { name, arguments: input },
})

const uri = `api-discovery://apis/${api?.encrypted_id}/description`

/** A valid request to each tool and resource, with its scope. */
const REQUESTS: Readonly<Record<string, readonly [Scope, Asked]>> = {
  search_apis: ['read', callTool('search_apis', { query: 'weather' })],
  describe_endpoint: [
    'read',
    callTool('describe_endpoint', { endpoint_id: endpoint?.endpoint_id }),
  ],
  call_endpoint: [
    'call',
    callTool('call_endpoint', {
      endpoint_id: endpoint?.endpoint_id,
      values: { lat: 1, lon: 2 },
    }),
  ],
  find_usages: ['read', callTool('find_usages', { api_id: api?.encrypted_id })],
  search_vulnerabilities: ['read', callTool('search_vulnerabilities', { query: 'remote' })],
  assess_api: ['read', callTool('assess_api', { api_id: api?.encrypted_id })],
  compare_scans: ['read', callTool('compare_scans', { scan_id, before: scan_id })],
  read_description: ['read', { method: 'resources/read', name: uri, params: { uri } }],
}

/** Requests whose result depends on the account: its credentials, scans and decisions. */
const OWNED = [
  ...['describe_endpoint', 'call_endpoint', 'find_usages', 'assess_api', 'compare_scans'],
]

async function send(
  to: TestService,
  { method, name, params }: Asked,
  headers: Readonly<Record<string, string>>,
) {
  counts.cells += 1
  const protocol = {
    'x-request-id': 'cell',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    'mcp-name': name,
  }
  const response = await postToMcp(
    createMcpHandler(to.app),
    { ...protocol, ...headers },
    { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: META } },
  )
  const body = await response.text()
  expect(response.headers.get('x-request-id')).toBe('cell')
  return { status: response.status, challenge: response.headers.get('www-authenticate'), body }
}

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test-agent', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** Results without the random marks, and without the credential that the scope `call` shows. */
const toAlike = ({ status, body }: { readonly status: number; readonly body: string }) => ({
  status,
  body: body
    .replace(/third-party data [0-9a-f]{12}/g, 'third-party data')
    .replace(' The account has a credential for it, which calls use.', '')
    .replace(/"has_credential":(true|null)/, '"has_credential":…'),
})

describe.each(Object.entries(REQUESTS))('%s', (name, [scope, asked]) => {
  it('rejects all unknown keys with the same response', async () => {
    const expected = await send(service, asked, {})
    expect([expected.status, expected.challenge]).toEqual([401, 'Bearer'])
    for (const [what, toHeaders] of Object.entries(REFUSED)) {
      expect([what, await send(service, asked, toHeaders(service.keys))]).toEqual([what, expected])
    }
  })

  it(`rejects a key with all scopes but ${scope}, and lists the refusal`, async () => {
    const { status, body } = await send(service, asked, {
      'api-key': service.keys.without[scope],
    })
    const { result, error } = JSON.parse(body)
    expect([status, result?.isError ?? error?.code]).toEqual([200, result ? true : -32602])
    expect(body).toContain(`lacks the scope \\"${scope}\\"`)
    const { items } = await service.app.accounts.listRefusals(service.caller.account, {
      page: 1,
      size: 100,
    })
    const [refusal] = items.filter(({ operation }) => operation === name)
    expect(refusal).toMatchObject({ reason: 'scope' })
  })

  it(`accepts all keys with the scope ${scope}`, async () => {
    const answers: unknown[] = []
    for (const [who, toHeaders] of Object.entries(ADMITTED)) {
      if (who === OTHER && OWNED.includes(name)) continue
      const answer = await send(service, asked, toHeaders(service.keys, scope))
      expect(JSON.parse(answer.body).result?.isError, answer.body).not.toBe(true)
      answers.push(toAlike(answer))
    }
    for (const answer of answers) expect(answer).toEqual(answers[0])
  })
})

describe('Another account', () => {
  it('has no usages', async () => {
    const [, asked] = REQUESTS.find_usages as (typeof REQUESTS)[string]
    const usagesOf = async (key: string) => {
      const { body } = await send(service, asked, { 'api-key': key })
      return JSON.parse(body).result.structuredContent.usages
    }
    expect(await usagesOf(service.keys.other)).toEqual([])
    expect(await usagesOf(service.keys.all)).not.toEqual([])
  })

  it('calls without the credentials of others', async () => {
    const [, asked] = REQUESTS.call_endpoint as (typeof REQUESTS)[string]
    const own = await send(service, asked, { 'api-key': service.keys.all })
    const other = await send(service, asked, { 'api-key': service.keys.other })
    expect(own.body).toContain('appid=')
    expect(other.body).toContain('lat=1')
    expect(other.body).not.toContain('appid')
  })

  it('gets the same answer for a foreign scan as for an unknown one', async () => {
    const ask = (id: string, key: string) =>
      send(service, callTool('compare_scans', { scan_id: id, before: id }), { 'api-key': key })
    const foreign = await ask(scan_id, service.keys.other)
    const unknown = await ask('prj_nobody', service.keys.other)
    const forget = (answer: { readonly status: number; readonly body: string }) =>
      toAlike({ ...answer, body: answer.body.replaceAll(scan_id, 'prj_nobody') })
    expect(forget(foreign)).toEqual(forget(unknown))
    expect(JSON.parse(foreign.body).result).toMatchObject({ isError: true })
  })
})
