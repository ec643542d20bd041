import { describe, expect, it } from 'vitest'
import type {
  AssessmentFacts,
  KeyParameterFact,
  LicenceFact,
} from '../../../core/assessments/records.ts'
import { ASSESSMENT_RULES } from '../../../core/assessments/rules.ts'
import { createApi, createFacts, ofText } from './facts.ts'
import { PHRASES, SENTENCES } from './phrases.ts'

function findEvidence(id: string, facts: AssessmentFacts) {
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
const cve = (isExploited: boolean, score?: number, isCritical = false) => ({
  vulnerabilities: {
    count: 1,
    exploited: Number(isExploited),
    critical: Number(isCritical),
    found: [
      {
        id: 'CVE-2026-0001',
        description: 'Bad.',
        publishedAt: AT,
        isExploited,
        score,
        isCritical,
      },
    ],
  },
})
/** A recorded JSON response over HTTPS, with headers such as `name: value`. */
const recorded = (...headers: readonly string[]): Partial<AssessmentFacts> =>
  answered({ headers: ['content-type: application/json', ...headers] })
const answered = (given: {
  readonly headers: readonly string[]
  readonly status?: number
  readonly isHttps?: boolean
}): Partial<AssessmentFacts> => {
  const { headers, status = 200, isHttps = true } = given
  const pairs = headers.map((line) => line.split(': ') as unknown as readonly [string, string])
  return { recorded: { endpoint: 'abc1234', status, isHttps, headers: pairs, at: AT } }
}
const tested = (verdict: 'protected' | 'partly' | 'unprotected' | 'inconclusive') => ({
  rateLimitTest: { verdict, text: 'What was found.', at: AT },
})

const KEY: KeyParameterFact = {
  endpoint: 'GET /a',
  name: 'X-Key',
  placement: 'header',
  isRequired: true,
}
const TERMS = linked('TermsOfService')

/** For each other rule: facts to which it applies, and similar facts to which it does not. */
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
  ['licence-permissive', licence('MIT'), { ...licence('MIT'), ...TERMS }],
  ['licence-beside-terms', { ...licence('MIT'), ...TERMS }, { ...licence('CC-BY-4.0'), ...TERMS }],
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
  [
    'auth-none',
    { ...api({ authTypes: ['none'] }), ...endpoints({ read: 1, open: ['GET /a'] }) },
    { ...api({ authTypes: ['none'] }), ...endpoints({ read: 2, open: ['GET /a'] }) },
  ],
  [
    'auth-not-declared',
    api({ authTypes: ['undeclared'] }),
    { ...api({ authTypes: ['undeclared'] }), ...endpoints({ undeclaredKeys: [KEY] }) },
  ],
  [
    'auth-partly-none',
    endpoints({ open: ['GET /a'] }),
    { ...endpoints({ open: ['GET /a'] }), ...api({ authTypes: ['none'] }) },
  ],
  ['auth-oauth2', api({ authTypes: ['OAuth2'] }), api({ authTypes: ['OAuth1'] })],
  ['auth-in-url', api({ authTypes: ['query'] }), api({ authTypes: ['header', 'query'] })],
  [
    'auth-undeclared',
    { ...endpoints({ undeclaredKeys: [KEY] }), ...api({ authTypes: ['none'] }) },
    endpoints({ open: ['GET /a'] }),
  ],
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
  ['header-deprecation', recorded('sunset: Sat, 1 Aug 2026 00:00:00 GMT'), recorded('expires: 0')],
  ['header-rate-limit', recorded('ratelimit-policy: "a";q=1'), recorded('retry-after: 1')],
  [
    'header-transport-security',
    recorded('strict-transport-security: max-age=31536000; includeSubDomains'),
    recorded('strict-transport-security: max-age=0'),
  ],
  ['header-no-transport-security', recorded(), recorded('strict-transport-security: max-age=1')],
  [
    'header-no-sniffing',
    recorded('x-content-type-options: nosniff'),
    recorded('x-content-type-options: none'),
  ],
  ['header-sniffing', recorded(), answered({ headers: ['etag: "1"'] })],
  [
    'header-content-policy',
    recorded("content-security-policy: frame-ancestors 'none'; default-src 'none'"),
    recorded("content-security-policy: default-src 'none' https://cdn.example"),
  ],
  [
    'header-framing',
    recorded('x-frame-options: DENY'),
    recorded('x-frame-options: DENY', 'content-security-policy: frame-ancestors *'),
  ],
  [
    'header-cors-any',
    recorded('access-control-allow-origin: *'),
    recorded('access-control-allow-origin: https://app.example'),
  ],
  [
    'header-cors-credentials',
    recorded('access-control-allow-origin: *', 'access-control-allow-credentials: true'),
    recorded('access-control-allow-origin: *'),
  ],
  ['fresh-import', api({ updatedAt: AT - 180 * DAY }), api({ updatedAt: AT - 181 * DAY })],
  ['stale-import', api({ updatedAt: AT - 366 * DAY }), api({ updatedAt: AT - 365 * DAY })],
  ['stale-terms', readOn(AT - 366 * DAY), readOn(AT - 365 * DAY)],
  ['kev', cve(true), cve(false, 10)],
  ['cve-critical', cve(false, 9, true), cve(false, 10)],
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

describe('assessment rules', () => {
  it.each(PHRASES)('%s: match a sentence, and not a near miss', (id, meant, near) => {
    expect(findEvidence(id, ofText(`Some words first. ${meant} Others follow.`))).toEqual({
      source: 'Terms',
      quote: meant,
      link: 'https://sky.example/terms',
      at: AT,
    })
    expect(findEvidence(id, ofText(near))).toBeUndefined()
  })

  it.each(SENTENCES)('match “%s”', (text, rules) => {
    const facts = ofText(text)
    const found = ASSESSMENT_RULES.filter(({ when }) => (when(facts)?.quote ?? '') === text)
    expect(found.map(({ id }) => id).sort()).toEqual([...rules].sort())
  })

  it.each([
    ['CC0-1.0', 'licence-public-domain'],
    ['0BSD', 'licence-beside-terms'],
  ])('make of %s with terms of service the statements %s', (name, rule) => {
    const facts = createFacts({ ...licence(name), ...TERMS })
    const found = ASSESSMENT_RULES.filter(({ id, when }) => /^licence-/.test(id) && when(facts))
    expect(found.map(({ id }) => id)).toEqual([rule])
  })

  it.each([
    ['GNU GPL', ['licence-copyleft']],
    ['GNU Affero General Public License', ['licence-network-copyleft']],
    ['CC BY-NC', ['licence-non-commercial']],
    ['Apache License', ['licence-permissive']],
    // The Boost licence, or the Business Source one.
    ['BSL', []],
    ['Not GPL', []],
    ['License', []],
  ])('recognize the licence “%s” without a version', (name, rules) => {
    const facts = createFacts(licence(name, ''))
    const found = ASSESSMENT_RULES.filter(({ when }) => (when(facts)?.quote ?? '') === name)
    expect(found.map(({ id }) => id)).toEqual(rules)
  })

  it.each(FACTS)('%s: match facts, and not a near miss', (id, meant, near) => {
    const found = findEvidence(id, createFacts(meant))
    expect(found?.quote).toMatch(/\S/)
    expect(found?.source).toMatch(/\S/)
    expect(findEvidence(id, createFacts(near))).toBeUndefined()
  })

  it('of transport ignore servers that an import may have guessed', () => {
    const servers = server('https://api.sky.example', 'http://sky.example')
    expect(findEvidence('transport-https', createFacts(api({ servers })))).toBeUndefined()
    expect(findEvidence('transport-plain-too', createFacts(api({ servers })))).toBeUndefined()
    const unfilled = server('https://api.sky.example', 'http://{host}')
    expect(findEvidence('transport-https', createFacts(api({ servers: unfilled })))).toBeUndefined()
  })

  it('of authentication recognize parameters that are clearly an API key', () => {
    const facts = (
      key: Partial<typeof KEY | { placement: 'query' }>,
      urls = ['https://a.example'],
    ) =>
      createFacts({
        api: createApi({ authTypes: ['none'], servers: server(...urls) }),
        ...endpoints({ undeclaredKeys: [{ ...KEY, ...key }] }),
      })
    const idsOf = (given: AssessmentFacts) =>
      ASSESSMENT_RULES.filter(
        ({ id }) => /^(?:auth|transport)-/.test(id) && findEvidence(id, given),
      ).map(({ id }) => id)
    expect(idsOf(facts({}))).toEqual(['transport-https', 'auth-undeclared'])
    expect(idsOf(facts({ placement: 'query' }))).toEqual([
      'transport-https',
      'auth-undeclared',
      'auth-in-url',
    ])
    expect(idsOf(facts({}, ['http://a.example']))).toEqual([
      'transport-plain-secrets',
      'auth-undeclared',
    ])
    expect(idsOf(facts({ isRequired: false }, ['http://a.example']))).toEqual([
      'transport-plain',
      'auth-undeclared',
    ])
  })

  it('of transport ignore plain http at the port of https', () => {
    const facts = createFacts(api({ servers: server('http://sky.example:443/api') }))
    const ids = ['transport-https', 'transport-plain', 'transport-plain-secrets']
    expect(ids.filter((id) => findEvidence(id, facts))).toEqual([])
  })

  it('of transport check each scheme that a server allows', () => {
    const scheme = { name: 'scheme', default: 'https', values: ['http', 'https'] }
    const servers = [{ url: '{scheme}://api.sky.example', name: '', variables: [scheme] }]
    const facts = createFacts(api({ servers }))
    expect(findEvidence('transport-https', facts)).toBeUndefined()
    expect(findEvidence('transport-plain-too', facts)?.quote).toBe('http://api.sky.example')
  })

  it('of headers prove missing headers by the recorded ones', () => {
    const of = (given: Parameters<typeof answered>[0]) =>
      findEvidence('header-no-transport-security', createFacts(answered(given)))?.quote
    const headers = ['content-type: text/html', 'etag: "1"']
    expect(of({ headers })).toBe('no strict-transport-security among: content-type, etag')
    expect(of({ headers: [] })).toBe('no strict-transport-security among: no headers')
    const off = 'strict-transport-security: max-age=0'
    expect(of({ headers: [off] })).toBe(off)
    expect(of({ headers, isHttps: false })).toBeUndefined()
    expect(of({ headers, status: 404 })).toBeUndefined()
  })

  it('of vulnerabilities report their number', () => {
    const { found } = cve(true, 9.8, true).vulnerabilities
    const facts = createFacts({
      vulnerabilities: { count: 2400, exploited: 12, critical: 300, found },
    })
    const quotes = ['kev', 'cve-critical', 'cve-known'].map((id) => findEvidence(id, facts)?.quote)
    expect(quotes).toEqual([
      '12 of 2400 CVEs, such as CVE-2026-0001: CVSS 9.8: Bad.',
      '300 of 2400 CVEs, such as CVE-2026-0001: CVSS 9.8: Bad.',
      undefined,
    ])
  })

  it('are all tested above, with unique IDs', () => {
    const tried = [...PHRASES, ...FACTS].map(([id]) => id)
    expect(ASSESSMENT_RULES.map(({ id }) => id).sort()).toEqual(tried.sort())
  })

  it('of terms ignore descriptions', () => {
    const found = PHRASES.filter(([id, meant]) => findEvidence(id, ofText(meant, 'description')))
    expect(found.map(([id]) => id)).toEqual([
      'terms-free-plan',
      'terms-change-without-notice',
      'terms-non-commercial',
      'terms-attribution',
      'deprecated-by-words',
    ])
  })
})
