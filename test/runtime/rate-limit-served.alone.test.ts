import { describe, expect, it } from 'vitest'
import { createPinnedEgress } from '../../adapters/egress/pinned-egress.ts'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import { createApiDiscovery } from '../../core/app.ts'
import type { TestBudget } from '../../core/rate-limits/records.ts'
import { LIMITER_MODELS } from '../helpers/limiters/index.ts'
import type { Limiter, LimiterModel } from '../helpers/limiters/limiter.ts'
import { serveLimiter } from '../helpers/limiters/serve-limiter.ts'
import { importThings } from '../helpers/rate-limit-bench.ts'
import { casesOf } from '../helpers/runs.ts'

const BUDGET: TestBudget = { requests: 60, rate: 10, payloadBytes: 1024 }
const SEEDS = Array.from({ length: 20 }, (_, index) => index + 1)

/** A pause of this machine looks like a slow target, so a wrong verdict is tested again. */
const ATTEMPTS = 8

describe('targets on loopback', () => {
  it('are distinguished by their limit, without excess requests', async () => {
    let models = casesOf(Object.entries(LIMITER_MODELS))
    for (let attempt = 1; attempt <= ATTEMPTS && models.length > 0; attempt += 1) {
      const tested = await testAll(models)
      // Applies to every run, regardless of the load of the machine.
      expect(tested.filter(({ told }) => told.state !== 'done' || !told.isWithin)).toEqual([])
      const wrong = tested.filter(({ limiter, told }) => {
        return told.verdict !== limiter.verdict || told.signal !== limiter.signal
      })
      if (attempt === ATTEMPTS) expect(wrong).toEqual([])
      models = models.filter(([name]) => wrong.some((each) => each.name === name))
    }
    expect(models).toEqual([])
  }, 900_000)
})

async function testAll(models: readonly (readonly [name: string, LimiterModel])[]) {
  const prepared: { name: string; limiter: Limiter; test: PreparedTest }[] = []
  // Sequential, because load by another test would change the observed response times.
  for (const [name, model] of models) {
    const limiter = toSwift(model)
    prepared.push({ name, limiter, test: await prepareTest(limiter) })
  }
  const tested = await Promise.all(
    prepared.map(async ({ name, limiter, test }) => ({ name, limiter, told: await test.run() })),
  )
  for (const { test } of prepared) await test.close()
  return tested
}

/** Selects the seed whose window ends first, to save time. */
function toSwift(model: LimiterModel): Limiter {
  const limiters = SEEDS.map((seed) => model({ seed, budget: BUDGET }))
  const windowOf = ({ limit }: Limiter) => limit?.windowMs ?? 0
  const [first, ...others] = limiters
  if (!first) throw new Error('There is no seed')
  return others.reduce((best, each) => (windowOf(each) < windowOf(best) ? each : best), first)
}

/** A served limiter, with a service that tests it. */
interface PreparedTest {
  run(): Promise<{
    readonly state: string
    readonly verdict: string | undefined
    readonly signal: string | undefined
    readonly isWithin: boolean
    /** For the message of a failing test. */
    readonly about: object
  }>
  close(): Promise<void>
}

async function prepareTest(limiter: Limiter): Promise<PreparedTest> {
  const served = await serveLimiter(limiter)
  const storage = await openSqlite({ file: ':memory:' })
  const egress = createPinnedEgress({ allow: [served.address] })
  const sentAt: number[] = []
  const app = createApiDiscovery({
    storage,
    egress: {
      ...egress,
      send(request) {
        sentAt.push(performance.now())
        return egress.send(request)
      },
    },
    rateLimitTests: { hosts: [served.address] },
  })
  const account = await app.accounts.createAccount('Ada')
  const endpointId = (await importThings(app, storage, served.origin)).listThings ?? ''
  await app.rateLimits.start({ endpointId, ...BUDGET }, { account })
  return {
    async run() {
      const startedAt = performance.now()
      await app.runJobs()
      const { state, sent, result } = await app.rateLimits.result(account, { endpointId })
      const ms = performance.now() - startedAt
      const { verdict, rate, text } = result?.verdict ?? {}
      const came = served.arrivals.length
      return {
        state,
        verdict,
        signal: rate?.signal,
        isWithin: came <= BUDGET.requests && hasRate(sentAt, BUDGET.rate),
        about: { ...limiter.about, text, ms, came, sent },
      }
    },
    async close() {
      await app.close()
      egress.close()
      await served.close()
    },
  }
}

/**
 * Counts requests when they are sent: after a pause of the machine, they arrive closer together. A
 * pause just before sending also shortens the interval to the next request.
 */
function hasRate(sentAt: readonly number[], rate: number): boolean {
  const countFrom = (at: number) => sentAt.filter((each) => each >= at && each < at + 1000).length
  return sentAt.every((at) => countFrom(at) <= rate + 2)
}
