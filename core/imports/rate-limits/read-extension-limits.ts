import { isObject, type JsonObject } from '../../schemas/values.ts'
import { parseDurationMs, parseUnitMs } from './durations.ts'
import {
  createDeclaredLimit,
  type DeclaredLimit,
  MAX_CALLS,
  parseLimitProse,
} from './parse-limit-prose.ts'

const MAX_DEPTH = 5
const MAX_MEMBERS = 64
/** Maximum number of values visited in one extension. */
const MAX_VALUES = 500
const MAX_ITEMS = 16

/** Members that contain the number of calls, in lower case without hyphens and underscores. */
const CALL_MEMBERS = [
  'limit',
  'max',
  'maxrequests',
  'maxcalls',
  'maxinperiod',
  'requests',
  'numberofrequests',
  'requestlimit',
  'calls',
  'count',
  'permitlimit',
  'rate',
  'ratelimit',
  'quota',
  'events',
  'value',
]

/** Members that contain the duration, without a unit suffix (`Ms`, `Seconds`) of their names. */
const DURATION_MEMBERS = [
  'window',
  'windowsize',
  'timewindow',
  'period',
  'interval',
  'duration',
  'timeframe',
  'decay',
  'numberoftimeunits',
  'per',
]
const SPAN_UNITS = ['unit', 'timeunit', 'periodunit', 'windowunit']
const SUFFIX = /(?:in)?(ms|milliseconds?|secs?|seconds?|minutes?|hours?|days?)$/

/**
 * Members whose name implies the duration: `minute` (Kong), `rpm` (Yandex), `requestsPerMinute`.
 */
const NAMED_SPAN =
  /^(?:(?:max)?(?:api)?(?:requests?|reqs?|calls?|rate|limit)?per)?(second|minute|hour|day|week|month|year)$/
const SHORT_SPANS = new Map<string, number>([
  ['rps', 1000],
  ['qps', 1000],
  ['tps', 1000],
  ['rpm', 60_000],
  ['qpm', 60_000],
  ['rph', 3_600_000],
  ['rpd', 86_400_000],
])

/** Members that contain limits, with the default duration of limits in them. */
const CONTAINERS = new Map<string, number | undefined>([
  ['allrequests', undefined],
  ['config', undefined],
  ['default', undefined],
  ['global', undefined],
  ['limit', undefined],
  ['limits', undefined],
  ['limitcount', undefined],
  // Apache APISIX: requests per second.
  ['limitreq', 1000],
  ['quota', undefined],
  ['ratelimit', undefined],
  ['ratelimits', undefined],
  ['rates', undefined],
  ['rules', undefined],
  ['upstream', undefined],
])
const PER_CLIENT = /^per(?:api)?(?:account|app|application|client|ip|key|keyowner|token|user)$/

/** Limits of anything but calls. */
const NOT_CALLS =
  /byte|character|complex|concurr|connection|cost|credit|parallel|point|storage|token/i
const TIER = /^(\d{1,9})(k)?per(sec|second|min|minute|hour|day)$/i

/**
 * Reads the limits of an extension's value in any known shape: a number, prose, `[calls, seconds]`,
 * an object with a number of calls and a duration under common names, or such objects in known
 * members. Ignores disabled limits and those that do not count calls. With `isTier`, reads only
 * names that contain number and duration. Bounded in depth and breadth.
 */
export function readExtensionLimits(value: unknown, isTier: boolean): Iterable<DeclaredLimit> {
  return readValueLimits(value, {
    isTier,
    defaultMs: undefined,
    depth: 0,
    walk: { left: MAX_VALUES },
  })
}

/** Context of a visited value. */
interface VisitContext {
  readonly isTier: boolean
  /** Duration if the value declares none. */
  readonly defaultMs: number | undefined
  readonly depth: number
  readonly walk: { left: number }
}

function* readValueLimits(value: unknown, place: VisitContext): Iterable<DeclaredLimit> {
  const { isTier, defaultMs, depth, walk } = place
  walk.left -= 1
  if (depth > MAX_DEPTH || walk.left < 0) return
  if (typeof value === 'string') yield* readTextLimits(value, isTier)
  else if (isTier) return
  else if (typeof value === 'number') yield* createLimit(value, defaultMs)
  else if (Array.isArray(value)) yield* readListLimits(value, place)
  else if (isObject(value)) yield* readObjectLimits(value, place)
}

function* readListLimits(list: readonly unknown[], place: VisitContext): Iterable<DeclaredLimit> {
  const [calls, seconds] = list
  if (list.length === 2 && typeof calls === 'number' && typeof seconds === 'number') {
    yield* createLimit(calls, seconds * 1000)
    return
  }
  const inner = { ...place, depth: place.depth + 1 }
  for (const item of list.slice(0, MAX_ITEMS)) yield* readValueLimits(item, inner)
}

function* readTextLimits(text: string, isTier: boolean): Iterable<DeclaredLimit> {
  const tier = TIER.exec(text.trim())
  if (tier) {
    const calls = Number(tier[1]) * (tier[2] === undefined ? 1 : 1000)
    yield* createLimit(calls, parseUnitMs(tier[3] ?? ''))
  } else if (!isTier && /^\d{1,10}$/.test(text.trim())) yield* createLimit(Number(text), undefined)
  else yield* parseLimitProse(text, true)
}

