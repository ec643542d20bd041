import { describe, expect, it } from 'vitest'
import { serve } from '../../adapters/runtime/serve.ts'
import type { ApiDiscovery } from '../../core/api-discovery.ts'
import { ClientError, createClient } from '../../core/client.ts'
import { contract } from '../../core/contract.ts'
import { ServiceError } from '../../core/errors.ts'
import type { Operation } from '../../core/http/operation.ts'
import type { Caller } from '../../core/shared/account.ts'
import { openTestService, type TestService } from '../helpers/service.ts'
import { type Built, VALID_REQUESTS } from './valid-requests.ts'
import { askInProcess, type WireRequest } from './ways.ts'

type Input = Readonly<Record<string, unknown>>
type Call = (name: Built, input: Input) => Promise<unknown>

const operations: Readonly<Record<string, Operation>> = contract

/** Returns the input that a client passes for a request sent over HTTP. */
function toInput(name: Built): Input {
  const { target, headers = {}, body }: WireRequest = VALID_REQUESTS[name]
  const { params = {}, body: kind } = operations[name] as Operation
  const query = Object.fromEntries(new URL(target, 'http://service.test').searchParams)
  const named = Object.entries(headers).filter(([header]) => Object.hasOwn(params, header))
  const hasObject = kind?.kind === 'json' || kind?.kind === 'values'
  const content =
    kind?.kind === 'ndjson'
      ? toHeadAndRows(JSON.parse(body ?? '{}'), kind.at)
      : hasObject
        ? { body: JSON.parse(body ?? '{}') }
        : { file: body }
  return { ...query, ...Object.fromEntries(named), ...(kind ? content : {}) }
}

function toHeadAndRows(value: Input, at: string) {
  const { [at]: rows, ...head } = value
  return { head, rows }
}

function callClient(options: Parameters<typeof createClient>[0]): Call {
  const client = createClient(options) as unknown as Readonly<
    Record<string, (input: Input) => Promise<unknown>>
  >
  return async (name, input) => client[name]?.(input)
}

function callInProcess(app: ApiDiscovery, caller: Caller): Call {
  return (name, input) => app.call(name, input as never, caller)
}

/** Clients that call operations by name. */
const WAYS: Readonly<
  Record<string, (service: TestService, use: (call: Call) => Promise<unknown>) => Promise<unknown>>
> = {
  'call in process': ({ app, caller }, use) => use(callInProcess(app, caller)),
  'the client over app.fetch': ({ app, keys }, use) =>
    use(callClient({ baseUrl: 'http://service.test/api', apiKey: keys.all, fetch: app.fetch })),
  'the client over HTTP': async ({ app, keys }, use) => {
    const server = await serve(app.handle, { port: 0 })
    try {
      return await use(callClient({ baseUrl: `${server.url}/api/`, apiKey: keys.all }))
    } finally {
      await server.close(0)
    }
  },
}

function formatResult(value: unknown): string {
  if (value instanceof Uint8Array) return new TextDecoder().decode(value)
  const { body } = (value ?? {}) as { readonly body?: unknown }
  if (body instanceof Uint8Array) return formatResult(body)
  return value === undefined ? '' : JSON.stringify(value)
}

/** Links are the same in all ways. */
const publicUrl = 'http://service.test'

describe.each(Object.entries(WAYS))('%s', (_, use) => {
  it.each(Object.keys(VALID_REQUESTS) as readonly Built[])(
    'returns the same as HTTP for %s',
    async (name) => {
      const direct = await openTestService({ publicUrl })
      const headers = { 'api-key': direct.keys.all }
      const request: WireRequest = VALID_REQUESTS[name]
      const expected = await askInProcess(direct).ask({
        ...request,
        headers: { ...headers, ...request.headers },
      })
      await direct.close()
      const service = await openTestService({ publicUrl })
      const answer = await use(service, (call) => call(name, toInput(name)))
      await service.close()
      // A review contains the name of the key, which may be absent in process.
      const text = formatResult(answer).replaceAll('"by":"Account A"', '"by":"test"')
      expect(text).toBe(expected.body)
    },
  )

  it('reports all issues, with the code of the problem document', async () => {
    const service = await openTestService()
    const input = { size: 0, start_date: '2026-02-30', q: 'ok' }
    const error = await use(service, (call) => call('searchEndpoints', input).catch((each) => each))
    const { code, issues } =
      error instanceof ServiceError
        ? error
        : { code: (error as ClientError).code, issues: (error as ClientError).problem?.errors }
    expect([code, issues]).toEqual([
      'invalid_input',
      [
        { in: 'query', name: 'start_date', message: 'must be a calendar day, YYYY-MM-DD' },
        { in: 'query', name: 'size', message: 'must be an integer from 1 to 100' },
      ],
    ])
    const missing = await use(service, (call) =>
      call('getEndpointExample', { endpoint_id: 'nobody' }).catch((each) => each.code),
    )
    expect(missing).toBe('not_found')
    await service.close()
  })
})

