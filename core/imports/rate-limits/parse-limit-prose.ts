import type { DeclaredRateLimit } from '../../catalogue/records.ts'
import { parseUnitMs } from './durations.ts'

/** A limit without its source. */
export type DeclaredLimit = Omit<DeclaredRateLimit, 'source'>

/** Maximum characters read from a text, and maximum number of limits returned. */
const MAX_TEXT = 262_144
const MAX_LIMITS = 8
export const MAX_CALLS = 1_000_000_000

/** `1,000`, `1 000`, `10k`, `2.5 million`, `two`; not within a word, a version or a price. */
const NUMBER = String.raw`(?<![\w.,$€£#+-])(?<count>\d{1,3}(?:[,' ]\d{3}){1,3}|\d{1,10}(?:\.\d{1,3}(?= ?(?:k|thousand|million)\b))?|one|two|three|five|ten)(?: ?(?<scale>k|thousand|million|m)\b)?(?: \([a-z0-9 ,-]{1,30}\))?`
const KINDS =
  '(?:api|authenticated|get|http|https|individual|post|read|rest|search|server|successful|total|unauthenticated|unique|web|write)'
/** The counted unit; `weak` ones usually mean something else. */
const COUNTED_NOUN = `(?:${KINDS}[ -]){0,3}(?:(?<noun>requests?|reqs?|calls?|quer(?:y|ies)|hits?|lookups?|invocations?)|(?<weak>operations?|searches|transactions?|attempts?|writes?|reads?|times))`
const LONG_UNIT = '(?:milliseconds?|seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|months?)'
const ANY_UNIT = `(?:${LONG_UNIT}|s|m|h|d)`
/** The scope of the limit: `per user`, `from one IP address`. */
const OWNER =
  '(?:(?:per|for|from|by|/|each|every)(?: (?:a|an|each|one|single|given|unique))? ?(?:[a-z]{1,20}[ -]){0,2}(?:account|address|app|application|client|customer|endpoint|ip|key|method|organi[sz]ation|project|resource|store|tenant|token|user|workspace))'
const KIND_OF_SPAN = '(?:rolling |sliding |calendar |single |given )?'
const PER = '(?:per|each|every|in|within|over|during)'
/** `/min`, `/10s`; `every 15 minutes`; `per minute`, `a day`. */
const EVERY = `(?:,? ?${OWNER})?(?: ?/ ?(?:(?<slashed>\\d{1,5}) ?)?(?<slashedUnit>${ANY_UNIT})|,? ${PER} (?:an? )?${KIND_OF_SPAN}(?<counted>\\d{1,5}|one)[ -]?(?<countedUnit>${ANY_UNIT})|,? (?:${PER}|an?|in any|in an?|within an?|over an?) ${KIND_OF_SPAN}(?<unit>${LONG_UNIT}))(?!\\w)`

/** `100 requests per minute`, `5 calls/sec`, `2 per second`, `1,000/hour`. */
const PLAIN = new RegExp(`${NUMBER} ?(?:${COUNTED_NOUN})?${EVERY}`, 'gi')
/** `10 rps`. */
const SHORT = new RegExp(`${NUMBER} ?(?<short>[rqt]p[smh]|rpd)\\b`, 'gi')
/** `requests per minute: 60`. */
const REVERSE =
  /\b(?:requests?|calls?|queries) ?(?:per|\/) ?(?<unit>second|sec|minute|min|hour|day)(?: limit)? ?(?::|=|\||is) ?(?<count>\d{1,3}(?:,\d{3})+|\d{1,9})(?![\w.,]*\w)/gi

const SHORT_UNITS = new Map<string, number>([
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
])
const SCALES = new Map<string, number>([
  ['k', 1000],
  ['thousand', 1000],
  ['m', 1_000_000],
  ['million', 1_000_000],
])
const NUMERALS = new Map<string, number>([
  ['one', 1],
  ['two', 2],
  ['three', 3],
  ['five', 5],
  ['ten', 10],
])

