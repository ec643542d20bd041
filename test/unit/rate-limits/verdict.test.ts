import { describe, expect, it } from 'vitest'
import { judgeEvidence } from '../../../core/rate-limits/probe/verdict.ts'
import type { ProbeRecord } from '../../../core/rate-limits/records.ts'
import {
  at,
  change,
  createServedRecords,
  refuse,
  toEvidence,
} from '../../helpers/limiters/evidence.ts'

const SOURCE = 'x-ratelimit'

describe('A target that served every request', () => {
  it('is unprotected, and the text describes what was tested', () => {
    expect(judgeEvidence(toEvidence(createServedRecords(54)))).toEqual({
      verdict: 'unprotected',
      text: 'No rate limit was reached: all 54 requests were served, at up to 5 per second. The first responses took 20 ms (median) and 20 ms (95th percentile); later ones were not markedly slower. More requests, or more than 5 per second, were not tested. Larger bodies were not tested.',
      reason: undefined,
      rate: {
        found: false,
        summary: 'none reached with 54 requests at up to 5 per second',
        signal: undefined,
        observed: undefined,
        atRate: undefined,
        declared: undefined,
        comparison: undefined,
        recoveryMs: undefined,
      },
      payload: { state: 'untested', largestTaken: undefined, smallestRefused: undefined },
      page: { state: 'untested', parameter: undefined },
    })
  })

  it.each([
    [
      'a declared limit above the tested rate',
      { limits: [{ calls: 100, windowMs: 60_000, source: SOURCE }] },
    ],
    [
      'a declared limit with a shorter window',
      { limits: [{ calls: 10, windowMs: 1000, source: SOURCE }] },
    ],
    [
      'a declared limit without a window',
      { limits: [{ calls: 1000, windowMs: undefined, source: SOURCE }] },
    ],
    ['a declared 429 response', { has429: true }],
    ['declared rate-limit headers', { headers: ['x-ratelimit-limit'] }],
    ['earlier calls that reached a limit', { seen: { calls: 9, limited: 1 } }],
  ])('is not judged unprotected with %s', (_, declared) => {
    expect(judgeEvidence(toEvidence(createServedRecords(54), { declared })).verdict).toBe(
      'inconclusive',
    )
  })

  it('is not judged unprotected if it became slow after a baseline with one pause', () => {
    const slower = createServedRecords(54).map((record, index) => ({
      ...record,
      ms: index < 20 ? 80 : 560,
    }))
    const { verdict, text } = judgeEvidence(toEvidence(change(slower, 2, { ms: 860 })))
    expect(verdict).toBe('inconclusive')
    expect(text).toContain(
      'responses became slow (median 560 ms, 95th percentile 560 ms; initially median 80 ms, 95th percentile 860 ms), without the pattern of a rate limit',
    )
    const steady = change(createServedRecords(54), 2, { ms: 860 })
    expect(judgeEvidence(toEvidence(steady)).verdict).toBe('unprotected')
  })

  it('is not judged unprotected if it only sent redirects, which are not followed', () => {
    const redirected = createServedRecords(5).map((record) => {
      return { ...record, outcome: 'rejected' as const, status: 302 }
    })
    const { verdict, text } = judgeEvidence(toEvidence(redirected, { stop: 'rejected' }))
    expect(verdict).toBe('inconclusive')
    expect(text).toBe(
      'No conclusion is possible: the target responded with redirects (status 302), which the test does not follow. 0 of 5 requests were served, at up to 5 per second. The test ended early, after 5 of at most 60 requests. Larger bodies were not tested.',
    )
    const unchanged = createServedRecords(54).map((record) => ({ ...record, status: 304 }))
    expect(judgeEvidence(toEvidence(unchanged)).verdict).toBe('unprotected')
  })

  it('is unprotected if it served more than declared', () => {
    const limits = [{ calls: 10, windowMs: 60_000, source: SOURCE }]
    const { verdict, text, rate } = judgeEvidence(
      toEvidence(createServedRecords(54), { declared: { limits, has429: true } }),
    )
    expect([verdict, rate.declared]).toEqual(['unprotected', { calls: 10, windowMs: 60_000 }])
    expect(text).toContain('The description declares 10 calls in 60 s, but more calls were served.')
  })

  it.each([
    ['a bucket that is full at the start', 50, 60_000],
    ['a bucket that is hardly used', 55, 60_000],
    ['two adjacent windows', 30, 10_000],
    ['a window of a second, without a declared one,', 5, undefined],
  ])('is not judged unprotected if %s could serve as much', (_, calls, windowMs) => {
    const limits = [{ calls, windowMs, source: SOURCE }]
    const { verdict, reason, rate, text } = judgeEvidence(
      toEvidence(createServedRecords(60), { declared: { limits, has429: true } }),
    )
    expect([verdict, reason, rate.comparison]).toEqual(['inconclusive', 'declared', 'untried'])
    expect(text).toContain(
      'There may still be a limit: the test stayed within a limit that the description declares, bursts included.',
    )
  })

  it('is not judged unprotected if calls may have arrived further apart than they were sent', () => {
    const limits = [{ calls: 4, windowMs: 2000, source: SOURCE }]
    // Nine requests in two seconds; two windows of the limit serve only eight.
    const quick = createServedRecords(9).concat(
      Array.from({ length: 20 }, (_, index) => ({ ...at(9), at: 4000 + index * 2000 })),
    )
    const compare = (records: readonly ProbeRecord[]) =>
      judgeEvidence(toEvidence(records, { declared: { limits } })).rate.comparison
    expect(compare(quick)).toBe('exceeded')
    expect(compare(change(quick, 8, { ms: 1100 }))).toBe('untried')
  })

  it('is unprotected if no window or bucket could have served as much over a longer time', () => {
    const limits = [{ calls: 4, windowMs: 1000, source: SOURCE }]
    const { verdict, rate } = judgeEvidence(
      toEvidence(createServedRecords(54), { declared: { limits } }),
    )
    expect([verdict, rate.comparison]).toEqual(['unprotected', 'exceeded'])
  })

  it('is not judged unprotected if response headers count down', () => {
    const records = createServedRecords(54).map((record, index) => ({
      ...record,
      limit: 100,
      remaining: 99 - index,
    }))
    const { verdict, text } = judgeEvidence(toEvidence(records))
    expect(verdict).toBe('inconclusive')
    expect(text).toContain(
      'response headers announce a limit of 100 calls (46 left at the end), which the test did not reach',
    )
  })

  it.each([
    [
      'one failure',
      (records: ProbeRecord[]) => change(records, 30, { outcome: 'failed', status: 502 }),
    ],
    [
      'one timeout',
      (records: ProbeRecord[]) => change(records, 30, { outcome: 'timed_out', status: 0 }),
    ],
    [
      'one other refusal',
      (records: ProbeRecord[]) => change(records, 30, { outcome: 'rejected', status: 404 }),
    ],
    [
      'one sign of a limit',
      (records: ProbeRecord[]) => change(records, 30, { outcome: 'limited', signal: 'body' }),
    ],
    ['only 19 requests', (records: ProbeRecord[]) => records.slice(0, 19)],
  ])('is not judged unprotected with %s', (_, spoil) => {
    expect(judgeEvidence(toEvidence(spoil(createServedRecords(54)))).verdict).toBe('inconclusive')
  })

  it.each(['cancelled', 'consent_withdrawn', 'daily_budget_used'] as const)(
    'is not judged unprotected if the run ended with %s',
    (stop) => {
      expect(judgeEvidence(toEvidence(createServedRecords(54), { stop })).verdict).toBe(
        'inconclusive',
      )
    },
  )

  it('is not judged unprotected in a run with two attempts', () => {
    expect(judgeEvidence(toEvidence(createServedRecords(54), { attempts: 2 })).verdict).toBe(
      'inconclusive',
    )
  })
})

