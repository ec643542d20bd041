import { isObject, type JsonObject } from '../../schemas/values.ts'
import { parseSpan, toUnitMs } from './spans.ts'
import { type BareLimit, MAX_CALLS, readLimitWords, toBare } from './words.ts'

const MAX_DEPTH = 5
const MAX_MEMBERS = 64
/** Maximum number of values visited in one extension. */
const MAX_VALUES = 500
const MAX_ITEMS = 16

/** Members that contain the number of calls, in lower case without hyphens and underscores. */
const CALLS = [
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
const SPANS = [
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
const PER_SOMEBODY = /^per(?:api)?(?:account|app|application|client|ip|key|keyowner|token|user)$/

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
export function readMembers(value: unknown, isTier: boolean): Iterable<BareLimit> {
  return readValue(value, { isTier, usualMs: undefined, depth: 0, walk: { left: MAX_VALUES } })
}

/** Context of a visited value. */
interface Place {
  readonly isTier: boolean
  /** Duration if the value declares none. */
  readonly usualMs: number | undefined
  readonly depth: number
  readonly walk: { left: number }
}

function* readValue(value: unknown, place: Place): Iterable<BareLimit> {
  const { isTier, usualMs, depth, walk } = place
  walk.left -= 1
  if (depth > MAX_DEPTH || walk.left < 0) return
  if (typeof value === 'string') yield* readText(value, isTier)
  else if (isTier) return
  else if (typeof value === 'number') yield* toLimits(value, usualMs)
  else if (Array.isArray(value)) yield* readList(value, place)
  else if (isObject(value)) yield* readObject(value, place)
}

function* readList(list: readonly unknown[], place: Place): Iterable<BareLimit> {
  const [calls, seconds] = list
  if (list.length === 2 && typeof calls === 'number' && typeof seconds === 'number') {
    yield* toLimits(calls, seconds * 1000)
    return
  }
  const inner = { ...place, depth: place.depth + 1 }
  for (const item of list.slice(0, MAX_ITEMS)) yield* readValue(item, inner)
}

function* readText(text: string, isTier: boolean): Iterable<BareLimit> {
  const tier = TIER.exec(text.trim())
  if (tier) {
    const calls = Number(tier[1]) * (tier[2] === undefined ? 1 : 1000)
    yield* toLimits(calls, toUnitMs(tier[3] ?? ''))
  } else if (!isTier && /^\d{1,10}$/.test(text.trim())) yield* toLimits(Number(text), undefined)
  else yield* readLimitWords(text, true)
}

function* readObject(object: JsonObject, place: Place): Iterable<BareLimit> {
  const members = new Map(
    Object.entries(object)
      .slice(0, MAX_MEMBERS)
      .map(([key, value]) => [key.toLowerCase().replace(/[-_]/g, ''), value] as const),
  )
  if (isOff(members) || countsOther(members)) return
  let isFound = false
  for (const [name, value] of members) {
    const windowMs = toNamedSpan(name)
    const calls = windowMs === undefined ? undefined : toNumber(value)
    if (calls === undefined) continue
    isFound = true
    yield* toLimits(calls, windowMs)
  }
  const callsName = isFound ? undefined : CALLS.find((name) => isCount(members.get(name)))
  if (callsName !== undefined) {
    isFound = true
    yield* toLimitsOf(members.get(callsName), { members, usualMs: place.usualMs })
  }
  for (const [name, value] of members) {
    const isContainer = CONTAINERS.has(name) || PER_SOMEBODY.test(name)
    if (!isContainer || typeof value !== 'object' || name === callsName) continue
    isFound = true
    yield* readValue(value, { ...place, usualMs: CONTAINERS.get(name), depth: place.depth + 1 })
  }
  if (isFound) return
  for (const name of [...CALLS, 'description']) {
    const value = members.get(name)
    if (typeof value === 'string') yield* readLimitWords(value, true)
  }
}

/** Pairs lists of limits and of windows by index (Kong). */
function* toLimitsOf(
  calls: unknown,
  {
    members,
    usualMs,
  }: {
    readonly members: ReadonlyMap<string, unknown>
    readonly usualMs: number | undefined
  },
): Iterable<BareLimit> {
  if (!Array.isArray(calls)) {
    yield* toLimits(toNumber(calls) ?? 0, toSpan(members) ?? usualMs)
    return
  }
  const spans = members.get('windowsize')
  for (const [at, each] of calls.slice(0, MAX_ITEMS).entries()) {
    const seconds = Array.isArray(spans) ? toNumber(spans[at]) : undefined
    const windowMs = seconds === undefined ? undefined : seconds * 1000
    yield* toLimits(toNumber(each) ?? 0, windowMs)
  }
}

function isOff(members: ReadonlyMap<string, unknown>): boolean {
  const isDisabled = members.get('disabled') === true || members.get('disable') === true
  return isDisabled || members.get('enabled') === false || members.get('enable') === false
}

function countsOther(members: ReadonlyMap<string, unknown>): boolean {
  for (const name of ['metric', 'resource', 'type', 'unit', 'algorithm', 'strategy']) {
    const value = members.get(name)
    const isBucket = typeof value === 'string' && /bucket/i.test(value)
    if (typeof value === 'string' && !isBucket && NOT_CALLS.test(value)) return true
  }
  const unit = members.get('unit')
  return typeof unit === 'string' && !(toUnitMs(unit) || parseSpan(unit) || CALL_UNIT.test(unit))
}

const CALL_UNIT = /call|req|hit|quer/i

function isCount(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((each) => typeof each === 'number')
  return toNumber(value) !== undefined
}

function toNumber(value: unknown): number | undefined {
  const isText = typeof value === 'string' && /^\d{1,10}$/.test(value.trim())
  const number = isText ? Number(value) : value
  return typeof number === 'number' && number >= 1 ? number : undefined
}

function toNamedSpan(name: string): number | undefined {
  const unit = NAMED_SPAN.exec(name)?.[1]
  return unit === undefined ? SHORT_SPANS.get(name) : toUnitMs(unit)
}

/** The window that members declare; undefined if none does. */
function toSpan(members: ReadonlyMap<string, unknown>): number | undefined {
  const unitText = SPAN_UNITS.map((name) => members.get(name)).find(isText)
  const unitMs = unitText === undefined ? undefined : (toUnitMs(unitText) ?? parseSpan(unitText))
  for (const [name, value] of members) {
    const suffix = SPANS.includes(name) ? undefined : SUFFIX.exec(name)
    if (!SPANS.includes(suffix ? name.slice(0, suffix.index) : name)) continue
    const suffixMs = suffix?.[1] === undefined ? undefined : toUnitMs(suffix[1])
    const number = toNumber(value)
    if (number !== undefined) return number * (suffixMs ?? unitMs ?? toUsualUnit(number))
    if (isText(value)) return parseSpan(value)
  }
  return unitMs
}

/**
 * Seconds, except multiples of 1000, which are milliseconds: an hour is never written as 60000
 * seconds.
 */
function toUsualUnit(number: number): number {
  return number >= 1000 && number % 1000 === 0 ? 1 : 1000
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function* toLimits(calls: number, windowMs: number | undefined): Iterable<BareLimit> {
  const isSpan = windowMs === undefined || (windowMs >= 1 && Number.isSafeInteger(windowMs))
  const whole = Math.floor(calls)
  if (whole >= 1 && whole <= MAX_CALLS && isSpan) yield toBare(whole, windowMs)
}
