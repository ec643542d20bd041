import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ASSESSMENT_RULES } from '../../core/assessments/index.ts'
import { openTestService, readSeedFiles, type TestService } from '../helpers/service.ts'
import { affects, sampleRecord } from '../unit/vulnerabilities/search/samples.ts'
import { askInProcess } from './ways.ts'

interface Answer {
  readonly assessment: readonly {
    readonly rule?: string
    readonly statement: string
    readonly evidence: { readonly source: string; readonly quote: string }
  }[]
}

/** Evidence that only the account's own calls and tests provide. */
const OWN = /^(?:recorded response|rate-limit test)/

async function assess(service: TestService, key: string): Promise<Answer> {
  const target = '/api/agreements/id?api_id=3&assessment=true'
  const { status, body } = await askInProcess(service).ask({ target, headers: { 'api-key': key } })
  expect(status).toBe(200)
  return JSON.parse(body) as Answer
}

describe('assessment (4.19, 4.20)', () => {
  let service: TestService
  beforeAll(async () => {
    service = await openTestService()
  })
  afterAll(() => service.close())

  it("uses no evidence of another account's calls and tests", async () => {
    const toSources = ({ assessment }: Answer) => assessment.map(({ evidence }) => evidence.source)
    const own = toSources(await assess(service, service.keys.all))
    const other = toSources(await assess(service, service.keys.other))
    expect(own.filter((source) => OWN.test(source))).toHaveLength(4)
    expect(other).toEqual(own.filter((source) => !OWN.test(source)))
  })

  it('names the rules of its statements in the extended form', async () => {
    const of = async (more: string) => {
      const target = `/api/agreements/name?api_name=skycast+weather&assessment=true${more}`
      const headers = { 'api-key': service.keys.all }
      const { body } = await askInProcess(service).ask({ target, headers })
      return (JSON.parse(body) as Answer).assessment
    }
    const known = new Map(ASSESSMENT_RULES.map(({ id, statement }) => [id, statement]))
    const extended = await of('&extended=true')
    expect(extended.length).toBeGreaterThan(5)
    expect(extended.map(({ rule }) => known.get(rule ?? ''))).toEqual(
      extended.map(({ statement }) => statement),
    )
    const plain = extended.map(({ rule, ...statement }) => statement)
    expect(await of('')).toEqual(plain)
  })

  it('finds exploited and critical CVEs beyond the first ones of a product', async () => {
    const own = await openTestService({ isEmpty: true })
    try {
      const [description] = await readSeedFiles()
      if (!description) throw new Error('There is no example description')
      const bytes = description[1]
      await own.app.imports.importDescription({ bytes, createVendor: true, isPublic: true })
      const api = await own.storage.catalogue.findApi('1')
      if (!api) throw new Error('There is no API')
      const configurations = affects('ledgerly:payments:1.0')
      const scored = (score: number) => [
        {
          version: '3.1',
          source: 'nvd',
          isPrimary: true,
          vector: '',
          score,
          severity: '',
        } as const,
      ]
      const newer = Array.from({ length: 130 }, (_, index) =>
        sampleRecord(`CVE-2025-${1000 + index}`, { configurations, metrics: scored(5) }),
      )
      const records = [
        ...newer,
        sampleRecord('CVE-2011-1000', { configurations, metrics: scored(9.8) }),
        sampleRecord('CVE-2010-1000', { configurations, metrics: scored(8) }),
      ]
      const feed = (async function* () {
        yield { records }
      })()
      await own.app.vulnerabilities.loadRecords(feed, { source: 'nvd' })
      const exploited = {
        id: 'CVE-2010-1000',
        name: '',
        addedOn: '2021-01-01',
        dueOn: '',
        action: '',
        isRansomware: false,
      }
      await own.app.vulnerabilities.loadKnownExploited([exploited], { source: 'kev' })
      const { statements } = await own.app.assessments.assess(api, own.caller.account)
      const found = statements.filter(({ category }) => category === 'known_vulnerabilities')
      expect(found.map(({ rule, evidence }) => [rule, evidence.quote])).toEqual([
        ['kev', '1 of 132 CVEs, such as CVE-2010-1000: CVSS 8'],
        ['cve-critical', '1 of 132 CVEs, such as CVE-2011-1000: CVSS 9.8'],
      ])
    } finally {
      await own.close()
    }
  })

  it('treats a re-imported, unchanged description as fresh after a year', async () => {
    const own = await openTestService({ isEmpty: true })
    try {
      const [description] = await readSeedFiles()
      if (!description) throw new Error('There is no example description')
      const request = { bytes: description[1], createVendor: true, isPublic: true }
      const assessed = async () => {
        const api = await own.storage.catalogue.findApi('1')
        if (!api) throw new Error('There is no API')
        const { statements } = await own.app.assessments.assess(api, own.caller.account)
        const found = statements.find(({ category }) => category === 'freshness')
        return [found?.rule, found?.evidence.at]
      }
      const first = own.clock()
      await own.app.imports.importDescription(request)
      own.clock.advance(366 * 86_400_000)
      expect(await assessed()).toEqual(['stale-import', first])
      const { report } = await own.app.imports.importDescription(request)
      expect([report.added, report.changed, report.removed]).toEqual([0, 0, 0])
      expect(await assessed()).toEqual(['fresh-import', own.clock()])
    } finally {
      await own.close()
    }
  })

  it('stops assessing a vendor when the client disconnects', async () => {
    const client = new AbortController()
    let assessed = 0
    const when = () => {
      assessed += 1
      client.abort()
      return undefined
    }
    const about = { category: 'freshness', classification: 'good', statement: 'So it is' } as const
    const own = await openTestService({
      app: { assessmentRules: [{ ...about, id: 'counted', applies: 'never', when }] },
    })
    try {
      for (const title of ['Rain', 'Wind']) {
        const info = { title, version: '1' }
        const bytes = new TextEncoder().encode(
          JSON.stringify({ openapi: '3.1.0', info, paths: {} }),
        )
        await own.app.imports.importDescription({ bytes, vendorName: 'Skycast', isPublic: true })
      }
      const request = new Request(
        'http://service.example/api/agreements/name?vendor_name=skycast&assessment=true',
        { headers: { 'api-key': own.keys.all }, signal: client.signal },
      )
      const answer = await own.app.fetch(request)
      expect([answer.status, assessed]).toEqual([500, 1])
    } finally {
      await own.close()
    }
  })

  it("applies the host's rules, if configured", async () => {
    const hosted = await openTestService({
      app: {
        assessmentRules: [
          {
            id: 'name',
            category: 'description_quality',
            classification: 'good',
            statement: 'It has a name',
            applies: 'always',
            when: ({ api }) => ({
              source: 'catalogue',
              quote: api.name,
              link: '',
              at: api.createdAt,
            }),
          },
        ],
      },
    })
    try {
      const { assessment } = await assess(hosted, hosted.keys.all)
      expect(assessment).toEqual([
        {
          category: 'description_quality',
          classification: 'good',
          statement: 'It has a name',
          evidence: {
            source: 'catalogue',
            quote: 'Skycast Weather',
            link: '',
            date: '2026-03-12T08:00:00+00:00',
          },
        },
      ])
    } finally {
      await hosted.close()
    }
  })
})
