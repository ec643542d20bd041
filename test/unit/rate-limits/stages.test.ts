import { describe, expect, it } from 'vitest'
import { judgeEvidence } from '../../../core/rate-limits/probe/verdict.ts'
import type { Evidence, Probe, ProbeRecord, TestBudget } from '../../../core/rate-limits/records.ts'
import type { LimiterAnswer } from '../../helpers/limiters/limiter.ts'
import { runInProcess } from '../../helpers/limiters/run-in-process.ts'
import { createVirtualClock } from '../../helpers/limiters/virtual-clock.ts'

const BUDGET: TestBudget = { requests: 60, rate: 5, payloadBytes: 64 * 1024 }

describe('A run stops', () => {
  it('at the first conclusive refusal', async () => {
    const evidence = await runNumbered((number) => (number === 12 ? status(429) : status(200)))
    expect(summarize(evidence)).toEqual({ stop: 'limit_found', ramp: 12, later: ['recovery ok'] })
  })

  it('at the second refusal that only words indicate', async () => {
    const evidence = await runNumbered((number) =>
      number === 12 || number === 13 ? { ...status(200), body: 'Quota exceeded' } : status(200),
    )
    expect(summarize(evidence)).toEqual({ stop: 'limit_found', ramp: 13, later: ['recovery ok'] })
  })

  it('at five consecutive 5xx responses', async () => {
    const evidence = await runNumbered((number) => status(number > 20 ? 500 : 200))
    expect(summarize(evidence)).toEqual({
      stop: 'server_errors',
      ramp: 25,
      later: Array.from({ length: 6 }, () => 'recovery failed'),
    })
  })

  it('at five refusals from the first request on, without checking recovery', async () => {
    const evidence = await runNumbered(() => status(401))
    expect(summarize(evidence)).toEqual({ stop: 'rejected', ramp: 5, later: [] })
    expect(judgeEvidence(evidence).verdict).toBe('inconclusive')
  })

  it('at three failed connections', async () => {
    const evidence = await runNumbered(() => 'closed')
    expect(summarize(evidence)).toEqual({ stop: 'unreachable', ramp: 3, later: [] })
    expect(judgeEvidence(evidence).text).toBe(
      'No conclusion is possible: the target could not be reached (3 connections failed). 0 of 3 requests were served, at up to 2 per second. The test ended early, after 3 of at most 60 requests. Larger bodies were not tested.',
    )
  })

  it('at three timeouts, with more requests in flight by then', async () => {
    const evidence = await runNumbered((number) => (number > 15 ? 'silent' : status(200)))
    const { stop, ramp } = summarize(evidence)
    // Fifteen are served, and three time out after three seconds, while fourteen follow.
    expect([stop, ramp]).toEqual(['timeouts', 32])
    expect(judgeEvidence(evidence).text).toContain(
      'The test ended early, after 38 of at most 60 requests: 17 requests received no response within 3.0 s.',
    )
  })

  it('at responses that are slow repeatedly, with an inconclusive verdict', async () => {
    const evidence = await runNumbered((number) => ({
      ...status(200),
      delayMs: number > 20 && number % 4 === 0 ? 500 : 20,
    }))
    expect(evidence.stop).toBe('slow')
    expect(judgeEvidence(evidence).verdict).toBe('inconclusive')
  })

  it('not at a temporary pause of the target', async () => {
    const virtual = createVirtualClock()
    const pause = { from: 4000, to: 4700 }
    const evidence = await runInProcess(
      () => {
        const now = virtual.timers.now()
        const isPaused = now >= pause.from && now < pause.to
        return { ...status(200), delayMs: isPaused ? pause.to - now : 20 }
      },
      { virtual, budget: { requests: 400, rate: 50, payloadBytes: 0 } },
    )
    expect([evidence.stop, judgeEvidence(evidence).verdict]).toEqual(['budget_used', 'unprotected'])
  })

  it('immediately when it is cancelled', async () => {
    const virtual = createVirtualClock()
    const controller = new AbortController()
    const evidence = await virtual.run(() => {
      virtual.timers.sleep(4321).then(() => controller.abort())
      return runInProcessWithin(virtual, controller.signal)
    })
    expect(virtual.timers.now()).toBe(4321)
    expect(evidence.stop).toBe('cancelled')
    expect(evidence.records.filter(({ at }) => at > 4321)).toEqual([])
    expect(judgeEvidence(evidence).verdict).toBe('inconclusive')
  })

  it('when permission is withdrawn, with the reason', async () => {
    let asked = 0
    const evidence = await runInProcess(() => status(200), {
      take: async () => {
        asked += 1
        return asked > 30 ? 'consent_withdrawn' : true
      },
    })
    expect([evidence.stop, evidence.sent, asked]).toEqual(['consent_withdrawn', 30, 31])
    expect(judgeEvidence(evidence).text).toContain(
      "the host's consent was withdrawn during the test",
    )
  })

  it('with the error of take or send, once no request is in flight', async () => {
    let open = 0
    const virtual = createVirtualClock()
    const run = runInProcess(() => status(200), {
      virtual,
      async send() {
        open += 1
        await virtual.timers.sleep(700)
        open -= 1
        throw new Error('Cannot send: the test wants it so')
      },
    })
    await expect(run).rejects.toThrow('the test wants it so')
    expect(open).toBe(0)
  })

  it('before its first request if its budget is used up', async () => {
    const former = { records: [], attempts: 1, sent: 60 }
    const evidence = await runInProcess(() => status(200), { earlier: former })
    expect(evidence).toMatchObject({ stop: 'budget_used', sent: 60, attempts: 2, records: [] })
    expect(judgeEvidence(evidence).verdict).toBe('inconclusive')
  })
})

