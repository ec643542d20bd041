import { describe, expect, it } from 'vitest'
import type { GatewayCall } from '../../../core/gateway/call-service.ts'
import { EgressError } from '../../../core/ports/egress.ts'
import {
  type GatewayService,
  readBody,
  toChunks,
  useGatewayService,
} from '../../helpers/gateway-service.ts'

const OWN = {
  'content-disposition': 'attachment',
  'content-security-policy': 'sandbox',
  'x-content-type-options': 'nosniff',
}

const open = useGatewayService()

function getThing(service: GatewayService, more: Partial<GatewayCall> = {}) {
  const { app, ada, key, ids } = service
  const call = { endpointId: ids.getThing ?? '', values: { id: 'a b' }, ...more }
  return app.gateway.call(call, { account: ada, keyId: key.id })
}

async function history({ app, ada }: GatewayService) {
  return (await app.gateway.listCalls(ada, { size: 100, page: 1 })).items
}

describe('call', () => {
  it('returns no location completed with a credential from its path', async () => {
    const service = await open()
    const { app, ada, egress } = service
    await app.gateway.credentials.put(ada, {
      vendor: 'Acme',
      kind: 'path',
      name: 'id',
      value: 'canary',
    })
    for (const location of ['', '?page=2', '/moved']) {
      egress.answer = () => ({ status: 302, headers: [['location', location]] })
      const { headers } = await getThing(service, { values: {} })
      expect(headers.location).toBe(location)
    }
    expect(egress.sent.map(({ url }) => url)).toEqual(
      Array.from({ length: 3 }, () => 'https://api.acme.example/things/canary'),
    )
  })

  it('forwards the response preferences of the caller, and no other request headers', async () => {
    const service = await open()
    const headers: Readonly<Record<string, string>> = {
      'accept-language': 'et',
      'if-none-match': '"1"',
      'api-key': service.key.text,
      cookie: 'a=b',
    }
    await getThing(service, { accept: 'text/plain', header: (name) => headers[name] })
    expect(service.egress.sent).toEqual([
      {
        method: 'GET',
        url: 'https://api.acme.example/things/a%20b',
        headers: [
          ['accept', 'text/plain'],
          ['accept-encoding', 'identity'],
          ['user-agent', 'api-discovery/0.1.0'],
          ['accept-language', 'et'],
          ['if-none-match', '"1"'],
        ],
        body: undefined,
        signal: undefined,
      },
    ])
  })

  it('returns status, listed headers and bytes unchanged, and records the size', async () => {
    const service = await open()
    service.egress.answer = () => ({
      status: 404,
      headers: [
        ['content-type', 'text/html'],
        ['set-cookie', 'a=b'],
        ['gateway-error', 'internal'],
      ],
      body: '<h1>There is no such thing</h1>',
    })
    const answer = await getThing(service)
    expect({ ...answer, body: await readBody(answer.body) }).toEqual({
      status: 404,
      headers: { ...OWN, 'content-type': 'text/html' },
      body: '<h1>There is no such thing</h1>',
    })
    expect(await history(service)).toEqual([
      {
        keyId: service.key.id,
        source: 'key',
        client: '',
        endpointId: 1,
        endpoint: service.ids.getThing,
        apiId: 1,
        method: 'GET',
        origin: 'https://api.acme.example',
        startedAt: service.clock(),
        status: 404,
        failure: '',
        bytes: 31,
        ms: 0,
      },
    ])
  })

  it('passes a body through unwrapped if the egress reports how it ended', async () => {
    const service = await open()
    const body = toChunks('hello')
    const { egress } = service
    const { send } = egress
    egress.answer = () => ({ body })
    let tell: ((end: { bytes: number; failure: undefined }) => void) | undefined
    egress.send = async (request) => ({
      ...(await send(request)),
      onEnd: (listener) => {
        tell = listener
      },
    })
    expect((await getThing(service)).body).toBe(body)
    expect(await history(service)).toEqual([])
    tell?.({ bytes: 5, failure: undefined })
    tell?.({ bytes: 9, failure: undefined })
    expect((await history(service)).map(({ bytes }) => bytes)).toEqual([5])
  })

  it.each([204, 205, 304])('returns %i without a body', async (status) => {
    const service = await open()
    service.egress.answer = () => ({
      status,
      headers: [
        ['content-length', '3'],
        ['etag', '"2"'],
      ],
      body: 'abc',
    })
    expect(await getThing(service)).toEqual({
      status,
      headers: { ...OWN, etag: '"2"' },
      body: undefined,
    })
    expect(service.egress.discarded).toEqual(['https://api.acme.example/things/a%20b'])
  })

  it('is rejected with all validation errors, and not sent', async () => {
    const service = await open()
    await expect(getThing(service, { values: { other: 1 } })).rejects.toMatchObject({
      code: 'invalid_input',
      issues: [{ name: 'other' }, { name: 'id' }],
    })
    expect(service.egress.sent).toEqual([])
    expect(
      (await history(service)).map(({ status, failure, origin }) => [status, failure, origin]),
    ).toEqual([[400, 'invalid_input', '']])
  })

  it('is rejected for an unknown endpoint', async () => {
    const service = await open()
    await expect(getThing(service, { endpointId: 'aaaaaaa' })).rejects.toMatchObject({
      code: 'not_found',
      message: 'Endpoint "aaaaaaa" not found',
    })
    expect(await history(service)).toEqual([])
  })

  it('is retried once if the target does not respond, fails, and is recorded', async () => {
    const service = await open()
    service.egress.answer = () => {
      throw new EgressError('connect_failed', 'Cannot reach the target', { isUnsent: true })
    }
    await expect(getThing(service)).rejects.toMatchObject({ code: 'target_unreachable' })
    expect(service.egress.sent.length).toBe(2)
    expect(
      (await history(service)).map(({ status, failure, origin }) => [status, failure, origin]),
    ).toEqual([[502, 'target_unreachable', 'https://api.acme.example']])
  })

  it('reports an incomplete body to its reader, and is recorded with the received bytes', async () => {
    const service = await open()
    async function* breakOff() {
      yield new Uint8Array(10)
      throw new EgressError('malformed_answer', 'The answer broke off')
    }
    service.egress.answer = () => ({ body: breakOff() })
    const { body } = await getThing(service)
    await expect(readBody(body)).rejects.toThrow('The answer broke off')
    expect(
      (await history(service)).map(({ status, failure, bytes }) => [status, failure, bytes]),
    ).toEqual([[200, 'target_failed', 10]])
  })

  it('is recorded as caller_too_slow, not as a failure of the target, if the caller reads too slowly', async () => {
    const service = await open({ app: { gatewayLimits: { failures: 1 } } })
    async function* stop() {
      yield new Uint8Array(10)
      throw new EgressError('reader_too_slow', 'Not read in time')
    }
    service.egress.answer = () => ({ body: stop() })
    for (const _ of [1, 2]) {
      const { body } = await getThing(service)
      await expect(readBody(body)).rejects.toThrow('Not read in time')
    }
    expect((await history(service)).map(({ failure }) => failure)).toEqual([
      'caller_too_slow',
      'caller_too_slow',
    ])
  })

  it('is recorded as aborted if the caller leaves during the body', async () => {
    const service = await open()
    service.egress.answer = () => ({ body: 'a long story' })
    const { body } = await getThing(service)
    for await (const _ of body as AsyncIterable<Uint8Array>) break
    expect((await history(service)).map(({ failure, bytes }) => [failure, bytes])).toEqual([
      ['aborted', 7],
    ])
  })

  it('is recorded as aborted if the caller leaves before the response', async () => {
    const service = await open()
    const controller = new AbortController()
    service.egress.answer = () => {
      controller.abort()
      throw controller.signal.reason
    }
    await expect(getThing(service, { signal: controller.signal })).rejects.toMatchObject({
      code: 'target_failed',
    })
    expect((await history(service)).map(({ status, failure }) => [status, failure])).toEqual([
      [0, 'aborted'],
    ])
  })

  it('is not sent to a target that fails repeatedly', async () => {
    const service = await open({ app: { gatewayLimits: { failures: 2 } } })
    service.egress.answer = () => {
      throw new EgressError('first_byte_timeout', 'The target took too long')
    }
    for (const code of ['target_timeout', 'target_timeout', 'target_unavailable']) {
      await expect(getThing(service)).rejects.toMatchObject({ code })
    }
    expect(service.egress.sent.length).toBe(2)
  })

  it('releases its slot when its body has ended, regardless of how', async () => {
    const service = await open({ app: { gatewayLimits: { perOrigin: 1 } } })
    for (const _ of [1, 2, 3]) {
      service.egress.answer = () => ({ body: 'a long story' })
      const { body } = await getThing(service)
      await expect(getThing(service)).rejects.toMatchObject({ code: 'overloaded' })
      await (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]().return?.()
      service.egress.answer = () => {
        throw new EgressError('malformed_answer', 'No HTTP')
      }
      await expect(getThing(service)).rejects.toMatchObject({ code: 'target_failed' })
    }
  })

  it('is not possible without an egress, except as a dry run', async () => {
    const service = await open()
    const { createApiDiscovery } = await import('../../../core/app.ts')
    const { storage, clock, ada, ids } = service
    const app = createApiDiscovery({ storage, clock })
    const call = { endpointId: ids.getThing ?? '', values: { id: '1' } }
    await expect(app.gateway.call(call, { account: ada })).rejects.toMatchObject({
      code: 'not_implemented',
      message: expect.stringContaining('egress'),
    })
    expect((await app.gateway.call({ ...call, isDryRun: true }, { account: ada })).status).toBe(200)
  })
})

