import type { Agreement } from '../agreements/records.ts'
import type { Api, License, ParameterPlacement } from '../catalogue/records.ts'

/** Categories of statements: seven about terms, then technical ones. */
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

/** From best to worst; resolve a `blocker` before using the API. */
export const CLASSIFICATIONS = ['good', 'neutral', 'bad', 'blocker'] as const

export type Classification = (typeof CLASSIFICATIONS)[number]

/** The evidence for a statement. */
export interface StatementEvidence {
  /** Name of the source: `Terms of service`, `description`, `vulnerability database`. */
  readonly source: string
  /** Quotation or count; never empty. */
  readonly quote: string
  /** Absolute http or https URL, or empty. */
  readonly link: string
  /** When it was published, retrieved or measured, milliseconds since the epoch. */
  readonly at: number
}

/** A statement of a rule about an API. */
export interface Statement {
  /** ID of the rule. */
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
  /** One sentence for users, without a full stop. */
  readonly statement: string
  /** The condition as a phrase, for the documentation. */
  readonly applies: string
  /**
   * Returns the evidence if the rule applies, undefined otherwise. It must be fast and have no side
   * effects.
   */
  readonly when: (facts: AssessmentFacts) => StatementEvidence | undefined
}

/**
 * Everything that rules can use: from the catalogue, and from one account's own calls and tests.
 */
export interface AssessmentFacts {
  readonly api: Api
  /** Milliseconds since the epoch. */
  readonly now: number
  /**
   * Last import of the description, even if unchanged; without a description, the time the API was
   * added.
   */
  readonly importedAt: number
  /** Agreements of the API, then agreements of its vendor. */
  readonly agreements: readonly AgreementFact[]
  /** Distinct licences of its agreements and its description. */
  readonly licences: readonly LicenceFact[]
  /** Sentences of agreement texts and of the description. */
  readonly sentences: readonly Sentence[]
  readonly endpoints: EndpointFacts
  readonly vulnerabilities: VulnerabilityFacts
  /** The account's newest rate-limit test of the API with a verdict. */
  readonly rateLimitTest: RateLimitFact | undefined
  /** The account's newest recorded response of the API. */
  readonly recorded: RecordedFact | undefined
}

/** An agreement of an API or its vendor. */
export interface AgreementFact
  extends Pick<Agreement, 'name' | 'link' | 'kind' | 'spdxId' | 'text'> {
  /** When it was retrieved or last changed, milliseconds since the epoch. */
  readonly at: number
}

export interface LicenceFact extends License {
  /** Empty for unknown licences. */
  readonly spdxId: string
  readonly at: number
}

/** A sentence of a third-party text. */
export interface Sentence {
  /** Original text with collapsed white space, at most `MAX_SENTENCE` characters. */
  readonly text: string
  /** In lower case, with straight apostrophes. */
  readonly lower: string
  readonly of: Pick<StatementEvidence, 'source' | 'link' | 'at'>
  /** Agreement kind as in APIs.json, or `description`. */
  readonly kind: string
}

/** A summary of the endpoints, based on the first ones; without webhooks and callbacks. */
export interface EndpointFacts {
  readonly count: number
  readonly deprecated: number
  /** Examples: `GET /v1/things`. */
  readonly deprecatedNames: readonly string[]
  /** Number of endpoints that were read. The following members refer to these. */
  readonly read: number
  /** Endpoints without a description. */
  readonly undescribed: readonly string[]
  /** Endpoints with a response example or schema. */
  readonly answered: readonly string[]
  /** Endpoints without authentication and without a key parameter. */
  readonly open: readonly string[]
  /** Key parameters of endpoints without declared authentication. */
  readonly undeclaredKeys: readonly KeyParameterFact[]
  /** Declared limits: `100 calls in 60 s (x-ratelimit of the operation)`. */
  readonly limits: readonly string[]
  /** Endpoints that describe a 429 response or rate-limit headers. */
  readonly limited: readonly string[]
}

/** A parameter that contains an API key. */
export interface KeyParameterFact {
  /** Name of the endpoint. */
  readonly endpoint: string
  readonly name: string
  readonly placement: ParameterPlacement
  readonly isRequired: boolean
}

/** CVEs of the API's vendor and product, matched by name and unconfirmed. */
export interface VulnerabilityFacts {
  readonly count: number
  /** How many of `count` are known to be exploited. */
  readonly exploited: number
  /** How many of `count` have a CVSS score of 9.0 or more. */
  readonly critical: number
  /** A selection: exploited ones first, then the newest, then the newest with such a score. */
  readonly found: readonly VulnerabilityFact[]
}

export interface VulnerabilityFact {
  readonly id: string
  readonly description: string
  readonly publishedAt: number
  readonly isExploited: boolean
  /** 0 to 10, of the newest CVSS version; undefined without a score. */
  readonly score: number | undefined
  /** 9.0 or more in CVSS 3 or 4; CVSS 2 has no critical severity. */
  readonly isCritical: boolean
}

export interface RateLimitFact {
  readonly verdict: 'protected' | 'partly' | 'unprotected' | 'inconclusive'
  readonly text: string
  readonly at: number
}

export interface RecordedFact {
  /** Short ID. */
  readonly endpoint: string
  readonly status: number
  /** True if all servers of the endpoint use https. */
  readonly isHttps: boolean
  /** Recorded headers: lower-case name and value. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly at: number
}
