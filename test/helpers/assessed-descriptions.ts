import type { Assessment } from '../../core/assessments/index.ts'
import { type DescribedFacts, toHost } from './described-facts.ts'

/** A real description, read without the code under test. */
export interface Described {
  readonly facts: DescribedFacts
  /** Agreements as returned by `readDescribedAgreements`. */
  readonly agreements: readonly string[]
}

/** Rules that exclude each other, line by line. */
const OPPOSITES: readonly (readonly string[])[] = [
  ['transport-https', 'transport-plain-too', 'transport-plain', 'transport-plain-secrets'],
  ['auth-none', 'auth-partly-none'],
  ['auth-none', 'auth-not-declared', 'auth-undeclared'],
  ['auth-none', 'auth-oauth2', 'auth-in-url', 'auth-basic-alone'],
  ['auth-none', 'transport-plain-secrets'],
  ['deprecated-all', 'deprecated-some'],
  ['fresh-import', 'stale-import'],
  ['quality-described', 'quality-undescribed'],
  ['quality-answers', 'quality-no-answers'],
  ['licence-permissive', 'licence-beside-terms'],
  ['terms-sells-data', 'terms-sells-no-data'],
  ['terms-trains-models', 'terms-no-training'],
  ['kev', 'cve-known'],
  ['cve-critical', 'cve-known'],
]

/** Lists invalid evidence and contradicting statements of an assessment. */
export function listFlaws({ facts, statements }: Assessment): readonly string[] {
  const flaws = statements.flatMap(({ rule, evidence: { source, quote, link, at } }) => {
    const text = facts.api.description.replace(/\s+/g, '')
    const isOfWords = /^(?:terms-|deprecated-by-words)/.test(rule)
    return [
      source.trim() === '' && `${rule}: no source`,
      quote.trim() === '' && `${rule}: no quote`,
      link !== '' && !/^https?:\/\/[^/]/.test(link) && `${rule}: link ${link}`,
      !(at > 0 && at <= facts.now) && `${rule}: date ${at}`,
      isOfWords && !text.includes(quote.replace(/\s+/g, '')) && `${rule}: quotes "${quote}"`,
    ].filter((flaw) => flaw !== false)
  })
  const said = statements.map(({ rule }) => rule)
  const doubled = said.filter((rule, index) => said.indexOf(rule) !== index)
  const opposed = OPPOSITES.map((rules) => rules.filter((rule) => said.includes(rule)))
  return [...flaws, ...doubled, ...opposed.filter(({ length }) => length > 1).map(String)]
}

/** Lists the differences between an assessment and its description. */
export function listDifferences(assessment: Assessment, described: Described): readonly string[] {
  const said = new Map(assessment.statements.map(({ rule, evidence }) => [rule, evidence]))
  const expected = new Map(expect(described))
  return [...expected].flatMap(([rule, quote]) => {
    const found = said.get(rule)?.quote
    const isSame = quote === undefined ? found === undefined : found?.startsWith(quote)
    return isSame ? [] : [`${rule}: ${found ?? 'not said'} instead of ${quote ?? 'nothing'}`]
  })
}

type Expected = readonly (readonly [rule: string, quote: string | undefined])[]

/** Start of the expected quote by rule; undefined if no statement is expected. */
function expect({ facts, agreements }: Described): Expected {
  return [
    ...expectServers(facts),
    ...expectSchemes(facts),
    ...expectOperations(facts),
    ...expectAgreements(agreements),
  ]
}

const when = (is: boolean, quote = '') => (is ? quote : undefined)

/** Hosts of a local machine or network. */
const LOCAL = /^https?:\/\/(?:localhost|127\.|[^/]*\.local\b|[^/.]*(?:[/:]|$))/

function expectServers(facts: DescribedFacts): Expected {
  const { servers, contactHost, schemes } = facts
  const urls = servers.filter((url) => !LOCAL.test(url))
  // The vendor's own host can be inferred, and variables have defaults.
  const isOpen = servers.some((url) => url.includes('{') || toHost(url) === contactHost)
  const plain = urls.filter((url) => /^http:(?!\/\/[^/]*:443)/.test(url))
  const safe = urls.filter((url) => url.startsWith('https:'))
  if (isOpen) return []
  return [
    ['transport-https', when(safe.length > 0 && plain.length === 0, safe[0])],
    ['transport-plain-too', when(safe.length > 0 && plain.length > 0, plain[0])],
    ...(safe.length > 0 || takesKeys(facts)
      ? []
      : ([
          ['transport-plain', when(plain.length > 0 && schemes.length === 0, plain[0])],
          ['transport-plain-secrets', when(plain.length > 0 && schemes.length > 0, plain[0])],
        ] as const)),
  ]
}