/** Words that indicate a limit, before the number or shortly after. */
const STRONG =
  /\b(?:rate[- ]?limit|limit(?:ed|s|ing|ations?)?\b|throttl|quota|too many|429|rate of|capped)/i
/** Words that indicate a limit only within the same sentence. */
const WEAK =
  /\b(?:allow(?:s|ed|ance)?|at most|cap|exceed(?:s|ed|ing)?|(?:fewer|less|more) th[ae]n|maximum|max\.?|no more|only|permit(?:s|ted)?|restrict(?:s|ed)?|up to|you (?:can|may) (?:do|issue|make|perform|send))\b/i
/**
 * Words that indicate a limit of something else, or none: averages, advice, promises, calls by the
 * vendor.
 */
const NOT_A_LIMIT =
  /\b(?:averag(?:e|es|ed|ing)|benchmark|billed|charged?|costs?|delivers?|handled?|handles|increase[sd]?|no (?:rate )?limits?|per page|pric(?:e|es|ing)|process(?:es|ed)|recommend(?:s|ed)?|retr(?:ied|ies)|served?|serves|suggest(?:s|ed)?|sustain(?:s|ed)?|tested|unlimited|we (?:call|make|poll|send)|webhooks?|will (?:call|poll))\b/i
/** Words that introduce an example, which is never a limit. */
const EXAMPLE = /\b(?:example|for instance|e\.g\.)/i
/** Words directly before the number that make it a limit. */
const DIRECT =
  /(?:limit of|limited (?:at|by|to)|rate[- ]?limit(?:ed|ing|s)?|throttl(?:ed|ing)|quota(?: limit)?)(?: (?:of|at|to|is|are|by|allows|for|up))*:? ?$/i
const NOT_AFTER = /\b(?:at peak|averag(?:e|ed)|recommended|suggested|tested|will be sent)\b/i
/** Required before a number without a noun. */
const OF_CALLS = /\b(?:calls?|requests?|quer(?:y|ies)|rate|usage|throttl\w*)\b/i
const CALLED =
  /\b(?:call(?:ed|s|ing)?|execut(?:e|ed|es|ing)|quer(?:y|ied)|request(?:ed|s)?|invoked?|polled|polling)\b/i

/** Prefilters: a text without a match of each contains no limit. */
const COUNTED = /\d|\b(?:one|two|three|five|ten) (?:api |http )?(?:call|quer|req)/i
const SPOKEN =
  /attempt|call|hits|invo|lookup|operation|quer|rate|re?q|read|search|throttl|times|tp[smh]|transaction|write/i
const TIMED =
  /[rqt]p[smh]|rpd|(?:per|\/|an?|each|every|in|one|over|within|\d)\W{0,4}(?:sec|min|h|d|week|mon|s|m)/i

const BEFORE = 200
const AFTER = 80

/**
 * Reads call limits from English prose: `limited to 100 requests per minute`. Conservative: a
 * number, calls and a duration must be adjacent, and the surrounding words must indicate a limit.
 * Limits without a duration are ignored. Returns at most eight, in order, from the first 256 Ki
 * characters; never throws, takes linear time. With `isLimit` the text is known to be about limits.
 */
export function parseLimitProse(text: string, isLimit = false): readonly DeclaredLimit[] {
  if (!(COUNTED.test(text) && TIMED.test(text) && (isLimit || SPOKEN.test(text)))) return []
  const plain = stripMarkup(text.slice(0, MAX_TEXT))
  const found: (DeclaredLimit & { readonly at: number })[] = []
  for (const pattern of [PLAIN, SHORT, REVERSE]) {
    let count = 0
    for (const match of plain.matchAll(pattern)) {
      const limit = matchToLimit(match)
      if (!limit || !(isLimit || isAboutLimits(plain, match))) continue
      found.push({ ...limit, at: match.index })
      count += 1
      if (count === MAX_LIMITS) break
    }
  }
  found.sort((left, right) => left.at - right.at)
  return uniqueLimits(found.map(({ calls, windowMs }) => createDeclaredLimit(calls, windowMs)))
}

