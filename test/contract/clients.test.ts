import { Buffer } from 'node:buffer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serve } from '../../adapters/runtime/serve.ts'
import type { RunningServer } from '../../adapters/runtime/server.ts'
import { readRecordedRequests } from '../helpers/clients/recorded.ts'
import { rawRequest } from '../helpers/raw-http.ts'
import { openTestService, type TestService } from '../helpers/service.ts'

const requests = await readRecordedRequests()
const listeners = 'Bun' in globalThis || 'Deno' in globalThis ? ['node', 'native'] : ['node']

describe.each(listeners)('uploads of real clients, %s listener', (listener) => {
  let service: TestService
  let server: RunningServer
  let found: string
  beforeAll(async () => {
    service = await openTestService()
    server = await serve(service.app.handle, {
      port: 0,
      listener: listener === 'native' ? 'native' : 'node',
    })
  })
  afterAll(async () => {
    await server.close(0)
    await service.close()
  })

  async function readCatalogue(): Promise<string> {
    const headers = { 'api-key': service.keys.all }
    const targets = [
      '/api/endpoint_search?q=loaf',
      '/api/endpoint_parameter?endpoint_id=15',
      '/api/endpoint_parameter?endpoint_id=16',
      '/api/agreements/name?api_name=Loaf%20Shop',
    ]
    const answers = targets.map(async (target) =>
      (await service.app.fetch(new Request(`http://service.test${target}`, { headers }))).text(),
    )
    return (await Promise.all(answers)).join('\n')
  }

  it('has recordings of every client', () => {
    const clients = new Set(requests.map(({ name }) => name.slice(0, name.indexOf('-'))))
    expect([...clients]).toEqual(['bun', 'curl', 'deno', 'node', 'requests'])
  })

  it.each(requests.map((request, index) => [request.name, request, index] as const))(
    'imports the upload of %s like all others',
    async (_, request, index) => {
      const { host } = new URL(server.url)
      const bytes = request.toBytes({ host, apiKey: service.keys.all })
      const { status, headers, body } = await rawRequest(server.url, bytes)
      expect([status, headers['content-type']]).toEqual([200, 'application/json'])
      const isFirst = index === 0
      expect(JSON.parse(Buffer.from(body, 'latin1').toString())).toEqual({
        info: '',
        result: 'Success',
        api_id: 'URC3EORcBHvndTHCXW',
        report: {
          operations: 2,
          webhooks: 0,
          callbacks: 0,
          parameters: 1,
          added: isFirst ? 2 : 0,
          changed: 0,
          removed: 0,
          unchanged: isFirst ? 0 : 2,
          skipped: 0,
          warnings: [],
        },
      })
      const catalogue = await readCatalogue()
      if (isFirst) found = catalogue
      expect(catalogue).toBe(found)
      expect(catalogue).toContain('Bestellt Brote & Brötchen: 100 % = alle.')
      expect(catalogue).toContain('Ösel Bäckerei')
    },
  )
})
