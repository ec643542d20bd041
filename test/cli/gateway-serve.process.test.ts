import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeFolder, type TestFolder } from '../helpers/folder.ts'
import { type MirrorTarget, startMirrorTarget } from '../helpers/mirror-target.ts'
import { type RunningScript, startScript } from '../helpers/script.ts'

const MAIN = fileURLToPath(new URL('../../adapters/cli/main.ts', import.meta.url))

let folder: TestFolder
let target: MirrorTarget
let server: RunningScript
let line: Readonly<Record<string, unknown>>

beforeAll(async () => {
  folder = await makeFolder()
  target = await startMirrorTarget()
  // Allows every port, including the server's own.
  server = await startScript([MAIN, 'serve', '--seed', '--print-setup', '--json', '--port', '0'], {
    cwd: folder.pathOf('.'),
    environment: { API_DISCOVERY_EGRESS_ALLOW: ' 127.0.0.1 , , localhost' },
  })
  line = JSON.parse(server.output())
})

afterAll(async () => {
  await server.end()
  await target.close()
  await folder.remove()
})

function fetchWithKey(path: string, init: RequestInit = {}) {
  const headers = { 'api-key': String(line.api_key), ...init.headers }
  return fetch(`${line.base_url}${path}`, { ...init, headers })
}

/** Imports an API at an address and calls its only endpoint. */
async function callAt(title: string, address: string): Promise<Response> {
  const description = {
    openapi: '3.0.3',
    info: { title, version: '1.0.0' },
    servers: [{ url: `http://${address}` }],
    paths: { '/healthz': { get: { responses: { 200: { description: 'Done' } } } } },
  }
  const headers = { vendor: 'Skycast', category: 'Environment & Weather' }
  const body = JSON.stringify(description)
  const uploaded = await fetchWithKey('/benchmark/upload_swagger', {
    method: 'POST',
    headers,
    body,
  })
  expect([uploaded.status, await uploaded.text()]).toEqual([200, expect.any(String)])
  const found = await fetchWithKey(`/endpoint_search?q=${encodeURIComponent(`${title} healthz`)}`)
  const { endpoints } = (await found.json()) as {
    readonly endpoints: readonly {
      readonly name: string
      readonly matched_endpoints: readonly { readonly endpoint_id: string }[]
    }[]
  }
  const id = endpoints.find(({ name }) => name === title)?.matched_endpoints[0]?.endpoint_id
  return fetchWithKey(`/gateway?endpoint_id=${id}`, { method: 'POST' })
}

describe('serve', () => {
  it('prints the allowed non-public addresses to the operator', () => {
    expect(line.egress_allow).toEqual(['127.0.0.1', 'localhost'])
  })

  it('calls allowed addresses', async () => {
    const answer = await callAt('Mirror', target.address)
    expect([answer.status, await answer.json()]).toEqual([
      200,
      expect.objectContaining({ method: 'GET', target: '/healthz' }),
    ])
  })

  it.each(['127.0.0.1', 'localhost'])('never calls itself as %s', async (name) => {
    const { port } = new URL(String(line.url))
    const answer = await callAt(`Itself as ${name}`, `${name}:${port}`)
    expect([answer.status, answer.headers.get('gateway-error')]).toEqual([403, 'address_refused'])
    expect(await answer.text()).not.toContain('--egress-allow')
  })

  it("names the operator's option in the refusal of an internal address", async () => {
    const answer = await callAt('Internal', '10.11.12.13:8080')
    expect([answer.status, await answer.json()]).toEqual([
      403,
      expect.objectContaining({
        code: 'address_refused',
        detail:
          'Cannot call 10.11.12.13:8080: its address is not allowed; an operator can allow it with --egress-allow 10.11.12.13:8080',
      }),
    ])
  })

  it('does not reveal allowed addresses over HTTP', async () => {
    for (const path of ['/openapi.json', '/gateway/policies', '/gateway/credentials']) {
      expect(await (await fetchWithKey(path)).text()).not.toMatch(/127\.0\.0\.1|localhost/)
    }
    const metrics = await fetch(`${line.url}/metrics`, {
      headers: { 'api-key': String(line.api_key) },
    })
    expect([metrics.status, await metrics.text()]).toEqual([
      200,
      expect.not.stringContaining('127.0'),
    ])
  })
})