/** Returns the distinct limits, at most eight. */
export function uniqueLimits<Limit extends DeclaredLimit>(
  limits: readonly Limit[],
): readonly Limit[] {
  const seen = new Set<string>()
  const unique = limits.filter(({ calls, windowMs }) => {
    const name = `${calls} ${windowMs}`
    return seen.size < seen.add(name).size
  })
  return unique.slice(0, MAX_LIMITS)
}

/** Creates a limit; omits an undefined window. */
export function createDeclaredLimit(calls: number, windowMs: number | undefined): DeclaredLimit {
  return windowMs === undefined ? { calls } : { calls, windowMs }
}

/** Removes markup and collapses white space, with separators between sentences. */
function stripMarkup(text: string): string {
  return text
    .replace(/<\/?(?:b|strong|i|em|code|span|a)\b[^<>]{0,200}>|[*`_]/gi, ' ')
    .replace(/<[^<>]{1,200}>|\n{2,}/g, ' ¶ ')
    .replace(/\s+/g, ' ')
}

function matchToLimit({ groups }: RegExpMatchArray): DeclaredLimit | undefined {
  if (!groups) return undefined
  const { count = '', scale = '', short } = groups
  const number = NUMERALS.get(count.toLowerCase()) ?? Number(count.replace(/[,' ]/g, ''))
  const calls = Math.floor(number * (SCALES.get(scale.toLowerCase()) ?? 1))
  const every = groups.slashed ?? groups.counted ?? '1'
  const spans = NUMERALS.get(every.toLowerCase()) ?? Number(every)
  const unit = groups.slashedUnit ?? groups.countedUnit ?? groups.unit ?? ''
  const unitMs = short ? SHORT_UNITS.get(short.slice(-1).toLowerCase()) : parseUnitMs(unit)
  if (!(calls >= 1 && calls <= MAX_CALLS) || unitMs === undefined || spans < 1) return undefined
  return { calls, windowMs: spans * unitMs }
}

function isAboutLimits(text: string, match: RegExpMatchArray): boolean {
  const start = match.index ?? 0
  const end = start + match[0].length
  const before = text.slice(Math.max(0, start - BEFORE), start)
  const after = text.slice(end, end + AFTER)
  const sentenceBefore = before.slice(findLastSentence(before))
  const sentenceAfter = after.split(SENTENCE_END, 1)[0] ?? ''
  const { noun, weak, short } = match.groups ?? {}
  if (EXAMPLE.test(sentenceBefore)) return false
  const isDirect = DIRECT.test(sentenceBefore)
  if (isDirect && (noun ?? weak ?? short) !== undefined) return true
  if (NOT_A_LIMIT.test(sentenceBefore) || NOT_AFTER.test(sentenceAfter)) return false
  const isStrong = STRONG.test(before) || STRONG.test(sentenceAfter)
  // Matches of `REVERSE` start with their noun.
  if (noun !== undefined || (weak === undefined && /^[rcq]/i.test(match[0]))) {
    return isStrong || WEAK.test(sentenceBefore) || WEAK.test(sentenceAfter)
  }
  if (weak?.toLowerCase() === 'times') {
    const isBound = STRONG.test(sentenceBefore) || WEAK.test(sentenceBefore)
    return isBound && CALLED.test(sentenceBefore)
  }
  if (weak !== undefined || short !== undefined) return isStrong
  return STRONG.test(sentenceBefore) && OF_CALLS.test(sentenceBefore)
}

/** Excludes the full stop of abbreviations such as `max. 5`. */
const SENTENCE_END = /(?<!\b(?:approx|e\.g|i\.e|max|min|resp))[.!?][)"'\]]? |¶/

const SENTENCE_ENDS = new RegExp(SENTENCE_END, 'g')

/** Returns the offset at which the last sentence of a text starts. */
function findLastSentence(text: string): number {
  const last = [...text.matchAll(SENTENCE_ENDS)].at(-1)
  return last ? last.index + 1 : 0
}
