import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRateHintReader, type RateHints } from '../../../core/egress/rate-headers.ts'
import type { HeaderLine } from '../../../core/ports/egress.ts'
import { codePoint } from '../../helpers/code-point.ts'
import { runs } from '../../helpers/runs.ts'

/** 20 seconds into a minute: Fri, 21 Nov 2025 15:30:20 GMT. */
const NOW = Date.UTC(2025, 10, 21, 15, 30, 20)
const EPOCH = NOW / 1000
const HOUR = 3_600_000

function readHints(headers: Readonly<Record<string, string>>, status = 200): RateHints | undefined {
  const lines: readonly HeaderLine[] = Object.entries(headers)
  return createRateHintReader()(lines, { status, now: NOW })
}

/** Reads the rate limits of headers that describe a single limit. */
function quota(remaining: number, waitMs: number, name = ''): RateHints {
  return { retryAfterMs: undefined, quotas: [{ name, remaining, waitMs }] }
}

function wait(retryAfterMs: number): RateHints {
  return { retryAfterMs, quotas: [] }
}

type Case = readonly [
  what: string,
  headers: Readonly<Record<string, string>>,
  hints: RateHints | undefined,
]

const ANSWERS: readonly Case[] = [
  ['nothing', {}, undefined],
  ['headers of other kinds', { date: 'x', 'accept-ranges': 'bytes', 'x-rate': '5' }, undefined],
  // Examples of the versions of draft-ietf-httpapi-ratelimit-headers
  ['-06', of('ratelimit', { limit: '100', remaining: '50', reset: '50' }), quota(50, 50_000)],
  ['-06 with nothing left', of('ratelimit', { remaining: '0', reset: '5' }), quota(0, 5000)],
  [
    '-06 with a policy',
    { ...of('ratelimit', { remaining: '9', reset: '50' }), 'ratelimit-policy': '10;w=1, 50;w=60' },
    quota(9, 50_000),
  ],
  ['-06 of a long window', of('ratelimit', { remaining: '1', reset: '36000' }), quota(1, HOUR)],
  ['-07', { ratelimit: 'limit=100, remaining=50, reset=5' }, quota(50, 5000, ':')],
  [
    '-07 with nothing left',
    { ratelimit: 'limit=10, remaining=0, reset=10' },
    quota(0, 10_000, ':'),
  ],
  ['-07 in another order', { ratelimit: 'reset=5,remaining=1' }, quota(1, 5000, ':')],
  ['-07 without what is left', { ratelimit: 'limit=10, reset=1' }, undefined],
  ['-08', { ratelimit: '"default";r=50;t=30' }, quota(50, 30_000, ':default')],
  ['-08 with a token', { ratelimit: 'default;r=0;t=50' }, quota(0, 50_000, ':default')],
  [
    '-08 with other parameters',
    { ratelimit: '"sliding";q=12;r=6;t=1' },
    quota(6, 1000, ':sliding'),
  ],
  ['-08 with blanks', { ratelimit: ' "a" ; r=1 ; t=7 ' }, quota(1, 7000, ':a')],
  ['-08 without a reset', { ratelimit: '"default";r=999;pk=:dHJpYWwxMjEzMjM=:' }, undefined],
  [
    '-08 with a partition key',
    { ratelimit: '"default";r=3;t=60;pk=:QXBwLTk5OQ==:' },
    quota(3, 60_000, ':default:QXBwLTk5OQ==:'),
  ],
  [
    '-08 with the window of its policy',
    { 'ratelimit-policy': '"fixed";q=5000;w=600', ratelimit: '"fixed";r=0' },
    quota(0, 600_000, ':fixed'),
  ],
  [
    '-08 with several policies',
    {
      'ratelimit-policy': '"permin";q=50;w=60,"perhr";q=1000;w=3600',
      ratelimit: '"permin";r=20;t=9, "perhr";r=7;t=3000',
    },
    {
      retryAfterMs: undefined,
      quotas: [
        { name: ':perhr', remaining: 7, waitMs: 3_000_000 },
        { name: ':permin', remaining: 20, waitMs: 9000 },
      ],
    },
  ],
  [
    '-08 of bytes, some left',
    {
      'ratelimit-policy': '"peruser";q=65535;qu="content-bytes";w=10;pk=:sdfjLJUOUH==:',
      ratelimit: '"peruser";r=10;t=10',
    },
    quota(Infinity, 10_000, ':peruser'),
  ],
  [
    '-08 of bytes, none left',
    { 'ratelimit-policy': '"b";q=1;qu="content-bytes"', ratelimit: '"b";r=0;t=10' },
    quota(0, 10_000, ':b'),
  ],
  [
    '-08 with a quoted comma and semicolon',
    { ratelimit: '"a,b;r=0;t=9\\"";r=4;t=8' },
    quota(4, 8000, ':a,b;r=0;t=9"'),
  ],
  ['-08 with a name twice', { ratelimit: '"a";r=4;t=8, "a";r=2;t=8' }, quota(2, 8000, ':a')],
  // Vendors
  ['GitHub', of('x-ratelimit', { remaining: '4999', reset: `${EPOCH + 60}` }), quota(4999, 60_000)],
  [
    'GitHub, whole',
    {
      ...of('x-ratelimit', { limit: '60', used: '60', remaining: '0', reset: `${EPOCH + 600}` }),
      'x-ratelimit-resource': 'core',
    },
    quota(0, 600_000),
  ],
  ['X', of('x-rate-limit', { limit: '15', remaining: '3', reset: `${EPOCH + 1}` }), quota(3, 1000)],
  [
    'Reddit',
    of('x-ratelimit', { used: '2', remaining: '598.0', reset: '580' }),
    quota(598, 580_000),
  ],
  [
    'Vimeo',
    of('x-ratelimit', { remaining: '9', reset: 'Fri, 21 Nov 2025 15:31:00 GMT' }),
    quota(9, 40_000),
  ],
  [
    'GitLab',
    {
      ...of('ratelimit', { limit: '60', observed: '67', remaining: '0', reset: `${EPOCH + 30}` }),
      'ratelimit-resettime': 'Fri, 21 Nov 2025 15:30:50 GMT',
      'ratelimit-name': 'throttle_authenticated_web',
    },
    quota(0, 30_000),
  ],
  [
    'GitLab with the date alone',
    { 'ratelimit-remaining': '0', 'ratelimit-resettime': 'Fri, 21 Nov 2025 15:30:50 GMT' },
    quota(0, 30_000),
  ],
  [
    'Akamai',
    of('x-ratelimit', { remaining: '0', next: '2025-11-21T15:30:30.000Z' }),
    quota(0, 10_000),
  ],
  [
    'Discord',
    of('x-ratelimit', {
      remaining: '1',
      bucket: 'abcd1234',
      reset: `${EPOCH + 1}.5`,
      'reset-after': '1.5',
    }),
    quota(1, 1500),
  ],
  [
    'Discord without the instant',
    of('x-ratelimit', { remaining: '0', 'reset-after': '0.25' }),
    quota(0, 250),
  ],
  [
    'Linear',
    of('x-ratelimit-requests', { remaining: '1499', reset: `${NOW + 90_000}` }),
    quota(1499, 90_000, 'requests'),
  ],
  [
    'Linear, complexity as well',
    {
      ...of('x-ratelimit-requests', { remaining: '5', reset: `${NOW + 9}` }),
      ...of('x-ratelimit-complexity', { remaining: '70', reset: `${NOW + 9}` }),
    },
    {
      retryAfterMs: undefined,
      quotas: [
        { name: 'requests', remaining: 5, waitMs: 9 },
        { name: 'complexity', remaining: Infinity, waitMs: 9 },
      ],
    },
  ],
  [
    'RapidAPI',
    of('x-ratelimit-requests', { limit: '500', remaining: '0', reset: '3000' }),
    quota(0, 3_000_000, 'requests'),
  ],
  [
    'OpenAI',
    {
      'x-ratelimit-remaining-requests': '59',
      'x-ratelimit-reset-requests': '1s',
      'x-ratelimit-remaining-tokens': '0',
      'x-ratelimit-reset-tokens': '6m0s',
    },
    {
      retryAfterMs: undefined,
      quotas: [
        { name: 'tokens', remaining: 0, waitMs: 360_000 },
        { name: 'requests', remaining: 59, waitMs: 1000 },
      ],
    },
  ],
  [
    'OpenAI in milliseconds',
    { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '8.64ms' },
    quota(0, 9, 'requests'),
  ],
  [
    'Azure, which tells -1 where it counts nothing',
    {
      'x-ratelimit-limit-tokens': '-1',
      'x-ratelimit-remaining-tokens': '-1',
      'x-ratelimit-reset-tokens': '0',
    },
    undefined,
  ],
  [
    'Anthropic',
    of('anthropic-ratelimit-requests', { remaining: '0', reset: '2025-11-21T15:31:20Z' }),
    quota(0, 60_000, 'requests'),
  ],
  [
    'Kong',
    { 'x-ratelimit-limit-minute': '10', 'x-ratelimit-remaining-minute': '0' },
    quota(0, 40_000, 'minute'),
  ],
  [
    'Kong, two windows',
    { 'x-ratelimit-remaining-hour': '0', 'x-ratelimit-remaining-second': '2' },
    {
      retryAfterMs: undefined,
      quotas: [
        { name: 'hour', remaining: 0, waitMs: HOUR - 1_820_000 },
        { name: 'second', remaining: 2, waitMs: 1000 },
      ],
    },
  ],
  [
    'HubSpot',
    {
      'x-hubspot-ratelimit-max': '100',
      'x-hubspot-ratelimit-remaining': '0',
      'x-hubspot-ratelimit-interval-milliseconds': '10000',
    },
    quota(0, 10_000),
  ],
  ['HubSpot, of the day', { 'x-hubspot-ratelimit-daily-remaining': '0' }, quota(0, HOUR, 'daily')],
  [
    'Brave, which lists its windows',
    of('x-ratelimit', { limit: '1, 15000', remaining: '1, 0', reset: '1, 1419704' }),
    {
      retryAfterMs: undefined,
      quotas: [
        { name: '#1', remaining: 0, waitMs: 1_419_704 },
        { name: '', remaining: 1, waitMs: 1000 },
      ],
    },
  ],
  ['Prisjakt', of('x-rate-limit', { remaining: '0', reset: '600000' }), quota(0, 600_000)],
  [
    'lemlist',
    of('x-ratelimit', {
      remaining: '7',
      reset: 'Fri Nov 21 2025 16:30:42 GMT+0100 (Central European Standard Time)',
    }),
    quota(7, 22_000),
  ],
  [
    'Atlassian',
    of('x-ratelimit', { remaining: '1', reset: '2025-11-21T15:31Z' }),
    quota(1, 40_000),
  ],
  [
    'Zendesk, two spellings at once',
    { 'x-rate-limit-remaining': '699', 'ratelimit-remaining': '12', 'ratelimit-reset': '41' },
    quota(12, 41_000),
  ],
  [
    'an instant in milliseconds by name',
    of('x-ratelimit', { remaining: '0', 'reset-ms': `${NOW + 5000}` }),
    quota(0, 5000),
  ],
  // Garbage and bounds
  ['what is left without a reset', of('x-ratelimit', { remaining: '0' }), undefined],
  [
    'a reset that has passed',
    of('x-ratelimit', { remaining: '0', reset: `${EPOCH - 1}` }),
    undefined,
  ],
  ['a reset of 0', of('x-ratelimit', { remaining: '0', reset: '0' }), undefined],
  ['a negative reset', of('x-ratelimit', { remaining: '0', reset: '-5' }), undefined],
  ['a reset in words', of('x-ratelimit', { remaining: '0', reset: 'soon' }), undefined],
  ['no limit', of('x-ratelimit', { remaining: 'unlimited', reset: '60' }), undefined],
  ['hexadecimal', of('x-ratelimit', { remaining: '0x0', reset: '60' }), undefined],
  ['exponents', of('x-ratelimit', { remaining: '0', reset: '1e9' }), undefined],
  [
    'a far date',
    of('x-ratelimit', { remaining: '0', reset: '9999-12-31T23:59:59Z' }),
    quota(0, HOUR),
  ],
  [
    'a far instant',
    of('x-ratelimit', { remaining: '0', reset: '999999999999999999' }),
    quota(0, HOUR),
  ],
  ['endless digits', of('x-ratelimit', { remaining: '0', reset: '9'.repeat(400) }), undefined],
  [
    'no date',
    of('x-ratelimit', { remaining: '0', reset: 'Fri, 99 Nov 2025 15:31:00 GMT' }),
    undefined,
  ],
  ['a list that is partly wrong', of('x-ratelimit', { remaining: '1,', reset: '5' }), undefined],
  [
    'a great remainder',
    of('ratelimit', { remaining: '99999999999', reset: '5' }),
    quota(1e9, 5000),
  ],
  ['an open quote', { ratelimit: '"default;r=0;t=30' }, undefined],
  ['empty values', { ratelimit: '', 'ratelimit-policy': '', 'x-ratelimit-reset': '' }, undefined],
]

