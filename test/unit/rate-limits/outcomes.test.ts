import { describe, expect, it } from 'vitest'
import { createRateHintReader } from '../../../core/egress/rate-headers.ts'
import type { HeaderLine } from '../../../core/ports/egress.ts'
import {
  isSureLimit,
  judgeResponse,
  readAnnouncedLimit,
} from '../../../core/rate-limits/probe/outcomes.ts'
import { readUsualWords } from '../../../core/rate-limits/probe/quota-words.ts'
import type { ProbeResponse } from '../../../core/rate-limits/records.ts'

const NOW = Date.UTC(2026, 10, 1)

describe('A response', () => {
  it.each([
    [200, [], '{"things":[]}', 'ok', undefined, false],
    [204, [], '', 'ok', undefined, false],
    [304, [], '', 'ok', undefined, false],
    [302, [['location', '/login']], '', 'rejected', undefined, false],
    [302, [['location', '/rate-limit']], '', 'rejected', undefined, false],
    [429, [], '', 'limited', 'status', true],
    [420, [], 'Enhance your calm', 'limited', 'status', false],
    [529, [['retry-after', '3']], 'overloaded', 'limited', 'status', true],
    [509, [], 'Bandwidth', 'limited', 'status', false],
    [503, [], 'Service Unavailable', 'failed', undefined, false],
    [503, [['retry-after', '3']], 'Service Unavailable', 'limited', 'unavailable', true],
    [503, [['x-ratelimit-remaining', '0']], '', 'limited', 'unavailable', true],
    [503, [], '<Code>SlowDown</Code>', 'limited', 'unavailable', false],
    [403, [], 'Forbidden', 'rejected', undefined, false],
    [403, [], '{"message":"API rate limit exceeded for 192.0.2.1"}', 'limited', 'status', false],
    [403, [['x-ratelimit-remaining', '0']], 'Forbidden', 'limited', 'status', true],
    [402, [], '{"error":"You have exceeded your quota"}', 'limited', 'status', false],
    [400, [], '{"error":{"code":"rate_limit_exceeded"}}', 'limited', 'status', false],
    [404, [['x-ratelimit-remaining', '0']], 'Not found', 'rejected', undefined, false],
    [500, [], 'Error', 'failed', undefined, false],
    [200, [], '{"status":"OVER_QUERY_LIMIT"}', 'limited', 'body', false],
    [200, [['retry-after', '3']], 'Too many requests', 'limited', 'body', false],
    [200, [], '{"success":false,"error":{"code":429}}', 'limited', 'body', false],
    [200, [], `{"text":"${'about rate limits '.repeat(200)}"}`, 'ok', undefined, false],
  ] as const)(
    'with status %i, headers %j and body %j is %s',
    (status, headers, text, outcome, signal, isSure) => {
      const judged = judgeAnswer({ status, headers, text, bytes: text.length })
      expect([judged.outcome, judged.signal]).toEqual([outcome, signal])
      const record = { stage: 'ramp', at: 0, lateMs: 0, ms: 1, inFlight: 0, ...judged } as const
      expect(isSureLimit(record)).toBe(isSure)
    },
  )

  it.each([
    ['connect_failed', 'refused'],
    ['unresolved', 'refused'],
    ['first_byte_timeout', 'timed_out'],
    ['total_timeout', 'timed_out'],
    ['malformed_answer', 'failed'],
    ['aborted', 'failed'],
  ] as const)('that failed with %s is %s', (failure, outcome) => {
    expect(judgeAnswer({ failure })).toEqual({ outcome, status: 0 })
  })

  it('is not a refusal because of words that the usual body contains', () => {
    const text = '{"title":"The rate limit of things","id":7}'
    const answer = { status: 200, headers: [], text, bytes: text.length }
    expect(judgeAnswer(answer, readUsualWords(text)).outcome).toBe('ok')
    expect(judgeAnswer(answer).outcome).toBe('limited')
  })

  it('is a refusal although the first response was the same error', () => {
    const text = '{"error":{"message":"Daily limit reached"}}'
    const answer = { status: 200, headers: [], text, bytes: text.length }
    expect(judgeAnswer(answer, readUsualWords(text)).outcome).toBe('limited')
  })
})

describe('Response headers', () => {
  it.each([
    [[['retry-after', '30']], { waitMs: 30_000 }],
    [[['retry-after', new Date(NOW + 5000).toUTCString()]], { waitMs: 5000 }],
    [
      [
        ['x-ratelimit-limit', '60'],
        ['x-ratelimit-remaining', '7'],
        ['x-ratelimit-reset', `${NOW / 1000 + 12}`],
      ],
      { limit: 60, remaining: 7, waitMs: 12_000 },
    ],
    [
      [
        ['ratelimit-limit', '100, 100;w=60'],
        ['ratelimit-remaining', '50'],
        ['ratelimit-reset', '30'],
      ],
      { limit: 100, remaining: 50, waitMs: 30_000, windowMs: 60_000 },
    ],
    [
      [
        ['ratelimit', 'limit=100, remaining=50, reset=30'],
        ['ratelimit-policy', '100;w=60'],
      ],
      { limit: 100, remaining: 50, waitMs: 30_000, windowMs: 60_000 },
    ],
    [
      [
        ['ratelimit', '"burst";r=3;t=1, "day";r=900;t=3600'],
        ['ratelimit-policy', '"burst";q=5;w=1, "day";q=1000;w=86400'],
      ],
      { limit: 5, remaining: 3, waitMs: 1000, windowMs: 1000 },
    ],
    [
      [
        ['x-ratelimit-limit-minute', '20'],
        ['x-ratelimit-remaining-minute', '4'],
        ['x-ratelimit-limit-hour', '500'],
        ['x-ratelimit-remaining-hour', '484'],
      ],
      { limit: 20, remaining: 4, windowMs: 60_000, waitMs: 60_000 },
    ],
    [
      [
        ['x-ratelimit-limit-requests', '40'],
        ['x-ratelimit-limit-tokens', '90000'],
        ['x-ratelimit-remaining-requests', '39'],
        ['x-ratelimit-remaining-tokens', '0'],
      ],
      { limit: 40, remaining: 39 },
    ],
    [[['x-ratelimit-remaining', 'NaN']], {}],
    [[['content-type', 'text/plain']], {}],
  ] as const)('%j announce %j', (headers, told) => {
    const hints = createRateHintReader()
    const lines: readonly HeaderLine[] = headers
    const isRetry = lines[0]?.[0] === 'retry-after'
    const status = isRetry ? 429 : 200
    expect(readAnnouncedLimit(lines, { status, now: NOW, hints })).toEqual(told)
  })
})

function judgeAnswer(answer: ProbeResponse, usual: readonly string[] = []) {
  return judgeResponse(answer, { usual: new Set(usual), now: NOW, hints: createRateHintReader() })
}
