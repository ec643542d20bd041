import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import type { AssessmentFacts, LicenceFact } from '../../../core/assessments/records.ts'
import { ASSESSMENT_RULES } from '../../../core/assessments/rules.ts'
import { createApi, createFacts, ofText } from './facts.ts'
import { PHRASES } from './phrases.ts'

function find(id: string, facts: AssessmentFacts) {
  const rule = ASSESSMENT_RULES.find((each) => each.id === id)
  if (!rule) throw new Error(`There is no rule ${id}`)
  const found = rule.when(facts)
  return found && found.quote !== '' ? found : undefined
}

const AT = createFacts().now
const DAY = 86_400_000
const licence = (name: string, spdxId = name): Partial<AssessmentFacts> => {
  const fact: LicenceFact = { name, url: 'https://sky.example/licence', spdxId, at: AT }
  return { licences: [fact] }
}
const linked = (kind: string): Partial<AssessmentFacts> => ({
  agreements: [
    { name: kind, kind, link: 'https://sky.example/x', spdxId: '', text: undefined, at: AT },
  ],
})
const readOn = (at: number): Partial<AssessmentFacts> => ({
  agreements: [
    {
      name: 'Terms',
      kind: 'TermsOfService',
      link: 'https://sky.example/t',
      spdxId: '',
      text: { digest: 'd', size: 1, retrievedAt: at },
      at,
    },
  ],
})
const api = (given: Parameters<typeof createApi>[0]) => ({ api: createApi(given) })
const server = (...urls: readonly string[]) => urls.map((url) => ({ url, name: '', variables: [] }))
const endpoints = (given: Partial<AssessmentFacts['endpoints']>) => ({
  endpoints: { ...createFacts().endpoints, ...given },
})
const cve = (isExploited: boolean, score?: number) => ({
  vulnerabilities: {
    count: 1,
    found: [{ id: 'CVE-2026-0001', description: 'Bad.', publishedAt: AT, isExploited, score }],
  },
})
const recorded = (name: string) => ({
  recorded: { endpoint: 'abc1234', status: 200, headers: [[name, '1'] as const], at: AT },
})
const tested = (verdict: 'protected' | 'partly' | 'unprotected' | 'inconclusive') => ({
  rateLimitTest: { verdict, text: 'What was found.', at: AT },
})

/** Of each other rule: facts that it means, and some that are nearly so. */
const FACTS: readonly (readonly [
  rule: string,
  meant: Partial<AssessmentFacts>,
  near: Partial<AssessmentFacts>,
])[] = [
  ['link-pricing', linked('Pricing'), linked('Documentation')],
  ['link-service-level', linked('ServiceLevelAgreement'), linked('StatusPage')],
  ['link-terms', linked('TermsOfService'), linked('PrivacyPolicy')],
  ['link-privacy', linked('PrivacyPolicy'), linked('TermsOfService')],
  ['link-deprecation-policy', linked('DeprecationPolicy'), linked('ChangeLog')],
  ['link-rate-limits', linked('RateLimits'), linked('Pricing')],
  ['licence-non-commercial', licence('CC-BY-NC-SA-4.0'), licence('CC-BY-SA-4.0')],
  ['licence-source-available', licence('BUSL-1.1'), licence('BSL-1.0')],
  ['licence-network-copyleft', licence('AGPL-3.0-only'), licence('GPL-3.0-only')],
  ['licence-copyleft', licence('GPL-2.0-only'), licence('LGPL-2.1-only')],
  ['licence-weak-copyleft', licence('MPL-2.0'), licence('MIT')],
  ['licence-share-alike', licence('ODbL-1.0'), licence('ODC-By-1.0')],
  ['licence-no-derivatives', licence('CC-BY-ND-4.0'), licence('CC-BY-NC-ND-4.0')],
  ['licence-public-domain', licence('CC0-1.0'), licence('CC-BY-4.0')],
  ['licence-permissive', licence('CC-BY-4.0'), licence('CC-BY-SA-4.0')],
  ['licence-proprietary', licence('Proprietary', ''), licence('Non-proprietary', '')],
  ['countries', api({ countries: ['EE'] }), api({})],
  [
    'transport-https',
    api({ servers: server('https://api.sky.example', 'http://localhost:80') }),
    api({ servers: server('https://sky.example/api') }),
  ],
  [
    'transport-plain-too',
    api({ servers: server('https://api.sky.example', 'http://api.sky.example') }),
    api({ servers: server('https://api.sky.example', 'http://127.0.0.1') }),
  ],
  [
    'transport-plain',
    api({ servers: server('http://api.sky.example'), authTypes: ['none'] }),
    api({ servers: server('http://api.sky.example'), authTypes: ['none', 'query'] }),
  ],
  [
    'transport-plain-secrets',
    api({ servers: server('http://api.sky.example') }),
    api({ servers: server('http://api.sky.example', 'https://api.sky.example') }),
  ],
  ['auth-none', api({ authTypes: ['none'] }), api({ authTypes: ['none'], isDescribed: false })],
  [
    'auth-partly-none',
    endpoints({ open: ['GET /a'] }),
    { ...endpoints({ open: ['GET /a'] }), ...api({ authTypes: ['none'] }) },
  ],
  ['auth-oauth2', api({ authTypes: ['OAuth2'] }), api({ authTypes: ['OAuth1'] })],
  ['auth-in-url', api({ authTypes: ['query'] }), api({ authTypes: ['header', 'query'] })],
  ['auth-basic-alone', api({ authTypes: ['BasicAuth'] }), api({ authTypes: ['none'] })],
  ['deprecated-all', endpoints({ deprecated: 10 }), endpoints({ deprecated: 9 })],
  ['deprecated-some', endpoints({ deprecated: 9 }), endpoints({ deprecated: 10 })],
  ['quality-described', endpoints({ undescribed: [] }), endpoints({ undescribed: [], read: 0 })],
  [
    'quality-undescribed',
    endpoints({ undescribed: Array.from({ length: 6 }, () => 'GET /a') }),
    endpoints({ undescribed: Array.from({ length: 5 }, () => 'GET /a') }),
  ],
  [
    'quality-answers',
    endpoints({ answered: Array.from({ length: 9 }, () => 'GET /a') }),
    endpoints({ answered: Array.from({ length: 8 }, () => 'GET /a') }),
  ],
  ['quality-no-answers', endpoints({ answered: [] }), endpoints({ answered: [], read: 0 })],
  ['header-deprecation', recorded('sunset'), recorded('expires')],
  ['header-rate-limit', recorded('ratelimit-policy'), recorded('retry-after')],
  ['header-transport-security', recorded('strict-transport-security'), recorded('x-sts')],
  ['fresh-import', api({ updatedAt: AT - 180 * DAY }), api({ updatedAt: AT - 181 * DAY })],
  ['stale-import', api({ updatedAt: AT - 366 * DAY }), api({ updatedAt: AT - 365 * DAY })],
  ['stale-terms', readOn(AT - 366 * DAY), readOn(AT - 365 * DAY)],
  ['kev', cve(true), cve(false, 10)],
  ['cve-critical', cve(false, 9), cve(false, 8.9)],
  ['cve-known', cve(false, 8.9), cve(true)],
  [
    'rate-limit-declared',
    endpoints({ limits: ['10 calls in 1 s (words of the description)'] }),
    endpoints({ limited: ['GET /a'] }),
  ],
  ['rate-limit-signals', endpoints({ limited: ['GET /a'] }), endpoints({ limits: ['10 calls'] })],
  ['rate-limit-protected', tested('protected'), tested('partly')],
  ['rate-limit-partly', tested('partly'), tested('inconclusive')],
  ['rate-limit-unprotected', tested('unprotected'), tested('inconclusive')],
]

