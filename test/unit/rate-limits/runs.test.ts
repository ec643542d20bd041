import { afterEach, describe, expect, it } from 'vitest'
import type { TestRun } from '../../../core/rate-limits/runs.ts'
import type { TestRequest } from '../../../core/rate-limits/service.ts'
import { countTaken } from '../../conformance/storage/rate-limit-samples.ts'
import { createSeededRandom } from '../../helpers/random.ts'
import {
  HOST,
  importThings,
  ORIGIN,
  openBench,
  type RateLimitBench,
  type TargetAnswer,
} from '../../helpers/rate-limit-bench.ts'
import { runs } from '../../helpers/runs.ts'

const SEEDS = runs(100)

let bench: RateLimitBench

afterEach(() => bench.close())

const OPERATOR = { hosts: ['api.acme.example'], contact: 'https://acme.example/tests' }

/** Starts a test for Ada and runs jobs until none is due. */
async function runOne(request: Partial<TestRequest> = {}, endpoint = 'getThing'): Promise<TestRun> {
  const { tests, jobs, ada, ids, virtual } = bench
  const values = endpoint === 'getThing' ? { id: '7' } : {}
  const asked = { endpointId: ids[endpoint] ?? '', values, ...request }
  await tests.start(asked, { account: ada })
  await virtual.run(() => jobs.run())
  return tests.result(ada, { endpointId: asked.endpointId })
}

function toEnded({ state, failure, sent, result }: TestRun) {
  const { evidence } = result ?? {}
  return { state, failure, sent, stop: evidence?.stop, counted: bench.egress.sent.length }
}

/** Returns the maximum number of requests in any second. */
function toPeak(times: readonly number[]): number {
  return Math.max(...times.map((at) => times.filter((t) => t >= at && t < at + 1000).length))
}

