import type {
  AssessmentFacts,
  AssessmentRule,
  RecordedFact,
  StatementEvidence,
} from '../records.ts'

/**
 * Headers of the account's newest recorded response. The selection follows OWASP's REST Security
 * Cheat Sheet and Secure Headers Project.
 */
export const HEADER_RULES: readonly AssessmentRule[] = [
  {
    id: 'header-transport-security',
    category: 'security_headers',
    classification: 'good',
    statement: 'Responses enable HSTS, which enforces HTTPS',
    applies:
      "the account's newest recorded response has a Strict-Transport-Security header with a max-age above 0",
    when: ({ recorded }) => findHeaderEvidence(recorded, 'strict-transport-security', isLasting),
  },
  {
    id: 'header-no-transport-security',
    category: 'security_headers',
    classification: 'bad',
    statement: 'A response over HTTPS did not enable HSTS',
    applies:
      "the account's newest recorded response is a success over HTTPS without Strict-Transport-Security, or with max-age 0",
    when: ({ recorded }) => {
      if (!recorded?.isHttps || !isSuccess(recorded)) return
      if (findHeaderEvidence(recorded, 'strict-transport-security', isLasting)) return
      return (
        findHeaderEvidence(recorded, 'strict-transport-security', () => true) ??
        createMissingHeaderEvidence(recorded, 'strict-transport-security')
      )
    },
  },
  {
    id: 'header-no-sniffing',
    category: 'security_headers',
    classification: 'good',
    statement: 'Responses prevent browsers from guessing the content type',
    applies: "the account's newest recorded response has X-Content-Type-Options: nosniff",
    when: ({ recorded }) => findHeaderEvidence(recorded, 'x-content-type-options', isNosniff),
  },
  {
    id: 'header-sniffing',
    category: 'security_headers',
    classification: 'neutral',
    statement: 'A response did not prevent browsers from guessing the content type',
    applies:
      "the account's newest recorded response is a success with a content type, without X-Content-Type-Options: nosniff",
    when: ({ recorded }) =>
      recorded &&
      isSuccess(recorded) &&
      findHeader(recorded, 'content-type') !== undefined &&
      !findHeaderEvidence(recorded, 'x-content-type-options', isNosniff)
        ? createMissingHeaderEvidence(recorded, 'x-content-type-options')
        : undefined,
  },
  {
    id: 'header-content-policy',
    category: 'security_headers',
    classification: 'good',
    statement: 'Responses prevent browsers from loading or running their content',
    applies:
      "the account's newest recorded response has a Content-Security-Policy with default-src 'none' or sandbox",
    when: ({ recorded }) => findHeaderEvidence(recorded, 'content-security-policy', isClosedPolicy),
  },
  {
    id: 'header-framing',
    category: 'security_headers',
    classification: 'good',
    statement: 'Responses cannot be framed by other sites',
    applies:
      "the account's newest recorded response has frame-ancestors 'none' or 'self'; without frame-ancestors, X-Frame-Options: DENY or SAMEORIGIN",
    when: ({ recorded }) =>
      findHeaderEvidence(recorded, 'content-security-policy', hasAncestors)
        ? findHeaderEvidence(recorded, 'content-security-policy', isUnframed)
        : findHeaderEvidence(recorded, 'x-frame-options', (value) =>
            /^(?:deny|sameorigin)$/i.test(value),
          ),
  },
  {
    id: 'header-cors-any',
    category: 'security_headers',
    classification: 'neutral',
    statement: 'Pages of any site may read responses',
    applies: "the account's newest recorded response has Access-Control-Allow-Origin: *",
    when: ({ recorded }) =>
      allowsCredentials(recorded)
        ? undefined
        : findHeaderEvidence(recorded, 'access-control-allow-origin', (value) => value === '*'),
  },
  {
    id: 'header-cors-credentials',
    category: 'security_headers',
    classification: 'bad',
    statement: 'Pages of any site may send credentials',
    applies:
      "the account's newest recorded response has Access-Control-Allow-Origin: * or null with Access-Control-Allow-Credentials: true",
    when: ({ recorded }) => {
      if (!allowsCredentials(recorded)) return
      const found = findHeaderEvidence(recorded, 'access-control-allow-origin', (value) =>
        /^(?:\*|null)$/.test(value),
      )
      return found && { ...found, quote: `${found.quote}; access-control-allow-credentials: true` }
    },
  },
  {
    id: 'header-deprecation',
    category: 'deprecation',
    classification: 'bad',
    statement: 'A response announced the deprecation or end of an endpoint',
    applies: "the account's newest recorded response has a Deprecation or Sunset header",
    when: ({ recorded }) =>
      // Drafts before RFC 9745 used `Deprecation: true`, and also `false`.
      findHeaderEvidence(recorded, 'deprecation', (value) => !/^(?:\?0|false)$/i.test(value)) ??
      findHeaderEvidence(recorded, 'sunset', () => true),
  },
  {
    id: 'header-rate-limit',
    category: 'rate_limit',
    classification: 'good',
    statement: 'Responses report the remaining calls',
    applies: "the account's newest recorded response has rate-limit headers",
    when: ({ recorded }) => {
      const found = recorded?.headers.find(([name]) => RATE_LIMIT_HEADER.test(name))
      return recorded && found && createRecordedEvidence(recorded, found.join(': '))
    },
  },
]