describe('rules of an assessment', () => {
  it.each(PHRASES)('%s: a sentence, and a near miss', (id, meant, near) => {
    expect(find(id, ofText(`Some words first. ${meant} Others follow.`))).toEqual({
      source: 'Terms',
      quote: meant,
      link: 'https://sky.example/terms',
      at: AT,
    })
    expect(find(id, ofText(near))).toBeUndefined()
  })

  it.each(FACTS)('%s: facts, and a near miss', (id, meant, near) => {
    const found = find(id, createFacts(meant))
    expect(found?.quote).toMatch(/\S/)
    expect(found?.source).toMatch(/\S/)
    expect(find(id, createFacts(near))).toBeUndefined()
  })

  it('of transport take no server for a proof that an import may have guessed', () => {
    const servers = server('https://api.sky.example', 'http://sky.example')
    expect(find('transport-https', createFacts(api({ servers })))).toBeUndefined()
    expect(find('transport-plain-too', createFacts(api({ servers })))).toBeUndefined()
    const unfilled = server('https://api.sky.example', 'http://{host}')
    expect(find('transport-https', createFacts(api({ servers: unfilled })))).toBeUndefined()
  })

  it('of transport look at each scheme that a server allows', () => {
    const scheme = { name: 'scheme', default: 'https', values: ['http', 'https'] }
    const servers = [{ url: '{scheme}://api.sky.example', name: '', variables: [scheme] }]
    const facts = createFacts(api({ servers }))
    expect(find('transport-https', facts)).toBeUndefined()
    expect(find('transport-plain-too', facts)?.quote).toBe('http://api.sky.example')
  })

  it('are each tried above, and known by one id', () => {
    const tried = [...PHRASES, ...FACTS].map(([id]) => id)
    expect(ASSESSMENT_RULES.map(({ id }) => id).sort()).toEqual(tried.sort())
  })

  it('of terms say nothing of a description, which speaks of other things', () => {
    const found = PHRASES.filter(([id, meant]) => find(id, ofText(meant, 'description')))
    expect(found.map(([id]) => id)).toEqual([
      'terms-free-plan',
      'terms-change-without-notice',
      'terms-non-commercial',
      'deprecated-by-words',
    ])
  })

  it('stand in the README, each with when it applies', async () => {
    const readme = await readFile(new URL('../../../README.md', import.meta.url), 'utf8')
    const rows = readme.split('\n').filter((line) => /^\| `[a-z0-9-]+` \| [a-z_]+ \|/.test(line))
    expect(rows).toEqual(
      ASSESSMENT_RULES.map(
        ({ id, category, classification, applies }) =>
          `| \`${id}\` | ${category} | ${classification} | ${applies} |`,
      ),
    )
  })
})
