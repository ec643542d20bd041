import ipaddr from 'ipaddr.js'
import type { Clock } from '../ports.ts'
import { createBoundedMap } from '../shared/bounded-map.ts'

/** Counts failed attempts per address: a token bucket each, in bounded memory. */
export interface FailureLimiter {
  /** Addresses remembered now. */
  readonly size: number
  /** Seconds until the address may try again; 0 when it may now. */
  retryAfter(address: string): number
  /** Takes a token for an attempt. */
  take(address: string): void
  /** Gives the token back after an attempt that succeeded. */
  giveBack(address: string): void
}

export interface FailureLimits {
  /** Failures an address may make at once. */
  readonly burst: number
  /** Further failures it may make in a second. */
  readonly perSecond: number
  /** Addresses remembered; the ones longest without an attempt are forgotten first. */
  readonly maxAddresses: number
}

/**
 * Creates a limiter. IPv6 addresses count by /64, which is what one customer gets; IPv4 addresses
 * mapped into IPv6 count as IPv4. Unknown addresses are not limited: counted as one, a single
 * attacker could keep out everybody whose host tells no addresses.
 */
export function createFailureLimiter(limits: FailureLimits, clock: Clock): FailureLimiter {
  const buckets = createBoundedMap<string, { tokens: number; at: number }>(limits.maxAddresses)

  function tokensOf(block: string): number {
    const bucket = buckets.get(block)
    if (!bucket) return limits.burst
    const elapsedMs = clock() - bucket.at
    // A clock that was set back must not lock an address out until it has caught up.
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
    giveBack: (address) => add(toAddressBlock(address), 1),
  }
}

/** What of an address counts as one origin: an IPv4 address or an IPv6 /64; undefined for none. */
export function toAddressBlock(address: string): string | undefined {
  // The usual case, for which nothing needs to be parsed.
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(address)) return address
  const plain = address.replace(/%.*$/, '')
  if (!ipaddr.isValid(plain)) return undefined
  const parsed = ipaddr.process(plain)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  const groups = parsed.parts.slice(0, 4).map((part) => part.toString(16))
  return `${groups.join(':')}::/64`
}
