import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ApiFacts } from '../../../../core/scans/report/api-facts.ts'
import { joinDecisions, type UsageDecision } from '../../../../core/scans/report/decisions.ts'
import type { ScanFailure } from '../../../../core/scans/report/judge.ts'
import { buildProjectReport } from '../../../../core/scans/report/project-report.ts'
import { toSarif, writeSarif } from '../../../../core/scans/report/sarif.ts'
import { readStoredUsages } from '../../../../core/scans/report/stored-uses.ts'
import { readChunks } from '../../../helpers/chunks.ts'
import { codePoint } from '../../../helpers/code-point.ts'
import { PAYMENTS, toFinding, toFindings } from '../../../helpers/findings.ts'
import { findSarifFaults } from '../../../helpers/sarif.ts'

const PAY = 'https://api.acme.io/v1/payments/{}'
const OTHER = 'https://api.other.io/v2'
const ABOUT = { projectName: 'shop', tool: { name: 'api-discovery', version: '1.2.3' } }

const FACTS: ApiFacts = {
  id: 1,
  name: 'Payments',
  version: '1',
  vendorName: 'Acme [EU]',
  terms: [],
  exploited: ['CVE-2024-1'],
}

function toLog(
  findings: Parameters<typeof toFindings>[0],
  given: {
    readonly facts?: ApiFacts
    readonly decisions?: readonly UsageDecision[]
    readonly failures?: readonly ScanFailure[]
  } = {},
) {
  const report = buildProjectReport(toFindings(findings), {
    facts: new Map([[1, given.facts ?? FACTS]]),
    decide: joinDecisions([given.decisions ?? []]),
  })
  return toSarif(report, { ...ABOUT, failures: given.failures })
}

const resultsOf = (log: ReturnType<typeof toLog>) => log.runs[0]?.results ?? []

