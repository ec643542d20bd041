import { afterEach, describe, expect, it } from 'vitest'
import { openSqlite } from '../../../adapters/storage/sqlite.ts'
import { createApiDiscovery } from '../../../core/app.ts'
import type { TestRequest } from '../../../core/rate-limits/service.ts'
import { HOST, ORIGIN, openBench, type RateLimitBench } from '../../helpers/rate-limit-bench.ts'

let bench: RateLimitBench

afterEach(() => bench.close())

const OPERATOR = { hosts: ['api.acme.example'] }

/** Starts a test for Ada. */
function startTest(request: Partial<TestRequest> = {}, endpoint = 'getThing') {
  const values = endpoint === 'getThing' ? { id: '7' } : {}
  const asked = { endpointId: bench.ids[endpoint] ?? '', values, ...request }
  return bench.virtual.run(() => bench.tests.start(asked, { account: bench.ada }))
}

/** Publishes Ada's token on the host. */
async function giveToken(): Promise<string> {
  const { tests, ada, ids, egress, virtual } = bench
  const consent = await virtual.run(() => tests.consent(ada, { endpointId: ids.listThings ?? '' }))
  const path = new URL(consent.tokenUrl).pathname
  egress.consents = (url) =>
    url.pathname === path ? { body: consent.token } : { status: 404, body: '' }
  // An earlier response may be reused for two seconds.
  await virtual.run(() => virtual.timers.sleep(2000))
  return consent.token
}

describe('A test of a host that the operator allows', () => {
  it('is run by a worker with that setting, and skipped by others', async () => {
    bench = await openBench(OPERATOR)
    const { run } = await startTest()
    const { tests, jobs, again, ada, ids, virtual, egress } = bench
    expect(run.needs).toBe(`permission to test ${HOST}`)
    const asked = { endpointId: ids.getThing ?? '' }
    await virtual.run(() => again({}).jobs.run())
    await virtual.run(() => again({ hosts: ['api.acme.example:80'] }).jobs.run({ only: run.jobId }))
    expect(await tests.result(ada, asked)).toEqual(run)
    expect([egress.sent, egress.asked]).toEqual([[], []])
    await virtual.run(() => jobs.run())
    expect(await tests.result(ada, asked)).toMatchObject({ state: 'done', attempts: 1 })
  })

  it('fails after an hour without such a worker, with the reason', async () => {
    bench = await openBench(OPERATOR)
    await startTest()
    const { tests, again, ada, ids, virtual, egress } = bench
    const untold = again({})
    const waitAndRun = (ms: number) =>
      virtual.run(async () => {
        await virtual.timers.sleep(ms)
        await untold.jobs.run()
      })
    const asked = { endpointId: ids.getThing ?? '' }
    await waitAndRun(3_598_000)
    expect((await tests.result(ada, asked)).state).toBe('queued')
    await waitAndRun(2_000)
    expect(await tests.result(ada, asked)).toMatchObject({
      state: 'failed',
      failure: `Not started within an hour: it requires a worker with permission to test ${HOST}`,
      attempts: 0,
      sent: 0,
    })
    expect([egress.sent, egress.asked]).toEqual([[], []])
  })
})

