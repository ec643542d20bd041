import process from 'node:process'
import { describe, expect, it } from 'vitest'
import { judgeEvidence } from '../../../core/rate-limits/probe/verdict.ts'
import {
  DEFAULT_BUDGET,
  type Evidence,
  type ProbeRecord,
  type Verdict,
} from '../../../core/rate-limits/records.ts'
import { LIMITER_MODELS } from '../../helpers/limiters/index.ts'
import type { LimiterModel } from '../../helpers/limiters/limiter.ts'
import { runInProcess } from '../../helpers/limiters/run-in-process.ts'
import { createVirtualClock } from '../../helpers/limiters/virtual-clock.ts'

/** Cuts the runs of one seed, or of twenty with `API_DISCOVERY_LONG=1`. */
const SEEDS = Array.from(
  { length: process.env.API_DISCOVERY_LONG === undefined ? 1 : 20 },
  (_, index) => index + 1,
)
const BUDGET = DEFAULT_BUDGET

/** Returns the verdicts of a run that is cut after each of its requests. */
type Verdicts = readonly Verdict['verdict'][]

describe.each(Object.entries(LIMITER_MODELS))('A test of a target with %s', (_, model) => {
  it.each(SEEDS)('keeps its verdict if the budget runs out, seed %i', async (seed) => {
    const { whole, expected } = await runWhole(model, seed)
    const verdicts: Verdict['verdict'][] = []
    for (let count = 0; count <= whole.sent; count += 1) {
      verdicts.push(judgeEvidence(await runWithin(model, { seed, count })).verdict)
    }
    expect(verdicts.at(-1)).toBe(expected)
    expect(findLost(verdicts, expected)).toEqual([])
    // An announced limit is known after the last request of the ramp.
    const ramp = whole.records.filter(({ stage }) => stage === 'ramp').length
    const known = whole.rampStop === 'limit_found' ? verdicts.slice(ramp) : []
    expect(known.filter((verdict) => verdict !== expected)).toEqual([])
  })

  it.each(SEEDS)(
    'keeps a limit that was reached if another process resumes the run, seed %i',
    async (seed) => {
      const { whole, expected } = await runWhole(model, seed)
      const first: Verdict['verdict'][] = []
      const second: Verdict['verdict'][] = []
      for (let count = 1; count <= whole.sent; count += 1) {
        const handed = await runHanded(model, { seed, count })
        first.push(judgeEvidence(handed.before).verdict)
        second.push(judgeEvidence(handed.after).verdict)
        expect(handed.after.sent).toBeLessThanOrEqual(BUDGET.requests)
      }
      expect(new Set([...second, 'inconclusive', expected]).size).toBeLessThanOrEqual(2)
      const isLost = (verdict: Verdict['verdict'], index: number) =>
        verdict !== 'inconclusive' && second[index] === 'inconclusive'
      expect(first.flatMap((verdict, index) => (isLost(verdict, index) ? [index] : []))).toEqual([])
    },
  )
})

async function runWhole(
  model: LimiterModel,
  seed: number,
): Promise<{ readonly whole: Evidence; readonly expected: Verdict['verdict'] }> {
  const limiter = model({ seed, budget: BUDGET })
  return { whole: await runInProcess(limiter.answer), expected: limiter.verdict }
}

/** Runs a test with `count` requests left in the daily budget. */
function runWithin(
  model: LimiterModel,
  { seed, count }: { readonly seed: number; readonly count: number },
): Promise<Evidence> {
  const limiter = model({ seed, budget: BUDGET })
  let taken = 0
  return runInProcess(limiter.answer, {
    async take() {
      taken += 1
      return taken > count ? 'daily_budget_used' : true
    },
  })
}

/**
 * Runs a test whose process dies after `count` requests and that another process resumes a second
 * later. Returns the evidence at the time of death and at the end.
 */
async function runHanded(
  model: LimiterModel,
  { seed, count }: { readonly seed: number; readonly count: number },
): Promise<{ readonly before: Evidence; readonly after: Evidence }> {
  const { answer } = model({ seed, budget: BUDGET })
  const virtual = createVirtualClock()
  const death = new AbortController()
  const records: ProbeRecord[] = []
  const first = await runInProcess(answer, {
    virtual,
    signal: death.signal,
    onRecord(record) {
      if (records.length < count) records.push(record)
      if (records.length === count) death.abort()
    },
  })
  await virtual.run(() => virtual.timers.sleep(1000))
  const former = { records, attempts: 1, sent: first.sent }
  const sorted = records.toSorted((a, b) => a.at - b.at)
  const before: Evidence = { ...first, records: sorted, stop: 'cancelled' }
  return { before, after: await runInProcess(answer, { virtual, earlier: former }) }
}

/** Finds cuts at which a verdict was reached, but more requests led to none or another one. */
function findLost(verdicts: Verdicts, expected: Verdict['verdict']): readonly string[] {
  const reached = verdicts.findIndex((verdict) => verdict !== 'inconclusive')
  if (reached < 0) return []
  return verdicts
    .slice(reached)
    .flatMap((verdict, index) =>
      verdict === expected ? [] : [`${verdict} after ${reached + index} requests`],
    )
}