function* readObjectLimits(object: JsonObject, place: VisitContext): Iterable<DeclaredLimit> {
  const members = new Map(
    Object.entries(object)
      .slice(0, MAX_MEMBERS)
      .map(([key, value]) => [key.toLowerCase().replace(/[-_]/g, ''), value] as const),
  )
  if (isLimitDisabled(members) || countsOtherThanCalls(members)) return
  let isFound = false
  for (const [name, value] of members) {
    const windowMs = parseNamedDuration(name)
    const calls = windowMs === undefined ? undefined : parsePositiveNumber(value)
    if (calls === undefined) continue
    isFound = true
    yield* createLimit(calls, windowMs)
  }
  const callsName = isFound ? undefined : CALL_MEMBERS.find((name) => isCount(members.get(name)))
  if (callsName !== undefined) {
    isFound = true
    yield* createLimits(members.get(callsName), { members, usualMs: place.defaultMs })
  }
  for (const [name, value] of members) {
    const isContainer = CONTAINERS.has(name) || PER_CLIENT.test(name)
    if (!isContainer || typeof value !== 'object' || name === callsName) continue
    isFound = true
    yield* readValueLimits(value, {
      ...place,
      defaultMs: CONTAINERS.get(name),
      depth: place.depth + 1,
    })
  }
  if (isFound) return
  for (const name of [...CALL_MEMBERS, 'description']) {
    const value = members.get(name)
    if (typeof value === 'string') yield* parseLimitProse(value, true)
  }
}

/** Pairs lists of limits and of windows by index (Kong). */
function* createLimits(
  calls: unknown,
  {
    members,
    usualMs,
  }: {
    readonly members: ReadonlyMap<string, unknown>
    readonly usualMs: number | undefined
  },
): Iterable<DeclaredLimit> {
  if (!Array.isArray(calls)) {
    yield* createLimit(parsePositiveNumber(calls) ?? 0, findWindowMs(members) ?? usualMs)
    return
  }
  const spans = members.get('windowsize')
  for (const [at, each] of calls.slice(0, MAX_ITEMS).entries()) {
    const seconds = Array.isArray(spans) ? parsePositiveNumber(spans[at]) : undefined
    const windowMs = seconds === undefined ? undefined : seconds * 1000
    yield* createLimit(parsePositiveNumber(each) ?? 0, windowMs)
  }
}

function isLimitDisabled(members: ReadonlyMap<string, unknown>): boolean {
  const isDisabled = members.get('disabled') === true || members.get('disable') === true
  return isDisabled || members.get('enabled') === false || members.get('enable') === false
}

function countsOtherThanCalls(members: ReadonlyMap<string, unknown>): boolean {
  for (const name of ['metric', 'resource', 'type', 'unit', 'algorithm', 'strategy']) {
    const value = members.get(name)
    const isBucket = typeof value === 'string' && /bucket/i.test(value)
    if (typeof value === 'string' && !isBucket && NOT_CALLS.test(value)) return true
  }
  const unit = members.get('unit')
  return (
    typeof unit === 'string' &&
    !(parseUnitMs(unit) || parseDurationMs(unit) || CALL_UNIT.test(unit))
  )
}

const CALL_UNIT = /call|req|hit|quer/i

function isCount(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((each) => typeof each === 'number')
  return parsePositiveNumber(value) !== undefined
}

function parsePositiveNumber(value: unknown): number | undefined {
  const isText = typeof value === 'string' && /^\d{1,10}$/.test(value.trim())
  const number = isText ? Number(value) : value
  return typeof number === 'number' && number >= 1 ? number : undefined
}

function parseNamedDuration(name: string): number | undefined {
  const unit = NAMED_SPAN.exec(name)?.[1]
  return unit === undefined ? SHORT_SPANS.get(name) : parseUnitMs(unit)
}

/** Returns the window that members declare; undefined if none does. */
function findWindowMs(members: ReadonlyMap<string, unknown>): number | undefined {
  const unitText = SPAN_UNITS.map((name) => members.get(name)).find(isText)
  const unitMs =
    unitText === undefined ? undefined : (parseUnitMs(unitText) ?? parseDurationMs(unitText))
  for (const [name, value] of members) {
    const suffix = DURATION_MEMBERS.includes(name) ? undefined : SUFFIX.exec(name)
    if (!DURATION_MEMBERS.includes(suffix ? name.slice(0, suffix.index) : name)) continue
    const suffixMs = suffix?.[1] === undefined ? undefined : parseUnitMs(suffix[1])
    const number = parsePositiveNumber(value)
    if (number !== undefined) return number * (suffixMs ?? unitMs ?? guessUnitMs(number))
    if (isText(value)) return parseDurationMs(value)
  }
  return unitMs
}

/**
 * Guesses the unit of a window: seconds, but milliseconds for multiples of 1000. An hour is never
 * written as 60000 seconds.
 */
function guessUnitMs(number: number): number {
  return number >= 1000 && number % 1000 === 0 ? 1 : 1000
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function* createLimit(calls: number, windowMs: number | undefined): Iterable<DeclaredLimit> {
  const isSpan = windowMs === undefined || (windowMs >= 1 && Number.isSafeInteger(windowMs))
  const whole = Math.floor(calls)
  if (whole >= 1 && whole <= MAX_CALLS && isSpan) yield createDeclaredLimit(whole, windowMs)
}
