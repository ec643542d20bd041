import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { evaluatePolicy } from '../../../../core/assessments/policy/evaluate-policy.ts'
import type { Policy, PolicySubject } from '../../../../core/assessments/policy/policy.ts'
import {
  toPolicySarif,
  writePolicySarif,
} from '../../../../core/assessments/policy/policy-sarif.ts'
import { readChunks } from '../../../helpers/chunks.ts'
import { codePoint } from '../../../helpers/code-point.ts'
import { runs } from '../../../helpers/runs.ts'
import { findSarifFaults } from '../../../helpers/sarif.ts'
import { createApi } from '../facts.ts'
import { createUsage, toCve, toJudged, toPolicy, toSubject, toVulnerable } from './subjects.ts'

const TOOL = { name: 'api-discovery', version: '1.2.3' }

function toLog(policy: Policy, subject: PolicySubject) {
  return toPolicySarif(evaluatePolicy(policy, subject), { policy, subject: 'shop', tool: TOOL })
}

const resultsOf = (log: ReturnType<typeof toLog>) => log.runs[0]?.results ?? []

describe('SARIF log of a policy evaluation', () => {
  const uses = [
    createUsage({
      places: [
        { file: 'src/b.ts', line: 9, column: 2 },
        { file: 'src/a.ts', line: 3 },
      ],
    }),
    createUsage({ url: 'https://api.sky.example/v1/sun', approval: 'no', reason: 'see [ADR] 7' }),
  ]
  const policy = toPolicy(['no-terms', 'rejected', 'cve>=7'], {
    warn: ['unreviewed'],
    exceptions: [{ vendor: 'Sky', allow: ['no-terms'], until: '2026-06-30', reason: 'Pilot' }],
  })
  const log = toLog(policy, toSubject([toJudged({}, { uses })]))

  it('has a rule for each policy condition, and a unique ID', () => {
    expect(findSarifFaults(log)).toEqual([])
    const [run] = log.runs
    expect(
      run?.tool.driver.rules.map(({ id, name, defaultConfiguration }) => [
        id,
        name,
        defaultConfiguration.level,
      ]),
    ).toEqual([
      ['no-terms', 'NoTerms', 'error'],
      ['rejected', 'RejectedUsage', 'error'],
      ['cve>=7', 'CveScore', 'error'],
      ['unreviewed', 'UnreviewedUsage', 'warning'],
    ])
    expect(run?.automationDetails).toEqual({ id: 'api-discovery/policy/shop/' })
  })

  it('has a result for each location of a usage, and one for an API with its other locations', () => {
    const at = (uri: string, region?: object) => ({
      physicalLocation: {
        artifactLocation: { uri, uriBaseId: '%SRCROOT%' },
        ...(region ? { region } : {}),
      },
    })
    const print = { 'apiPolicy/v1': expect.stringMatching(/^[0-9a-f]{28}$/) }
    const of = { apiName: 'Weather', apiId: 'abc', vendorName: 'Sky' }
    const unreviewed = {
      ruleId: 'unreviewed',
      ruleIndex: 3,
      level: 'warning',
      message: { text: 'GET https://api.sky.example/v1/rain: It has not been reviewed.' },
      partialFingerprints: print,
      suppressions: [],
      properties: { ...of, host: 'api.sky.example', evidence: [] },
    }
    expect(resultsOf(log)).toEqual([
      {
        ruleId: 'no-terms',
        ruleIndex: 0,
        level: 'error',
        message: { text: 'Weather (Sky): No terms are known (catalogue: terms: none known).' },
        locations: [at('src/a.ts', { startLine: 3 })],
        relatedLocations: [
          { id: 0, ...at('src/a.ts', { startLine: 3, startColumn: 5 }) },
          { id: 1, ...at('src/b.ts', { startLine: 9, startColumn: 2 }) },
        ],
        partialFingerprints: print,
        suppressions: [
          { kind: 'external', status: 'accepted', justification: 'Pilot (until 2026-06-30)' },
        ],
        properties: {
          ...of,
          evidence: [
            {
              source: 'catalogue',
              quote: 'terms: none known',
              date: '2026-03-14T00:00:00.000Z',
            },
          ],
        },
      },
      { ...unreviewed, locations: [at('src/a.ts', { startLine: 3 })] },
      {
        ruleId: 'rejected',
        ruleIndex: 1,
        level: 'error',
        message: {
          text: 'GET https://api.sky.example/v1/sun: It was rejected: see \\[ADR\\] 7.',
        },
        locations: [at('src/a.ts', { startLine: 3, startColumn: 5 })],
        partialFingerprints: print,
        suppressions: [],
        properties: { ...of, host: 'api.sky.example', evidence: [] },
      },
      { ...unreviewed, locations: [at('src/b.ts', { startLine: 9, startColumn: 2 })] },
    ])
  })

  it('locates an API without a project, and a file without lines', () => {
    const alone = toLog(toPolicy(['no-terms']), toSubject([toJudged()]))
    expect(findSarifFaults(alone)).toEqual([])
    expect(resultsOf(alone).map(({ locations }) => locations)).toEqual([
      [{ logicalLocations: [{ fullyQualifiedName: 'Weather (Sky)', kind: 'resource' }] }],
    ])
    const uses = [createUsage({ places: [{ file: 'src/a b.ts' }] })]
    const stored = toLog(toPolicy(['unreviewed']), toSubject([toJudged({}, { uses })]))
    expect(findSarifFaults(stored)).toEqual([])
    expect(resultsOf(stored).map(({ locations }) => locations)).toEqual([
      [
        {
          physicalLocation: {
            artifactLocation: { uri: 'src/a%20b.ts', uriBaseId: '%SRCROOT%' },
          },
        },
      ],
    ])
  })

  it('has stable fingerprints if lines move and CVEs are added', () => {
    const print = (line: number, count: number) => {
      const found = Array.from({ length: count }, (_, id) =>
        toCve(`CVE-${id}`, { isExploited: true }),
      )
      const places = [{ file: 'src/a.ts', line }]
      const api = toVulnerable(found, { uses: [createUsage({ places })] })
      return resultsOf(toLog(toPolicy(['kev', 'unreviewed']), toSubject([api]))).map(
        ({ partialFingerprints }) => partialFingerprints,
      )
    }
    expect(print(40, 3)).toEqual(print(3, 1))
    expect(new Set(print(3, 1).map((each) => JSON.stringify(each))).size).toBe(2)
  })

  it('is written in chunks with the same content', async () => {
    const subject = toSubject([toJudged({}, { uses })])
    const chunks = await readChunks(
      writePolicySarif(evaluatePolicy(policy, subject), { policy, subject: 'shop', tool: TOOL }),
    )
    expect(JSON.parse(chunks.join(''))).toEqual(log)
  })

  it('is valid SARIF with any names', () => {
    const name = fc.string({ unit: codePoint, maxLength: 20 })
    const subject = fc
      .record({
        api: name,
        vendor: name,
        host: name,
        file: fc.string({ minLength: 1, unit: codePoint }),
      })
      .map(({ api, vendor, host, file }) => {
        const of = createApi({ name: `a${api}`, vendor: { ...createApi().vendor, name: vendor } })
        const used = [
          createUsage({ url: `https://${host}`, reason: vendor, places: [{ file, line: 1 }] }),
        ]
        return toSubject(
          [toJudged({ api: of }, { uses: used })],
          [{ host: `h${host}`, vendorName: vendor, uses: used }],
        )
      })
    const all = toPolicy(['no-terms', 'unreviewed', 'unknown-host', 'stale>1', 'bad:freshness'])
    fc.assert(
      fc.property(subject, (given) => {
        expect(findSarifFaults(toLog(all, given))).toEqual([])
      }),
      { seed: 5, numRuns: runs(40) },
    )
  })
})
