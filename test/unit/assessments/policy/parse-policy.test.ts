import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parsePolicy } from '../../../../core/assessments/policy/parse-policy.ts'
import { ServiceError } from '../../../../core/errors.ts'
import { ROOT } from '../../../helpers/build.ts'
import { runs } from '../../../helpers/runs.ts'

const messageOf = (text: string): string => {
  try {
    parsePolicy(text)
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'invalid_input') return error.message
    throw error
  }
  return ''
}

const PLAIN = { number: undefined, name: undefined }
const CONDITIONS =
  'no-terms, no-licence, no-privacy-policy, no-country, copyleft, unauthenticated, plain-http, kev, cve>=N, deprecated, stale>N, unapproved-vendor, unapproved-licence, unapproved-country, blocker, bad:CATEGORY, statement:RULE, unknown-host, unknown-vendor, unreviewed, rejected'

describe('parsePolicy', () => {
  it.each([
    [
      'YAML',
      `# Of the legal department.
deny: [no-terms, cve>=7.5, "bad:jurisdiction"]
warn:
  - stale
  - statement:terms-arbitration
vendors: { allow: [Sky, Sea] }
licences:
  deny: [GPLv3, Our own]
exceptions:
  - api: Weather
    allow: [no-terms]
    until: 2026-06-30
    reason: Pilot
`,
    ],
    [
      'JSON',
      `{
\t"deny": ["no-terms", "cve>=7.5", "bad:jurisdiction"],
\t"warn": ["stale", "statement:terms-arbitration"],
\t"vendors": { "allow": ["Sky", "Sea"] },
\t"licences": { "deny": ["GPLv3", "Our own"] },
\t"exceptions": [
\t\t{ "api": "Weather", "allow": ["no-terms"], "until": "2026-06-30", "reason": "Pilot" }
\t]
}`,
    ],
  ])('parses %s, with the conditions implied by its lists', (_, text) => {
    expect(parsePolicy(text)).toEqual({
      deny: [
        { ...PLAIN, text: 'no-terms', kind: 'no-terms' },
        { ...PLAIN, text: 'cve>=7.5', kind: 'cve', number: 7.5 },
        { ...PLAIN, text: 'bad:jurisdiction', kind: 'bad', name: 'jurisdiction' },
        { ...PLAIN, text: 'unapproved-vendor', kind: 'unapproved-vendor' },
        { ...PLAIN, text: 'unapproved-licence', kind: 'unapproved-licence' },
      ],
      warn: [
        { ...PLAIN, text: 'stale', kind: 'stale' },
        {
          ...PLAIN,
          text: 'statement:terms-arbitration',
          kind: 'statement',
          name: 'terms-arbitration',
        },
      ],
      vendors: { allow: ['Sky', 'Sea'], deny: [] },
      licences: { allow: undefined, deny: ['GPL-3.0-only', 'Our own'] },
      countries: undefined,
      exceptions: [{ api: 'Weather', allow: ['no-terms'], until: '2026-06-30', reason: 'Pilot' }],
    })
  })

  it('warns about list violations if the policy says so', () => {
    const { deny, warn } = parsePolicy('warn: [unapproved-country]\ncountries: { allow: [NO] }')
    expect([deny, warn]).toEqual([
      [],
      [{ ...PLAIN, text: 'unapproved-country', kind: 'unapproved-country' }],
    ])
  })

  it('accepts the rules of the host', () => {
    expect(parsePolicy('deny: ["statement:mine"]', { rules: [{ id: 'mine' }] }).deny).toEqual([
      { ...PLAIN, text: 'statement:mine', kind: 'statement', name: 'mine' },
    ])
  })

  it.each([
    ['', 'it is empty'],
    ['# nothing', 'it is empty'],
    ['deny', 'it must be an object with deny, warn, vendors, licences, countries, exceptions'],
    ['deny: []', 'it has no deny or warn entries'],
    ['[kev]', 'it must be an object with deny, warn, vendors, licences, countries, exceptions'],
    ['deny:', 'deny must be a list'],
    ['deny: [1]', 'deny.0 must be a string'],
    [
      'deny: [kev]\nallow: [x]',
      'allow is an unknown member: use deny, warn, vendors, licences, countries, exceptions',
    ],
    [
      'deny: [kev, no-term]',
      `deny.1 "no-term" is not a policy condition: use one of ${CONDITIONS}`,
    ],
    ['deny: [toString]', `deny.0 "toString" is not a policy condition: use one of ${CONDITIONS}`],
    ['deny: [cve]', `deny.0 "cve" is not a policy condition: use one of ${CONDITIONS}`],
    ['deny: [cve>=11]', 'deny.0 "cve>=11" is not a valid score: use 0 to 10, as in cve>=7.5'],
    ['warn: [stale>0]', 'warn.0 "stale>0" is not a valid age: use whole days, as in stale>180'],
    [
      'deny: ["statement:none"]',
      'deny.0 "none" is not a rule: list the rules with "assess --rules"',
    ],
    ['deny: [kev]\nwarn: [kev]', '"kev" occurs more than once in deny and warn'],
    ['deny: [unapproved-vendor]', '"unapproved-vendor" requires vendors.allow or vendors.deny'],
    ['vendors: {}', 'vendors must have allow or deny'],
    ['vendors: { allow: [] }', 'vendors.allow must not be empty'],
    ['vendors: [Sky]', 'vendors must be an object with allow, deny'],
    [
      'countries: { deny: [de] }',
      'countries.deny.0 must be an ISO 3166-1 country code: two capital letters',
    ],
    [
      'exceptions: [{ api: a, allow: [kev], until: 2026-06-30 }]',
      'exceptions.0.reason is required',
    ],
    [
      'exceptions: [{ api: a, allow: [kev], until: 2026-06-30, reason: " " }]',
      'exceptions.0.reason must not be empty',
    ],
    [
      'exceptions: [{ api: a, allow: [kev], until: 2026-02-30, reason: x }]',
      'exceptions.0.until must be a date such as 2030-12-31',
    ],
    [
      'exceptions: [{ api: a, host: b, allow: [kev], until: 2026-06-30, reason: x }]',
      'exceptions.0 must have exactly one of api, vendor, host and package',
    ],
    [
      'deny: [kev]\nexceptions: [{ api: a, allow: [kve], until: 2026-06-30, reason: x }]',
      `exceptions.0.allow.0 "kve" is not a policy condition: use one of ${CONDITIONS}`,
    ],
    ['deny: [kev]\n---\ndeny: [no-terms]', 'it contains several YAML documents'],
    ['{"deny": ["kev"],\n "deny": []}', 'Invalid YAML: duplicated mapping key (line 2, column 3)'],
    [
      '[kev',
      'Invalid YAML: the text ends before a closing quote or bracket (line 1, column 5); the bracket [ at line 1, column 1 is not closed',
    ],
    [
      'deny: [\nkev]',
      'Invalid YAML: the line continues quotes or brackets, but is indented less (line 2, column 1); the bracket [ at line 1, column 7 is not closed before line 2',
    ],
    [`deny: ["${'x'.repeat(201)}"]`, 'deny.0 must be at most 200 characters long'],
    [`# ${'x'.repeat(256 * 1024)}`, 'it is longer than 256 KiB'],
    ['deny: ["a\\u001bb"]', 'deny.0 must not contain control characters'],
  ])('rejects %j with path and allowed values', (text, told) => {
    expect(messageOf(text)).toBe(`Invalid policy: ${told}`)
  })

  it('reports the first problems of many', () => {
    const conditions = Array.from({ length: 12 }, (_, index) => `stale>0${index}`)
    const told = messageOf(JSON.stringify({ deny: conditions }))
    expect(told.match(/deny\.\d+/g)).toHaveLength(10)
    expect(told.endsWith('; and 2 more')).toBe(true)
  })

  it('parses or rejects any input', () => {
    const condition = fc.constantFrom(
      'kev',
      'deny',
      'allow',
      'exceptions',
      '- ',
      ': ',
      '[',
      '{',
      '&a',
      '*a',
      '\n',
    )
    fc.assert(
      fc.property(
        fc.array(fc.oneof(condition, fc.string({ maxLength: 5 })), { maxLength: 12 }),
        (parts) => {
          expect(typeof messageOf(parts.join(''))).toBe('string')
        },
      ),
      { seed: 7, numRuns: runs(300) },
    )
  })

  it('parses the policy of the examples', async () => {
    const text = await readFile(join(ROOT, 'examples', 'api-policy.yaml'), 'utf8')
    const { deny, warn, exceptions } = parsePolicy(text)
    expect([deny.length > 5, warn.length > 1, exceptions.length > 0]).toEqual([true, true, true])
  })
})