describe('A run', () => {
  it('sends only the requested calls, with an identifying user agent', async () => {
    bench = await openBench(OPERATOR)
    await bench.app.gateway.credentials.put(bench.ada, {
      apiId: '1',
      kind: 'header',
      name: 'X-Key',
      value: 'secret-7',
      origins: [ORIGIN],
    })
    const run = await runOne({ requests: 20 })
    expect(run.result?.evidence.sent).toBe(bench.egress.sent.length)
    const requests = bench.egress.sent.map(({ request }) => request)
    expect(new Set(requests.map(({ url }) => url))).toEqual(new Set([`${ORIGIN}/things/7`]))
    expect(requests[0]?.headers).toEqual([
      ['accept', '*/*'],
      ['accept-encoding', 'identity'],
      ['user-agent', 'api-discovery/1.2.3 rate-limit-test (+https://acme.example/tests)'],
    ])
    expect(requests[0]?.limits).toMatchObject({ firstByteMs: 10_000, totalMs: 15_000 })
    expect(bench.egress.asked).toEqual([])
  })

  it("sends the account's credentials if requested", async () => {
    bench = await openBench(OPERATOR)
    await bench.app.gateway.credentials.put(bench.ada, {
      apiId: '1',
      kind: 'header',
      name: 'X-Key',
      value: 'secret-7',
      origins: [ORIGIN],
    })
    await runOne({ requests: 20, usesCredentials: true })
    const headers = bench.egress.sent.map(({ request }) => request.headers)
    expect(headers.every((lines) => lines.some(([, value]) => value === 'secret-7'))).toBe(true)
    expect(JSON.stringify(bench.logged)).not.toContain('secret-7')
  })

  it('enlarges a declared string of the body to the requested size, and no further', async () => {
    bench = await openBench(OPERATOR)
    await runOne({ confirmsUnsafe: true, payloadBytes: 8192, requests: 100 }, 'addThing')
    const bodies = bench.egress.sent.flatMap(({ request }) => request.body ?? [])
    const sizes = [...new Set(bodies.map((body) => body.byteLength))].sort((a, b) => a - b)
    expect(sizes).toEqual([1024, 2048, 4096, 8192])
    const texts = bodies.map((body) => JSON.parse(new TextDecoder().decode(body)))
    expect(new Set(texts.flatMap((body) => Object.keys(body)))).toEqual(new Set(['name']))
  })

  it('requests ten times the usual page size', async () => {
    bench = await openBench(OPERATOR)
    const run = await runOne({}, 'listThings')
    expect(run.result?.evidence.page).toEqual({ parameter: 'per_page', size: 20 })
    const urls = new Set(bench.egress.sent.map(({ request }) => request.url))
    expect(urls).toEqual(
      new Set(['', '?per_page=20', '?per_page=200'].map((q) => `${ORIGIN}/things${q}`)),
    )
  })

  it(`stays within its budget and rate against any target, ${SEEDS} times`, async () => {
    bench = await openBench(OPERATOR)
    const counts: number[] = []
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      await bench.close()
      bench = await openBench(OPERATOR)
      const random = createSeededRandom(seed)
      const pick = () => (random(1)[0] ?? 0) / 256
      const requests = 1 + Math.floor(pick() * 60)
      const rate = 1 + Math.floor(pick() * 50)
      bench.egress.answer = (): TargetAnswer => ({
        status: pick() < 0.02 ? 503 : 200,
        delayMs: pick() < 0.05 ? 2000 * pick() : 40 * pick(),
      })
      const run = await runOne({ requests, rate })
      const counted = bench.egress.sent.length
      expect({ seed, isWithin: counted <= requests, sent: run.sent }).toEqual({
        seed,
        isWithin: true,
        sent: counted,
      })
      expect(toPeak(bench.egress.sent.map(({ atMs }) => atMs)) <= rate).toBe(true)
      counts.push(counted)
    }
    expect(counts.some((count) => count > 40)).toBe(true)
  })

  it('ends within a second of a stop, and sends nothing afterwards', async () => {
    bench = await openBench(OPERATOR)
    const { tests, jobs, ada, ids, virtual, egress } = bench
    const endpointId = ids.getThing ?? ''
    const { run } = await tests.start(
      { endpointId, values: { id: '7' }, requests: 1000, rate: 50 },
      { account: ada },
    )
    await virtual.run(async () => {
      const running = jobs.run()
      await virtual.timers.sleep(6000)
      expect((await tests.stop(ada, run.id)).isStopped).toBe(true)
      await running
    })
    const ended = await tests.result(ada, { endpointId })
    expect(toEnded(ended)).toMatchObject({
      state: 'aborted',
      failure: 'The run was stopped',
      stop: 'cancelled',
    })
    expect(Math.max(...egress.sent.map(({ atMs }) => atMs)) <= 7000).toBe(true)
    expect(egress.sent.length > 100).toBe(true)
  })

  it('is stopped by a stop of all runs from another process', async () => {
    bench = await openBench(OPERATOR)
    const { tests, jobs, ada, ids, virtual, egress } = bench
    const endpointId = ids.getThing ?? ''
    await tests.start(
      { endpointId, values: { id: '7' }, requests: 1000, rate: 50 },
      { account: ada },
    )
    await virtual.run(async () => {
      const running = jobs.run()
      await virtual.timers.sleep(6000)
      expect(await bench.again().tests.stopAll()).toBe(1)
      await running
    })
    expect((await tests.result(ada, { endpointId })).state).toBe('aborted')
    expect(Math.max(...egress.sent.map(({ atMs }) => atMs)) <= 7000).toBe(true)
  })

  it('resumes with its remaining budget after a process ended, and says so', async () => {
    bench = await openBench(OPERATOR)
    const { tests, jobs, ada, ids, virtual, egress } = bench
    const endpointId = ids.getThing ?? ''
    await tests.start(
      { endpointId, values: { id: '7' }, requests: 200, rate: 20 },
      { account: ada },
    )
    await virtual.run(async () => {
      const running = jobs.run()
      await virtual.timers.sleep(5000)
      await jobs.close()
      await running
    })
    const before = egress.sent.length
    const between = await tests.result(ada, { endpointId })
    expect({ state: between.state, result: between.result }).toEqual({
      state: 'queued',
      result: undefined,
    })
    expect(between.sent >= before).toBe(true)
    await virtual.run(() => bench.again().jobs.run())
    const ended = await tests.result(ada, { endpointId })
    expect(ended).toMatchObject({ state: 'done', attempts: 2 })
    expect(ended.result?.evidence.attempts).toBe(2)
    expect(egress.sent.length > before).toBe(true)
    expect(egress.sent.length <= ended.sent).toBe(true)
    expect(ended.sent <= 200).toBe(true)
    expect((ended.result?.evidence.records.length ?? 0) > before / 2).toBe(true)
  })

  it("fails without retries if the endpoint's origin has changed", async () => {
    bench = await openBench(OPERATOR)
    const { tests, jobs, ada, ids, virtual, app, storage } = bench
    const endpointId = ids.getThing ?? ''
    await tests.start({ endpointId, values: { id: '7' } }, { account: ada })
    await importThings(app, storage, 'https://other.example')
    await virtual.run(() => jobs.run())
    expect(await tests.result(ada, { endpointId })).toMatchObject({
      state: 'failed',
      sent: 0,
      failure: `Cannot continue the test of ${ORIGIN}: the API description now names another server`,
    })
    expect(bench.egress.sent).toEqual([])
  })

  it("does not affect calls of the gateway, regardless of the target's responses", async () => {
    bench = await openBench(OPERATOR)
    bench.egress.answer = () => ({ status: 503 })
    await runOne()
    bench.egress.answer = () => ({ status: 200 })
    const { app, ada, ids } = bench
    const call = { endpointId: ids.getThing ?? '', values: { id: '7' } }
    const answer = await bench.virtual.run(() => app.gateway.call(call, { account: ada }))
    expect(answer.status).toBe(200)
  })
})

