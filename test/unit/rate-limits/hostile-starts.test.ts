import { afterEach, describe, expect, it } from 'vitest'
import type { TestRequest } from '../../../core/rate-limits/service.ts'
import { openBench, type RateLimitBench } from '../../helpers/rate-limit-bench.ts'

let bench: RateLimitBench

afterEach(() => bench.close())

const OPERATOR = { hosts: ['api.acme.example'] }

/** Starts a test for Ada, with her key. */
function startTest(request: Partial<TestRequest> = {}, endpoint = 'getThing') {
  const { tests, ada, keyId, ids, virtual } = bench
  const values = endpoint === 'getThing' ? { id: '7' } : {}
  const asked = { endpointId: ids[endpoint] ?? '', values, ...request }
  return virtual.run(() => tests.start(asked, { account: ada, keyId }))
}

/** Runs due jobs, and another function after five seconds. */
function runAnd(what: () => Promise<unknown>): Promise<void> {
  const { jobs, virtual } = bench
  return virtual.run(async () => {
    const running = jobs.run()
    await virtual.timers.sleep(5000)
    await what()
    await running
  })
}

async function readEnd() {
  const { state, failure } = await bench.tests.result(bench.ada, {
    endpointId: bench.ids.getThing ?? '',
  })
  return { state, failure }
}

const GONE = 'The API key of this job was revoked or has expired'

describe('A run started with a key', () => {
  it('sends nothing if the key was revoked before it began', async () => {
    bench = await openBench(OPERATOR)
    await startTest()
    await bench.app.accounts.revokeKey({ account: bench.ada, keyId: bench.keyId })
    // The policy of a key is cached for a second.
    await bench.virtual.run(() => bench.virtual.timers.sleep(1000))
    await bench.virtual.run(() => bench.jobs.run())
    expect(bench.egress.sent).toEqual([])
    expect(await readEnd()).toEqual({ state: 'failed', failure: GONE })
  })

  it('ends within two seconds of the revocation', async () => {
    bench = await openBench(OPERATOR)
    await startTest({ requests: 400, rate: 10 })
    let revokedAt = 0
    await runAnd(async () => {
      await bench.app.accounts.revokeKey({ account: bench.ada, keyId: bench.keyId })
      revokedAt = bench.virtual.timers.now()
    })
    const last = bench.egress.sent.at(-1)?.atMs ?? 0
    expect(last > revokedAt - 1000 && last <= revokedAt + 2000).toBe(true)
    expect(await readEnd()).toEqual({ state: 'failed', failure: GONE })
  })

  it('ends within two seconds of a policy change that forbids the call', async () => {
    bench = await openBench(OPERATOR)
    const { app, ada, keyId, virtual, egress } = bench
    await startTest({ requests: 400, rate: 10 })
    let changedAt = 0
    await runAnd(async () => {
      await app.gateway.policies.put(ada, { keyId, methods: ['POST'] })
      changedAt = virtual.timers.now()
    })
    expect((egress.sent.at(-1)?.atMs ?? 0) <= changedAt + 2000).toBe(true)
    expect((await readEnd()).state).toBe('failed')
  })
})

describe('A start request', () => {
  it('is refused if the request body exceeds the maximum size', async () => {
    bench = await openBench(OPERATOR)
    const values = { name: 'a'.repeat(2000) }
    const asked = { values, confirmsUnsafe: true, payloadBytes: 1024 }
    await expect(startTest(asked, 'addThing')).rejects.toMatchObject({
      code: 'invalid_input',
      issues: [
        {
          in: 'form',
          name: 'payload_bytes',
          message: 'must be at least 2011 bytes, the size of the request body',
        },
      ],
    })
    const { run } = await startTest({ ...asked, payloadBytes: 2011 }, 'addThing')
    expect(run.state).toBe('queued')
  })
})