describe('A resumed run', () => {
  it('sends the remaining requests at later times, and mentions the interruption', async () => {
    const first = await runInProcess(() => status(200), { budget: { ...BUDGET, requests: 25 } })
    const second = await runInProcess(() => status(200), { earlier: first })
    expect([second.sent, second.attempts]).toEqual([57, 2])
    const began = Math.max(...first.records.map(({ at }) => at))
    expect(second.records.slice(first.records.length).every(({ at }) => at > began)).toBe(true)
    expect(judgeEvidence(second).text).toContain('the test was interrupted and resumed')
  })

  it('only checks recovery if an earlier attempt reached a limit', async () => {
    const first = await runNumbered((number) => (number === 9 ? status(429) : status(200)))
    const records = first.records.filter(({ stage }) => stage === 'ramp')
    const former = { records, attempts: 1, sent: records.length }
    const second = await runInProcess(() => status(200), { earlier: former })
    expect(summarize(second)).toEqual({ stop: 'limit_found', ramp: 9, later: ['recovery ok'] })
    expect(judgeEvidence(second).verdict).toBe('protected')
  })
})

describe('Recovery', () => {
  it('is checked after the announced wait', async () => {
    const wait: LimiterAnswer = { ...status(429), headers: [['retry-after', '7']] }
    const evidence = await runNumbered((number) => (number === 12 ? wait : status(200)))
    const { recoveryMs = 0 } = judgeEvidence(evidence).rate
    expect(Math.round(recoveryMs / 100)).toBe(71)
  })

  it('is not checked if the announced wait exceeds a minute', async () => {
    const wait: LimiterAnswer = { ...status(429), headers: [['retry-after', '7200']] }
    const evidence = await runNumbered((number) => (number === 12 ? wait : status(200)))
    expect(summarize(evidence).later).toEqual([])
    expect(judgeEvidence(evidence).text).toContain(
      'Recovery was not observed: the target announced a wait of at least 60 min.',
    )
  })

  it('is checked after 1, 2, 4, 8, 16 and 32 seconds without an announcement', async () => {
    const evidence = await runNumbered((number) => status(number > 12 ? 429 : 200))
    const times = evidence.records.slice(12).map(({ at }) => at)
    const waits = times.slice(1).map((at, index) => Math.round((at - (times[index] ?? 0)) / 1000))
    expect(waits).toEqual([1, 2, 4, 8, 16, 32])
  })
})