describe('A target that refused requests', () => {
  const refused: readonly ProbeRecord[] = [
    ...createServedRecords(30),
    refuse(30),
    { ...refuse(35), stage: 'recovery' },
    { ...refuse(45), stage: 'recovery' },
    { ...at(65), stage: 'recovery' },
  ]

  it('is protected, and the text contains the observed numbers', () => {
    const { verdict, text, rate } = judgeEvidence(toEvidence(refused, { stop: 'limit_found' }))
    expect([verdict, rate]).toEqual([
      'protected',
      {
        found: true,
        summary: '15 to 30 calls in 6.0 s to 13 s, or a longer window',
        signal: 'status',
        observed: { calls: 30, windowMs: 11_000 },
        atRate: 5,
        bounds: { calls: [15, 30], windowMs: [6000, 13_000] },
        atOnce: undefined,
        declared: undefined,
        comparison: undefined,
        recoveryMs: 7000,
      },
    ])
    expect(text).toBe(
      'A rate limit was reached after 30 requests in 6.0 s: the target responded with status 429. The rate at that time was 5 requests per second. If the window began before the test, the limit may be 15 to 30 calls in 6.0 s to 13 s, or a longer window. Calls were served normally again after 7.0 s. Larger bodies were not tested.',
    )
  })

  it.each([
    [14, 'partly', 'more than twice as many calls were served'],
    [15, 'protected', 'the test observed no more than twice as many served calls'],
  ])('after 30 requests with %i declared calls is %s', (calls, verdict, text) => {
    const limits = [{ calls, windowMs: 60_000, source: SOURCE }]
    const judged = judgeEvidence(toEvidence(refused, { stop: 'limit_found', declared: { limits } }))
    expect([judged.verdict, judged.text.includes(text)]).toEqual([verdict, true])
  })

  it('is not reported as exceeding a declared limit without a window', () => {
    const limits = [{ calls: 5, windowMs: undefined, source: SOURCE }]
    const { verdict, rate } = judgeEvidence(
      toEvidence(refused, { stop: 'limit_found', declared: { limits } }),
    )
    expect([verdict, rate.comparison]).toEqual(['protected', 'kept'])
  })

  it('has the limit that its headers announce', () => {
    const told = refused.map((record) => ({ ...record, limit: 30, windowMs: 8000 }))
    const { rate, text } = judgeEvidence(toEvidence(told, { stop: 'limit_found' }))
    expect([rate.observed, rate.bounds]).toEqual([
      { calls: 30, windowMs: 8000 },
      { calls: [30, 30], windowMs: [8000, 8000] },
    ])
    expect(text).toContain(
      'Response headers announce 30 calls in 8.0 s; 30 requests of this test had been served before.',
    )
  })

  it('is described as slower if it recovered only partly', () => {
    const slower = change(refused, refused.length - 1, { ms: 700 })
    const { verdict, text } = judgeEvidence(toEvidence(slower, { stop: 'limit_found' }))
    expect(verdict).toBe('protected')
    expect(text).toContain(
      'Calls were served again after 7.0 s, but more slowly: one took 700 ms, compared with 20 ms before.',
    )
  })

  it('may have blocked the caller if it served nothing', () => {
    const { verdict, text } = judgeEvidence(toEvidence([refuse(0)], { stop: 'limit_found' }))
    expect(verdict).toBe('inconclusive')
    expect(text).toContain('earlier calls used up the limit, or the caller is blocked')
  })

  it('in the second attempt of a run is protected, with an unknown limit', () => {
    const { verdict, rate } = judgeEvidence(
      toEvidence(refused, { stop: 'limit_found', attempts: 2 }),
    )
    expect([verdict, rate.found, rate.observed]).toEqual(['protected', true, undefined])
  })
})