describe('A test without consent', () => {
  it('is refused with an explanation of what is missing', async () => {
    bench = await openBench()
    const { ada, egress } = bench
    const error: unknown = await startTest().catch((thrown) => thrown)
    const url = `${ORIGIN}/.well-known/api-discovery-${ada.id}.txt`
    const operator = `Ask the operator of this service to allow tests of ${HOST}`
    expect(error).toMatchObject({
      code: 'consent_missing',
      message: `Cannot test ${HOST}: the operator does not allow it, and the host does not publish the account's token at ${url} (not found). ${operator}, or publish the token there as a single line of text`,
      extra: {
        host: HOST,
        operator,
        token_url: url,
        token: expect.stringMatching(/^[\w-]{43}$/),
        reason: 'not_found',
      },
    })
    expect(egress.sent).toEqual([])
    expect(bench.logged.at(-1)).toMatchObject({
      event: 'rate_limit_test_refused',
      account: ada.id,
      host: HOST,
      reason: 'consent_missing',
    })
  })

  it('is allowed once the host returns the token, for this account only', async () => {
    bench = await openBench()
    const token = await giveToken()
    const { tests, ada, bob, ids, virtual } = bench
    const asked = { endpointId: ids.getThing ?? '', values: { id: '7' } }
    await expect(virtual.run(() => tests.start(asked, { account: bob }))).rejects.toMatchObject({
      code: 'consent_missing',
    })
    const { run } = await startTest()
    expect(run.input.consent).toBe('token')
    expect(await virtual.run(() => tests.consent(ada, asked))).toEqual({
      host: HOST,
      origin: ORIGIN,
      isGiven: true,
      by: 'token',
      token,
      tokenUrl: `${ORIGIN}/.well-known/api-discovery-${ada.id}.txt`,
      reason: undefined,
      missing: '',
    })
    expect(JSON.stringify(bench.logged)).not.toContain(token)
  })

  it('ends within 30 seconds of the withdrawal', async () => {
    bench = await openBench()
    await giveToken()
    const { tests, jobs, ada, ids, virtual, egress } = bench
    await startTest({ requests: 1000, rate: 10 })
    let withdrawnAt = 0
    await virtual.run(async () => {
      const running = jobs.run()
      await virtual.timers.sleep(31_000)
      withdrawnAt = virtual.timers.now()
      egress.consents = () => ({ status: 404 })
      await running
    })
    const ended = await tests.result(ada, { endpointId: ids.getThing ?? '' })
    expect(ended).toMatchObject({
      state: 'aborted',
      failure: 'The host withdrew its consent',
      result: {
        evidence: { stop: 'consent_withdrawn' },
        verdict: { verdict: 'inconclusive', reason: 'consent_withdrawn' },
      },
    })
    expect(ended.result?.verdict.text).toMatch(
      /^No conclusion is possible: the host's consent was withdrawn during the test\. (?!.*cancelled)/,
    )
    const lastAt = Math.max(...egress.sent.map(({ atMs }) => atMs))
    expect(lastAt > withdrawnAt && lastAt <= withdrawnAt + 30_000).toBe(true)
  })

  it('continues if the host is busy once, and ends if it is busy twice in a row', async () => {
    bench = await openBench()
    await giveToken()
    const { tests, jobs, ada, ids, virtual, egress } = bench
    await startTest({ requests: 1000, rate: 5 })
    const given = egress.consents
    const answers = [given, () => ({ status: 429 }), given, () => ({ status: 503 })]
    const asked = egress.asked.length
    egress.consents = (url) =>
      (answers[egress.asked.length - asked - 1] ?? (() => ({ status: 429 })))(url)
    await virtual.run(() => jobs.run())
    const ended = await tests.result(ada, { endpointId: ids.getThing ?? '' })
    expect(ended.result?.evidence.stop).toBe('consent_withdrawn')
    expect(egress.asked.length - asked).toBe(5)
  })

  it('sends nothing if consent was withdrawn while it was queued', async () => {
    bench = await openBench()
    await giveToken()
    await startTest()
    bench.egress.consents = () => ({ status: 404 })
    await bench.virtual.run(() => bench.jobs.run())
    const { tests, ada, ids, egress } = bench
    expect(await tests.result(ada, { endpointId: ids.getThing ?? '' })).toMatchObject({
      state: 'aborted',
      sent: 0,
      result: { verdict: { reason: 'consent_withdrawn' } },
    })
    expect(egress.sent).toEqual([])
  })

  it('sends only to the address that returned the token', async () => {
    bench = await openBench()
    await giveToken()
    const { jobs, virtual, egress } = bench
    await startTest({ requests: 400, rate: 10 })
    await virtual.run(async () => {
      const running = jobs.run()
      await virtual.timers.sleep(10_000)
      egress.address = '192.0.2.99'
      await running
    })
    const addresses = egress.sent.map(({ request }) => request.address)
    expect([...new Set(addresses)]).toEqual(['192.0.2.1', '192.0.2.99'])
    // The second address only after it has returned the token.
    const movedAt = egress.sent.find(({ request }) => request.address === '192.0.2.99')?.atMs ?? 0
    expect(egress.asked.some(({ atMs }) => atMs <= movedAt && atMs > movedAt - 1000)).toBe(true)
  })
})

