import { describe, expect, it } from 'vitest'
import { judgeEvidence } from '../../../core/rate-limits/probe/verdict.ts'
import type { DeclaredLimits, Evidence, ProbeRecord } from '../../../core/rate-limits/records.ts'
import { NOTHING_DECLARED, runInProcess } from '../../helpers/limiters/run-in-process.ts'

const SOURCE = 'x-quota of the operation'
const MONTHLY = { calls: 10_000, windowMs: 2_592_000_000, source: SOURCE }
const SERVED = { status: 200, headers: [], body: '{}', delayMs: 20 } as const

/** The response by request number, from 1. */
type Answer = (
  number: number,
) => Parameters<typeof runInProcess>[0] extends (...args: never) => infer Answered
  ? Answered
  : never

function runTest(answer: Answer, limits: DeclaredLimits['limits'] = []): Promise<Evidence> {
  let number = 0
  const declared = { ...NOTHING_DECLARED, limits }
  return runInProcess(
    () => {
      number += 1
      return answer(number)
    },
    { declared },
  )
}

describe('A declared limit beyond the budget', () => {
  it('is reported as untested, after a description of what was tested', async () => {
    const { verdict, reason, text, rate } = judgeEvidence(await runTest(() => SERVED, [MONTHLY]))
    expect([verdict, reason, rate.comparison, rate.declared]).toEqual([
      'inconclusive',
      'declared',
      'untried',
      { calls: 10_000, windowMs: 2_592_000_000 },
    ])
    expect(text).toBe(
      'No rate limit was reached: all 54 requests were served, at up to 5 per second. There may still be a limit: the test stayed within a limit that the description declares, bursts included. Declared but not tested: 10,000 calls in 30 days (x-quota of the operation). Larger bodies were not tested.',
    )
    expect(rate.summary).toBe('none reached with 54 requests at up to 5 per second')
  })

  it('does not affect a limit that was reached, and is not compared with it', async () => {
    const minutely = { calls: 30, windowMs: 60_000, source: SOURCE }
    const evidence = await runTest(
      (number) => (number === 31 ? { ...SERVED, status: 429 } : SERVED),
      [MONTHLY, minutely],
    )
    const { verdict, text, rate } = judgeEvidence(evidence)
    expect([verdict, rate.comparison, rate.declared]).toEqual([
      'protected',
      'kept',
      { calls: 30, windowMs: 60_000 },
    ])
    expect(text).toContain(
      'The description declares 30 calls in 60 s: the test observed no more than twice as many served calls. Declared but not tested: 10,000 calls in 30 days (x-quota of the operation).',
    )
    expect(
      judgeEvidence({ ...evidence, declared: { ...evidence.declared, limits: [MONTHLY] } }),
    ).toMatchObject({
      verdict: 'protected',
      rate: { comparison: 'untried' },
    })
  })

  it('does not hide that another declared limit is exceeded', async () => {
    const minutely = { calls: 10, windowMs: 60_000, source: SOURCE }
    const { verdict, text, rate } = judgeEvidence(await runTest(() => SERVED, [MONTHLY, minutely]))
    expect([verdict, rate.comparison]).toEqual(['inconclusive', 'exceeded'])
    expect(text).toContain(
      'The description declares 10 calls in 60 s, but more calls were served. Declared but not tested:',
    )
  })
})

