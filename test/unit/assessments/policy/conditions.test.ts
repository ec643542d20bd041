import { describe, expect, it } from 'vitest'
import { evaluatePolicy } from '../../../../core/assessments/policy/evaluate-policy.ts'
import type { EvaluatedApi, EvaluatedHost } from '../../../../core/assessments/policy/policy.ts'
import { POLICY_CONDITIONS } from '../../../../core/assessments/policy/policy-conditions.ts'
import type { Classification, Statement } from '../../../../core/assessments/records.ts'
import { ASSESSMENT_RULES } from '../../../../core/assessments/rules.ts'
import { createApi, createFacts, ofText } from '../facts.ts'
import {
  createUsage,
  PLAIN,
  toAgreement,
  toCve,
  toJudged,
  toLicence,
  toPolicy,
  toSubject,
  toVulnerable,
} from './subjects.ts'

/** Returns the statement of a built-in rule. */
const says = (id: string) => ASSESSMENT_RULES.find((rule) => rule.id === id)?.statement ?? id

const DAY_MS = 86_400_000
const { now: NOW, endpoints: ENDPOINTS } = createFacts()
const SKY = createApi().vendor

const toAged = (days: number, isDescribed = true) =>
  toJudged({ api: createApi({ isDescribed, updatedAt: NOW - days * DAY_MS }) })

const toSaid = (classification: Classification): EvaluatedApi => {
  const evidence = { source: 'Terms', quote: 'So be it', link: '', at: NOW }
  const said: Statement = {
    rule: 'terms-arbitration',
    category: 'jurisdiction',
    classification,
    statement: 'Disputes are settled by binding arbitration',
    evidence,
  }
  return toJudged({}, { statements: [said] })
}

const ofCves = (...found: readonly ReturnType<typeof toCve>[]) => toVulnerable(found)

const OPEN = { ...ENDPOINTS, open: ['GET /a'] }
const HEADER = [['sunset', 'Sat, 31 Dec 2033 23:59:59 GMT']] as const

