/**
 * What bodies say that refuse a call because there were too many, in lower case with single blanks
 * for all that is no letter or digit. `OVER_QUERY_LIMIT` and `RateLimitExceeded` are read so too.
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

/** A body longer than this many characters is no refusal but data. */
const MAX_REFUSAL = 2048

/** The quota words of a body's beginning. */
export function findQuotaWords(text: string): readonly string[] {
  const folded = fold(text)
  return QUOTA_WORDS.filter((words) => folded.includes(words))
}

/**
 * Whether an answer that came with a good status says that the call was one too many: it is short,
 * it is not what the target usually answers, and it has quota words, or members of JSON that hold
 * the status 429.
 */
export function isQuotaBody(text: string, usual: ReadonlySet<string>): boolean {
  if (text.length === 0 || text.length > MAX_REFUSAL) return false
  if (findQuotaWords(text).some((words) => !usual.has(words))) return true
  return holdsStatus(text) && !usual.has(STATUS_MARK)
}

/**
 * What is remembered of a usual body: its quota words, and whether it holds a status 429. Nothing of
 * one that has the form of an error: such a target may have refused from the first call on.
 */
export function toUsualWords(text: string): readonly string[] {
  if (ERROR_FORM.test(text) || (text.length <= MAX_SENTENCE && !/^\s*[[{<]/.test(text))) return []
  return holdsStatus(text) ? [...findQuotaWords(text), STATUS_MARK] : findQuotaWords(text)
}

/** A member or an element that is there, or filled, when a call failed. */
const ERROR_FORM =
  /"(?:errors?|error_?(?:message|code|info)|fault|exception)"\s*:\s*(?!null|false|""|\[\]|\{\}|0\b)|"(?:ok|success)"\s*:\s*false|<(?:\w+:)?(?:error|fault)\b/i

/** Plain text as short as this is a message. */
const MAX_SENTENCE = 160

const STATUS_MARK = '"429"'
const STATUS_MEMBER = /"(?:code|status|status_?code|error_?code|errno)"\s*:\s*"?429\b/i

function holdsStatus(text: string): boolean {
  return STATUS_MEMBER.test(text)
}

function fold(text: string): string {
  return text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
}