describe('The text of a test that ended early', () => {
  it.each<[string, Answer, string]>([
    [
      'timeouts',
      (number) => (number > 20 ? 'silent' : SERVED),
      '17 requests received no response within 3.0 s',
    ],
    [
      'server errors',
      (number) => (number > 20 ? { ...SERVED, status: number % 2 ? 500 : 502 } : SERVED),
      'five responses in a row were server errors (status 500, 502)',
    ],
    ['refused connections', (number) => (number > 20 ? 'closed' : SERVED), '5 connections failed'],
    [
      'rejected requests',
      (number) => (number > 20 ? { ...SERVED, status: 404 } : SERVED),
      'five requests in a row were rejected (status 404)',
    ],
  ])('explains %s', async (_, answer, why) => {
    const evidence = await runTest(answer)
    const { verdict, text } = judgeEvidence(evidence)
    expect(verdict).toBe('inconclusive')
    expect(text).toContain(
      `The test ended early, after ${evidence.sent} of at most 60 requests: ${why}.`,
    )
  })

  it('states slow response times, compared with the initial ones', async () => {
    const slow = { ...SERVED, delayMs: 600 }
    const { text } = judgeEvidence(
      await runTest((number) => (number > 20 && number % 3 === 0 ? slow : SERVED)),
    )
    expect(text).toMatch(
      /^No conclusion is possible: responses became slow \(median 20 ms, 95th percentile 600 ms; initially median 20 ms, 95th percentile 20 ms\), without the pattern of a rate limit: it may be an outage\. \d+ of \d+ requests were served, at up to 5 per second\. The test ended early, after \d+ of at most 60 requests\./,
    )
  })

  it.each([
    ['cancelled', 'the test was cancelled'],
    ['consent_withdrawn', "the host's consent was withdrawn during the test"],
    ['daily_budget_used', 'the daily budget ran out during the test'],
  ] as const)('explains the stop reason %s, also after a limit was reached', async (stop, why) => {
    /** Ends a run after `count` requests. If `isLimited`, requests beyond the 20th are rejected. */
    const runCut = (count: number, isLimited: boolean) => {
      let taken = 0
      const take = async () => {
        taken += 1
        return taken > count ? stop : true
      }
      const answer = () => (isLimited && taken > 20 ? { ...SERVED, status: 429 } : SERVED)
      return runInProcess(answer, { take })
    }
    expect(judgeEvidence(await runCut(30, false)).text).toBe(
      `No conclusion is possible: ${why}. 30 of 30 requests were served, at up to 5 per second. The test ended early, after 30 of at most 60 requests. Larger bodies were not tested.`,
    )
    const { verdict, text } = judgeEvidence(await runCut(21, true))
    expect(verdict).toBe('protected')
    expect(text).toContain(
      `Recovery was not observed. The test ended early, after 21 of at most 60 requests: ${why}.`,
    )
  })

  it('explains that the remaining requests exceed the maximum duration', async () => {
    const budget = { requests: 400, rate: 1, payloadBytes: 0 }
    const evidence = await runInProcess(() => SERVED, { budget })
    expect([evidence.stop, judgeEvidence(evidence).text.match(/The test ended.*?\./)?.[0]]).toEqual(
      [
        'time_used',
        `The test ended early, after ${evidence.sent} of at most 400 requests: the remaining requests would have exceeded the maximum duration of a test.`,
      ],
    )
  })
})

describe('The summary of a limit', () => {
  it.each<[string, Answer, string]>([
    [
      'announced in headers',
      (number) => ({
        ...SERVED,
        status: number === 21 ? 429 : 200,
        headers: [['ratelimit-policy', '"all";q=20;w=8']],
      }),
      '20 calls in 8.0 s, announced in response headers',
    ],
    [
      'with an unknown window',
      (number) => ({ ...SERVED, status: number > 20 ? 429 : 200 }),
      'at most 20 calls per window of unknown length',
    ],
    ['that is unknown', (number) => (number % 7 === 0 ? 'closed' : SERVED), 'unknown'],
  ])('%s contains no details beyond the text', async (_, answer, summary) => {
    expect(judgeEvidence(await runTest(answer)).rate.summary).toBe(summary)
  })

  it('of a run with gaps states that its size is unknown, like the text', () => {
    const at = (index: number): ProbeRecord => {
      const limited = index === 30
      return {
        stage: 'ramp',
        at: index * 200,
        lateMs: 0,
        ms: 20,
        outcome: limited ? 'limited' : 'ok',
        status: limited ? 429 : 200,
        inFlight: 0,
        ...(limited ? { signal: 'status' } : {}),
      }
    }
    const { rate } = judgeEvidence({
      budget: { requests: 60, rate: 5, payloadBytes: 0 },
      declared: NOTHING_DECLARED,
      records: Array.from({ length: 31 }, (_, index) => at(index)),
      stop: 'limit_found',
      attempts: 2,
      sent: 33,
    })
    expect([rate.observed, rate.summary]).toEqual([undefined, 'reached, size unknown'])
  })
})
