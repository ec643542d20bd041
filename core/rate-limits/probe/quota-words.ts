/**
 * Phrases in bodies that refuse a call because of too many calls. Lower case, with single spaces in
 * place of other characters, so that they also match `OVER_QUERY_LIMIT` and `RateLimitExceeded`.
 */
const QUOTA_WORDS: readonly string[] = [
  'rate limit',
  'ratelimit',
  'rate exceeded',
  'rate of requests',
  'too many requests',
  'too many calls',
  'too many queries',
  'too many attempts',
  'quota exceeded',
  'quota exhausted',
  'quota has been',
  'quota reached',
  'exceeded your quota',
  'exceeded the quota',
  'exceeded your current quota',
  'exceeded your limit',
  'exceeded the limit',
  'exceeded the maximum number',
  'exceeded the number of',
  'out of credits',
  'insufficient quota',
  'request limit',
  'requests limit',
  'query limit',
  'call limit',
  'calls limit',
  'usage limit',
  'daily limit',
  'hourly limit',
  'monthly limit',
  'limit exceeded',
  'limit reached',
  'limit has been',
  'maximum number of requests',
  'max requests',
  'throttled',
  'throttling',
  'throttle limit',
  'slow down',
  'slowdown',
  'over limit',
  'user limit',
  'request rate',
  'requests per second',
  'requests per minute',
  'requests per hour',
  'calls per second',
  'calls per minute',
  'calls per day',
]

/** A longer body, in characters, is data, not a refusal. */
const MAX_REFUSAL = 2048

/** Finds the quota phrases in the beginning of a body. */
export function findQuotaWords(text: string): readonly string[] {
  const folded = foldBody(text)
  return QUOTA_WORDS.filter((words) => folded.includes(words))
}

/**
 * Whether a body with a success status refuses the call. It must be short and contain quota phrases
 * or a JSON member with status 429, which the target's usual bodies do not contain.
 */
export function isQuotaBody(text: string, usual: ReadonlySet<string>): boolean {
  if (text.length === 0 || text.length > MAX_REFUSAL) return false
  if (findQuotaWords(text).some((words) => !usual.has(words))) return true
  return containsStatus429(text) && !usual.has(STATUS_MARK)
}

/**
 * Returns the parts of a usual body that are ignored: its quota phrases and the mark of a 429
 * member. Empty for a body that looks like an error, because the target may have refused even the
 * first call.
 */
export function readUsualWords(text: string): readonly string[] {
  if (ERROR_FORM.test(text) || (text.length <= MAX_SENTENCE && !/^\s*[[{<]/.test(text))) return []
  return containsStatus429(text) ? [...findQuotaWords(text), STATUS_MARK] : findQuotaWords(text)
}

/** A member or element that is present or non-empty when a call fails. */
const ERROR_FORM =
  /"(?:errors?|error_?(?:message|code|info)|fault|exception)"\s*:\s*(?!null|false|""|\[\]|\{\}|0\b)|"(?:ok|success)"\s*:\s*false|<(?:\w+:)?(?:error|fault)\b/i

/** Plain text up to this length is a message. */
const MAX_SENTENCE = 160

const STATUS_MARK = '"429"'
const STATUS_MEMBER = /"(?:code|status|status_?code|error_?code|errno)"\s*:\s*"?429\b/i

function containsStatus429(text: string): boolean {
  return STATUS_MEMBER.test(text)
}

function foldBody(text: string): string {
  return text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
}