/** Condition, subject, and the expected reason; no reason if the condition does not apply. */
const OF_APIS: readonly (readonly [condition: string, api: EvaluatedApi, why?: string])[] = [
  ['no-terms', toJudged(), 'No terms are known'],
  ['no-terms', toJudged({ agreements: [toAgreement('Documentation')] }), 'No terms are known'],
  ['no-terms', toJudged({ agreements: [toAgreement('TermsOfService')] })],
  ['no-terms', toJudged({ licences: [toLicence('', 'Our own')] })],
  ['no-licence', toJudged({ agreements: [toAgreement('TermsOfService')] }), 'No licence is known'],
  ['no-licence', toJudged({ licences: [toLicence('', 'Our own')] })],
  ['no-privacy-policy', toJudged({ licences: [toLicence('MIT')] }), 'No privacy policy is known'],
  ['no-privacy-policy', toJudged({ agreements: [toAgreement('PrivacyPolicy')] })],
  ['no-country', toJudged(), 'No country is known'],
  ['no-country', toJudged({ api: createApi({ vendor: { ...SKY, countries: ['DE'] } }) })],
  [
    'copyleft',
    toJudged({ licences: [toLicence('AGPL-3.0-only')] }),
    'The licence AGPL-3.0-only is copyleft',
  ],
  [
    'copyleft',
    toJudged({ licences: [toLicence('GPL-3.0-only', 'GPLv3')] }),
    'The licence GPLv3 (GPL-3.0-only) is copyleft',
  ],
  ['copyleft', toJudged({ licences: [toLicence('MPL-2.0'), toLicence('CC-BY-SA-4.0')] })],
  ['copyleft', toJudged({ licences: [toLicence('', 'Our own')] })],
  [
    'copyleft',
    toJudged({ licences: [toLicence('', 'GNU GPL')] }),
    'The licence GNU GPL is copyleft',
  ],
  ['copyleft', toJudged({ licences: [toLicence('QPL-1.0'), toLicence('MS-RL')] })],
  [
    'unauthenticated',
    toJudged({ endpoints: OPEN }),
    'Some or all endpoints require no authentication, according to the description',
  ],
  ['unauthenticated', toJudged()],
  ['unauthenticated', toJudged({ api: createApi({ isDescribed: false }), endpoints: OPEN })],
  ['plain-http', toJudged({ api: PLAIN }), says('transport-plain-secrets')],
  ['plain-http', toJudged({ api: { ...PLAIN, authTypes: ['none'] } }), says('transport-plain')],
  [
    'plain-http',
    toJudged({
      api: {
        ...PLAIN,
        servers: [...PLAIN.servers, { url: 'https://api.sky.example', name: '', variables: [] }],
      },
    }),
  ],
  ['plain-http', toJudged()],
  [
    'kev',
    ofCves(toCve('CVE-2026-1', { isExploited: true }), toCve('CVE-2026-2')),
    "The vendor's product has a CVE known to be exploited (matched by name, unconfirmed)",
  ],
  ['kev', ofCves(toCve('CVE-2026-2', { score: 10 }))],
  ['kev', toJudged()],
  [
    'cve>=7.5',
    ofCves(toCve('CVE-2026-1', { score: 7.5 }), toCve('CVE-2026-2', { score: 9 })),
    "The vendor's product has 2 CVEs with a CVSS score of 7.5 or more (matched by name, unconfirmed)",
  ],
  ['cve>=7.5', ofCves(toCve('CVE-2026-1', { score: 7.4 }))],
  ['cve>=0', ofCves(toCve('CVE-2026-1', { isExploited: true }))],
  [
    'deprecated',
    toJudged({ endpoints: { ...ENDPOINTS, deprecated: 10, deprecatedNames: ['GET /a'] } }),
    says('deprecated-all'),
  ],
  [
    'deprecated',
    toJudged({
      recorded: { endpoint: 'aB3dE5f', status: 200, isHttps: true, headers: HEADER, at: NOW },
    }),
    says('header-deprecation'),
  ],
  [
    'deprecated',
    toJudged({ endpoints: { ...ENDPOINTS, deprecated: 9, deprecatedNames: ['GET /a'] } }),
  ],
  [
    'deprecated',
    toJudged({ sentences: ofText('This API is deprecated and will go away.').sentences }),
    says('deprecated-by-words'),
  ],
  ['stale', toAged(366), 'The description was imported more than 365 days ago'],
  ['stale', toAged(365)],
  ['stale', toAged(366, false)],
  ['stale>30', toAged(31), 'The description was imported more than 30 days ago'],
  ['stale>30', toAged(30)],
  ['blocker', toSaid('blocker'), 'Disputes are settled by binding arbitration'],
  ['blocker', toSaid('bad')],
  ['bad:jurisdiction', toSaid('bad'), 'Disputes are settled by binding arbitration'],
  ['bad:jurisdiction', toSaid('blocker'), 'Disputes are settled by binding arbitration'],
  ['bad:jurisdiction', toSaid('neutral')],
  ['bad:freshness', toSaid('bad')],
  ['statement:terms-arbitration', toSaid('good'), 'Disputes are settled by binding arbitration'],
  ['statement:terms-class-waiver', toSaid('bad')],
]

/** Lists, subject, and the expected reason; no reason if the lists allow the subject. */
const OF_LISTS: readonly (readonly [lists: object, api: EvaluatedApi, why?: string])[] = [
  [{ vendors: { allow: [' sky '] } }, toJudged()],
  [{ vendors: { allow: ['Sea', 'Land'] } }, toJudged(), 'The vendor Sky is not in the allow list'],
  [{ vendors: { deny: ['SKY'] } }, toJudged(), 'The vendor Sky is denied'],
  [{ vendors: { allow: ['Sky'], deny: ['Sky'] } }, toJudged(), 'The vendor Sky is denied'],
  [{ licences: { allow: ['MIT'] } }, toJudged()],
  [
    { licences: { allow: ['Apache 2.0', 'our own'] } },
    toJudged({ licences: [toLicence('Apache-2.0'), toLicence('', 'Our Own')] }),
  ],
  [
    { licences: { allow: ['MIT'] } },
    toJudged({ licences: [toLicence('MIT'), toLicence('', 'Our own')] }),
    'The licence Our own is not in the allow list',
  ],
  [
    { licences: { deny: ['GPLv3'] } },
    toJudged({ licences: [toLicence('GPL-3.0-only')] }),
    'The licence GPL-3.0-only is denied',
  ],
  [{ countries: { allow: ['DE'] } }, toJudged()],
  [{ countries: { allow: ['DE'] } }, toJudged({ api: createApi({ countries: ['DE'] }) })],
  [
    { countries: { allow: ['DE'] } },
    toJudged({ api: createApi({ countries: ['DE', 'US'] }) }),
    'The country US is not in the allow list',
  ],
  [
    { countries: { deny: ['US'] } },
    toJudged({ api: createApi({ vendor: { ...SKY, countries: ['US'] } }) }),
    'The country US is denied',
  ],
  [
    { countries: { deny: ['US'] } },
    toJudged({ api: createApi({ countries: ['DE'], vendor: { ...SKY, countries: ['US'] } }) }),
  ],
]