describe('A target that stopped responding', () => {
  const failing = (index: number) => ({ ...at(index), outcome: 'timed_out', status: 0 }) as const
  const silent = [...createServedRecords(20), failing(20), failing(21), failing(22)]

  it('is protected if it served requests again', () => {
    const records = [...silent, { ...at(60), stage: 'recovery' as const }]
    const { verdict, rate, text } = judgeEvidence(toEvidence(records, { stop: 'timeouts' }))
    expect([verdict, rate.signal, rate.observed?.calls]).toEqual(['protected', 'dropped', 20])
    expect(text).toContain('an outage of the same length would look the same')
  })

  it('was overloaded if calls were far slower after the pause', () => {
    const records = [...silent, { ...at(60), ms: 700, stage: 'recovery' as const }]
    const { verdict, text } = judgeEvidence(toEvidence(records, { stop: 'timeouts' }))
    expect(verdict).toBe('inconclusive')
    expect(text).toContain('the target was overloaded (after the pause, calls took far longer')
    const near = [...silent, { ...at(60), ms: 110, stage: 'recovery' as const }]
    expect(judgeEvidence(toEvidence(near, { stop: 'timeouts' })).verdict).toBe('protected')
  })

  it('is inconclusive if it did not recover', () => {
    expect(judgeEvidence(toEvidence(silent, { stop: 'timeouts' })).verdict).toBe('inconclusive')
  })

  it('is inconclusive if it served requests in between', () => {
    const records = [...silent, at(24), { ...at(60), stage: 'recovery' as const }]
    expect(judgeEvidence(toEvidence(records, { stop: 'timeouts' })).verdict).toBe('inconclusive')
  })
})