const RATE_LIMIT_HEADER = /^(?:ratelimit|x-ratelimit-|x-rate-limit-)/

function findHeader({ headers }: RecordedFact, name: string): string | undefined {
  return headers.find(([each]) => each === name)?.[1].trim()
}

function findHeaderEvidence(
  recorded: AssessmentFacts['recorded'],
  name: string,
  test: (value: string) => boolean,
): StatementEvidence | undefined {
  const value = recorded && findHeader(recorded, name)
  if (!recorded || value === undefined || !test(value)) return
  return createRecordedEvidence(recorded, `${name}: ${value}`)
}

/** A missing header is proven by the list of all recorded headers. */
function createMissingHeaderEvidence(recorded: RecordedFact, missing: string): StatementEvidence {
  const seen = recorded.headers.map(([name]) => name).join(', ')
  return createRecordedEvidence(
    recorded,
    `no ${missing} among: ${seen === '' ? 'no headers' : seen}`,
  )
}

function createRecordedEvidence(recorded: RecordedFact, quote: string): StatementEvidence {
  const source = `recorded response of endpoint ${recorded.endpoint}`
  return { source, quote: quote.slice(0, 300), link: '', at: recorded.at }
}

function isSuccess({ status }: RecordedFact): boolean {
  return status >= 200 && status <= 299
}

/** `max-age=0` disables it (RFC 6797 6.1.1). */
function isLasting(value: string): boolean {
  return Number(/(?:^|;) *max-age *= *"?(\d{1,12})/i.exec(value)?.[1] ?? 0) > 0
}

/** Only the first value counts (Fetch 3.6). */
function isNosniff(value: string): boolean {
  return /^nosniff *(?:,|$)/i.test(value)
}

function isClosedPolicy(value: string): boolean {
  return /(?:^|[;,]) *(?:default-src +'none' *(?=[;,]|$)|sandbox *(?=[;,]|$))/i.test(value)
}

/** If a policy has `frame-ancestors`, X-Frame-Options is ignored (CSP 3, 6.4.2). */
function hasAncestors(value: string): boolean {
  return /(?:^|[;,]) *frame-ancestors\b/i.test(value)
}

function isUnframed(value: string): boolean {
  return /(?:^|[;,]) *frame-ancestors +'(?:none|self)' *(?=[;,]|$)/i.test(value)
}

function allowsCredentials(recorded: AssessmentFacts['recorded']): boolean {
  return !!recorded && findHeader(recorded, 'access-control-allow-credentials') === 'true'
}