const REFUSALS: readonly (readonly [number, ...Case])[] = [
  [429, 'seconds', { 'retry-after': '120' }, wait(120_000)],
  [503, 'seconds', { 'retry-after': '3' }, wait(3000)],
  [403, 'seconds, as of GitHub', { 'retry-after': '60' }, wait(60_000)],
  [429, 'seconds with decimals, as of Shopify', { 'retry-after': '2.0' }, wait(2000)],
  [429, 'a date', { 'retry-after': 'Fri, 21 Nov 2025 15:31:20 GMT' }, wait(60_000)],
  [429, 'a date of RFC 850', { 'retry-after': 'Friday, 21-Nov-25 15:30:25 GMT' }, wait(5000)],
  [429, 'a date of asctime', { 'retry-after': 'Fri Nov 21 15:30:21 2025' }, wait(1000)],
  [429, 'a past date', { 'retry-after': 'Sun, 06 Nov 1994 08:49:37 GMT' }, undefined],
  [429, 'an instant', { 'retry-after': `${EPOCH + 30}` }, wait(30_000)],
  [429, 'days', { 'retry-after': '172800' }, wait(HOUR)],
  [429, 'a day and more, which are no milliseconds', { 'retry-after': '90000' }, wait(HOUR)],
  [429, 'milliseconds', { 'retry-after-ms': '1250' }, wait(1250)],
  [429, 'milliseconds, in another spelling', { 'x-ms-retry-after-ms': '10' }, wait(10)],
  [
    429,
    'both, of which the longer counts',
    { 'retry-after-ms': '10', 'retry-after': '1' },
    wait(1000),
  ],
  [429, 'both, the other way round', { 'retry-after': '1', 'retry-after-ms': '10' }, wait(1000)],
  [429, 'MailerLite', of('x-ratelimit', { remaining: '0', 'retry-after': '42' }), wait(42_000)],
  [429, 'nothing', { 'content-type': 'text/plain' }, undefined],
  [429, '0', { 'retry-after': '0' }, undefined],
  [429, 'words', { 'retry-after': 'later' }, undefined],
  [429, 'a negative number', { 'retry-after': '-1' }, undefined],
  [
    429,
    'more than the limits, which it precedes',
    { 'retry-after': '20', ratelimit: '"default";r=0;t=48' },
    wait(20_000),
  ],
  [
    429,
    '0 beside limits',
    { 'retry-after': '0', ratelimit: '"default";r=0;t=48' },
    quota(0, 48_000, ':default'),
  ],
  [429, 'a reset and not what is left', of('x-ratelimit', { reset: '9' }), quota(0, 9000)],
  [429, 'a limit of the dictionary', { ratelimit: 'limit=10, reset=1' }, quota(0, 1000, ':')],
  [429, 'a limit without what is left', { ratelimit: 'quota;t=1' }, quota(0, 1000, ':quota')],
  [404, 'a delay that is about something else', { 'retry-after': '120' }, undefined],
  [202, 'a delay that is about something else', { 'retry-after': '120' }, undefined],
  [301, 'a delay that is about the redirect', { 'retry-after': '120' }, undefined],
  [
    301,
    'limits on a redirect',
    { ratelimit: '"problemPolicy";r=0;t=10' },
    quota(0, 10_000, ':problemPolicy'),
  ],
]