describe('dry run', () => {
  it('returns the request and a curl command with masked secrets, without sending or recording', async () => {
    const service = await open()
    const { app, ada } = service
    await app.gateway.credentials.put(ada, {
      apiId: '1',
      kind: 'header',
      name: 'X-Key',
      value: 'canary',
    })
    const { status, headers, body } = await getThing(service, { isDryRun: true })
    const shown = JSON.parse(await readBody(body))
    expect([status, headers]).toEqual([200, { 'content-type': 'application/json' }])
    expect(shown.request).toMatchObject({
      method: 'GET',
      url: 'https://api.acme.example/things/a%20b',
      body: null,
    })
    expect(shown.request.headers['x-key']).toBeTypeOf('string')
    expect(shown.curl).toContain('curl ')
    expect(JSON.stringify(shown)).not.toContain('canary')
    expect(service.egress.sent).toEqual([])
    expect(await history(service)).toEqual([])
  })

  it('explains why the egress would refuse it, if known', async () => {
    const service = await open()
    const asked: string[] = []
    service.egress.check = (url) => {
      asked.push(url)
      return new EgressError('refused_url', 'Cannot call it: so it is')
    }
    const { status, body } = await getThing(service, { isDryRun: true })
    const { would_be_refused } = JSON.parse(await readBody(body))
    expect([status, would_be_refused]).toEqual([200, 'Cannot call it: so it is'])
    expect(asked).toEqual(['https://api.acme.example/things/a%20b'])
    service.egress.check = () => undefined
    const allowed = JSON.parse(await readBody((await getThing(service, { isDryRun: true })).body))
    expect(Object.keys(allowed)).toEqual(['request', 'curl'])
  })
})