describe('The daily budgets', () => {
  /** Half a minute before midnight UTC. */
  const LATE = Date.UTC(2026, 2, 14, 23, 59, 30)

  it('end a run when they are exhausted, also in another process', async () => {
    bench = await openBench({ ...OPERATOR, dailyPerAccount: 100 })
    const { tests, ada, ids } = bench
    const first = await runOne({ requests: 60 })
    const next = bench.again({ ...OPERATOR, dailyPerAccount: 100 }).tests
    const asked = { endpointId: ids.getThing ?? '', values: { id: '7' }, requests: 50 }
    await expect(next.start(asked, { account: ada })).rejects.toMatchObject({
      code: 'budget_exhausted',
      message: `Cannot reserve 50 requests: the account has ${100 - first.sent} left for rate-limit tests until 2027-01-16T00:00:00+00:00`,
      extra: {
        budget: 'account',
        left: 100 - first.sent,
        until: '2027-01-16T00:00:00+00:00',
      },
    })
    const small = { ...asked, requests: 100 - first.sent }
    expect((await tests.start(small, { account: ada })).isNew).toBe(true)
  })

  it('are reserved by queued runs, and unused reservations are released', async () => {
    const hosts = ['api.acme.example', 'other.example']
    bench = await openBench({ hosts, dailyPerAccount: 100 })
    const { app, storage, tests, jobs, ada, ids, virtual, egress } = bench
    const asked = { endpointId: ids.getThing ?? '', values: { id: '7' }, requests: 60 }
    const { run } = await tests.start(asked, { account: ada })
    const others = await importThings(app, storage, 'https://other.example', 'Other')
    const other = { ...asked, endpointId: others.getThing ?? '' }
    const refused = await tests.start(other, { account: ada }).catch((error) => error)
    expect(refused).toMatchObject({
      code: 'budget_exhausted',
      message:
        'Cannot reserve 60 requests: the account has 40 left for rate-limit tests, and 60 reserved for open runs. Try again when those runs have ended',
      retryAfter: 60,
    })
    expect(refused.extra).toEqual({ budget: 'account', left: 40, reserved: 60 })
    // Exceeds the whole daily budget, so releasing reservations is not enough.
    const tooMuch = tests.start({ ...other, requests: 101 }, { account: ada })
    await expect(tooMuch).rejects.toMatchObject({
      message:
        'Cannot reserve 101 requests: the account has 40 left for rate-limit tests until 2027-01-16T00:00:00+00:00, and 60 reserved for open runs',
      extra: { budget: 'account', left: 40, reserved: 60, until: '2027-01-16T00:00:00+00:00' },
    })
    await tests.stop(ada, run.id)
    await tests.start(other, { account: ada })
    await tests.start({ ...asked, requests: 40 }, { account: ada })
    await virtual.run(() => jobs.run())
    for (const { endpointId } of [asked, other]) {
      const ended = await tests.result(ada, { endpointId })
      expect(ended.result?.evidence.stop).toBe('budget_used')
    }
    expect(egress.sent.length <= 100).toBe(true)
  })

  it('of a host cover tests by all accounts', async () => {
    bench = await openBench({ ...OPERATOR, dailyPerHost: 70 })
    await runOne({ requests: 60 })
    const { tests, bob, ids } = bench
    const asked = { endpointId: ids.getThing ?? '', values: { id: '7' }, requests: 50 }
    await expect(tests.start(asked, { account: bob })).rejects.toMatchObject({
      code: 'budget_exhausted',
      extra: { budget: 'host' },
    })
  })

  it('reset at midnight, also during a run', async () => {
    bench = await openBench({ ...OPERATOR, dailyPerHost: 400, epochMs: LATE })
    const run = await runOne({ requests: 400, rate: 5 })
    const { storage, ada } = bench
    const days = ['2026-03-14', '2026-03-15'].map((day) =>
      countTaken(storage, { account: ada, host: HOST, day }),
    )
    const [before, after] = await Promise.all(days)
    expect((before?.host ?? 0) > 50).toBe(true)
    expect((after?.host ?? 0) > 50).toBe(true)
    // A request taken just before midnight and due just after it is not sent.
    expect([0, 1]).toContain((before?.host ?? 0) + (after?.host ?? 0) - run.sent)
    expect(after).toEqual({ account: after?.host, host: after?.host })
  })

  it('end a run in progress', async () => {
    bench = await openBench(OPERATOR)
    const { tests, ada, bob, ids, virtual, storage } = bench
    const asked = { endpointId: ids.getThing ?? '', values: { id: '7' }, requests: 60 }
    await tests.start(asked, { account: ada })
    const low = bench.again({ ...OPERATOR, dailyPerHost: 23 })
    await virtual.run(() => low.jobs.run())
    const ended = await tests.result(ada, asked)
    expect(toEnded(ended)).toMatchObject({
      state: 'done',
      sent: 23,
      stop: 'daily_budget_used',
      counted: 23,
    })
    const [day] = new Date(virtual.clock()).toISOString().split('T')
    const counted = await countTaken(storage, { account: bob, host: HOST, day: day ?? '' })
    expect(counted).toEqual({ account: 0, host: 23 })
  })

  it('of a key apply as well', async () => {
    bench = await openBench(OPERATOR)
    const { app, tests, ada, keyId, ids, virtual } = bench
    await app.gateway.policies.put(ada, { keyId, dailyBudget: 12 })
    const asked = { endpointId: ids.getThing ?? '', values: { id: '7' } }
    await tests.start(asked, { account: ada, keyId })
    await virtual.run(() => bench.jobs.run())
    const ended = await tests.result(ada, asked)
    expect(toEnded(ended)).toMatchObject({ stop: 'daily_budget_used', counted: 12 })
  })
})
