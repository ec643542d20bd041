import { describe, expect, it } from 'vitest'
import { describeTest } from '../../../core/rate-limits/probe/describe-test.ts'
import { toSentAt } from '../../../core/rate-limits/probe/find-limit.ts'
import { MAX_RUN_MS } from '../../../core/rate-limits/probe/prober.ts'
import { judgeEvidence } from '../../../core/rate-limits/probe/verdict.ts'
import {
  DEFAULT_BUDGET,
  type Evidence,
  type LimitBounds,
  type TestBudget,
  type Verdict,
} from '../../../core/rate-limits/records.ts'
import { LIMITER_MODELS } from '../../helpers/limiters/index.ts'
import type { Limiter } from '../../helpers/limiters/limiter.ts'
import { runInProcess } from '../../helpers/limiters/run-in-process.ts'
import { casesOf } from '../../helpers/runs.ts'

const SEEDS = Array.from({ length: 20 }, (_, index) => index + 1)
const FAST_BUDGET: TestBudget = { requests: 200, rate: 20, payloadBytes: 1024 }

describe.each(Object.entries(LIMITER_MODELS))('A target with %s', (_, model) => {
  it.each([DEFAULT_BUDGET, FAST_BUDGET])(
    'is distinguished from the others with $requests requests at $rate per second',
    async (budget) => {
      const faults: unknown[] = []
      for (const seed of casesOf(SEEDS)) {
        const limiter = model({ seed, budget })
        const evidence = await runInProcess(limiter.answer, { budget })
        const verdict = judgeEvidence(evidence)
        const fault = [...judgeVerdict(limiter, verdict), ...judgeConduct(evidence)]
        if (fault.length > 0) faults.push({ seed, about: limiter.about, fault, verdict })
      }
      expect(faults).toEqual([])
    },
  )
})

describe('The limit found by a test', () => {
  it('equals the window if it began with the first call, for most seeds', async () => {
    const names = ['fixed window', 'sliding window', 'per key', '503', '200 with a quota text']
    let near = 0
    let all = 0
    for (const name of names) {
      for (const seed of SEEDS) {
        const limiter = LIMITER_MODELS[name]?.({ seed, budget: DEFAULT_BUDGET })
        if (!limiter?.limit) throw new Error(`Cannot compare ${name}: it has no limit`)
        const { observed } = judgeEvidence(await runInProcess(limiter.answer)).rate
        const { calls, windowMs = 0 } = limiter.limit
        all += 1
        if (isNear(observed?.calls, calls, 0.1) && isNear(observed?.windowMs, windowMs, 0.25)) {
          near += 1
        }
      }
    }
    expect({ all, isMost: near >= 0.75 * all }).toEqual({ all: 100, isMost: true })
  })

  it('is deterministic for a seed', async () => {
    const run = async () => {
      const limiter = LIMITER_MODELS['token bucket']?.({ seed: 7, budget: DEFAULT_BUDGET })
      return limiter && runInProcess(limiter.answer)
    }
    expect(await run()).toEqual(await run())
  })
})

function judgeVerdict(limiter: Limiter, { verdict, rate }: Verdict): readonly string[] {
  const faults: string[] = []
  if (verdict !== limiter.verdict) faults.push(`${verdict} instead of ${limiter.verdict}`)
  if (rate.signal !== limiter.signal) faults.push(`${rate.signal} instead of ${limiter.signal}`)
  if (limiter.limit) faults.push(...judgeLimit(limiter, rate))
  const { observed } = rate
  if (limiter.allows && observed?.windowMs !== undefined) {
    // A full bucket does not refill.
    const allowed = [limiter.allows(0) - 1, limiter.allows(observed.windowMs) + 1] as const
    if (!isWithin(allowed, observed.calls)) faults.push(`${observed.calls} calls, not ${allowed}`)
  }
  return faults
}

/** Whether calls are within a tenth and the window within a quarter, or both within the bounds. */
function judgeLimit({ limit, isTold }: Limiter, rate: Verdict['rate']): readonly string[] {
  const { observed, bounds } = rate
  const { calls = 0, windowMs = 0 } = limit ?? {}
  const faults: string[] = []
  if (!isNear(observed?.calls, calls, 0.1) && !isWithin(bounds?.calls, calls)) {
    faults.push(`${observed?.calls} calls instead of ${calls}`)
  }
  if (isTold && observed?.calls !== calls) faults.push('the headers told another limit')
  const span = bounds?.windowMs
  // Only part of a window that began before the test is observed: it may be longer.
  const isSeen = isNear(observed?.windowMs, windowMs, 0.25) || span === undefined
  if (!isSeen && !isWithin(span, windowMs) && windowMs < (span?.[0] ?? 0)) {
    faults.push(`${observed?.windowMs} ms instead of ${windowMs}`)
  }
  return faults
}

function judgeConduct(evidence: Evidence): readonly string[] {
  const { records, sent, budget } = evidence
  const faults: string[] = []
  if (sent > budget.requests || records.length !== sent) faults.push(`${sent} requests`)
  const times = records.map(toSentAt).sort((a, b) => a - b)
  const isBurst = times.some((at, index) => (times[index + budget.rate] ?? Infinity) < at + 999.99)
  if (isBurst) faults.push('more in a second than the rate')
  if (records.some(({ lateMs }) => lateMs < 0)) faults.push('sent too early')
  if (records.some(({ at, ms }) => at + ms > MAX_RUN_MS)) faults.push('too long')
  const verdict = judgeEvidence(evidence)
  const text = describeTest({ verdict, evidence, beganAt: 0, endedAt: 0 })
  if (!text.startsWith(`${sent} request`)) faults.push(text)
  return faults
}

function isNear(value: number | undefined, truth: number, share: number): boolean {
  return value !== undefined && Math.abs(value - truth) <= Math.max(1, share * truth)
}

function isWithin(bounds: LimitBounds['calls'] | undefined, value: number): boolean {
  return bounds !== undefined && bounds[0] <= value && value <= bounds[1]
}
