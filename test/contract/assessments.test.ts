import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestService, type TestService } from '../helpers/service.ts'
import { askInProcess } from './ways.ts'

interface Answer {
  readonly assessment: readonly {
    readonly statement: string
    readonly evidence: { readonly source: string; readonly quote: string }
  }[]
}

/** What only the account's own calls and tests can prove. */
const OWN = /^(?:recorded answer|rate-limit test)/

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

  it("takes no evidence of another account's calls and tests", async () => {
    const toSources = ({ assessment }: Answer) => assessment.map(({ evidence }) => evidence.source)
    const own = toSources(await assess(service, service.keys.all))
    const other = toSources(await assess(service, service.keys.other))
    expect(own.filter((source) => OWN.test(source))).toHaveLength(2)
    expect(other).toEqual(own.filter((source) => !OWN.test(source)))
  })

  it('is made by the rules of the host where it has some', async () => {
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
