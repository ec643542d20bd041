import { describe, expect, it } from 'vitest'
import {
  printTestResult,
  renderTimelineBars,
  type TestResult,
} from '../../adapters/cli/benchmark-text.ts'
import type { Io, Terminal } from '../../adapters/cli/io.ts'

type Row = Parameters<typeof renderTimelineBars>[0][number]
type Extended = NonNullable<TestResult['extended']>

function row(at_ms: number, more: Partial<Row>): Row {
  return { at_ms, sent: 0, ok: 0, limited: 0, failed: 0, p50_ms: null, p99_ms: null, ...more }
}

describe('bars over time', () => {
  it('have one scale and a line for each outcome that occurred', () => {
    expect(
      renderTimelineBars([
        row(0, { ok: 1 }),
        row(400, { ok: 3 }),
        row(600, { ok: 8 }),
        row(1900, { limited: 2 }),
      ]),
    ).toEqual(['Served     ▄█  ', 'Limited       ▂', '           4 steps of 500 ms, up to 8 each'])
  })

  it('are at most 60, regardless of the duration of a test', () => {
    const rows = [row(0, { ok: 1 }), row(299_900, { failed: 1 })]
    expect(renderTimelineBars(rows)).toEqual([
      `Served     █${' '.repeat(59)}`,
      `Failed     ${' '.repeat(59)}█`,
      '           60 steps of 5 s, up to 1 each',
    ])
  })

  it('are fewer in a narrow terminal, and coloured if it has colours', () => {
    const rows = [row(0, { ok: 1 }), row(19_900, { limited: 1 })]
    const lines = renderTimelineBars(rows, { columns: 31, hasColors: true })
    expect(lines).toEqual([
      'Served     \u001b[32m█\u001b[39m                   ',
      'Limited                       \u001b[33m█\u001b[39m',
      '           20 steps of 1 s, up to 1 each',
    ])
  })
})

const RATE = {
  found: true,
  summary: '20 calls in 10 s, announced in response headers',
  signal: 'status',
  observed: { calls: 20, window_ms: 10_000 },
  bounds: null,
  at_once: null,
  at_rate: 5,
  declared: { calls: 10_000, window_ms: 2_592_000_000 },
  comparison: 'untried',
  recovery_ms: 4100,
} as const

const ANSWER: TestResult = {
  datetime: '2026/11/21',
  result:
    'Protected: A rate limit was reached after 20 requests in 6.6 s: the target responded with status 429.',
  test_case: '24 requests in 12.9 s, at most 5 requests per second',
  extended: {
    run: 1,
    endpoint_id: '3MhTAnm',
    host: '127.0.0.1:9001',
    state: 'done',
    verdict: 'protected',
    sent: 24,
    budget: { requests: 60, rate: 5, payload_bytes: 65_536 },
    is_stopped: false,
    failure: '',
    created_at: '2026-11-21T10:00:00+00:00',
    started_at: '2026-11-21T10:00:01+00:00',
    ended_at: '2026-11-21T10:00:14+00:00',
    consent: 'operator',
    uses_credentials: false,
    attempts: 1,
    stop: 'limit_found',
    reason: null,
    rate: RATE,
    payload: { state: 'bounded', largest_taken_bytes: 1024, smallest_refused_bytes: 2_097_152 },
    page: { state: 'followed', parameter: 'limit', asked: 200, items: 200, usual_items: 20 },
    declared: {
      has_429: true,
      headers: [],
      limits: [
        { ...RATE.declared, source: 'words of the description' },
        { calls: 1, window_ms: null, source: 'x-ratelimit of the API' },
      ],
      seen: { calls: 0, limited: 0 },
    },
    timeline: [row(0, { sent: 1, ok: 1 })],
  },
}

function printResultLines(
  extended: Partial<Extended> = {},
  terminal?: Terminal,
): readonly string[] {
  const lines: string[] = []
  const io = { terminal, result: (line: string) => void lines.push(...line.split('\n')) }
  const answer = {
    ...ANSWER,
    ...(ANSWER.extended && { extended: { ...ANSWER.extended, ...extended } }),
  }
  // No other member is used.
  printTestResult(io as unknown as Io, answer, { hasTimeline: false })
  return lines
}

describe('a printed result', () => {
  it('shows verdict, limits and sizes', () => {
    expect(printResultLines()).toEqual([
      ANSWER.result,
      '',
      'Run        1, done, started 2026-11-21T10:00:01+00:00',
      'Endpoint   3MhTAnm at 127.0.0.1:9001',
      'Sent       24 requests in 12.9 s, at most 5 requests per second',
      'Limit      20 calls in 10 s, announced in response headers',
      'Declared   10,000 calls in 30 days (words of the description) and 1 more: not tested',
      'Recovery   after 4.1 s',
      'Payload    1 KiB accepted, 2 MiB rejected',
      'Page size  limit=200: accepted, 200 items instead of 20',
      '',
      'Served     █',
      '           1 step of 500 ms, up to 1 each',
    ])
  })

  it('shows limits that were not found, not declared or not tested', () => {
    const rate = { ...RATE, ...{ found: false, summary: null, declared: null, comparison: null } }
    const nothing = { parameter: null, asked: null, items: null, usual_items: null }
    const lines = printResultLines({
      rate: { ...rate, recovery_ms: null },
      payload: { state: 'untested', largest_taken_bytes: null, smallest_refused_bytes: null },
      page: { state: 'untested', ...nothing },
      declared: null,
      timeline: [],
    })
    expect(lines.slice(5)).toEqual(['Limit      none found', 'Declared   nothing'])
    const queued = {
      state: 'queued',
      started_at: null,
      rate: null,
      payload: null,
      page: null,
    } as const
    expect(printResultLines({ ...queued, timeline: [] }).slice(2)).toEqual([
      'Run        1, queued since 2026-11-21T10:00:00+00:00',
      'Endpoint   3MhTAnm at 127.0.0.1:9001',
      'Sent       24 requests in 12.9 s, at most 5 requests per second',
    ])
  })

  it('fits a terminal and colours the verdict', () => {
    const lines = printResultLines({}, { columns: 40, hasColors: true })
    expect(lines.slice(0, 3)).toEqual([
      '\u001b[32mProtected\u001b[39m: A rate limit was reached',
      'after 20 requests in 6.6 s: the target',
      'responded with status 429.',
    ])
    expect(lines.slice(4, 8)).toEqual([
      'Run        1, done, started',
      '           2026-11-21T10:00:01+00:00',
      'Endpoint   3MhTAnm at 127.0.0.1:9001',
      'Sent       24 requests in 12.9 s, at',
    ])
    const plain = printResultLines({}, { columns: 40, hasColors: false })
    expect(plain[0]).toBe('Protected: A rate limit was reached')
    expect(Math.max(...plain.map((line) => line.length))).toBeLessThanOrEqual(43)
  })
})
