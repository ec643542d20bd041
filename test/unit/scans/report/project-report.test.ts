import { describe, expect, it } from 'vitest'
import type { Approval } from '../../../../core/scans/records.ts'
import type { ApiFacts } from '../../../../core/scans/report/api-facts.ts'
import { joinDecisions } from '../../../../core/scans/report/decisions.ts'
import { buildProjectReport } from '../../../../core/scans/report/project-report.ts'
import { PAYMENTS, toFinding, toFindings } from '../../../helpers/findings.ts'

const FACTS: ApiFacts = {
  id: 1,
  name: 'Payments',
  version: '1.4.2',
  vendorName: 'Acme',
  terms: ['Apache-2.0'],
  exploited: undefined,
}
const facts = new Map([[1, FACTS]])
const decide = joinDecisions([])
const URL_OF = 'https://api.acme.io/v1/payments'

describe('a report', () => {
  it('takes spellings, sample values and packages of one endpoint as one use', () => {
    const endpointUrl = `${URL_OF}/{}`
    const found = toFindings([
      toFinding(`${URL_OF}/7`, { ...PAYMENTS, endpointUrl }),
      toFinding(`${URL_OF}/{}?a=1`, { ...PAYMENTS, endpointUrl, line: 2, confidence: 0.99 }),
      toFinding('https://api.other.io/send?a=1', { line: 3 }),
      toFinding('https://API.other.io:443/send/#x', { line: 4 }),
      ...['pkg:npm/other', 'pkg:npm/other@1.2.0', 'pkg:pypi/other'].map((name, index) =>
        toFinding('https://api.other.io', { method: undefined, package: name, line: 5 + index }),
      ),
    ])
    const { apis, hosts } = buildProjectReport(found, { facts, decide })
    const toShown = ({ uses }: (typeof apis | typeof hosts)[number]) =>
      uses.map((use) => [use.url, use.method, use.packages, use.confidence, use.places.length])
    expect([...apis, ...hosts].map(toShown)).toEqual([
      [[endpointUrl, 'get', [], 0.99, 2]],
      [
        ['https://api.other.io', undefined, ['pkg:npm/other@1.2.0', 'pkg:pypi/other'], 0.95, 3],
        ['https://api.other.io/send', 'get', [], 0.95, 2],
      ],
    ])
  })

  it('counts what was decided on a URL as the code has it, the strictest of several', () => {
    const endpointUrl = `${URL_OF}/{}`
    const found = toFindings(
      ['7', '8'].map((id) => toFinding(`${URL_OF}/${id}`, { ...PAYMENTS, endpointUrl })),
    )
    const approvalBy = (...decisions: readonly (readonly [string, Approval])[]) => {
      const given = decisions.map(([id, approval]) => {
        return { url: `${URL_OF}/${id}`, method: 'get', approval, reason: '' }
      })
      const report = buildProjectReport(found, { facts, decide: joinDecisions([given]) })
      return report.apis[0]?.approval
    }
    expect(approvalBy(['7', 'yes'])).toBe('unreviewed')
    expect(approvalBy(['7', 'yes'], ['8', 'yes'])).toBe('yes')
    expect(approvalBy(['7', 'yes'], ['8', 'no'])).toBe('no')
    expect(approvalBy(['{}', 'unreviewed'], ['8', 'no'])).toBe('no')
    expect(approvalBy(['{id}?x=1', 'yes'], ['8', 'no'])).toBe('yes')
  })

  it('groups uses by API and by host, each URL and method once with all its places', () => {
    const found = toFindings([
      toFinding(URL_OF, { ...PAYMENTS, line: 3 }),
      toFinding(URL_OF, { ...PAYMENTS, line: 9, file: 'src/b.ts' }),
      toFinding(URL_OF, { ...PAYMENTS, line: 4, method: 'post' }),
      toFinding('https://api.other.io/v2', { via: 'literal', method: undefined }),
    ])
    expect(buildProjectReport(found, { facts, decide })).toEqual({
      files: 2,
      skipped: {},
      vulnerablePackages: [],
      ownClients: [],
      apis: [
        {
          ...FACTS,
          uses: [
            {
              url: URL_OF,
              method: 'get',
              host: 'api.acme.io',
              apiId: 1,
              endpointId: 'pay0001',
              places: [
                { file: 'src/a.ts', line: 3, column: 1 },
                { file: 'src/b.ts', line: 9, column: 1 },
              ],
              packages: [],
              confidence: 0.95,
              role: 'production',
              approval: 'unreviewed',
              reason: '',
              written: [URL_OF],
              vendorName: 'Acme',
            },
            {
              url: URL_OF,
              method: 'post',
              host: 'api.acme.io',
              apiId: 1,
              endpointId: 'pay0001',
              places: [{ file: 'src/a.ts', line: 4, column: 1 }],
              packages: [],
              confidence: 0.95,
              role: 'production',
              approval: 'unreviewed',
              reason: '',
              written: [URL_OF],
              vendorName: 'Acme',
            },
          ],
          files: 2,
          via: ['call'],
          approval: 'unreviewed',
        },
      ],
      hosts: [
        {
          host: 'api.other.io',
          domain: 'other.io',
          vendorName: undefined,
          count: 1,
          uses: [
            {
              url: 'https://api.other.io/v2',
              method: undefined,
              host: 'api.other.io',
              apiId: undefined,
              endpointId: undefined,
              places: [{ file: 'src/a.ts', line: 1, column: 1 }],
              packages: [],
              confidence: 0.95,
              role: 'production',
              approval: 'unreviewed',
              reason: '',
              written: ['https://api.other.io/v2'],
            },
          ],
          files: 1,
          via: ['literal'],
          approval: 'unreviewed',
        },
      ],
    })
  })

  it('takes a base that others are built on as none of its own', () => {
    const base = { ...PAYMENTS, via: 'base', method: undefined, endpointId: undefined } as const
    const urlsOf = (urls: readonly string[]) => {
      const bases = urls.map((url) => toFinding(url, base))
      const found = toFindings([toFinding(URL_OF, PAYMENTS), ...bases])
      const [api] = buildProjectReport(found, { facts, decide }).apis
      return [api?.uses.map(({ url }) => url), api?.via]
    }
    const via = ['call', 'base']
    expect(urlsOf(['https://api.acme.io/v1'])).toEqual([[URL_OF], via])
    expect(urlsOf(['https://api.acme.io/v1/', URL_OF])).toEqual([[URL_OF], via])
    const other = 'https://api.acme.io/v2'
    expect(urlsOf([other])).toEqual([[URL_OF, other], via])
    const part = 'https://api.acme.io/v1/pay'
    expect(urlsOf([part])).toEqual([[URL_OF, part], via])
  })

  it('says what was decided on the uses of an API together', () => {
    const uses = ['get', 'post'].map((method) => toFinding(URL_OF, { ...PAYMENTS, method }))
    const approvalOf = (get: 'yes' | 'no' | undefined, post: 'yes' | 'no' | undefined) => {
      const decisions = [
        { method: 'get', approval: get },
        { method: 'post', approval: post },
      ]
      const given = decisions.flatMap(({ method, approval }) =>
        approval ? [{ url: URL_OF, method, approval, reason: '' }] : [],
      )
      const report = buildProjectReport(toFindings(uses), { facts, decide: joinDecisions([given]) })
      return report.apis[0]?.approval
    }
    expect([
      approvalOf(undefined, undefined),
      approvalOf('yes', undefined),
      approvalOf('yes', 'yes'),
      approvalOf('yes', 'no'),
      approvalOf(undefined, 'no'),
    ]).toEqual(['unreviewed', 'partly', 'yes', 'no', 'no'])
  })

  it('names an API by the finding where the catalogue has let it go', () => {
    const found = toFindings([toFinding(URL_OF, PAYMENTS)])
    const [api] = buildProjectReport(found, { facts: new Map(), decide }).apis
    expect([api?.name, api?.vendorName, api?.version, api?.terms]).toEqual([
      'Payments',
      'Acme',
      '',
      [],
    ])
  })
})

describe('decisions', () => {
  const url = URL_OF
  const on = (method: string | undefined, approval: 'yes' | 'no', reason = '') =>
    ({ url, method, approval, reason }) as const

  it('hold for the very method before every method', () => {
    const find = joinDecisions([[on(undefined, 'no', 'only reading'), on('get', 'yes')]])
    expect(find({ url, method: 'get' })).toEqual({ approval: 'yes', reason: '' })
    expect(find({ url, method: 'post' })).toEqual({ approval: 'no', reason: 'only reading' })
    expect(find({ url: `${url}/1`, method: 'get' })).toEqual({
      approval: 'unreviewed',
      reason: '',
    })
  })

  it('are refusals where one of two sources refuses', () => {
    const find = joinDecisions([[on('get', 'yes', 'a'), on('', 'yes')], [on('get', 'no', 'b')]])
    expect(find({ url, method: 'get' })).toEqual({ approval: 'no', reason: 'b' })
    expect(find({ url, method: undefined })).toEqual({ approval: 'yes', reason: '' })
  })
})
