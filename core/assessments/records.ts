import type { Agreement } from '../agreements/records.ts'
import type { Api, License, ParameterPlacement } from '../catalogue/records.ts'

/** What statements are about: seven categories of terms, then technical ones. */
export const ASSESSMENT_CATEGORIES = [
  'business_model',
  'change_of_terms',
  'developer_restrictions',
  'end_user_privacy',
  'data_ownership',
  'portability',
  'jurisdiction',
  'transport_security',
  'authentication',
  'security_headers',
  'deprecation',
  'freshness',
  'description_quality',
  'known_vulnerabilities',
  'rate_limit',
] as const

export type AssessmentCategory = (typeof ASSESSMENT_CATEGORIES)[number]

/** The best first; a `blocker` is to be cleared before the API is used. */
export const CLASSIFICATIONS = ['good', 'neutral', 'bad', 'blocker'] as const

export type Classification = (typeof CLASSIFICATIONS)[number]

/** What a statement rests on. */
export interface StatementEvidence {
  /** Where it was found, in words: `Terms of service`, `description`, `vulnerability database`. */
  readonly source: string
  /** What was found there, as it stands or as it was counted; never empty. */
  readonly quote: string
  /** Absolute http or https URL, or empty. */
  readonly link: string
  /** When it was said, read or measured, milliseconds since the epoch. */
  readonly at: number
}

/** What a rule found to say of an API. */
export interface Statement {
  /** Id of the rule. */
  readonly rule: string
  readonly category: AssessmentCategory
  readonly classification: Classification
  readonly statement: string
  readonly evidence: StatementEvidence
}

/** One rule of an assessment. */
export interface AssessmentRule {
  /** Unique, lower case with hyphens: `licence-copyleft`. */
  readonly id: string
  readonly category: AssessmentCategory
  readonly classification: Classification
  /** What it says where it applies: one sentence for people, without a full stop. */
  readonly statement: string
  /** When it applies, in words, for the documentation. */
  readonly applies: string
  /** The evidence where it applies, else undefined; it must not change anything or take long. */
  readonly when: (facts: AssessmentFacts) => StatementEvidence | undefined
}

/** Everything that rules may look at: of the catalogue, and of one account's own calls and tests. */
export interface AssessmentFacts {
  readonly api: Api
  /** Milliseconds since the epoch. */
  readonly now: number
  /** When its description was last imported, changed or not; when it was entered where it has none. */
  readonly importedAt: number
  /** Of the API, then of its vendor. */
  readonly agreements: readonly AgreementFact[]
  /** Distinct, of its agreements and its description. */
  readonly licences: readonly LicenceFact[]
  /** Sentences of agreements' texts and of the description, in lower case as well. */
  readonly sentences: readonly Sentence[]
  readonly endpoints: EndpointFacts
  readonly vulnerabilities: VulnerabilityFacts
  /** The account's newest test of one of the API's endpoints that came to a verdict. */
  readonly rateLimitTest: RateLimitFact | undefined
  /** The account's newest recorded answer of the API. */
  readonly recorded: RecordedFact | undefined
}

/** An agreement with whose it is. */
export interface AgreementFact
  extends Pick<Agreement, 'name' | 'link' | 'kind' | 'spdxId' | 'text'> {
  /** When it was last seen to change, milliseconds since the epoch. */
  readonly at: number
}

export interface LicenceFact extends License {
  /** Empty when it is none that is known. */
  readonly spdxId: string
  readonly at: number
}

/** A sentence of a text of third parties. */
export interface Sentence {
  /** As it stands, blanks folded, at most `MAX_SENTENCE` characters. */
  readonly text: string
  /** In lower case, plain apostrophes. */
  readonly lower: string
  readonly of: Pick<StatementEvidence, 'source' | 'link' | 'at'>
  /** Of an agreement, in APIs.json words; `description` otherwise. */
  readonly kind: string
}

/** What is known of the endpoints without reading all of them; webhooks and callbacks are none. */
export interface EndpointFacts {
  readonly count: number
  readonly deprecated: number
  /** Some deprecated ones: `GET /v1/things`. */
  readonly deprecatedNames: readonly string[]
  /** How many of the first ones were read; the next members are of these. */
  readonly read: number
  /** Names of those without a description. */
  readonly undescribed: readonly string[]
  /** Names of those that have an example answer or its schema. */
  readonly answered: readonly string[]
  /** Names of those that need no authentication, and take no key either. */
  readonly open: readonly string[]
  /** Of those without authentication in the description: parameters that plainly take a key. */
  readonly undeclaredKeys: readonly KeyParameterFact[]
  /** Limits as they stand: `100 calls in 60 s (x-ratelimit of the operation)`. */
  readonly limits: readonly string[]
  /** Names of those with an answer 429 or headers of limits. */
  readonly limited: readonly string[]
}

/** A parameter that takes a key. */
export interface KeyParameterFact {
  /** Name of the endpoint. */
  readonly endpoint: string
  readonly name: string
  readonly placement: ParameterPlacement
  readonly isRequired: boolean
}

/** CVEs of the API's vendor and product, by their names: none is confirmed. */
export interface VulnerabilityFacts {
  readonly count: number
  /** How many of `count` are known to be exploited. */
  readonly exploited: number
  /** How many of `count` have a CVSS score of 9.0 or more. */
  readonly critical: number
  /** Some of each: the exploited ones first, then the newest, then the newest with such a score. */
  readonly found: readonly VulnerabilityFact[]
}

export interface VulnerabilityFact {
  readonly id: string
  readonly description: string
  readonly publishedAt: number
  readonly isExploited: boolean
  /** 0 to 10, of the newest CVSS version; undefined where the record has none. */
  readonly score: number | undefined
  /** 9.0 or more by CVSS 3 or 4: by CVSS 2, nothing is critical. */
  readonly isCritical: boolean
}

export interface RateLimitFact {
  readonly verdict: 'protected' | 'partly' | 'unprotected' | 'inconclusive'
  readonly text: string
  readonly at: number
}

export interface RecordedFact {
  /** Short id. */
  readonly endpoint: string
  readonly status: number
  /** It surely came by https: all servers of the endpoint are called so. */
  readonly isHttps: boolean
  /** Lower-case name and value: those that a recording keeps. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly at: number
}
