import { parseFieldItems } from '../../egress/rate-fields.ts'
import type { ReadRateHints } from '../../egress/rate-headers.ts'
import { toHeaderRole } from '../../egress/rate-names.ts'
import { parseRemaining, parseWait } from '../../egress/rate-values.ts'
import type { EgressFailure, HeaderLine } from '../../ports/egress.ts'
import type { LimitSignal, Outcome, ProbeRecord, ProbeResponse } from '../records.ts'
import { findQuotaWords, isQuotaBody } from './quota-words.ts'

/** The members of a record that are derived from its response. */
export type JudgedResponse = Pick<
  ProbeRecord,
  'outcome' | 'status' | 'signal' | 'waitMs' | 'remaining' | 'limit' | 'windowMs'
>

/** The limit that response headers announce. */
type AnnouncedLimit = Pick<ProbeRecord, 'waitMs' | 'remaining' | 'limit' | 'windowMs'>

interface Family {
  limit?: number
  remaining?: number
  windowMs?: number
}

type FamilyOf = (name: string) => Family

/** Classifies a response. `usual` are the quota words in the target's first bodies. */
export function judgeResponse(
  answer: ProbeResponse,
  known: {
    readonly usual: ReadonlySet<string>
    /** Milliseconds since the epoch. */
    readonly now: number
    readonly hints: ReadRateHints
  },
): JudgedResponse {
  if ('failure' in answer) return { outcome: FAILURE_OUTCOMES[answer.failure], status: 0 }
  const { status, headers, text } = answer
  const announced = readAnnouncedLimit(headers, { status, now: known.now, hints: known.hints })
  const isOver = announced.remaining === 0 || headers.some(([name]) => name === 'retry-after')
  const signal = toLimitSignal({ status, isOver, text, usual: known.usual })
  const outcome = signal === undefined ? toOutcome(status) : 'limited'
  return { outcome, status, ...(signal === undefined ? {} : { signal }), ...announced }
}

/**
 * Whether one record is sufficient evidence of a limit: a status 429, or another refusal with
 * rate-limit headers. Words in the body need a second record.
 */
export function isSureLimit(record: ProbeRecord): boolean {
  if (record.outcome !== 'limited') return false
  if (record.status === 429) return true
  const isAnnounced = record.waitMs !== undefined || record.remaining === 0
  return isAnnounced && record.signal !== 'body'
}

const FAILURE_OUTCOMES: Readonly<Record<EgressFailure | 'aborted', Outcome>> = {
  refused_url: 'refused',
  refused_address: 'refused',
  unresolved: 'refused',
  connect_failed: 'refused',
  connect_timeout: 'timed_out',
  first_byte_timeout: 'timed_out',
  total_timeout: 'timed_out',
  reader_too_slow: 'failed',
  malformed_answer: 'failed',
  too_large: 'failed',
  too_slow: 'timed_out',
  aborted: 'failed',
}

/** Non-standard statuses for limits: Twitter, Apache and Qualys. */
const OWN_STATUSES = new Set([420, 509, 529])

function toLimitSignal(answer: {
  readonly status: number
  /** The headers announce a wait, or that no calls remain. */
  readonly isOver: boolean
  readonly text: string
  readonly usual: ReadonlySet<string>
}): LimitSignal | undefined {
  const { status, isOver, text, usual } = answer
  if (status === 429 || OWN_STATUSES.has(status)) return 'status'
  if (status < 400) return isQuotaBody(text, usual) ? 'body' : undefined
  const says = findQuotaWords(text).some((words) => !usual.has(words))
  if (status === 503) return isOver || says ? 'unavailable' : undefined
  // Remaining calls and waits also appear on other errors, such as 404.
  return (isOver && status === 403) || says ? 'status' : undefined
}

/** Redirects are not followed, so the requested resource was not served. */
function toOutcome(status: number): Outcome {
  if (status < 300 || status === 304) return 'ok'
  return status < 500 ? 'rejected' : 'failed'
}

/**
 * Reads the announced limit with the fewest remaining calls: the limit, its remaining calls, its
 * window, and the wait. Empty if the headers contain none that can be parsed.
 */
