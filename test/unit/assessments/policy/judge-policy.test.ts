import { describe, expect, it } from 'vitest'
import { findPolicyNeeds } from '../../../../core/assessments/policy/check-policy.ts'
import { evaluatePolicy } from '../../../../core/assessments/policy/evaluate-policy.ts'
import type { PolicySubject } from '../../../../core/assessments/policy/policy.ts'
import { createUsage, toJudged, toPolicy, toSubject } from './subjects.ts'

const HOST = { host: 'api.sea.example', vendorName: undefined, uses: [] }

/** Evaluates a policy with one exception for an API without terms and an unknown host. */
function judgeWith(exception: object, given: Partial<PolicySubject> = {}) {
  const policy = toPolicy(['no-terms', 'unknown-host'], {
    exceptions: [
      { allow: ['no-terms', 'unknown-host'], until: '2026-06-30', reason: 'Pilot', ...exception },
    ],
  })
  const { violations, idle } = evaluatePolicy(policy, {
    ...toSubject([toJudged()], [HOST]),
    ...given,
  })
  return [
    violations.map(({ condition, severity }) => `${condition} ${severity}`),
    idle.map(({ why }) => why),
  ]
}

describe('policy evaluation', () => {
  it('reports condition, API, vendor, evidence and locations of failures, then warnings', () => {
    const other = createUsage({ places: [{ file: 'src/b.ts', line: 9 }], approval: 'yes' })
    const policy = toPolicy(['no-terms'], { warn: ['unreviewed'] })
    const subject = toSubject([toJudged({}, { uses: [createUsage(), other] })])
    const api = { id: 1, encryptedId: 'abc', name: 'Weather', version: '1.0' }
    const base = { api, vendor: 'Sky', exception: undefined }
    expect(evaluatePolicy(policy, subject)).toEqual({
      violations: [
        {
          ...base,
          condition: 'no-terms',
          severity: 'fail',
          host: undefined,
          use: undefined,
          statement: 'No terms are known',
          evidence: [
            { source: 'catalogue', quote: 'terms: none known', link: '', at: subject.now },
          ],
          places: [
            { file: 'src/a.ts', line: 3, column: 5 },
            { file: 'src/b.ts', line: 9 },
          ],
        },
        {
          ...base,
          condition: 'unreviewed',
          severity: 'warn',
          host: 'api.sky.example',
          use: 'GET https://api.sky.example/v1/rain',
          statement: 'It has not been reviewed',
          evidence: [],
          places: [{ file: 'src/a.ts', line: 3, column: 5 }],
        },
      ],
      idle: [],
    })
  })

  it.each([
    ['GitHub', 'github.com'],
    ['github.com', 'GitHub'],
    ['amazonaws.com', 'Amazon Web Services'],
  ])('matches %s in a list or an exception for the vendor %s', (written, vendorName) => {
    const host = { host: 'api.sea.example', vendorName, uses: [] }
    const violations = (lists: object) =>
      evaluatePolicy(toPolicy(['unknown-host'], lists), toSubject([], [host])).violations.map(
        ({ condition, severity }) => `${condition} ${severity}`,
      )
    expect(violations({ vendors: { allow: [written] } })).toEqual(['unknown-host fail'])
    expect(violations({ vendors: { deny: [written] } })).toContain('unapproved-vendor fail')
    const exception = { vendor: written, until: '2999-12-31', reason: 'Pilot' }
    expect(violations({ exceptions: [{ ...exception, allow: ['unknown-host'] }] })).toEqual([
      'unknown-host excepted',
    ])
  })

  it('of an empty subject is empty', () => {
    expect(evaluatePolicy(toPolicy(['no-terms']), toSubject([]))).toEqual({
      violations: [],
      idle: [],
    })
  })

  it('covers only APIs without a project', () => {
    const policy = toPolicy(['unknown-host', 'unreviewed', 'rejected'])
    expect(evaluatePolicy(policy, toSubject([toJudged()])).violations).toEqual([])
  })

  it.each([
    { api: 'Weather' },
    { api: ' weather ' },
    { api: 'Sky/Weather' },
    { api: '1' },
    { api: 'abc' },
    { vendor: 'SKY' },
  ])('excepts an API with the exception of %j', (of) => {
    expect(judgeWith(of)).toEqual([['unknown-host fail', 'no-terms excepted'], []])
  })

  it('excepts a host and its usages', () => {
    expect(judgeWith({ host: 'API.sea.example' })).toEqual([
      ['no-terms fail', 'unknown-host excepted'],
      [],
    ])
    const exceptions = [
      { host: 'api.sky.example', allow: ['unreviewed'], until: '2026-06-30', reason: 'Pilot' },
    ]
    const policy = toPolicy(['unreviewed'], { exceptions })
    const { violations } = evaluatePolicy(
      policy,
      toSubject([toJudged({}, { uses: [createUsage()] })]),
    )
    expect(violations.map(({ severity, exception }) => [severity, exception])).toEqual([
      ['excepted', exceptions[0]],
    ])
  })

  it.each([
    { api: 'Other' },
    { api: 'Sea/Weather' },
    { vendor: 'Sea' },
    { host: 'api.sky.example' },
    { api: 'Weather', allow: ['copyleft'] },
  ])('reports that the exception of %j matches nothing', (of) => {
    expect(judgeWith(of)).toEqual([['no-terms fail', 'unknown-host fail'], ['unused']])
  })

  it.each([
    [Date.UTC(2026, 5, 30, 23, 59, 59, 999), ['unknown-host fail', 'no-terms excepted'], []],
    [Date.UTC(2026, 6, 1), ['no-terms fail', 'unknown-host fail'], ['expired']],
  ])('applies an exception until the end of its last day in UTC (%i)', (now, severities, idle) => {
    expect(judgeWith({ api: 'Weather' }, { now })).toEqual([severities, idle])
  })

  it('excepts warnings as well', () => {
    const exceptions = [
      { vendor: 'Sky', allow: ['no-terms'], until: '2026-06-30', reason: 'Pilot' },
    ]
    const policy = toPolicy(['kev'], { warn: ['no-terms'], exceptions })
    const { violations } = evaluatePolicy(policy, toSubject([toJudged()]))
    expect(violations.map(({ severity }) => severity)).toEqual(['excepted'])
  })
})

describe('data requirements of a policy', () => {
  it('include vulnerabilities for some conditions, and exploited ones for others', () => {
    const conditions = [
      'no-terms',
      'cve>=7',
      'kev',
      'bad:known_vulnerabilities',
      'statement:cve-known',
    ]
    expect(findPolicyNeeds(toPolicy(conditions, { warn: ['statement:kev'] }))).toEqual({
      vulnerabilities: [...conditions.slice(1), 'statement:kev'],
      exploited: ['kev', 'bad:known_vulnerabilities', 'statement:kev'],
      catalogue: ['no-terms', 'bad:known_vulnerabilities', 'statement:cve-known', 'statement:kev'],
    })
    expect(findPolicyNeeds(toPolicy(['no-terms', 'bad:freshness']))).toEqual({
      vulnerabilities: [],
      exploited: [],
      catalogue: ['no-terms', 'bad:freshness'],
    })
    expect(findPolicyNeeds(toPolicy(['kev', 'cve>=7'])).catalogue).toEqual([])
  })
})
