import { parseFieldItems } from '../../egress/rate-fields.ts'
import type { ReadRateHints } from '../../egress/rate-headers.ts'
import { toHeaderRole } from '../../egress/rate-names.ts'
import { parseRemaining, parseWait } from '../../egress/rate-values.ts'
import type { HeaderLine } from '../../ports/egress.ts'
import type { ProbeRecord } from '../records.ts'

/** The limit that response headers announce. */
export type AnnouncedLimit = Pick<ProbeRecord, 'waitMs' | 'remaining' | 'limit' | 'windowMs'>

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

interface Family {
  limit?: number
  remaining?: number
  windowMs?: number
}

type FamilyOf = (name: string) => Family

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
