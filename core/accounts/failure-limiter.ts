import ipaddr from 'ipaddr.js'
import type { Clock } from '../ports/clock.ts'
import { createBoundedMap } from '../shared/bounded-map.ts'

/** Limits failed attempts per address with token buckets, in bounded memory. */
export interface FailureLimiter {
  /** Number of tracked addresses. */
  readonly size: number
  /** Seconds until the address may try again; 0 if it may try now. */
  retryAfter(address: string): number
  /** Takes a token for an attempt. */
  take(address: string): void
  /** Returns the token after a successful attempt. */
  returnToken(address: string): void
}

export interface FailureLimits {
  /** Failures that an address may cause in a burst. */
  readonly burst: number
  /** Further failures per second. */
  readonly perSecond: number
  /** Number of tracked addresses; the least recently active are evicted first. */
  readonly maxAddresses: number
}

/**
 * Creates a limiter. IPv6 addresses count by /64, the usual prefix of one customer. IPv4-mapped
 * IPv6 counts as IPv4. Unknown addresses are not limited: if they shared one bucket, a single
 * attacker could lock out all users of a host that reports no addresses.
 */
export function createFailureLimiter(limits: FailureLimits, clock: Clock): FailureLimiter {
  const buckets = createBoundedMap<string, { tokens: number; at: number }>(limits.maxAddresses)

  function tokensOf(block: string): number {
    const bucket = buckets.get(block)
    if (!bucket) return limits.burst
    const elapsedMs = clock() - bucket.at
    // After the clock was set back, an address must not stay locked out.
    if (elapsedMs < 0) return limits.burst
    return Math.min(limits.burst, bucket.tokens + (elapsedMs / 1000) * limits.perSecond)
  }

  function add(block: string | undefined, tokens: number): void {
    if (block === undefined) return
    const sum = tokensOf(block) + tokens
    if (sum >= limits.burst) buckets.delete(block)
    else buckets.set(block, { tokens: Math.max(0, sum), at: clock() })
  }

  return {
    get size() {
      return buckets.size
    },
    retryAfter(address) {
      const block = toAddressBlock(address)
      const missing = block === undefined ? 0 : 1 - tokensOf(block)
      return missing <= 0 ? 0 : Math.max(1, Math.ceil(missing / limits.perSecond))
    },
    take: (address) => add(toAddressBlock(address), -1),
    returnToken: (address) => add(toAddressBlock(address), 1),
  }
}

/**
 * Returns the unit that counts as one origin: an IPv4 address or an IPv6 /64; undefined without
 * one.
 */
export function toAddressBlock(address: string): string | undefined {
  // Fast path for IPv4: no parsing needed.
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(address)) return address
  const plain = address.replace(/%.*$/, '')
  if (!ipaddr.isValid(plain)) return undefined
  const parsed = ipaddr.process(plain)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  const groups = parsed.parts.slice(0, 4).map((part) => part.toString(16))
  return `${groups.join(':')}::/64`
}
