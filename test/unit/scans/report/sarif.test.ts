import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ApiFacts } from '../../../../core/scans/project/report/api-facts.ts'
import { joinDecisions, type UseDecision } from '../../../../core/scans/project/report/decisions.ts'
import { buildProjectReport } from '../../../../core/scans/project/report/project-report.ts'
import { toSarif, writeSarif } from '../../../../core/scans/project/report/sarif.ts'
import { readChunks } from '../../../helpers/chunks.ts'
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
  given: { readonly facts?: ApiFacts; readonly decisions?: readonly UseDecision[] } = {},
) {
  const report = buildProjectReport(toFindings(findings), {
    facts: new Map([[1, given.facts ?? FACTS]]),
    decide: joinDecisions([given.decisions ?? []]),
  })
  return toSarif(report, ABOUT)
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
      ['unapproved-api', 'api-without-terms', 'unmatched-host', 'known-exploited-vulnerability'],
      { id: 'api-discovery/shop/' },
    ])
  })

  it('has a result for each place, and one for each fault of an API', () => {
    const place = (uri: string, startLine: number, startColumn = 1) => ({
      physicalLocation: {
        artifactLocation: { uri, uriBaseId: '%SRCROOT%' },
        region: { startLine, startColumn },
      },
    })
    const fingerprints = { 'apiUse/v1': expect.stringMatching(/^[0-9a-f]{28}$/) }
    const use = {
      url: PAY,
      host: 'api.acme.io',
      approval: 'unreviewed',
      method: 'get',
      endpointId: 'pay0001',
      apiName: 'Payments',
      vendorName: 'Acme [EU]',
    }
    const ofApi = { apiName: 'Payments', vendorName: 'Acme [EU]' }
    const elsewhere = place('src/other%20file%231.ts', 1)
    const related = [{ id: 0, ...elsewhere }]
    const unapproved = {
      ruleId: 'unapproved-api',
      ruleIndex: 0,
      level: 'warning',
      message: {
        text: 'GET https://api.acme.io/v1/payments/* of Payments (Acme \\[EU\\]) is used, which nobody has approved.',
      },
      partialFingerprints: fingerprints,
      properties: use,
    }
    expect(resultsOf(toLog(findings))).toEqual([
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
          text: 'Payments (Acme \\[EU\\]) is used: its vendor and product have CVE-2024-1, known to be exploited (by their names: unconfirmed).',
        },
        locations: [place('src/a.ts', 3, 5)],
        relatedLocations: related,
        partialFingerprints: fingerprints,
        properties: { ...ofApi, cves: ['CVE-2024-1'] },
      },
      { ...unapproved, locations: [place('src/a.ts', 3, 5)] },
      {
        ruleId: 'unmatched-host',
        ruleIndex: 2,
        level: 'note',
        message: {
          text: 'GET https://api.other.io/v2 is used, of which the catalogue has no API.',
        },
        locations: [place('src/a.ts', 9)],
        partialFingerprints: fingerprints,
        properties: { url: OTHER, host: 'api.other.io', approval: 'unreviewed', method: 'get' },
      },
      { ...unapproved, locations: [elsewhere] },
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
      'GET https://api.acme.io/v1/payments/* of Payments (Acme \\[EU\\]) is used, which was refused: see {{ADR}} 7.',
    )
  })

  it('keeps fingerprints when lines move, and has another for each of several in a file', () => {
    const prints = (lines: readonly number[]) =>
      resultsOf(toLog(lines.map((line) => toFinding(OTHER, { line })))).map(
        ({ partialFingerprints }) => partialFingerprints['apiUse/v1'],
      )
    const before = prints([3, 9])
    expect(prints([30, 31])).toEqual(before)
    expect(new Set(before).size).toBe(2)
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
        file: fc.string({ minLength: 1, unit: 'binary' }),
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