describe('Larger bodies and pages', () => {
  const takes = { payload: true, page: { parameter: 'size', size: 20 } }

  it('are sent at the end, one per second, until one is refused', async () => {
    const probes: Probe[] = []
    const evidence = await runInProcess(() => status(200), {
      supports: takes,
      async send(probe) {
        probes.push(probe)
        const isLarge = (probe.bytes ?? 0) > 8192
        const items = probe.pageSize
        return { status: isLarge ? 413 : 200, headers: [], text: '', bytes: 0, items }
      },
    })
    const sizes = probes.flatMap(({ bytes, pageSize }) => bytes ?? pageSize ?? [])
    expect(sizes).toEqual([1024, 2048, 4096, 8192, 16_384, 20, 200])
    const late = evidence.records.filter(({ stage }) => stage === 'payload' || stage === 'page')
    const gaps = late.slice(1).map(({ at }, index) => at - (late[index]?.at ?? 0))
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1000)
    expect(judgeEvidence(evidence)).toMatchObject({
      payload: { state: 'bounded', largestTaken: 8192, smallestRefused: 16_384 },
      page: { state: 'followed', parameter: 'size' },
    })
  })

  it.each([
    [undefined, 'partly'],
    [100, 'partly'],
    [200, 'protected'],
  ])(
    'make the verdict of a rate limit with a page size of 200 and a declared maximum of %s %s',
    async (maximum, verdict) => {
      let number = 0
      const page = { parameter: 'size', size: 20, maximum }
      const evidence = await runInProcess(() => status(200), {
        supports: { payload: false, page },
        async send({ stage, pageSize }) {
          number += 1
          const isOver = stage === 'ramp' && number > 25
          return { status: isOver ? 429 : 200, headers: [], text: '', bytes: 9, items: pageSize }
        },
      })
      const judged = judgeEvidence(evidence)
      expect([judged.verdict, judged.page]).toEqual([
        verdict,
        { state: 'followed', parameter: 'size', asked: 200, items: 200, usualItems: 20 },
      ])
      expect(judged.text).toContain(
        'A page size of 200 was applied: it returned 200 items, compared with 20 for the usual size; larger ones were not tested.',
      )
    },
  )

  it("that are accepted up to the test's maximum do not change the verdict", async () => {
    let number = 0
    const evidence = await runInProcess(() => status(200), {
      supports: { payload: true, page: undefined },
      async send({ stage }) {
        number += 1
        const isOver = stage === 'ramp' && number > 25
        return { status: isOver ? 429 : 200, headers: [], text: '', bytes: 9 }
      },
    })
    const judged = judgeEvidence(evidence)
    expect([judged.verdict, judged.payload]).toEqual([
      'protected',
      { state: 'taken', largestTaken: 65_536, smallestRefused: undefined },
    ])
    expect(judged.text).toContain('Bodies up to 64 KiB were accepted; larger ones were not tested.')
  })

  it('that fail are described with the failure', async () => {
    const evidence = await runInProcess(() => status(200), {
      supports: { payload: true, page: undefined },
      send: async ({ bytes = 0 }) => {
        return { status: bytes > 4096 ? 500 : 200, headers: [], text: '', bytes: 9 }
      },
    })
    expect(judgeEvidence(evidence).text).toContain(
      'Bodies up to 4 KiB were accepted; one of 8 KiB failed (status 500).',
    )
  })

  it('are as large as the budget allows', async () => {
    const budget = { ...BUDGET, requests: 12 }
    const evidence = await runInProcess(() => status(200), { supports: takes, budget })
    expect(evidence.sent).toBeLessThanOrEqual(12)
    expect(judgeEvidence(evidence).payload).toMatchObject({ state: 'taken', largestTaken: 1024 })
  })
})

function status(code: number): Exclude<LimiterAnswer, string> {
  return { status: code, headers: [], body: '{}', delayMs: 20 }
}

/** Chooses the response by request number, from 1. */
function runNumbered(answer: (number: number) => LimiterAnswer): Promise<Evidence> {
  let number = 0
  return runInProcess(() => {
    number += 1
    return answer(number)
  })
}

async function runInProcessWithin(
  virtual: ReturnType<typeof createVirtualClock>,
  signal: AbortSignal,
): Promise<Evidence> {
  const outer = { ...virtual, run: <T>(work: () => Promise<T>) => work() }
  return runInProcess(() => 'silent', { virtual: outer, signal })
}

function summarize({ stop, records }: Evidence) {
  const tell = ({ stage, outcome }: ProbeRecord) => `${stage} ${outcome}`
  const later = records.filter(({ stage }) => stage !== 'ramp')
  return { stop, ramp: records.length - later.length, later: later.map(tell) }
}