export function readAnnouncedLimit(
  headers: readonly HeaderLine[],
  answer: { readonly status: number; readonly now: number; readonly hints: ReadRateHints },
): AnnouncedLimit {
  const { status, now, hints } = answer
  const waitMs = readWait(headers, answer)
  const families = new Map<string, Family>()
  const familyOf = (name: string) => {
    const family = families.get(name) ?? {}
    families.set(name, family)
    return family
  }
  for (const [name, value] of headers.slice(0, MAX_HEADERS)) {
    if (name === 'ratelimit') readRateLimitField(value, familyOf)
    else if (name === 'ratelimit-policy') readRateLimitPolicy(value, familyOf)
    else readVendorHeader(name, value, familyOf)
  }
  const known = [...families.values()].filter(
    ({ remaining, limit }) => remaining !== undefined || limit !== undefined,
  )
  known.sort((a, b) => (a.remaining ?? Infinity) - (b.remaining ?? Infinity) || 0)
  const scarcest = known[0] ?? {}
  const hinted = hints(headers, { status, now })?.quotas[0]?.remaining
  const remaining = scarcest.remaining ?? (hinted === Infinity ? undefined : hinted)
  return {
    ...(waitMs === undefined ? {} : { waitMs }),
    ...(remaining === undefined ? {} : { remaining }),
    ...(scarcest.limit === undefined ? {} : { limit: scarcest.limit }),
    ...(scarcest.windowMs === undefined ? {} : { windowMs: scarcest.windowMs }),
  }
}

const MAX_HEADERS = 500

const CALENDAR = new Map([
  ['second', 1000],
  ['minute', 60_000],
  ['hour', 3_600_000],
  ['day', 86_400_000],
])

/**
 * Reads `Retry-After` of any refusal, else the reset of the limit with the fewest remaining calls.
 */
function readWait(
  headers: readonly HeaderLine[],
  answer: { readonly status: number; readonly now: number; readonly hints: ReadRateHints },
): number | undefined {
  const told = answer.hints(headers, answer)
  const hinted = told?.retryAfterMs ?? told?.quotas[0]?.waitMs
  if (hinted !== undefined) return hinted
  const line = headers.find(([name]) => name === 'retry-after')
  const wait = line ? parseWait(line[1], { now: answer.now, unit: 'delay' }) : undefined
  return wait === 0 ? undefined : wait
}

function readVendorHeader(name: string, value: string, familyOf: FamilyOf): void {
  const header = toHeaderRole(name)
  if (!header?.countsCalls || header.role === 'reset' || header.role === 'retry') return
  const family = familyOf(header.quota)
  const windowMs = CALENDAR.get(header.quota)
  if (windowMs !== undefined) family.windowMs ??= windowMs
  if (header.role === 'window') {
    const parsed = parseWait(value, { now: 0, unit: header.unit })
    if (parsed !== undefined && parsed > 0) family.windowMs = parsed
    return
  }
  // Early drafts write `100, 100;w=60`.
  const [first, ...rest] = parseFieldItems(value)
  const count = parseRemaining(first?.name ?? '')
  if (count === undefined) return
  if (header.role === 'remaining') family.remaining = count
  else if (count > 0) family.limit = count
  const seconds = [first, ...rest].map((item) => item?.params.get('w')).find(Boolean)
  setWindow(family, seconds)
}

/** Parses `"default";r=50;t=30`, and the dictionary form `limit=100, remaining=50, reset=30`. */
function readRateLimitField(value: string, familyOf: FamilyOf): void {
  const items = parseFieldItems(value)
  const members = new Map(items.map((item) => [item.name.toLowerCase(), item.value]))
  if (members.get('remaining') !== undefined) {
    const family = familyOf('')
    setCount(family, { remaining: members.get('remaining'), limit: members.get('limit') })
    return
  }
  for (const { name, params } of items) {
    setCount(familyOf(`:${name}`), { remaining: params.get('r'), limit: undefined })
  }
}

/** Parses `"default";q=100;w=60`, and the earlier form `100;w=60`. */
function readRateLimitPolicy(value: string, familyOf: FamilyOf): void {
  for (const { name, params } of parseFieldItems(value)) {
    if ((params.get('qu') ?? 'requests') !== 'requests') continue
    const isNumber = /^\d+$/.test(name)
    const family = familyOf(isNumber ? '' : `:${name}`)
    setCount(family, { remaining: undefined, limit: params.get('q') ?? (isNumber ? name : '') })
    setWindow(family, params.get('w'))
  }
}

function setCount(
  family: Family,
  texts: { readonly remaining: string | undefined; readonly limit: string | undefined },
): void {
  const remaining = parseRemaining(texts.remaining ?? '')
  const limit = parseRemaining(texts.limit ?? '')
  if (remaining !== undefined) family.remaining = remaining
  if (limit !== undefined && limit > 0) family.limit = limit
}

function setWindow(family: Family, seconds: string | undefined): void {
  if (seconds === undefined || !/^\d{1,8}$/.test(seconds) || Number(seconds) === 0) return
  family.windowMs = Number(seconds) * 1000
}