describe('A start request', () => {
  it.each<[string, Partial<TestRequest>, string, object]>([
    [
      'a budget above the maximum',
      { requests: 1001, rate: 51, payloadBytes: 1024 * 1024 + 1 },
      'getThing',
      {
        message: 'Cannot start the test: invalid budget',
        issues: ['requests', 'rate', 'payload_bytes'].map((name) => ({ in: 'form', name })),
      },
    ],
    ['zero requests', { requests: 0 }, 'getThing', { issues: [{ name: 'requests' }] }],
    [
      'a fractional number of requests',
      { requests: 1.5 },
      'getThing',
      { issues: [{ name: 'requests' }] },
    ],
    [
      'a value that is not a number',
      { rate: Number.NaN },
      'getThing',
      { issues: [{ name: 'rate' }] },
    ],
    ['an unsafe method', {}, 'addThing', { issues: [{ name: 'confirm_unsafe' }] }],
    ['a missing value', { values: {} }, 'getThing', { issues: [{ name: 'id' }] }],
    ['an unknown value', { values: { x: 1 } }, 'listThings', { issues: [{ name: 'x' }] }],
    [
      'a secret',
      { values: { id: '7', 'x-key': 'secret-7' } },
      'getThing',
      { issues: [{ name: 'values' }] },
    ],
    [
      'a secret detected by its shape',
      { values: { q: `Bearer ${'a1'.repeat(10)}` } },
      'listThings',
      { issues: [{ name: 'values' }] },
    ],
    [
      'a secret within a body',
      { values: { name: '{"login":{"password":"hunter2"}}' }, confirmsUnsafe: true },
      'addThing',
      {
        issues: [
          {
            in: 'form',
            name: 'values',
            message:
              'must not contain the secret "name.login.password": store it as a credential of the account and set use_credentials',
          },
        ],
      },
    ],
    [
      'cyclic values',
      { values: { q: 'a'.repeat(70_000) } },
      'listThings',
      { issues: [{ name: 'values' }] },
    ],
  ])('with %s is invalid', async (_, request, endpoint, expected) => {
    bench = await openBench(OPERATOR)
    await expect(startTest(request, endpoint)).rejects.toMatchObject({
      code: 'invalid_input',
      ...expected,
    })
    const { storage, egress } = bench
    expect(await storage.jobs.listJobs(undefined, { size: 1, page: 1 })).toMatchObject({ total: 0 })
    expect(egress.sent).toEqual([])
  })

  it('is checked like a call through the gateway', async () => {
    bench = await openBench(OPERATOR)
    const { app, tests, ada, keyId, ids, egress } = bench
    await expect(startTest({ endpointId: 'nothing' })).rejects.toMatchObject({ code: 'not_found' })
    await app.gateway.policies.put(ada, { keyId, methods: ['POST'] })
    const asked = { endpointId: ids.getThing ?? '', values: { id: '7' } }
    await expect(tests.start(asked, { account: ada, keyId })).rejects.toMatchObject({
      code: 'call_not_permitted',
    })
    await app.gateway.credentials.put(ada, {
      apiId: '1',
      kind: 'header',
      name: 'X-Key',
      value: 'secret-7',
      origins: ['https://former.example'],
    })
    const withKey = { ...asked, usesCredentials: true }
    await expect(tests.start(withKey, { account: ada })).rejects.toMatchObject({
      code: 'origin_changed',
    })
    expect(egress.sent).toEqual([])
  })

  it('returns the open run if it matches the request', async () => {
    bench = await openBench(OPERATOR)
    const first = await startTest({ requests: 7, usesCredentials: true })
    for (const request of [{}, { values: {} }, { requests: 7, rate: 5, usesCredentials: true }]) {
      expect(await startTest(request)).toEqual({ ...first, isNew: false })
    }
    await bench.virtual.run(() => bench.jobs.run())
    const next = await startTest()
    expect(next.isNew).toBe(true)
    expect(next.run.id > first.run.id).toBe(true)
    const { tests, ada, bob, ids } = bench
    const page = await tests.list(ada, { size: 10, page: 1 })
    expect(page.items.map(({ id, state }) => [id, state])).toEqual([
      [next.run.id, 'queued'],
      [first.run.id, 'done'],
    ])
    expect(await tests.list(bob, { size: 10, page: 1 })).toEqual({ items: [], total: 0 })
    const endpointId = ids.getThing ?? ''
    const ended = await tests.result(ada, { endpointId, run: first.run.id })
    expect(ended).toMatchObject({ ...page.items[1], sent: ended.result?.evidence.sent })
    for (const request of [{ endpointId, run: first.run.id }, { endpointId }]) {
      await expect(tests.result(bob, request)).rejects.toMatchObject({ code: 'not_found' })
    }
    await expect(tests.stop(bob, next.run.id)).rejects.toMatchObject({ code: 'not_found' })
    await expect(
      tests.result(ada, { endpointId: ids.listThings ?? '', run: first.run.id }),
    ).rejects.toMatchObject({ code: 'not_found' })
  })

  it('is refused if an open run has other options, which are listed', async () => {
    bench = await openBench(OPERATOR)
    const { run } = await startTest()
    await expect(startTest({ requests: 7 })).rejects.toMatchObject({
      code: 'options_differ',
      message:
        'Cannot start the test: run 1 of this endpoint is queued, and its requests differ from the request. Stop the run or wait until it ends',
      extra: { run: run.id, state: 'queued', options: ['requests'] },
    })
    const { tests, jobs, ada, ids, virtual } = bench
    const endpointId = ids.getThing ?? ''
    await virtual.run(async () => {
      const running = jobs.run()
      await virtual.timers.sleep(1_000)
      const other = { values: { id: '8' }, rate: 9, payloadBytes: 1, server: '2' }
      const asked = { endpointId, ...other, usesCredentials: true }
      await expect(tests.start(asked, { account: ada })).rejects.toMatchObject({
        code: 'options_differ',
        extra: {
          state: 'running',
          options: ['rate', 'payload_bytes', 'values', 'server', 'use_credentials'],
        },
      })
      await running
    })
    expect((await startTest({ requests: 7 })).isNew).toBe(true)
  })

  it('receives a number within the account', async () => {
    bench = await openBench(OPERATOR)
    const { tests, jobs, virtual, bob, ids } = bench
    const numbers: number[] = []
    for (let turn = 0; turn < 3; turn += 1) {
      numbers.push((await startTest()).run.id)
      await virtual.run(() => jobs.run())
    }
    const asked = { endpointId: ids.getThing ?? '', values: { id: '7' } }
    const { run } = await tests.start(asked, { account: bob })
    expect([...numbers, run.id]).toEqual([1, 2, 3, 1])
    expect(run.jobId).toBe(4)
    expect(await tests.result(bob, { ...asked, run: 1 })).toEqual(run)
    await expect(tests.stop(bob, 4)).rejects.toMatchObject({ code: 'not_found' })
    expect((await tests.stop(bob, 1)).state).toBe('aborted')
  })

  it('is refused while any account tests the host', async () => {
    bench = await openBench(OPERATOR)
    const { run } = await startTest()
    await expect(startTest({}, 'listThings')).rejects.toMatchObject({
      code: 'conflict',
      message: `Cannot start the test: ${HOST} is in use by run ${run.id} of the account. Try again when that test has ended`,
      extra: { run: run.id },
    })
    const { tests, bob, ids } = bench
    const error: unknown = await tests
      .start({ endpointId: ids.getThing ?? '', values: { id: '7' } }, { account: bob })
      .catch((thrown) => thrown)
    expect(error).toMatchObject({
      code: 'conflict',
      message: `Cannot start the test: ${HOST} is in use by a test of another account. Try again when that test has ended`,
      extra: {},
    })
  })
})

