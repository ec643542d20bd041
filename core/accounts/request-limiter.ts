import { ServiceError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Caller } from '../shared/account.ts'
import { createBoundedMap } from '../shared/bounded-map.ts'

/** Request limits of a key. */
export interface RequestLimits {
  /** Requests per window, which starts with the first request; unlimited if absent. */
  readonly requests?: { readonly quota: number; readonly windowSeconds: number } | undefined
  /**
   * Concurrent requests. A streamed response counts until its last byte was sent. The default is
   * 16, for API keys only; `Infinity` disables the limit.
   */
  readonly concurrency?: number | undefined
}

/** An admitted request. */
export interface Admission {
  /** `ratelimit-policy` and `ratelimit` for the response; empty unless limits are configured. */
  readonly headers: Readonly<Record<string, string>>
  /** Call it when the response has ended, even if it failed. Further calls have no effect. */
  release(): void
}

/** Limits requests per key. */
export interface RequestLimiter {
  /**
   * Counts a request. If the key exceeds its window or has too many concurrent requests, throws
   * `too_many_requests` with `retryAfter` and the same headers. Refused requests are not counted.
   */
  enter(keyId: string): Admission
  /** Number of tracked keys. */
  readonly size: number
}

interface KeyUsage {
  windowStart: number
  used: number
  running: number
}

const MAX_KEYS = 100_000
const DEFAULT_CONCURRENCY = 16

/**
 * Creates a limiter with the state of this process only, for the 100,000 most recent keys. Headers
 * follow draft-ietf-httpapi-ratelimit-headers-11.
 */
export function createRequestLimiter(limits: RequestLimits, clock: Clock): RequestLimiter {
  const { requests, concurrency = DEFAULT_CONCURRENCY } = limits
  // The default limit is announced only in refusals: few keys ever approach it.
  const configured = formatAnnouncedLimits(limits)
  const applied = formatAnnouncedLimits({ requests, concurrency })
  const usages = createBoundedMap<string, KeyUsage>(MAX_KEYS)

  function usageOf(keyId: string, now: number): KeyUsage {
    const usage = usages.get(keyId) ?? { windowStart: now, used: 0, running: 0 }
    const age = now - usage.windowStart
    if (requests && (age < 0 || age >= requests.windowSeconds * 1000)) {
      usage.windowStart = now
      usage.used = 0
    }
    usages.set(keyId, usage)
    return usage
  }

  function secondsLeft(usage: KeyUsage, now: number): number {
    const endsAt = usage.windowStart + (requests?.windowSeconds ?? 0) * 1000
    return Math.max(1, Math.ceil((endsAt - now) / 1000))
  }

  function toHeaders(
    { usage, now }: { readonly usage: KeyUsage; readonly now: number },
    announced: AnnouncedLimits,
  ): Readonly<Record<string, string>> {
    if (announced.policy === '') return {}
    const items: string[] = []
    if (requests) {
      items.push(`"requests";r=${requests.quota - usage.used};t=${secondsLeft(usage, now)}`)
    }
    if (announced.hasConcurrency) items.push(`"concurrency";r=${concurrency - usage.running}`)
    return { 'ratelimit-policy': announced.policy, ratelimit: items.join(', ') }
  }

  function enter(keyId: string): Admission {
    const now = clock()
    const usage = usageOf(keyId, now)
    if (requests && usage.used >= requests.quota) {
      const wanted = `at most ${requests.quota} requests in ${requests.windowSeconds} s`
      throw createRequestLimitError(wanted, {
        retryAfter: secondsLeft(usage, now),
        headers: toHeaders({ usage, now }, configured),
      })
    }
    if (usage.running >= concurrency) {
      throw createRequestLimitError(`at most ${concurrency} requests at a time`, {
        retryAfter: 1,
        headers: toHeaders({ usage, now }, applied),
      })
    }
    usage.used += 1
    usage.running += 1
    let isRunning = true
    return {
      headers: toHeaders({ usage, now }, configured),
      release() {
        if (isRunning) usage.running -= 1
        isRunning = false
      },
    }
  }

  return {
    enter,
    get size() {
      return usages.size
    },
  }
}

/**
 * Creates a function that admits requests per key. Requests authenticated by a host count per
 * account, and only if limits are configured: such an account may represent many users.
 */
export function createAdmit(
  limits: RequestLimits,
  clock: Clock,
): (caller: Caller) => Admission | undefined {
  const limiter = createRequestLimiter(limits, clock)
  const limitsAccounts = Object.values(limits).some((limit) => limit !== undefined)
  return ({ keyId, account }) => {
    if (keyId !== undefined) return limiter.enter(keyId)
    return limitsAccounts ? limiter.enter(`account ${account.id}`) : undefined
  }
}

/** Limits in header format. */
interface AnnouncedLimits {
  readonly policy: string
  readonly hasConcurrency: boolean
}

function formatAnnouncedLimits({
  requests,
  concurrency = Infinity,
}: RequestLimits): AnnouncedLimits {
  const hasConcurrency = concurrency < Infinity
  const items: string[] = []
  if (requests) items.push(`"requests";q=${requests.quota};w=${requests.windowSeconds}`)
  if (hasConcurrency) items.push(`"concurrency";q=${concurrency};qu="concurrent-requests"`)
  return { policy: items.join(', '), hasConcurrency }
}

function createRequestLimitError(
  wanted: string,
  more: { readonly retryAfter: number; readonly headers: Readonly<Record<string, string>> },
): ServiceError {
  return new ServiceError(
    'too_many_requests',
    `Request limit reached: a key may send ${wanted}`,
    more,
  )
}
