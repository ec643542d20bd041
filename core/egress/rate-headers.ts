import type { HeaderLine } from '../ports/egress.ts'
import { type BoundedMap, createBoundedMap } from '../shared/bounded-map.ts'
import { type FieldItem, parseFieldItems } from './rate-fields.ts'
import { type HeaderRole, toHeaderRole } from './rate-names.ts'
import { MAX_WAIT_MS, parseRemaining, parseWait } from './rate-values.ts'

/** One rate limit, as reported by a target. */
export interface RateQuota {
  /** Distinguishes several limits of a target: empty, `hour`, `requests`, `:default`. */
  readonly name: string
  /**
   * Remaining calls; infinite if something other than calls is counted and the limit is not
   * exhausted.
   */
  readonly remaining: number
  /** Time until the reset: between 1 ms and an hour. */
  readonly waitMs: number
}

/** Rate-limit information of a response head. */
export interface RateHints {
  /** Time to wait before the next call: between 1 ms and an hour; undefined if not reported. */
  readonly retryAfterMs: number | undefined
  /**
   * Empty if `retryAfterMs` is set, which takes precedence. At most 8 limits, with the fewest
   * remaining calls.
   */
  readonly quotas: readonly RateQuota[]
}

/** Statuses with a meaningful `Retry-After`: GitHub's secondary limits use 403. */
const THROTTLING = new Set([403, 429, 503])

const MAX_QUOTAS = 8
const MAX_NAME = 64

/** Parses the rate-limit headers of a response; undefined if it has no valid ones. */
export type ReadRateHints = (
  headers: readonly HeaderLine[],
  answer: { readonly status: number; readonly now: number },
) => RateHints | undefined

/**
 * Creates a parser, which caches only the meaning of header names. Supported headers:
 * - `Retry-After` (RFC 9110 10.2.3) with the statuses 403, 429 and 503, also in milliseconds
 * (Azure);
 * - `RateLimit-Remaining` and `-Reset` (draft-ietf-httpapi-ratelimit-headers-06 and earlier), also
 * with other prefixes and spellings (see `toHeaderRole`);
 * - `RateLimit` as a dictionary (-07) and as a list of items (-08 to -10), each a separate limit,
 * with window and unit from `RateLimit-Policy`.
 * Malformed headers are ignored, as required by the drafts.
 */
export function createRateHintReader(): ReadRateHints {
  const roles: Roles = createBoundedMap(MAX_ROLES)
  return (headers, answer) => {
    let reader: HintReader | undefined
    for (const line of headers) {
      const name = line[0]
      // A cheap check first: it runs for every header of every response.
      if (name.length < 9 || !(name.includes('rate') || name.includes('retry'))) continue
      reader ??= new HintReader(roles, answer)
      reader.read(name, line[1])
    }
    return reader?.toHints()
  }
}

/** Cached roles by header name, including names without a role. */
type Roles = BoundedMap<string, { readonly header: HeaderRole | undefined }>

const MAX_ROLES = 500

interface HeaderFamily {
  remaining: readonly number[]
  waits: readonly number[]
  windowMs: number | undefined
  readonly countsCalls: boolean
}

interface QuotaPolicy {
  readonly windowMs: number | undefined
  readonly unit: string
}

class HintReader {
  readonly #roles: Roles
  readonly #status: number
  readonly #now: number
  readonly #families = new Map<string, HeaderFamily>()
  readonly #policyTexts: string[] = []
  #policies: ReadonlyMap<string, QuotaPolicy> | undefined
  readonly #fields: string[] = []
  #retryAfterMs = 0

  constructor(roles: Roles, answer: { readonly status: number; readonly now: number }) {
    this.#roles = roles
    this.#status = answer.status
    this.#now = answer.now
  }

  read(name: string, value: string): void {
    if (name === 'ratelimit') this.#fields.push(value)
    else if (name === 'ratelimit-policy') this.#policyTexts.push(value)
    else this.#readSpelling(name, value)
  }