describe('a SARIF log', () => {
  const findings = [
    toFinding(PAY, { ...PAYMENTS, vendorName: 'Acme [EU]', line: 3, column: 5 }),
    toFinding(PAY, { ...PAYMENTS, file: 'src/other file#1.ts' }),
    toFinding(OTHER, { line: 9 }),
  ]

  it('has one run with the tool, its rules and where files are relative to', () => {
    const log = toLog(findings)
    expect(findSarifFaults(log)).toEqual([])
    const [run] = log.runs
    expect([run?.tool.driver.rules.map(({ id }) => id), run?.automationDetails]).toEqual([
      [
        'unapproved-api',
        'api-without-terms',
        'unmatched-host',
        'known-exploited-vulnerability',
        'vulnerable-package',
        'own-client',
      ],
      { id: 'api-discovery/shop/' },
    ])
  })

  it('has one note for each client library that the project implements', () => {
    const own = { via: 'own-package', package: 'pkg:npm/acme', method: undefined } as const
    const client = toFinding('https://api.acme.io', {
      ...{ ...own, ...PAYMENTS, file: 'package.json', line: 2, column: 12 },
    })
    const log = toLog([client])
    expect(findSarifFaults(log)).toEqual([])
    expect(resultsOf(log)).toMatchObject([
      {
        ruleId: 'own-client',
        level: 'note',
        message: { text: 'This project implements the client of Acme.' },
        locations: [{ physicalLocation: { artifactLocation: { uri: 'package.json' } } }],
      },
    ])
  })

  it('compares each result with a baseline, where one is given', () => {
    const second = toFinding(PAY, { ...PAYMENTS, method: 'post', file: 'src/other file#1.ts' })
    const report = buildProjectReport(toFindings([...findings, second]), {
      facts: new Map([[1, FACTS]]),
      decide: joinDecisions([]),
    })
    const baseline = readStoredUsages(
      JSON.stringify({
        project_name: 'shop',
        endpoints: [{ endpoint_url: PAY, endpoint_method: 'get', approval: 'unreviewed' }],
      }),
    )
    const log = toSarif(report, { ...ABOUT, baseline })
    expect(findSarifFaults(log)).toEqual([])
    const statesOf = (results: ReturnType<typeof resultsOf>) =>
      results.map(({ ruleId, baselineState }) => [ruleId, baselineState])
    expect(statesOf(resultsOf(log))).toEqual([
      ['api-without-terms', 'updated'],
      ['known-exploited-vulnerability', 'updated'],
      ['unapproved-api', 'unchanged'],
      ['unmatched-host', 'new'],
      ['unapproved-api', 'updated'],
    ])
    const first = toSarif(report, { ...ABOUT, baseline: [] })
    expect(new Set(statesOf(resultsOf(first)).map(([, state]) => state))).toEqual(new Set(['new']))
    expect(JSON.stringify(toSarif(report, ABOUT))).not.toContain('baselineState')
  })

  const place = (uri: string, startLine: number, startColumn = 1) => ({
    physicalLocation: {
      artifactLocation: { uri, uriBaseId: '%SRCROOT%' },
      region: { startLine, startColumn },
    },
  })

  it('has a result for each API or host and file, and one for each fault of an API', () => {
    const fingerprints = { 'apiUse/v1': expect.stringMatching(/^[0-9a-f]{28}$/) }
    const ofApi = { apiName: 'Payments', vendorName: 'Acme [EU]' }
    const use = { url: PAY, host: 'api.acme.io', approval: 'unreviewed' }
    const elsewhere = place('src/other%20file%231.ts', 1)
    const related = [
      { id: 0, ...place('src/a.ts', 8) },
      { id: 1, ...elsewhere },
    ]
    const unapproved = { ruleId: 'unapproved-api', ruleIndex: 0, level: 'warning' }
    const more = toFinding(PAY, { ...PAYMENTS, method: 'post', line: 8, package: 'pkg:npm/acme' })
    expect(resultsOf(toLog([...findings, more]))).toEqual([
      {
        ruleId: 'api-without-terms',
        ruleIndex: 1,
        level: 'warning',
        message: { text: 'Payments (Acme \\[EU\\]) is used, of which no terms are known.' },
        locations: [place('src/a.ts', 3, 5)],
        relatedLocations: related,
        partialFingerprints: fingerprints,
        properties: ofApi,
      },
      {
        ruleId: 'known-exploited-vulnerability',
        ruleIndex: 3,
        level: 'error',
        message: {
          text: 'Payments (Acme \\[EU\\]) is used: its vendor and product have CVE-2024-1, known to be exploited (matched by name, unconfirmed).',
        },
        locations: [place('src/a.ts', 3, 5)],
        relatedLocations: related,
        partialFingerprints: fingerprints,
        properties: { ...ofApi, cves: ['CVE-2024-1'] },
      },
      {
        ...unapproved,
        message: {
          text: 'This file uses Payments (Acme \\[EU\\]): GET https://api.acme.io/v1/payments/*, POST https://api.acme.io/v1/payments/*, in 2 places. They are not approved.',
        },
        locations: [place('src/a.ts', 3, 5)],
        relatedLocations: [
          {
            id: 0,
            ...place('src/a.ts', 8),
            message: { text: 'POST https://api.acme.io/v1/payments/*' },
          },
        ],
        partialFingerprints: fingerprints,
        properties: {
          ...ofApi,
          endpoints: [
            { ...use, method: 'get', endpointId: 'pay0001', places: 1 },
            { ...use, method: 'post', endpointId: 'pay0001', places: 1 },
          ],
          endpointCount: 2,
          packages: ['pkg:npm/acme'],
        },
      },
      {
        ruleId: 'unmatched-host',
        ruleIndex: 2,
        level: 'note',
        message: {
          text: 'This file uses api.other.io: GET https://api.other.io/v2. The catalogue has no API of this host.',
        },
        locations: [place('src/a.ts', 9)],
        partialFingerprints: fingerprints,
        properties: {
          host: 'api.other.io',
          endpoints: [
            { url: OTHER, host: 'api.other.io', approval: 'unreviewed', method: 'get', places: 1 },
          ],
          endpointCount: 1,
        },
      },
      {
        ...unapproved,
        message: {
          text: 'This file uses Payments (Acme \\[EU\\]): GET https://api.acme.io/v1/payments/*. It is not approved.',
        },
        locations: [elsewhere],
        partialFingerprints: fingerprints,
        properties: {
          ...ofApi,
          endpoints: [{ ...use, method: 'get', endpointId: 'pay0001', places: 1 }],
          endpointCount: 1,
        },
      },
    ])
  })

  it('has nothing of what is approved, and errors of what is refused', () => {
    const facts = { ...FACTS, terms: ['MIT'], exploited: undefined }
    const decide = (approval: 'yes' | 'no') =>
      [PAY, OTHER].map((url) => ({ url, method: undefined, approval, reason: 'see {ADR} 7' }))
    expect(resultsOf(toLog(findings, { facts, decisions: decide('yes') }))).toEqual([])
    const refused = resultsOf(toLog(findings, { facts, decisions: decide('no') }))
    expect(refused.map(({ level }) => level)).toEqual(['error', 'error', 'error'])
    expect(refused[0]?.message.text).toBe(
      'This file uses Payments (Acme \\[EU\\]): GET https://api.acme.io/v1/payments/*. It was rejected: see {{ADR}} 7.',
    )
    const url = 'https://api.other.io/v3'
    const mixed = [toFinding(OTHER, { line: 9 }), toFinding(url, { line: 2 })]
    const [result, ...others] = resultsOf(toLog(mixed, { decisions: decide('no') }))
    expect([others, result?.level, result?.message.text]).toEqual([
      [],
      'error',
      'This file uses api.other.io: GET https://api.other.io/v2, GET https://api.other.io/v3, in 2 places. The catalogue has no API of this host. GET https://api.other.io/v2 was rejected: see {{ADR}} 7.',
    ])
    expect(result?.locations).toEqual([place('src/a.ts', 2)])
  })

  it('has errors of what fails a check', () => {
    const facts = { ...FACTS, terms: [], exploited: undefined }
    const levelsOf = (failures: readonly ScanFailure[]) =>
      resultsOf(toLog(findings, { facts, failures })).map(({ ruleId, level }) => [ruleId, level])
    const fail = (check: ScanFailure['check'], subject: string) => ({
      ...{ check, subject, reason: 'not in the baseline', place: undefined },
    })
    const before = levelsOf([])
    expect(before.map(([, level]) => level)).not.toContain('error')
    expect(levelsOf([fail('new', `GET ${OTHER}`)])).toEqual(
      before.map(([rule, level]) => [rule, rule === 'unmatched-host' ? 'error' : level]),
    )
    expect(levelsOf([fail('no-terms', 'Payments (Acme [EU])')])).toEqual(
      before.map(([rule, level]) => [rule, rule === 'api-without-terms' ? 'error' : level]),
    )
    expect(levelsOf([fail('no-terms', `GET ${OTHER}`)])).toEqual(before)
  })

  it('keeps its fingerprints when lines move and when more is found', () => {
    const printsOf = (all: Parameters<typeof toLog>[0]) =>
      resultsOf(toLog(all)).map((result) => [
        result.ruleId,
        result.partialFingerprints['apiUse/v1'],
      ])
    const at = (...lines: readonly number[]) => lines.map((line) => toFinding(OTHER, { line }))
    const before = printsOf(at(3, 9))
    expect(before).toHaveLength(1)
    expect(printsOf(at(30, 31, 32))).toEqual(before)
    const grown = [...at(40), toFinding(`${OTHER}/more`), ...findings.slice(0, 2)]
    expect(printsOf(grown)).toEqual(expect.arrayContaining(before))
    const elsewhere = printsOf([toFinding(OTHER, { file: 'src/b.ts' })])
    expect(elsewhere).not.toEqual(before)
  })

  it('names the environments that the code may choose', () => {
    const alternatives = ['https://live.other.io']
    const [result] = resultsOf(
      toLog([toFinding('https://test.other.io', { method: undefined, alternatives })]),
    )
    expect(result?.message.text).toContain(': https://test.other.io or https://live.other.io.')
    expect(result?.properties).toMatchObject({ endpoints: [{ alternatives }] })
  })

  it('bounds the locations and endpoints of a result, and says how many there are', () => {
    const lines = Array.from({ length: 300 }, (_, index) =>
      toFinding(`${OTHER}/${index % 30}`, { line: index + 1 }),
    )
    const [result, ...others] = resultsOf(toLog(lines))
    expect(others).toEqual([])
    expect(result?.relatedLocations).toHaveLength(20)
    const named = expect.objectContaining({ host: 'api.other.io', places: 10 })
    const endpoints = Array.from({ length: 20 }, () => named)
    expect(result?.properties).toEqual({ host: 'api.other.io', endpoints, endpointCount: 30 })
    expect(result?.message.text).toBe(
      'This file uses api.other.io: GET https://api.other.io/v2/0, GET https://api.other.io/v2/1, GET https://api.other.io/v2/10 and 27 more endpoints, in 300 places (21 are listed). The catalogue has no API of this host.',
    )
  })

  it('is written in chunks as it is', async () => {
    const many = Array.from({ length: 2000 }, (_, line) => toFinding(OTHER, { line: line + 1 }))
    const report = buildProjectReport(toFindings([...findings, ...many]), {
      facts: new Map([[1, FACTS]]),
      decide: joinDecisions([]),
    })
    const chunks = await readChunks(writeSarif(report, ABOUT))
    expect(JSON.parse(chunks.join(''))).toEqual(toSarif(report, ABOUT))
    expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThan(64 * 1024)
  })

  it('keeps to the rules of the format, whatever is found', () => {
    const finding = fc
      .record({
        file: fc.string({ minLength: 1, unit: codePoint }),
        line: fc.integer({ min: 1, max: 1e6 }),
        column: fc.integer({ min: 1, max: 1e4 }),
        path: fc.string(),
        method: fc.constantFrom(undefined, 'get', 'post'),
        api: fc.constantFrom({}, PAYMENTS),
        vendorName: fc.option(fc.string(), { nil: undefined }),
      })
      .map(({ path, api, ...more }) => toFinding(`https://api.x.io/${path}`, { ...more, ...api }))
    fc.assert(
      fc.property(fc.array(finding, { maxLength: 8 }), (all) => {
        expect(findSarifFaults(toLog(all))).toEqual([])
      }),
      { seed: 5, numRuns: 100 },
    )
  })
})
