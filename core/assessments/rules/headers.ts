import type {
  AssessmentFacts,
  AssessmentRule,
  RecordedFact,
  StatementEvidence,
} from '../records.ts'

/**
 * What the account's newest recorded answer told by its headers. Which ones count follows OWASP's
 * REST Security Cheat Sheet and Secure Headers Project.
 */
export const HEADER_RULES: readonly AssessmentRule[] = [
  {
    id: 'header-transport-security',
    category: 'security_headers',
    classification: 'good',
    statement: 'Answers ask to be called by https alone',
    applies:
      "the account's newest recorded answer has a Strict-Transport-Security header with a max-age above 0",
    when: ({ recorded }) => ofHeader(recorded, 'strict-transport-security', isLasting),
  },
  {
    id: 'header-no-transport-security',
    category: 'security_headers',
    classification: 'bad',
    statement: 'An answer by https did not ask to be called by https alone',
    applies:
      "the account's newest recorded answer is a success by https without Strict-Transport-Security, or its max-age is 0",
    when: ({ recorded }) => {
      if (!recorded?.isHttps || !isSuccess(recorded)) return
      if (ofHeader(recorded, 'strict-transport-security', isLasting)) return
      return (
        ofHeader(recorded, 'strict-transport-security', () => true) ??
        ofAbsence(recorded, 'strict-transport-security')
      )
    },
  },
  {
    id: 'header-no-sniffing',
    category: 'security_headers',
    classification: 'good',
    statement: 'Answers forbid browsers to guess what they are',
    applies: "the account's newest recorded answer has X-Content-Type-Options: nosniff",
    when: ({ recorded }) => ofHeader(recorded, 'x-content-type-options', isNosniff),
  },
  {
    id: 'header-sniffing',
    category: 'security_headers',
    classification: 'neutral',
    statement: 'An answer did not forbid browsers to guess what it is',
    applies:
      "the account's newest recorded answer is a success with a content type, without X-Content-Type-Options: nosniff",
    when: ({ recorded }) =>
      recorded &&
      isSuccess(recorded) &&
      findHeader(recorded, 'content-type') !== undefined &&
      !ofHeader(recorded, 'x-content-type-options', isNosniff)
        ? ofAbsence(recorded, 'x-content-type-options')
        : undefined,
  },
  {
    id: 'header-content-policy',
    category: 'security_headers',
    classification: 'good',
    statement: 'Answers forbid browsers to load or run what they hold',
    applies:
      "the account's newest recorded answer has a Content-Security-Policy with default-src 'none' or sandbox",
    when: ({ recorded }) => ofHeader(recorded, 'content-security-policy', isClosedPolicy),
  },
  {
    id: 'header-framing',
    category: 'security_headers',
    classification: 'good',
    statement: 'Answers may not be framed by pages of others',
    applies:
      "the account's newest recorded answer has frame-ancestors 'none' or 'self', else X-Frame-Options: DENY or SAMEORIGIN",
    when: ({ recorded }) =>
      ofHeader(recorded, 'content-security-policy', hasAncestors)
        ? ofHeader(recorded, 'content-security-policy', isUnframed)
        : ofHeader(recorded, 'x-frame-options', (value) => /^(?:deny|sameorigin)$/i.test(value)),
  },
  {
    id: 'header-cors-any',
    category: 'security_headers',
    classification: 'neutral',
    statement: 'Pages of any site may read answers',
    applies: "the account's newest recorded answer has Access-Control-Allow-Origin: *",
    when: ({ recorded }) =>
      allowsCredentials(recorded)
        ? undefined
        : ofHeader(recorded, 'access-control-allow-origin', (value) => value === '*'),
  },
  {
    id: 'header-cors-credentials',
    category: 'security_headers',
    classification: 'bad',
    statement: 'Pages of any site are told to send credentials along',
    applies:
      "the account's newest recorded answer has Access-Control-Allow-Origin: * or null with Access-Control-Allow-Credentials: true",
    when: ({ recorded }) => {
      if (!allowsCredentials(recorded)) return
      const found = ofHeader(recorded, 'access-control-allow-origin', (value) =>
        /^(?:\*|null)$/.test(value),
      )
      return found && { ...found, quote: `${found.quote}; access-control-allow-credentials: true` }
    },
  },
  {
    id: 'header-deprecation',
    category: 'deprecation',
    classification: 'bad',
    statement: 'An answer announced the end of an endpoint',
    applies: "the account's newest recorded answer has a Deprecation or Sunset header",
    when: ({ recorded }) =>
      // Drafts before RFC 9745 had `Deprecation: true`, and with it `false`.
      ofHeader(recorded, 'deprecation', (value) => !/^(?:\?0|false)$/i.test(value)) ??
      ofHeader(recorded, 'sunset', () => true),
  },
  {
    id: 'header-rate-limit',
    category: 'rate_limit',
    classification: 'good',
    statement: 'Answers tell how many calls are left',
    applies: "the account's newest recorded answer has headers of a rate limit",
    when: ({ recorded }) => {
      const found = recorded?.headers.find(([name]) => LIMIT.test(name))
      return recorded && found && toEvidence(recorded, found.join(': '))
    },
  },
]

const LIMIT = /^(?:ratelimit|x-ratelimit-|x-rate-limit-)/

function findHeader({ headers }: RecordedFact, name: string): string | undefined {
  return headers.find(([each]) => each === name)?.[1].trim()
}

function ofHeader(
  recorded: AssessmentFacts['recorded'],
  name: string,
  test: (value: string) => boolean,
): StatementEvidence | undefined {
  const value = recorded && findHeader(recorded, name)
  if (!recorded || value === undefined || !test(value)) return
  return toEvidence(recorded, `${name}: ${value}`)
}

/** What is missing is proven by what is there: all headers that a recording keeps. */
function ofAbsence(recorded: RecordedFact, missing: string): StatementEvidence {
  const seen = recorded.headers.map(([name]) => name).join(', ')
  return toEvidence(recorded, `no ${missing} among: ${seen === '' ? 'no headers' : seen}`)
}

function toEvidence(recorded: RecordedFact, quote: string): StatementEvidence {
  const source = `recorded answer of endpoint ${recorded.endpoint}`
  return { source, quote: quote.slice(0, 300), link: '', at: recorded.at }
}

function isSuccess({ status }: RecordedFact): boolean {
  return status >= 200 && status <= 299
}

/** `max-age=0` takes it back (RFC 6797 6.1.1). */
function isLasting(value: string): boolean {
  return Number(/(?:^|;) *max-age *= *"?(\d{1,12})/i.exec(value)?.[1] ?? 0) > 0
}

/** The first value counts (Fetch 3.6). */
function isNosniff(value: string): boolean {
  return /^nosniff *(?:,|$)/i.test(value)
}

function isClosedPolicy(value: string): boolean {
  return /(?:^|[;,]) *(?:default-src +'none' *(?=[;,]|$)|sandbox *(?=[;,]|$))/i.test(value)
}

/** Where a policy names ancestors, X-Frame-Options does not count (CSP 3, 6.4.2). */
function hasAncestors(value: string): boolean {
  return /(?:^|[;,]) *frame-ancestors\b/i.test(value)
}

function isUnframed(value: string): boolean {
  return /(?:^|[;,]) *frame-ancestors +'(?:none|self)' *(?=[;,]|$)/i.test(value)
}

function allowsCredentials(recorded: AssessmentFacts['recorded']): boolean {
  return !!recorded && findHeader(recorded, 'access-control-allow-credentials') === 'true'
}
