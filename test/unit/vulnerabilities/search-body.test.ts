import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { searchBodySchema } from '../../../core/vulnerabilities/search-body.ts'

/** The parsed value of a member, or its error message. */
function readMember(name: string, value: unknown): unknown {
  const result = v.safeParse(searchBodySchema, { search_term: 'x', vendor: 'acme', [name]: value })
  if (result.success) return (result.output as Readonly<Record<string, unknown>>)[name]
  return result.issues.map(({ message }) => message).join('; ')
}

const NUMBER =
  'must be a number like 7.5, optionally after >, <, >=, <= or =, or a range like >=4 <7'
const SEVERITY = 'must be one or more of none, low, medium, high, critical'

describe('The search term', () => {
  it.each([
    ['', 'must contain at least one letter or digit'],
    ['"*" (^)', 'must contain at least one letter or digit'],
    ['a '.repeat(17), 'must contain at most 16 words'],
    ['\u{1f600}'.repeat(257), 'must be at most 256 characters long'],
  ])('%j is rejected', (given, message) => {
    expect(readMember('search_term', given)).toBe(message)
  })

  it('is passed on as sent', () => {
    expect(readMember('search_term', ' "Log4j" ')).toBe(' "Log4j" ')
  })
})

describe('A filter', () => {
  it.each([
    ['7', '=', 7],
    ['7.0', '=', 7],
    ['>7', '>', 7],
    ['> 7', '>', 7],
    ['<5.5', '<', 5.5],
    ['>=9', '>=', 9],
    ['<=\t0.5', '<=', 0.5],
    ['=3', '=', 3],
    ['  7  ', '=', 7],
    ['007', '=', 7],
    [7, '=', 7],
    [0.05, '=', 0.05],
  ])('%j is %s %d', (given, operator, value) => {
    expect(readMember('cvssv2_filter', given)).toEqual({ operator, value })
  })

  it.each([
    ['>=4 <7', '>=', 4, '<', 7],
    ['> 4 ,\t<= 7.5', '>', 4, '<=', 7.5],
    ['<7,>4', '<', 7, '>', 4],
  ])('%j is a range from %s %d to %s %d', (given, first, one, second, other) => {
    expect(readMember('cvss_filter', given)).toEqual([
      { operator: first, value: one },
      { operator: second, value: other },
    ])
  })

  it.each(['>4 >7', '=4 <7', '4 <7', '>4 <', '>4,,<7', '>4 <7 <9', '>4<7', '>a <7', '>4 <b'])(
    '%j is not a range',
    (given) => {
      expect(readMember('epss_filter', given)).toBe(NUMBER)
    },
  )

  it('of many spaces is parsed fast', () => {
    const spaces = ' '.repeat(1_000_000)
    expect(readMember('cvss_filter', `>4${spaces}<${spaces}7${spaces}8`)).toBe(NUMBER)
  })

  it.each(['', ' ', null, undefined])('%j counts as absent', (given) => {
    expect(readMember('cvssv3_filter', given)).toBeUndefined()
    expect(readMember('year_published', given)).toBeUndefined()
    expect(readMember('published_filter', given)).toBeUndefined()
  })

  it.each([
    'abc',
    'NaN',
    '1e3',
    '-1',
    '.5',
    '7.',
    '>',
    '> >7',
    '<>7',
    '7 8',
    '7,5',
    '٧',
    true,
    {},
    [],
    -1,
    1e21,
    '1'.repeat(20),
  ])('%j is rejected', (given) => {
    expect(readMember('cvssv3_filter', given)).toBe(NUMBER)
  })

  it('of a year is an integer, of a day a calendar day', () => {
    expect(readMember('year_published', '>= 2021')).toEqual({ operator: '>=', value: 2021 })
    expect(readMember('year_published', '2021.0')).toMatch(/^must be a year/)
    const day = { operator: '<', value: Date.UTC(2024, 1, 29) }
    expect(readMember('modified_filter', '< 2024-02-29')).toEqual(day)
    const from = { operator: '>=', value: Date.UTC(2024, 0, 1) }
    expect(readMember('modified_filter', '>=2024-01-01, <2024-02-29')).toEqual([from, day])
    expect(readMember('modified_filter', '2023-02-29')).toMatch(/^must be a day/)
    expect(readMember('modified_filter', 20240229)).toMatch(/^must be a day/)
  })
})

describe('Severities', () => {
  it.each([
    ['high', ['high']],
    [' Critical, HIGH', ['critical', 'high']],
    [
      ['none', 'low'],
      ['none', 'low'],
    ],
    ['', undefined],
    [[], undefined],
    [null, undefined],
  ])('%j are %j', (given, expected) => {
    expect(readMember('severity', given)).toEqual(expected)
  })

  it.each([
    'severe',
    'high,',
    'high critical',
    'low,low,low,low,low,low',
    7,
    {},
    [7],
    ['high', ''],
  ])('%j are rejected', (given) => {
    expect(readMember('severity', given)).toBe(SEVERITY)
  })
})

describe('A flag', () => {
  it.each([true, 'true', 'True', 'TRUE', '1', 1, 'yes'])('%j is set', (given) => {
    expect(readMember('kev', given)).toBe(true)
  })

  it.each([false, 'false', 'False', '0', 0, 'no', '', null])('%j counts as absent', (given) => {
    expect(readMember('extended', given)).toBe(false)
  })

  it.each(['FALSE', 'on', 2, [], {}])('%j is rejected', (given) => {
    expect(readMember('kev', given)).toBe('must be true or false')
  })
})

describe('The other members', () => {
  it('are parsed in their forms', () => {
    expect(readMember('cwe_id', ' cwe-79 ')).toBe('cwe-79')
    expect(readMember('cwe_id', 'NVD-CWE-noinfo')).toBe('NVD-CWE-noinfo')
    expect(readMember('version', 2.17)).toBe('2.17')
    expect(readMember('cvss_vector', 'AV:N/PR:N')).toEqual(['AV:N', 'PR:N'])
    expect(readMember('cvss_vector', 'CVSS:3.1/AV:N/AC:L')).toEqual(['AV:N', 'AC:L'])
    expect(readMember('page', '2')).toBe(2)
    expect(readMember('size', 100)).toBe(100)
  })

  it.each([
    ['cwe_id', '79', 'must be a weakness like CWE-79'],
    ['cvss_vector', 'AV:N/', 'must be metrics of a CVSS vector, like AV:N/PR:N'],
    ['reference_host', 'https://a.example', 'must be a host like github.com'],
    ['vendor', 'x'.repeat(201), 'must be a name of at most 200 characters'],
    ['page', 0, 'must be an integer from 1 to 1000000000'],
    ['size', '101', 'must be an integer from 1 to 100'],
    ['size', 1.5, 'must be an integer from 1 to 100'],
  ])('%s %j is rejected', (name, value, message) => {
    expect(readMember(name, value)).toBe(message)
  })
})