const HOST: EvaluatedHost = {
  host: 'api.sea.example',
  vendorName: undefined,
  uses: [createUsage()],
}
const SEA: EvaluatedHost = { ...HOST, vendorName: 'Sea' }

const reasonsOf = (verdict: ReturnType<typeof evaluatePolicy>) =>
  verdict.violations.map(({ statement }) => statement)

describe('policy condition', () => {
  it.each(OF_APIS.map(([condition, api, why]) => ({ condition, api, why })))(
    '$condition is evaluated with the facts of an API',
    ({ condition, api, why }) => {
      const verdict = evaluatePolicy(toPolicy([condition]), toSubject([api]))
      expect(reasonsOf(verdict)).toEqual(why === undefined ? [] : [why])
      expect(verdict.violations.every(({ evidence }) => evidence.length > 0)).toBe(true)
    },
  )

  it.each(OF_LISTS.map(([lists, api, why]) => ({ lists, api, why })))(
    'evaluates lists that imply a condition ($lists)',
    ({ lists, api, why }) => {
      expect(reasonsOf(evaluatePolicy(toPolicy([], lists), toSubject([api])))).toEqual(
        why === undefined ? [] : [why],
      )
    },
  )

  it.each([
    ['unreviewed', createUsage(), 'It has not been reviewed'],
    ['unreviewed', createUsage({ approval: 'yes' }), undefined],
    ['unreviewed', createUsage({ approval: 'no' }), undefined],
    ['rejected', createUsage({ approval: 'no', reason: 'too dear' }), 'It was rejected: too dear'],
    ['rejected', createUsage({ approval: 'no' }), 'It was rejected'],
    ['rejected', createUsage(), undefined],
    [
      'plain-http',
      createUsage({ written: ['HTTP://api.sky.example/v1/rain'] }),
      'The code calls it over plain HTTP',
    ],
    ['plain-http', createUsage({ url: 'api.sky.example/v1' }), undefined],
  ])(
    '%s is evaluated for each usage, of APIs and of other hosts (case %#)',
    (condition, use, why) => {
      const verdict = evaluatePolicy(
        toPolicy([condition]),
        toSubject([toJudged({}, { uses: [use] })], [{ ...HOST, uses: [use] }]),
      )
      expect(reasonsOf(verdict)).toEqual(why === undefined ? [] : [why, why])
    },
  )

  it.each([
    ['unknown-host', {}, HOST, 'No catalogued API has this host'],
    [
      'unapproved-vendor',
      { vendors: { allow: ['Sky'] } },
      SEA,
      'The vendor Sea is not in the allow list',
    ],
    ['unapproved-vendor', { vendors: { allow: ['Sky'] } }, HOST, undefined],
    ['unknown-vendor', {}, HOST, 'Its vendor is not known'],
    ['unknown-vendor', {}, SEA, undefined],
    ['unknown-vendor', {}, { ...HOST, candidates: ['Sky/Weather'] }, undefined],
  ])('%s is evaluated for hosts without an API (case %#)', (condition, lists, host, why) => {
    expect(reasonsOf(evaluatePolicy(toPolicy([condition], lists), toSubject([], [host])))).toEqual(
      why === undefined ? [] : [why],
    )
  })

  it('of every kind is tested with and without a violation', () => {
    const kindOf = (condition: string) =>
      POLICY_CONDITIONS.find(
        ({ form }) => condition.replace(/[:>].*/, '') === form.replace(/[:>].*/, ''),
      )?.kind
    const tried = (applies: boolean) =>
      new Set(
        OF_APIS.filter(([, , why]) => (why !== undefined) === applies).map(([condition]) =>
          kindOf(condition),
        ),
      )
    const ofApis = POLICY_CONDITIONS.filter(
      ({ about, kind }) => about !== 'project' && !kind.startsWith('unapproved-'),
    ).map(({ kind }) => kind)
    expect([...tried(true)].sort()).toEqual([...ofApis].sort())
    expect([...tried(false)].sort()).toEqual([...ofApis].sort())
  })
})
