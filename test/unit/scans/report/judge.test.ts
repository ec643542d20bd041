import { describe, expect, it } from 'vitest'
import type { ApiFacts } from '../../../../core/scans/report/api-facts.ts'
import { joinDecisions, type UsageDecision } from '../../../../core/scans/report/decisions.ts'
import { checkReport, type ScanCheck } from '../../../../core/scans/report/judge.ts'
import { buildProjectReport } from '../../../../core/scans/report/project-report.ts'
import { mergeReviewFile, toReviewFile } from '../../../../core/scans/report/review-file.ts'
import { readStoredUsages } from '../../../../core/scans/report/stored-uses.ts'
import { PAYMENTS, toFinding, toFindings } from '../../../helpers/findings.ts'

const PAY = 'https://api.acme.io/v1/payments'
const OTHER = 'https://api.other.io/v2/{}'
const found = toFindings([
  toFinding(PAY, { ...PAYMENTS, line: 3 }),
  toFinding(OTHER, { method: 'post', line: 7 }),
])

const KNOWN: ApiFacts = {
  id: 1,
  name: 'Payments',
  version: '1',
  vendorName: 'Acme',
  terms: ['Apache-2.0'],
  exploited: [],
}

function toReport(given: { facts?: Partial<ApiFacts>; decisions?: readonly UsageDecision[] } = {}) {
  const known = { ...KNOWN, ...given.facts }
  return buildProjectReport(found, {
    facts: new Map([[1, known]]),
    decide: joinDecisions([given.decisions ?? []]),
  })
}

const on = (...checks: readonly ScanCheck[]) => ({ checks: new Set(checks) })
const payPlace = { file: 'src/a.ts', line: 3, column: 1 }
const otherPlace = { file: 'src/a.ts', line: 7, column: 1 }

