import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseLimitProse } from '../../../core/imports/rate-limits/parse-limit-prose.ts'
import { codePoint } from '../../helpers/code-point.ts'

const SECOND = 1000
const MINUTE = 60_000
const HOUR = 3_600_000
const DAY = 86_400_000

const LIMITS: readonly (readonly [text: string, ...limits: (readonly [number, number])[]])[] = [
  ['You may send 100 requests per minute.', [100, MINUTE]],
  ['Calls are limited to 5 calls/sec', [5, SECOND]],
  ['Rate limit: 1,000/hour', [1000, HOUR]],
  ['Throttled at 10 req/s.', [10, SECOND]],
  ['Limited to 3 requests per second and 900 requests per day', [3, SECOND], [900, DAY]],
  ['Each address is limited to 100 requests every 15 minutes.', [100, 15 * MINUTE]],
  ['Anonymous access is limited to 50 requests a minute.', [50, MINUTE]],
  ['This operation may be called a maximum of 6 times per minute.', [6, MINUTE]],
  ['<b>Rate Limit</b></td><td>2 requests per second</td>', [2, SECOND]],
  ['**Rate limit**: `120` requests per `minute`', [120, MINUTE]],
  ['Requests are limited to 2 per second for every plan', [2, SECOND]],
  ['At most 800 (eight hundred) requests per minute', [800, MINUTE]],
  ['## Limits\n\n- 60 requests per minute per key\n- 1000 a day', [60, MINUTE]],
  ['Limits: requests per minute: 60', [60, MINUTE]],
  ['Rate limited to 5 calls per user per hour.', [5, HOUR]],
  ['The rate limit is 60 requests/minute/IP', [60, MINUTE]],
  ['Rate limiting: 90 requests per IP address per 15-minute window', [90, 15 * MINUTE]],
  ['If you exceed 300 requests in 5 minutes you get a 429', [300, 5 * MINUTE]],
  ['limited to 120 requests within 60s', [120, MINUTE]],
  ['A quota of 10 000 requests per rolling 24 hours', [10_000, DAY]],
  ['Usage is throttled: 20k requests per week', [20_000, 7 * DAY]],
  ['No more than one request per second, please.', [1, SECOND]],
  [
    'Rate limits: 30 rps, up to 2.5 million requests per month',
    [30, SECOND],
    [2_500_000, 30 * DAY],
  ],
  ['Our pricing calls are rate limited to one request per second.', [1, SECOND]],
  ['There is a limit of 20 transactions per second for this operation.', [20, SECOND]],
  ['The free plan (max. 10 requests per minute) is for tests.', [10, MINUTE]],
  ['We recommend (as always.) At most 155 requests per second are allowed.', [155, SECOND]],
  ['You can execute this no more than 16 times per second', [16, SECOND]],
  ['Rate limit exceeded (10 attempts per 15 minutes)', [10, 15 * MINUTE]],
]

const NO_LIMITS: readonly string[] = [
  '',
  'Returns 100 items per page, limited to 500.',
  'The limit is 100 results per request.',
  'It takes 2 and more days, limited to 5.',
  'Numbers between 1 and 10000 are allowed in requests.',
  'Our service handles up to 10,000 requests per second.',
  'We send up to 5 requests per second to your webhook.',
  'The average is 12 requests per second, up to 50 at times.',
  'A call is retried up to 5 times per hour.',
  'A video has at most 30 frames per second.',
  'The price of one request per day is limited.',
  'The maximum speed is 3000 rpm.',
  'Up to 20 transactions per day are listed.',
  'You are charged for up to 1000 requests per month.',
  'Up to 3 times a day the data is updated.',
  'Each user made 12 calls per day.',
  'A file has at most 10 MB per minute.',
  'We recommend at most 1 request per minute.',
  '2 concurrent requests are allowed.',
  'If you exceed the rate limit (for instance by 41 requests/second) you wait.',
  'limited to 100 requests',
  'the rate limit of version 2.0 requests per second',
  'up to 0 requests per second, limited to 99999999999 requests per second',
]

describe('limits in prose', () => {
  for (const [text, ...limits] of LIMITS) {
    it(`are found: ${JSON.stringify(text)}`, () => {
      expect(parseLimitProse(text)).toEqual(
        limits.map(([calls, windowMs]) => ({ calls, windowMs })),
      )
    })
  }

  for (const text of NO_LIMITS) {
    it(`are not found: ${JSON.stringify(text)}`, () => {
      expect(parseLimitProse(text)).toEqual([])
    })
  }

  it('are found without a mention of limits if the text is known to be about them', () => {
    expect(parseLimitProse('120 requests/minute/IP')).toEqual([])
    expect(parseLimitProse('120 requests/minute/IP', true)).toEqual([
      { calls: 120, windowMs: MINUTE },
    ])
    expect(parseLimitProse('25/min', true)).toEqual([{ calls: 25, windowMs: MINUTE }])
  })

  it('are at most eight, all distinct', () => {
    const text = Array.from(
      { length: 40 },
      (_, at) => `limited to ${Math.floor(at / 2) + 1} requests per second.`,
    )
    expect(parseLimitProse(text.join('\n'))).toEqual(
      [1, 2, 3, 4].map((calls) => ({ calls, windowMs: SECOND })),
    )
    expect(parseLimitProse(text.filter((_, at) => at % 2 === 0).join(' ')).length).toBe(8)
  })

  it('are parsed without errors, regardless of the text', () => {
    const words = fc.constantFrom(
      ...'1 1,000 2.5 1 000 ten k million requests calls times per / a every limit quota max ( ) < >'
        .split(' ')
        .concat(
          'second',
          'minute',
          'hours',
          'rps',
          '<b>',
          '</td>',
          '*',
          '`',
          '\n\n',
          '¶',
          'is',
          ':',
        ),
    )
    const texts = fc.array(fc.oneof(words, fc.string({ unit: codePoint, maxLength: 8 })), {
      maxLength: 60,
    })
    fc.assert(
      fc.property(texts, fc.constantFrom('', ' '), fc.boolean(), (parts, glue, isLimit) => {
        for (const { calls, windowMs } of parseLimitProse(parts.join(glue), isLimit)) {
          expect(Number.isSafeInteger(calls) && calls >= 1 && calls <= 1e9).toBe(true)
          expect(windowMs).toBeGreaterThan(0)
        }
      }),
      { seed: 6, numRuns: 500 },
    )
  })

  it('of a megabyte are parsed completely, regardless of repetitions', () => {
    const pieces = ['1 ', '1 requests per ', '<', '<a ', '111,', ' ', '1 (a ', 'a', '9', '\n', '1/']
    const sentences = [
      'limited to 5 requests per second. ',
      'we send 5 calls per day. ',
      '5 per a ',
    ]
    for (const piece of [...pieces, ...sentences]) {
      const text = piece.repeat(Math.ceil(1_000_000 / piece.length))
      expect(parseLimitProse(`${text} requests limited to 7 per day`).length).toBeLessThan(9)
    }
  })
})