describe('A test that was never started', () => {
  it('is not found, also for webhooks', async () => {
    bench = await openBench()
    const { app, storage, tests, ada } = bench
    const operation = { responses: { 200: { description: 'Done' } } }
    const info = { title: 'Bells', version: '1.0.0' }
    const description = { openapi: '3.1.0', info, webhooks: { rung: { post: operation } } }
    await app.imports.importDescription({
      bytes: new TextEncoder().encode(JSON.stringify(description)),
      vendorName: 'Bell',
      createVendor: true,
      isPublic: true,
    })
    const [api] = await storage.catalogue.findApisByName({ vendorName: 'Bell' })
    const [webhook] = await storage.catalogue.listApiEndpoints(api?.id ?? 0)
    for (const endpointId of [webhook?.shortId ?? '', 'aaaaaaa', bench.ids.getThing ?? '']) {
      await expect(tests.result(ada, { endpointId })).rejects.toMatchObject({
        code: 'not_found',
        message: `Rate-limit test of endpoint "${endpointId}" not found`,
      })
    }
  })
})

describe('A service', () => {
  it('runs no tests without an egress', async () => {
    bench = await openBench(OPERATOR)
    const storage = await openSqlite({ file: ':memory:' })
    const app = createApiDiscovery({ storage })
    const asked = { endpointId: 'x' }
    const failed = { code: 'not_implemented' }
    await expect(app.rateLimits.start(asked, { account: bench.ada })).rejects.toMatchObject(failed)
    await expect(app.rateLimits.consent(bench.ada, asked)).rejects.toMatchObject(failed)
    await app.close()
  })

  it.each([
    { hosts: ['*.example.com'] },
    { dailyPerHost: 2001 },
    { dailyPerAccount: -1 },
    { dailyPerAccount: 1.5 },
    { contact: 'me (at home)' },
    { contact: 'a\r\nb' },
    { contact: '' },
  ])('refuses the setting %j', async (rateLimitTests) => {
    bench = await openBench(OPERATOR)
    const { storage, egress } = bench
    expect(() => createApiDiscovery({ storage, egress, rateLimitTests })).toThrow(RangeError)
  })
})