describe('the client', () => {
  it('has a method for every operation of the table', () => {
    const client = createClient({ baseUrl: 'http://service.test/api', apiKey: 'x' })
    expect(Object.keys(client)).toEqual(Object.keys(contract))
  })

  it('rejects with status, code and problem document', async () => {
    const service = await openTestService()
    const { app, keys } = service
    const client = createClient({
      baseUrl: 'http://service.test/api',
      apiKey: keys.readOnly,
      fetch: app.fetch,
    })
    const unknown = await client
      .getRateLimitResult({ endpoint_id: '9' })
      .catch((error: unknown) => error)
    const forbidden = await client.removeApi({ api_id: '1' }).catch((error: unknown) => error)
    expect([unknown, forbidden].map((each) => each instanceof ClientError)).toEqual([true, true])
    expect((unknown as ClientError).message).toBe('Rate-limit test of endpoint "9" not found')
    expect([unknown, forbidden]).toMatchObject([
      { status: 404, code: 'not_found', problem: { status: 404 } },
      { status: 403, code: 'forbidden', problem: { title: 'Permission denied' } },
    ])
    await service.close()
  })

  it('aborts with its signal', async () => {
    const client = createClient({
      baseUrl: 'http://service.test/api',
      apiKey: 'x',
      fetch: (request) =>
        new Promise((_, reject) => {
          if (request.signal.aborted) reject(request.signal.reason)
        }),
    })
    const signal = AbortSignal.abort(new Error('no time'))
    await expect(client.listCategories({}, { signal })).rejects.toThrow('no time')
  })

  it('handles responses without a problem document', async () => {
    const client = createClient({
      baseUrl: 'http://service.test/api',
      apiKey: 'x',
      fetch: () => new Response('<h1>Bad gateway</h1>', { status: 502 }),
    })
    const error = await client.listCategories().catch((each: unknown) => each)
    expect(error).toMatchObject({
      status: 502,
      code: '',
      problem: undefined,
      message: 'HTTP status 502',
    })
  })

  it('sends texts of any script in headers and queries', async () => {
    const service = await openTestService()
    const client = createClient({
      baseUrl: 'http://service.test/api',
      apiKey: service.keys.all,
      fetch: service.app.fetch,
    })
    const name = '日本 & 100% Ünïcode+plus'
    await client.createVendor({ body: { name } })
    const file = '{"openapi":"3.1.0","info":{"title":"Ω","version":"1"},"paths":{}}'
    const { result } = await client.uploadDescription({
      vendor: name,
      category: 'News & Media',
      file,
    })
    const { vendors } = await client.searchVendors({ q: name, size: 1 })
    const agreements = await client.getAgreementsByName({ vendor_name: name })
    expect([result, vendors[0]?.name, agreements]).toEqual([
      'Success',
      name,
      { api_name: 'Ω', description: '', agreements: [] },
    ])
    await service.close()
  })
})

describe('an in-process call', () => {
  it('requires the scope', async () => {
    const service = await openTestService()
    const { account } = service.caller
    const call = service.app.call(
      'removeApi',
      { api_id: '1' },
      { account, scopes: new Set(['read']) },
    )
    await expect(call).rejects.toMatchObject({ code: 'forbidden' })
    const start = service.app.call(
      'startRateLimitTest',
      { endpoint_id: '9' },
      { account, scopes: new Set(['read']) },
    )
    await expect(start).rejects.toMatchObject({ code: 'forbidden' })
    await service.close()
  })
})