describe('Values', () => {
  const ring: Record<string, unknown> = {}
  ring.a = ring
  const many = Array.from({ length: 5 }).reduce<unknown>((one) => Array(20).fill(one), 1)
  it.each<[string, unknown, string]>([
    ['with many levels', nest(20_000), 'must have at most 100 levels'],
    ['that contain themselves', ring, 'must have at most 100 levels'],
    ['that expand exponentially', many, 'must have at most 65536 characters as JSON'],
    [
      'with the name of a secret',
      'a',
      'must not contain the secret "password": store it as a credential of the account and set use_credentials',
    ],
  ])('%s are refused, also if a run is open', async (_, password, message) => {
    bench = await openBench(OPERATOR)
    const refused = { code: 'invalid_input', issues: [{ in: 'form', name: 'values', message }] }
    const asked = { values: { name: 'a', password }, confirmsUnsafe: true }
    await expect(startTest(asked, 'addThing')).rejects.toMatchObject(refused)
    await startTest({ values: { name: 'a' }, confirmsUnsafe: true }, 'addThing')
    const again = password === 'a' ? { code: 'options_differ' } : refused
    await expect(startTest(asked, 'addThing')).rejects.toMatchObject(again)
  })
})

function nest(levels: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < levels; level += 1) value = { a: value }
  return value
}

describe('The runs of one account', () => {
  it('are limited in the queue', async () => {
    bench = await openBench()
    const { jobs, tests, storage, ada, bob, ids, virtual, keyId } = bench
    const other = bench.again(OPERATOR)
    const asked = { endpointId: ids.getThing ?? '', values: { id: '7' } }
    for (let index = 0; index < 100; index += 1) {
      const lock = `h${index}.example:443`
      await jobs.add(ada, {
        kind: 'rate-limit-test',
        subject: 'x',
        lock,
        input: '{}',
        summary: '{}',
      })
    }
    await expect(
      virtual.run(() => other.tests.start(asked, { account: ada, keyId })),
    ).rejects.toMatchObject({
      code: 'too_many_requests',
      message:
        'Cannot queue the test: 100 tests of the account are already queued. Try again later',
    })
    const { run } = await virtual.run(() => other.tests.start(asked, { account: bob }))
    expect(run.state).toBe('queued')
    expect((await storage.jobs.findJob(bob, { id: run.jobId }))?.state).toBe('queued')
    expect((await tests.list(ada, { page: 1, size: 1 })).total).toBe(100)
  })
})

describe('A run taken over by another process', () => {
  it('stays within its rate across both processes', async () => {
    bench = await openBench(OPERATOR)
    const { jobs, egress, virtual } = bench
    const other = bench.again(OPERATOR)
    await startTest({ requests: 300, rate: 50 })
    await virtual.run(async () => {
      const running = jobs.run()
      await virtual.timers.sleep(4000)
      await jobs.close()
      await running
      await other.jobs.run()
    })
    const times = egress.sent.map(({ atMs }) => atMs)
    const peaks = times.map((at) => times.filter((t) => t >= at && t < at + 999.999).length)
    expect(times.length > 200).toBe(true)
    expect(Math.max(...peaks)).toBe(50)
  })
})

describe('A run whose consent cannot be checked', () => {
  it('is retried without reporting that the host withdrew consent', async () => {
    bench = await openBench()
    const { storage, tests, ada, ids, egress, virtual } = bench
    const consent = await virtual.run(() =>
      tests.consent(ada, { endpointId: ids.getThing ?? '', values: { id: '7' } }),
    )
    egress.consents = () => ({ body: consent.token })
    await virtual.run(() => virtual.timers.sleep(2000))
    await startTest()
    let faults = 1
    const store = {
      ...storage.rateLimits,
      async getConsentToken(...given: Parameters<typeof storage.rateLimits.getConsentToken>) {
        faults -= 1
        if (faults >= 0) throw new Error('The disk is full')
        return storage.rateLimits.getConsentToken(...given)
      },
    }
    const other = bench.again({}, store)
    await virtual.run(() => other.jobs.run())
    await virtual.run(() => virtual.timers.sleep(120_000))
    await virtual.run(() => other.jobs.run())
    const ended = await tests.result(ada, { endpointId: ids.getThing ?? '' })
    expect(ended).toMatchObject({ state: 'done', attempts: 2 })
  })
})
