import { describe, expect, it } from 'vitest'
import { judgeEvidence } from '../../../core/rate-limits/probe/verdict.ts'
import { DEFAULT_BUDGET, type TestBudget } from '../../../core/rate-limits/records.ts'
import { DECLARED_MODELS } from '../../helpers/limiters/declared-models.ts'
import { NOTHING_DECLARED, runInProcess } from '../../helpers/limiters/run-in-process.ts'

const SEEDS = Array.from({ length: 20 }, (_, index) => index + 1)
const FAST_BUDGET: TestBudget = { requests: 200, rate: 20, payloadBytes: 1024 }

describe.each(Object.entries(DECLARED_MODELS))('A target with a declared %s', (_, model) => {
  it.each([DEFAULT_BUDGET, FAST_BUDGET])(
    'is never judged unprotected if it enforces the limit, with $requests requests at $rate per second',
    async (budget) => {
      const faults: unknown[] = []
      let untried = 0
      for (const seed of SEEDS) {
        const { answer, declared, about } = model({ seed, budget })
        const limits = [{ ...declared, source: 'x-ratelimit' }]
        const evidence = await runInProcess(answer, {
          budget,
          declared: { ...NOTHING_DECLARED, limits },
        })
        const { verdict, reason, rate } = judgeEvidence(evidence)
        // Late arrivals can still reach the limit.
        const isMet = evidence.records.some(({ outcome }) => outcome === 'limited')
        if (!isMet) untried += 1
        const isRight = isMet ? rate.comparison !== 'exceeded' : rate.comparison === 'untried'
        const told = [verdict, reason, isRight]
        const expected = isMet ? ['protected', undefined, true] : ['inconclusive', 'declared', true]
        if (told.join() !== expected.join()) faults.push({ seed, about, told, expected })
      }
      expect(faults).toEqual([])
      expect(untried).toBeGreaterThanOrEqual(SEEDS.length / 2)
    },
  )
})
