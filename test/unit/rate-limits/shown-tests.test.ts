import { describe, expect, it } from 'vitest'
import { describeTest } from '../../../core/rate-limits/probe/describe-test.ts'
import { renderPlot } from '../../../core/rate-limits/probe/plot.ts'
import { judgeEvidence } from '../../../core/rate-limits/probe/verdict.ts'
import {
  DEFAULT_BUDGET,
  type Evidence,
  type ProbeRecord,
  type TestResult,
} from '../../../core/rate-limits/records.ts'
import { toTimeline } from '../../../core/rate-limits/to-wire.ts'
import { LIMITER_MODELS } from '../../helpers/limiters/index.ts'
import { runInProcess } from '../../helpers/limiters/run-in-process.ts'

const RECORD: ProbeRecord = {
  stage: 'ramp',
  at: 0,
  lateMs: 0,
  ms: 30,
  outcome: 'ok',
  status: 200,
  inFlight: 0,
}

const RUN = { id: 7, endpoint: 'aB3dE5f', host: 'api.example.com:443' }

describe('The timeline of a test', () => {
  it('counts sent and completed requests per tenth of a second', () => {
    const records: readonly ProbeRecord[] = [
      RECORD,
      { ...RECORD, at: 50, ms: 40 },
      { ...RECORD, at: 95, lateMs: 10, ms: 20, outcome: 'limited', status: 429 },
      { ...RECORD, at: 99, ms: 500, outcome: 'timed_out', status: 0 },
      { ...RECORD, at: 120, ms: 60, outcome: 'rejected', status: 404 },
    ]
    expect(toTimeline(records)).toEqual([
      { at: 0, sent: 3, ok: 2, limited: 0, failed: 0, p50: 30, p99: 40 },
      { at: 100, sent: 2, ok: 0, limited: 1, failed: 1, p50: 20, p99: 60 },
      { at: 500, sent: 0, ok: 0, limited: 0, failed: 1, p50: 500, p99: 500 },
    ])
  })

  it('is empty without requests', () => {
    expect(toTimeline([])).toEqual([])
  })
})

describe('The description of a test', () => {
  it('states the total and the maximum rate', async () => {
    const evidence = await runModel('fixed window')
    expect(describeTest(toResult(evidence))).toBe(
      '44 requests in 25.5 s, at most 5 requests per second; 40 at a rising, then steady rate, 4 to observe recovery',
    )
  })

  it('covers a test without requests', () => {
    expect(describeTest(toResult(toEvidence([])))).toBe(
      '0 requests in 0.0 s, at most 0 requests per second',
    )
  })
})

describe('The plot of a test', () => {
  it.each(Object.keys(LIMITER_MODELS))('is well-formed and self-contained for %s', async (name) => {
    const plot = renderPlot(toResult(await runModel(name)), RUN)
    expect(findFault(plot)).toBeUndefined()
    expect(plot.match(/<script|href|url\(|@import|\son\w+=|NaN|undefined/)).toBeNull()
    expect(plot.match(/https?:[^"]*/g)).toEqual(['http://www.w3.org/2000/svg'])
  })

  it('marks the first refusal and the recovery, and has a description', async () => {
    const evidence = await runModel('fixed window')
    const plot = renderPlot(toResult(evidence), RUN)
    const texts = [...plot.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text)
    expect(texts).toEqual([
      'Rate-limit test: protected',
      'Run 7 of endpoint aB3dE5f at api.example.com:443, 2026-03-09T12:00:00+00:00',
      ...['0', '5', '10', '15', '20', '25', 'seconds since the test began'],
      ...['1 ms', '10 ms', '100 ms', '1 s', '10 s', 'latency'],
      ...['0', '5', 'completed requests per second'],
      ...['first refusal, 10.5 s', 'served again, 25.5 s'],
      ...['served', 'limited', 'failed'],
    ])
    expect(plot.match(/<desc id="plot-desc">(.*)<\/desc>/)?.[1]).toBe(
      `Run 7 of endpoint aB3dE5f at api.example.com:443, 2026-03-09T12:00:00+00:00. ${describeTest(toResult(evidence))}. ${judgeEvidence(evidence).text}`.replace(
        /'/g,
        '&#39;',
      ),
    )
  })

  it("marks the start of larger bodies and pages differently from the target's behaviour", () => {
    const records: readonly ProbeRecord[] = [
      RECORD,
      { ...RECORD, stage: 'payload', at: 12_000, size: 1024 },
      { ...RECORD, stage: 'payload', at: 13_000, size: 2048 },
      { ...RECORD, stage: 'page', at: 14_000, size: 20 },
    ]
    const plot = renderPlot(toResult(toEvidence(records)), RUN)
    expect(plot.match(/[a-z ]+ from [\d.]+ s/g)).toEqual([
      'larger pages from 14.0 s',
      'larger bodies from 12.0 s',
    ])
    expect(plot.match(/stroke-dasharray="[^"]+"/g)).toEqual(Array(2).fill('stroke-dasharray="1 4"'))
  })

  it('escapes markup in the texts of a run', () => {
    const evidence = toEvidence([RECORD])
    const verdict = { ...judgeEvidence(evidence), text: '</desc><script>alert(1)</script>' }
    const host = '</text><script>alert(2)</script>'
    const plot = renderPlot({ ...toResult(evidence), verdict }, { ...RUN, host })
    expect(plot).not.toContain('<script')
  })

  it('has axes for a run without requests', () => {
    expect(findFault(renderPlot(toResult(toEvidence([])), RUN))).toBeUndefined()
  })

  it('draws everything within its frame', () => {
    const records = [
      { ...RECORD, ms: 0 },
      { ...RECORD, at: 299_000, ms: 90_000 },
    ]
    const plot = renderPlot(toResult(toEvidence(records)), RUN)
    const places = [...plot.matchAll(/ (?:x|x1|x2)="([\d.-]+)"/g)].map(([, place]) => Number(place))
    expect([Math.min(...places) >= 0, Math.max(...places) <= 760]).toEqual([true, true])
  })
})

async function runModel(name: string): Promise<Evidence> {
  const limiter = LIMITER_MODELS[name]?.({ seed: 5, budget: DEFAULT_BUDGET })
  if (!limiter) throw new Error(`Cannot run ${name}: there is no such model`)
  return runInProcess(limiter.answer)
}

function toEvidence(records: readonly ProbeRecord[]): Evidence {
  const declared = { has429: false, headers: [], limits: [], seen: { calls: 0, limited: 0 } }
  const budget = DEFAULT_BUDGET
  return { budget, declared, records, stop: 'budget_used', attempts: 1, sent: records.length }
}

function toResult(evidence: Evidence): TestResult {
  return {
    verdict: judgeEvidence(evidence),
    evidence,
    beganAt: Date.UTC(2026, 2, 9, 12),
    endedAt: 0,
  }
}

/** Finds the first tag that is not closed, or closed without being open. */
function findFault(xml: string): string | undefined {
  const open: string[] = []
  for (const [tag, slash, name = '', end] of xml.matchAll(/<(\/?)([\w-]+)[^<>]*?(\/?)>/g)) {
    if (slash === '' && end === '') open.push(name)
    else if (slash === '/' && open.pop() !== name) return tag
  }
  return open.pop()
}