describe('the check', () => {
  it('unapproved finds what nobody approved, of the catalogue or not, and what is refused', () => {
    const decisions = [{ url: PAY, method: 'get', approval: 'no', reason: 'too dear' }] as const
    expect(checkReport(toReport({ decisions }), on('unapproved'))).toEqual([
      {
        check: 'unapproved',
        subject: `GET ${PAY}`,
        reason: 'it was rejected: too dear',
        place: payPlace,
      },
      {
        check: 'unapproved',
        subject: `POST ${OTHER}`,
        reason: 'it has not been reviewed',
        place: otherPlace,
      },
    ])
    const all = [PAY, OTHER].map((url) => ({ url, method: undefined, reason: '' }))
    const approved = all.map((each) => ({ ...each, approval: 'yes' as const }))
    expect(checkReport(toReport({ decisions: approved }), on('unapproved'))).toEqual([])
  })

  it('no-terms finds catalogued APIs without a licence or agreement', () => {
    expect(checkReport(toReport(), on('no-terms'))).toEqual([])
    expect(checkReport(toReport({ facts: { terms: [] } }), on('no-terms'))).toEqual([
      {
        check: 'no-terms',
        subject: 'Payments (Acme)',
        reason: 'no terms are known',
        place: payPlace,
      },
    ])
  })

  it('kev finds APIs whose vendor and product have exploited vulnerabilities', () => {
    expect(checkReport(toReport(), on('kev'))).toEqual([])
    const exploited = ['CVE-2024-1', 'CVE-2023-1', 'CVE-2022-1']
    expect(checkReport(toReport({ facts: { exploited } }), on('kev'))).toEqual([
      {
        check: 'kev',
        subject: 'Payments (Acme)',
        reason:
          'its vendor and product have CVE-2024-1 and 2 more, known to be exploited (matched by name, unconfirmed)',
        place: payPlace,
      },
    ])
  })

  it('new finds what the baseline does not have, by URL and method', () => {
    const failures = (baseline: string) =>
      checkReport(toReport(), { ...on('new'), baseline: readStoredUsages(baseline) }).map(
        ({ subject }) => subject,
      )
    const findings = (method?: string) =>
      JSON.stringify({ findings: [{ file: 'x.js', url: PAY, ...(method ? { method } : {}) }] })
    expect(failures(findings('get'))).toEqual([`POST ${OTHER}`])
    expect(failures(findings('put'))).toEqual([`GET ${PAY}`, `POST ${OTHER}`])
    expect(failures(findings())).toEqual([`GET ${PAY}`, `POST ${OTHER}`])
    const anyMethod = JSON.stringify({ endpoints: [{ endpoint_url: PAY }] })
    expect(failures(anyMethod)).toEqual([`POST ${OTHER}`])
    expect(failures(JSON.stringify(toReviewFile('shop', toReport())))).toEqual([])
  })

  it('checks the wanted roles, and what was rejected in others', () => {
    const [host, test, example] = ['https://acme.net/a', 'https://api.t.io', 'https://api.e.io']
    const others = toFindings([
      toFinding(host, { isOwnHost: true }),
      toFinding(test, { ...PAYMENTS, file: 'tests/a.ts' }),
      toFinding(example, { file: 'examples/a.ts' }),
      toFinding(OTHER, { file: 'Jenkinsfile' }),
    ])
    const facts = new Map([[1, { ...KNOWN, terms: [] }]])
    const failures = (
      wanted: Partial<Parameters<typeof checkReport>[1]>,
      decisions: readonly UsageDecision[] = [],
    ) => {
      const report = buildProjectReport(others, { facts, decide: joinDecisions([decisions]) })
      const checks = on('unapproved', 'no-terms', 'new')
      return checkReport(report, { ...checks, ...wanted }).map(
        ({ check, subject }) => `${check} ${subject}`,
      )
    }
    expect(failures(on('unapproved'))).toEqual([
      `unapproved GET ${test}`,
      `unapproved GET ${OTHER}`,
      `unapproved GET ${example}`,
      `unapproved GET ${host}`,
    ])
    const roles = new Set(['production', 'build'] as const)
    expect(failures({ roles })).toEqual([`unapproved GET ${OTHER}`, `new GET ${OTHER}`])
    expect(failures({ roles: new Set(['own-host', 'test']) })).toEqual([
      `unapproved GET ${test}`,
      `unapproved GET ${host}`,
      'no-terms Payments (Acme)',
      `new GET ${test}`,
      `new GET ${host}`,
    ])
    const rejected = { url: host, method: 'get', approval: 'no', reason: '' } as const
    expect(failures({ ...on('unapproved'), roles }, [rejected])).toEqual([
      `unapproved GET ${OTHER}`,
      `unapproved GET ${host}`,
    ])
  })

  it('stands before the next one in the order of the checks', () => {
    const wanted = { ...on('new', 'no-terms', 'unapproved'), baseline: [] }
    const failures = checkReport(toReport({ facts: { terms: [] } }), wanted)
    expect(failures.map(({ check }) => check)).toEqual([
      'unapproved',
      'unapproved',
      'no-terms',
      'new',
      'new',
    ])
    expect(checkReport(toReport(), on())).toEqual([])
  })
})

describe('a review file', () => {
  it('holds every use with what was decided on it, in order of URL and method', () => {
    const decisions = [
      { url: OTHER, method: undefined, approval: 'yes', reason: 'a partner' },
    ] as const
    expect(toReviewFile('shop', toReport({ decisions }))).toEqual({
      project_name: 'shop',
      endpoints: [
        {
          endpoint_url: PAY,
          endpoint_method: 'get',
          api_name: 'Payments',
          vendor_name: 'Acme',
          approval: 'unreviewed',
        },
        {
          endpoint_url: OTHER,
          endpoint_method: 'post',
          approval: 'yes',
          reason: 'a partner',
        },
      ],
    })
  })

  it('joined with the one before, keeps every decision; a refusal counts', () => {
    const decisions = [{ url: PAY, method: 'get', approval: 'yes', reason: 'stored' }] as const
    const gone = { endpoint_url: 'https://gone.io', approval: 'yes' } as const
    const before = readStoredUsages(
      JSON.stringify({
        endpoints: [{ endpoint_url: PAY, approval: 'no', reason: 'too dear' }, gone],
      }),
    )
    const file = toReviewFile('shop', toReport({ decisions }))
    const [, other] = file.endpoints
    expect(mergeReviewFile(file, before)).toEqual({
      file: {
        project_name: 'shop',
        endpoints: [
          { endpoint_url: PAY, approval: 'no', reason: 'too dear' },
          { ...file.endpoints[0], approval: 'no', reason: 'too dear' },
          other,
          gone,
        ],
      },
      kept: 2,
      added: 1,
    })
  })
})
