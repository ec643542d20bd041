import type {
  AssessmentFacts,
  AssessmentRule,
  StatementEvidence,
  VulnerabilityFact,
  VulnerabilityFacts,
} from '../records.ts'
import { createDescriptionEvidence, formatShare } from './description.ts'

const DAY_MS = 86_400_000

/** Facts outside the description: CVEs, dates, the account's own tests. */
export const OBSERVED_RULES: readonly AssessmentRule[] = [
  {
    id: 'fresh-import',
    category: 'freshness',
    classification: 'good',
    statement: 'The description was imported within the last 180 days',
    applies: 'the last import is at most 180 days ago',
    when: (facts) =>
      facts.api.isDescribed && facts.now - facts.importedAt <= 180 * DAY_MS
        ? createImportEvidence(facts)
        : undefined,
  },
  {
    id: 'stale-import',
    category: 'freshness',
    classification: 'bad',
    statement: 'The description was imported more than a year ago',
    applies: 'the last import is more than 365 days ago',
    when: (facts) =>
      facts.api.isDescribed && facts.now - facts.importedAt > 365 * DAY_MS
        ? createImportEvidence(facts)
        : undefined,
  },
  {
    id: 'stale-terms',
    category: 'freshness',
    classification: 'neutral',
    statement: 'A text of the terms was retrieved more than a year ago',
    applies: 'an entered text of an agreement was retrieved more than 365 days ago',
    when: ({ agreements, now }) => {
      const old = agreements.find(({ text, at }) => text && now - at > 365 * DAY_MS)
      return (
        old && {
          source: old.name,
          quote: `retrieved on ${formatDay(old.at)}`,
          link: old.link,
          at: old.at,
        }
      )
    },
  },
  {
    id: 'kev',
    category: 'known_vulnerabilities',
    classification: 'bad',
    statement:
      "The vendor's product has known exploited vulnerabilities (matched by name, unconfirmed)",
    applies: 'a CVE of the vendor and product is in the list of known exploited vulnerabilities',
    when: ({ vulnerabilities }) =>
      createVulnerabilityEvidence(vulnerabilities, {
        test: ({ isExploited }) => isExploited,
        count: vulnerabilities.exploited,
      }),
  },
  {
    id: 'cve-critical',
    category: 'known_vulnerabilities',
    classification: 'neutral',
    statement: "The vendor's product has critical vulnerabilities (matched by name, unconfirmed)",
    applies: 'a CVE of the vendor and product has a CVSS 3 or 4 score of 9.0 or more',
    when: ({ vulnerabilities }) =>
      createVulnerabilityEvidence(vulnerabilities, {
        test: ({ isCritical }) => isCritical,
        count: vulnerabilities.critical,
      }),
  },
  {
    id: 'cve-known',
    category: 'known_vulnerabilities',
    classification: 'neutral',
    statement: "The vendor's product has known vulnerabilities (matched by name, unconfirmed)",
    applies: 'the vendor and product have CVEs, none of them exploited or critical',
    when: ({ vulnerabilities }) =>
      vulnerabilities.found.some(({ isExploited, isCritical }) => isExploited || isCritical)
        ? undefined
        : createVulnerabilityEvidence(vulnerabilities, {
            test: () => true,
            count: vulnerabilities.count,
          }),
  },
  {
    id: 'rate-limit-declared',
    category: 'rate_limit',
    classification: 'good',
    statement: 'Rate limits are declared',
    applies: 'the description states a limit for one of the first 50 endpoints',
    when: ({ api, endpoints: { limits } }) =>
      limits.length > 0 ? createDescriptionEvidence(api, limits.slice(0, 3).join('; ')) : undefined,
  },
  {
    id: 'rate-limit-signals',
    category: 'rate_limit',
    classification: 'neutral',
    statement: 'Responses to exceeded rate limits are described',
    applies: 'one of the first 50 endpoints describes a 429 response or rate-limit headers',
    when: ({ api, endpoints }) =>
      endpoints.limited.length > 0
        ? createDescriptionEvidence(api, formatShare(endpoints.limited, endpoints))
        : undefined,
  },
  {
    id: 'rate-limit-protected',
    category: 'rate_limit',
    classification: 'good',
    statement: 'A test found a working rate limit',
    applies: 'the account\'s newest test of an endpoint has the verdict "protected"',
    when: (facts) => createTestEvidence(facts, 'protected'),
  },
  {
    id: 'rate-limit-partly',
    category: 'rate_limit',
    classification: 'neutral',
    statement: 'A test found incomplete rate limits',
    applies: 'the account\'s newest test of an endpoint has the verdict "partly"',
    when: (facts) => createTestEvidence(facts, 'partly'),
  },
  {
    id: 'rate-limit-unprotected',
    category: 'rate_limit',
    classification: 'bad',
    statement: 'A test found no rate limit',
    applies: 'the account\'s newest test of an endpoint has the verdict "unprotected"',
    when: (facts) => createTestEvidence(facts, 'unprotected'),
  },
]

function createImportEvidence({ api, importedAt: at }: AssessmentFacts): StatementEvidence {
  const version = api.version === '' ? '' : `version ${api.version}, `
  return { ...createDescriptionEvidence(api, `${version}imported on ${formatDay(at)}`), at }
}

function formatDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

/** Creates evidence with the first matching CVE and the number of matches. */
function createVulnerabilityEvidence(
  { found, count }: VulnerabilityFacts,
  kind: { readonly test: (each: VulnerabilityFact) => boolean; readonly count: number },
): StatementEvidence | undefined {
  const first = found.find(kind.test)
  if (!first) return
  const { id, description, score, publishedAt } = first
  const parts = [
    count > 1 ? `${kind.count} of ${count} CVEs, such as ${id}` : id,
    score === undefined ? '' : `CVSS ${score}`,
    description.slice(0, 300),
  ]
  return {
    source: 'vulnerability database',
    quote: parts.filter((part) => part !== '').join(': '),
    link: `https://nvd.nist.gov/vuln/detail/${encodeURIComponent(id)}`,
    at: publishedAt,
  }
}

function createTestEvidence(
  { rateLimitTest }: AssessmentFacts,
  verdict: NonNullable<AssessmentFacts['rateLimitTest']>['verdict'],
): StatementEvidence | undefined {
  if (rateLimitTest?.verdict !== verdict) return
  const { text, at } = rateLimitTest
  return { source: 'rate-limit test', quote: text.slice(0, 600), link: '', at }
}