/** `prefix-name` for each name. */
function of(
  prefix: string,
  values: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [`${prefix}-${name}`, value]),
  )
}

describe('rate-limit header reader', () => {
  it.each(ANSWERS)('reads %s', (_, headers, hints) => {
    expect(readHints(headers)).toEqual(hints)
  })

  it.each(REFUSALS)('parses with status %i: %s', (status, _, headers, hints) => {
    expect(readHints(headers, status)).toEqual(hints)
  })

  it('parses fields that are split over several lines', () => {
    const lines: readonly HeaderLine[] = [
      ['ratelimit', '"a";r=1;t=1'],
      ['ratelimit-policy', '"a";q=9'],
      ['ratelimit', '"b";r=2;t=2'],
      ['ratelimit-policy', '"b";q=9;qu="content-bytes"'],
    ]
    expect(createRateHintReader()(lines, { status: 200, now: NOW })).toEqual({
      retryAfterMs: undefined,
      quotas: [
        { name: ':a', remaining: 1, waitMs: 1000 },
        { name: ':b', remaining: Infinity, waitMs: 2000 },
      ],
    })
  })

  it('returns the eight scarcest limits', () => {
    const items = Array.from({ length: 12 }, (_, at) => `"${at}";r=${20 - at};t=5`)
    const names = readHints({ ratelimit: items.join(', ') })?.quotas.map(({ name }) => name)
    expect(names).toEqual([':11', ':10', ':9', ':8', ':7', ':6', ':5', ':4'])
  })

  it('never throws, and never returns more than an hour', () => {
    const words = fc.constantFrom(
      ...[
        'x',
        'ratelimit',
        'rate',
        'limit',
        'remaining',
        'reset',
        'after',
        'retry',
        'ms',
        'policy',
      ],
      ...['tokens', 'minute', 'window', 'requests', '__proto__', 'constructor', ''],
    )
    const name = fc.array(words, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('-'))
    const piece = fc.constantFrom(
      ...[
        '"',
        '\\',
        ';',
        ',',
        '=',
        ':',
        ' ',
        'r=',
        't=',
        'pk=:a:',
        'w=',
        'qu="',
        '0',
        '7',
        '99999',
      ],
      ...['1e9', '-', '.', 'h', 'm', 's', 'ms', 'Fri, ', '21 Nov 2025 15:31:00 GMT', 'GMT+0100'],
      ...['2025-11-21T15:31:00Z', '1763739080', '1763739080000', 'limit=', 'remaining=0', 'reset='],
    )
    const value = fc.oneof(
      fc.array(piece, { maxLength: 12 }).map((parts) => parts.join('')),
      fc.string({ maxLength: 200, unit: codePoint }),
      fc.integer().map(String),
      fc.double().map(String),
    )
    const line = fc.tuple(name, value)
    const reader = createRateHintReader()
    const status = fc.constantFrom(200, 403, 429, 503)
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), status, (lines, code) => {
        const hints = reader(lines, { status: code, now: NOW })
        if (!hints) return
        const { retryAfterMs, quotas } = hints
        const waits = [...quotas.map(({ waitMs }) => waitMs), retryAfterMs ?? 1]
        expect(waits.every((ms) => Number.isInteger(ms) && ms >= 1 && ms <= HOUR)).toBe(true)
        expect(quotas.every(({ remaining }) => remaining >= 0)).toBe(true)
        expect(quotas.length).toBeLessThanOrEqual(8)
        expect(new Set(quotas.map((each) => each.name)).size).toBe(quotas.length)
        expect(quotas.length > 0).toBe(retryAfterMs === undefined)
      }),
      { seed: 4, numRuns: runs(5000) },
    )
  })

  it('takes time linear to the length of headers', () => {
    const long = ['a-'.repeat(8000), '"'.repeat(8000), '0'.repeat(8000), ';,='.repeat(3000)]
    for (const value of long) {
      expect(
        readHints({ [`${value.slice(0, 60)}ratelimit-reset`]: '5', ratelimit: value }),
      ).toBeUndefined()
    }
  })
})