/** Names of parameters that can contain a key. */
const KEY = /key|token|jwt|auth|secret|api-id|signature|password|cookie/i

function takesKeys({ operations, schemes }: DescribedFacts): boolean {
  return (
    schemes.length === 0 &&
    operations.some(({ parameters }) => parameters.some((each) => KEY.test(each)))
  )
}

function expectSchemes(facts: DescribedFacts): Expected {
  const { schemes, operations } = facts
  const isAll = (kind: RegExp) => schemes.length > 0 && schemes.every((each) => kind.test(each))
  const open = operations.filter(({ isOpen }) => isOpen)
  const hasKeys = open.some(({ parameters }) => parameters.some((each) => KEY.test(each)))
  return [
    ['auth-oauth2', when(schemes.some((each) => /^(?:oauth2|openIdConnect)/.test(each)))],
    ['auth-basic-alone', when(isAll(/^(?:basic|http basic)$/i))],
    ...(schemes.length > 0
      ? ([
          ['auth-none', undefined],
          ['auth-in-url', when(isAll(/^apiKey (?:query|path)$/))],
        ] as const)
      : []),
    ...(hasKeys ? [] : expectOpen(open.length, facts)),
  ]
}

function expectOpen(open: number, facts: DescribedFacts): Expected {
  const { schemes, operations, declaresSecurity } = facts
  const all = operations.length
  if (all > READ) return []
  const share = `${open} of the ${all} ${all === 1 ? 'endpoint' : 'endpoints'}: `
  return [
    ['auth-undeclared', undefined],
    ['auth-none', when(all > 0 && schemes.length === 0 && declaresSecurity)],
    ['auth-not-declared', when(all > 0 && !declaresSecurity)],
    ['auth-partly-none', when(schemes.length > 0 && open > 0, share)],
  ]
}

/** Maximum number that rules inspect. */
const READ = 50

function expectOperations({ operations }: DescribedFacts): Expected {
  const all = operations.length
  const deprecated = operations.filter(({ isDeprecated }) => isDeprecated).length
  const told = `${deprecated} of ${all} endpoints: `
  const always: Expected = [
    ['deprecated-all', when(all > 0 && deprecated === all, told)],
    ['deprecated-some', when(deprecated > 0 && deprecated < all, told)],
  ]
  if (all > READ) return always
  const undescribed = operations.filter(({ isDescribed }) => !isDescribed)
  const of = `the ${all} ${all === 1 ? 'endpoint' : 'endpoints'}: `
  const limited = operations.filter(({ has429 }) => has429).length
  const answered = operations.filter(({ isAnswered }) => isAnswered)
  return [
    ...always,
    ['quality-described', when(all > 0 && undescribed.length === 0, `${all} `)],
    [
      'quality-undescribed',
      when(undescribed.length * 2 > all, `${undescribed.length} of ${of}${undescribed[0]?.name}`),
    ],
    [
      'quality-answers',
      when(all > 0 && answered.length * 10 >= all * 9, `${answered.length} of ${of}`),
    ],
    ['quality-no-answers', when(all > 0 && answered.length === 0, `${all} `)],
    ...(limited > 0 ? ([['rate-limit-signals', '']] as const) : []),
  ]
}

/** Licences in the descriptions that are not software licences. */
const CONTENTS = /^CC-/

function expectAgreements(agreements: readonly string[]): Expected {
  const rows = agreements.map((row) => row.split('|'))
  const terms = rows.find(([kind]) => kind === 'TermsOfService')
  const spdx = rows.map(([kind, , , id = '']) => (kind === 'InterfaceLicense' ? id : ''))
  const permissive = spdx.find((id) => ['MIT', 'Apache-2.0', 'CC-BY-4.0'].includes(id)) ?? ''
  const isFree = permissive !== '' && (CONTENTS.test(permissive) || !terms)
  return [
    ['link-terms', terms?.[2]],
    ['licence-permissive', when(isFree)],
    ['licence-beside-terms', when(permissive !== '' && !isFree)],
    ['link-privacy', undefined],
    ['link-pricing', undefined],
  ]
}