  toHints(): RateHints | undefined {
    if (this.#retryAfterMs > 0) return { retryAfterMs: this.#retryAfterMs, quotas: [] }
    const found = [...this.#families].flatMap(([name, family]) => this.#fromFamily(name, family))
    for (const field of this.#fields) found.push(...this.#fromField(field))
    const isRefusal =
      this.#status === 429 && found.every(({ remaining }) => remaining === undefined)
    const quotas = found.flatMap(({ name, remaining = isRefusal ? 0 : undefined, waitMs }) =>
      remaining === undefined || waitMs === undefined || waitMs <= 0
        ? []
        : [{ name: name.slice(0, MAX_NAME), remaining, waitMs }],
    )
    if (quotas.length === 0) return undefined
    quotas.sort((a, b) => (a.remaining === b.remaining ? 0 : a.remaining - b.remaining))
    const names = new Set<string>()
    const scarcest = quotas.filter(({ name }) => names.size < names.add(name).size)
    return { retryAfterMs: undefined, quotas: scarcest.slice(0, MAX_QUOTAS) }
  }

  #readSpelling(name: string, value: string): void {
    const header = this.#roleOf(name)
    if (!header || header.role === 'limit') return
    const options = { now: this.#now, unit: header.unit }
    if (header.role === 'retry') {
      if (!THROTTLING.has(this.#status)) return
      this.#retryAfterMs = Math.max(this.#retryAfterMs, parseWait(value, options) ?? 0)
      return
    }
    const family = this.#familyOf(header.quota, header.countsCalls)
    if (header.role === 'window') {
      family.windowMs = parseWait(value, options)
      return
    }
    const values = parseValueList(
      value,
      header.role === 'reset' ? (text) => parseWait(text, options) : parseRemaining,
    )
    if (header.role === 'reset') {
      if (family.waits.length === 0) family.waits = values
    } else if (values[0] !== undefined && values[0] <= (family.remaining[0] ?? Infinity)) {
      family.remaining = values
    }
  }

  #roleOf(name: string): HeaderRole | undefined {
    const known = this.#roles.get(name)
    if (known) return known.header
    const header = toHeaderRole(name)
    this.#roles.set(name, { header })
    return header
  }

  #familyOf(name: string, countsCalls: boolean): HeaderFamily {
    const present = this.#families.get(name)
    if (present) return present
    const windowMs = toCalendarWait(name, this.#now)
    const family: HeaderFamily = { remaining: [], waits: [], windowMs, countsCalls }
    this.#families.set(name, family)
    return family
  }

  #policyOf(name: string): QuotaPolicy | undefined {
    this.#policies ??= new Map(
      this.#policyTexts.flatMap(parseFieldItems).map((item) => [item.name, this.#toPolicy(item)]),
    )
    return this.#policies.get(name)
  }

  #toPolicy({ params }: FieldItem): QuotaPolicy {
    return { windowMs: this.#toWait(params.get('w') ?? ''), unit: params.get('qu') ?? 'requests' }
  }

  #fromFamily(name: string, family: HeaderFamily): readonly QuotaFinding[] {
    const { remaining, waits, windowMs, countsCalls } = family
    const count = Math.max(remaining.length, waits.length)
    return Array.from({ length: count }, (_, at) => ({
      name: at === 0 ? name : `${name}#${at}`,
      remaining: toRemainingCalls(remaining[at], countsCalls),
      waitMs: waits[at] ?? (waits.length === 1 ? waits[0] : undefined) ?? windowMs,
    }))
  }

  #fromField(text: string): readonly QuotaFinding[] {
    const items = parseFieldItems(text)
    const members = new Map(items.map(({ name, value }) => [name.toLowerCase(), value]))
    const reset = members.get('reset')
    if (reset !== undefined) {
      const remaining = parseRemaining(members.get('remaining') ?? '')
      return [{ name: ':', remaining, waitMs: this.#toWait(reset) }]
    }
    const hasUnits = this.#policyTexts.some((policies) => policies.includes('qu='))
    return items.map(({ name, params }) => {
      const waitMs = this.#toWait(params.get('t') ?? '')
      // A policy mostly repeats known values: parse it only if needed.
      const policy = hasUnits || waitMs === undefined ? this.#policyOf(name) : undefined
      const countsCalls = policy === undefined || policy.unit === 'requests'
      const partition = params.get('pk') ?? ''
      return {
        name: `:${name}${partition}`,
        remaining: toRemainingCalls(parseRemaining(params.get('r') ?? ''), countsCalls),
        waitMs: waitMs ?? policy?.windowMs,
      }
    })
  }

  #toWait(text: string): number | undefined {
    return parseWait(text, { now: this.#now, unit: 'delay' })
  }
}

interface QuotaFinding {
  readonly name: string
  readonly remaining: number | undefined
  readonly waitMs: number | undefined
}

function toRemainingCalls(remaining: number | undefined, countsCalls: boolean): number | undefined {
  return countsCalls || remaining === 0 || remaining === undefined ? remaining : Infinity
}

/** Parses a value or a list of numbers: some targets report all windows in one header. */
function parseValueList(
  text: string,
  parse: (text: string) => number | undefined,
): readonly number[] {
  const texts = /^[\d., ]+$/.test(text) ? text.split(',').slice(0, MAX_QUOTAS) : [text]
  const values = texts.map(parse).filter((value) => value !== undefined)
  return values.length === texts.length ? values : []
}

const CALENDAR = new Map([
  ['second', 1000],
  ['secondly', 1000],
  ['minute', 60_000],
  ['minutely', 60_000],
  ['hour', 3_600_000],
  ['hourly', 3_600_000],
  ['day', 86_400_000],
  ['daily', 86_400_000],
])

/**
 * Returns the time until the end of the UTC calendar unit that a limit is named after, at most an
 * hour.
 */
function toCalendarWait(name: string, now: number): number | undefined {
  const unitMs = CALENDAR.get(name)
  return unitMs === undefined ? undefined : Math.min(MAX_WAIT_MS, unitMs - (now % unitMs))
}
