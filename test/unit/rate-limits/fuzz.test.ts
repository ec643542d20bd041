import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { HeaderLine } from '../../../core/ports/egress.ts'
import { describeTest } from '../../../core/rate-limits/probe/describe-test.ts'
import { renderPlot } from '../../../core/rate-limits/probe/plot.ts'
import { MAX_RUN_MS } from '../../../core/rate-limits/probe/prober.ts'
import { judgeEvidence } from '../../../core/rate-limits/probe/verdict.ts'
import {
  MAX_BUDGET,
  type ProbeResponse,
  type TestBudget,
  VERDICTS,
} from '../../../core/rate-limits/records.ts'
import { toTimeline } from '../../../core/rate-limits/to-wire.ts'
import { runInProcess } from '../../helpers/limiters/run-in-process.ts'
import { createSeeded, type Seeded } from '../../helpers/limiters/seeded.ts'
import { createVirtualClock } from '../../helpers/limiters/virtual-clock.ts'
import { runs } from '../../helpers/runs.ts'

const SEEDS = runs(2000)
const RUN = { id: 7, endpoint: 'aB3dE5f', host: 'api.example.com:443' }

describe('A test of an arbitrary target', () => {
  it('ends within five minutes and its budget, with a verdict, a plot and a description', async () => {
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const seeded = createSeeded(seed)
      const budget: TestBudget = {
        // Long runs are rare because they also take long in this test.
        requests: seeded.share() < 0.02 ? MAX_BUDGET.requests : seeded.integer(0, 60),
        rate: seeded.integer(1, MAX_BUDGET.rate),
        payloadBytes: seeded.pick([0, 1000, 4096, MAX_BUDGET.payloadBytes]),
      }
      const virtual = createVirtualClock()
      const target = createAnyTarget(seeded)
      let taken = 0
      const evidence = await runInProcess(target.never, {
        virtual,
        budget,
        supports: {
          payload: seeded.share() < 0.5,
          page: seeded.share() < 0.5 ? { parameter: 'size', size: 20 } : undefined,
        },
        async take() {
          taken += 1
          return seeded.share() < 0.001 ? 'consent_withdrawn' : true
        },
        async send(_, signal) {
          await virtual.timers.sleep(target.delay(), signal)
          return target.answer()
        },
      })
      expect(virtual.timers.now(), `seed ${seed}`).toBeLessThanOrEqual(MAX_RUN_MS)
      expect(evidence.sent, `seed ${seed}`).toBeLessThanOrEqual(Math.min(taken, budget.requests))
      expect(evidence.records.length, `seed ${seed}`).toBe(evidence.sent)
      const verdict = judgeEvidence(evidence)
      expect(VERDICTS, `seed ${seed}`).toContain(verdict.verdict)
      const result = { verdict, evidence, beganAt: 0, endedAt: 1 }
      const texts = [verdict.text, describeTest(result), renderPlot(result, RUN)]
      expect(texts.join('').match(/NaN|undefined|Infinity|\[object/), `seed ${seed}`).toBeNull()
      expect(JSON.parse(JSON.stringify(evidence)).records, `seed ${seed}`).toEqual(evidence.records)
      const lines = toTimeline(evidence.records)
      expect(lines.reduce((sum, { sent }) => sum + sent, 0)).toBe(evidence.sent)
    }
  }, 300_000)

  it('accepts arbitrary headers', async () => {
    const text = fc.oneof(fc.string({ maxLength: 60 }), fc.constantFrom(...ODD_VALUES))
    const name = fc.constantFrom(...RATE_NAMES)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(name, text), { maxLength: 12 }), async (headers) => {
        const evidence = await runInProcess(
          () => ({ status: 200, headers, body: '{}', delayMs: 5 }),
          { budget: { requests: 6, rate: 50, payloadBytes: 0 } },
        )
        for (const { waitMs = 1, remaining = 0, limit = 1, windowMs = 1 } of evidence.records) {
          expect([waitMs, remaining, limit, windowMs].every(Number.isFinite)).toBe(true)
        }
      }),
      { seed: 6, numRuns: runs(300) },
    )
  })
})

const ODD_VALUES = [
  'NaN',
  '-1',
  '1e309',
  'Infinity',
  '0x10',
  '9'.repeat(40),
  '"',
  ';;;,,,',
  '0',
  '100;w=0',
  '100;w=99999999999',
  'limit=10, remaining=0, reset=0',
  '"a";q=5;w=60;qu="content-bytes"',
  'unlimited',
  ' ',
]

const RATE_NAMES = [
  'retry-after',
  'ratelimit',
  'ratelimit-policy',
  'ratelimit-limit',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-ratelimit-limit-minute',
  'x-ratelimit-remaining-minute',
  'x-ratelimit-remaining-tokens',
  'x-rate-limit-window',
]

/** Creates a target with random types and rates of responses, from steady to erratic. */
function createAnyTarget(seeded: Seeded) {
  const wildness = seeded.pick([0.02, 0.2, 1])
  const usual = drawAnswer(seeded)
  const usualMs = seeded.between(0, seeded.pick([50, 500, 15_000]))
  return {
    never: () => 'silent' as const,
    delay: () => (seeded.share() < wildness ? seeded.between(0, 20_000) : usualMs),
    answer: () => (seeded.share() < wildness ? drawAnswer(seeded) : usual),
  }
}

const FAILURES = [
  'connect_failed',
  'first_byte_timeout',
  'malformed_answer',
  'too_large',
  'refused_address',
  'unresolved',
] as const

function drawAnswer(seeded: Seeded): ProbeResponse {
  if (seeded.share() < 0.15) return { failure: seeded.pick(FAILURES) }
  const headers: HeaderLine[] = []
  for (let count = seeded.pick([0, 0, 1, 3, 200]); count > 0; count -= 1) {
    const name = RATE_NAMES[seeded.integer(0, RATE_NAMES.length - 1)] ?? 'x'
    const value = ODD_VALUES[seeded.integer(0, ODD_VALUES.length - 1)] ?? ''
    headers.push([name, seeded.share() < 0.3 ? `${seeded.integer(0, 5000)}` : value])
  }
  if (seeded.share() < 0.02) headers.push(['x-huge', 'r'.repeat(100_000)])
  const text = seeded.pick([
    '',
    '{}',
    'Rate limit exceeded',
    '{"error":{"code":429}}',
    'x'.repeat(4096),
  ])
  const status = seeded.pick([200, 200, 200, 204, 302, 400, 401, 403, 404, 413, 420, 429, 500, 503])
  return { status, headers, text, bytes: seeded.integer(0, 1_000_000) }
}
