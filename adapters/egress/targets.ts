import { lookup } from 'node:dns/promises'
import type { Destination } from '../../core/egress/allow-list.ts'
import {
  createUnresolvedError,
  type EgressPolicy,
  parseTargetUrl,
} from '../../core/egress/policy.ts'
import { EgressError } from '../../core/ports/egress.ts'
import type { PooledConnection } from './connection-pool.ts'

/** Resolves a name to all its IPv4 and IPv6 addresses, without brackets and port. */
export type Resolve = (name: string) => Promise<readonly string[]>

/** A checked origin with its resolved addresses and idle connections. */
export interface EgressTarget extends Destination {
  /** As in URLs: `https://api.example.com`. */
  readonly origin: string
  readonly isSecure: boolean
  /** Value of the `host` header. */
  readonly authority: string
  readonly isLiteral: boolean
  /** Checked addresses, fresh until `freshUntil`. */
  addresses: readonly string[]
  freshUntil: number
  /** The running lookup and its start. */
  pending: Promise<readonly string[]> | undefined
  pendingSince: number
  /** Idle connections; the most recently used is last. */
  readonly idleConnections: PooledConnection[]
}

/** The recently called origins. */
export interface EgressTargets {
  /** Finds the target of a URL. Throws an `EgressError` if the URL itself is refused. */
  find(url: string): { readonly target: EgressTarget; readonly path: string }
  /**
   * Returns the checked addresses of a target, and resolves them again if they are stale. With
   * `address`, checks and returns that one instead. Throws or rejects with an `EgressError`.
   */
  resolve(target: EgressTarget, address?: string): readonly string[] | Promise<readonly string[]>
}

export interface TargetsOptions {
  readonly policy: EgressPolicy
  readonly resolve: Resolve
  /** How long resolved addresses are fresh. */
  readonly addressTtlMs: number
  readonly now: () => number
  /** Called with targets whose connections must not be reused. */
  readonly onStale: (target: EgressTarget) => void
}

/** Creates an empty list of at most 1,000 origins; the oldest is evicted first. */
export function createTargets(options: TargetsOptions): EgressTargets {
  const { policy, now } = options
  const byOrigin = new Map<string, EgressTarget>()

  function addTarget(url: URL): EgressTarget {
    const known = byOrigin.get(url.origin)
    if (known) return known
    const place = policy.vetUrl(url)
    const target: EgressTarget = {
      ...place,
      origin: url.origin,
      isSecure: url.protocol === 'https:',
      authority: url.host,
      isLiteral: /^[\d.]+$|:/.test(place.host),
      addresses: [],
      freshUntil: 0,
      pending: undefined,
      pendingSince: 0,
      idleConnections: [],
    }
    for (const oldest of byOrigin.values()) {
      if (byOrigin.size < MAX_TARGETS) break
      byOrigin.delete(oldest.origin)
      options.onStale(oldest)
    }
    byOrigin.set(url.origin, target)
    return target
  }

  function vet(target: EgressTarget, found: readonly string[]): readonly string[] {
    try {
      target.addresses = policy.vetAddresses(found, target)
    } catch (error) {
      target.addresses = []
      options.onStale(target)
      throw error
    }
    target.freshUntil = now() + options.addressTtlMs
    return target.addresses
  }

  async function lookUpTarget(target: EgressTarget): Promise<readonly string[]> {
    try {
      return vet(target, await options.resolve(target.host))
    } catch (error) {
      throw error instanceof EgressError ? error : createUnresolvedError(target, error)
    } finally {
      target.pending = undefined
    }
  }

  /**
   * Lookups of other names may delay this one, as Node runs few at a time. Until it completes,
   * stale addresses are used.
   */
  function orStaleAddresses(target: EgressTarget, pending: Promise<readonly string[]>) {
    if (target.addresses.length === 0 || now() - target.freshUntil > MAX_STALE_MS) return pending
    const patienceMs = target.pendingSince + LOOKUP_WAIT_MS - now()
    if (patienceMs <= 0) return target.addresses
    return new Promise<readonly string[]>((resolve, reject) => {
      const timer = setTimeout(() => resolve(target.addresses), patienceMs)
      pending.then(resolve, reject).finally(() => clearTimeout(timer))
    })
  }

  return {
    find(text) {
      // Fast path: most URLs start with a known origin and need no parsing.
      const slash = text.indexOf('/', 8)
      const known = slash < 0 ? undefined : byOrigin.get(text.slice(0, slash))
      if (known) {
        const path = text.slice(slash)
        if (isPlainPath(path)) return { target: known, path }
      }
      const url = parseTargetUrl(text)
      // Port and name are checked once; a user name or password is not part of the origin.
      if (url.username !== '' || url.password !== '') policy.vetUrl(url)
      return { target: addTarget(url), path: `${url.pathname}${url.search}` }
    },
    resolve(target, address) {
      if (address !== undefined) return policy.vetAddresses([address], target)
      if (target.freshUntil > now()) return target.addresses
      if (target.isLiteral) return vet(target, [target.host])
      if (!target.pending) {
        target.pendingSince = now()
        target.pending = lookUpTarget(target)
      }
      return orStaleAddresses(target, target.pending)
    },
  }
}

/** Resolves a name with the system resolver. */
export async function resolveName(name: string): Promise<readonly string[]> {
  const found = await lookup(name, { all: true, order: 'verbatim' })
  return found.map(({ address }) => address)
}

const MAX_TARGETS = 1_000
/** How long to wait for a lookup if stale addresses are known, and their maximum age. */
const LOOKUP_WAIT_MS = 250
const MAX_STALE_MS = 300_000

/** True if the URL parser would leave path and query unchanged. */
function isPlainPath(path: string): boolean {
  return PLAIN_PATH.test(path) && !DOTS.test(path)
}

const PLAIN_PATH = /^\/[\w\-.~!$&()*+,;=:@/?%]*$/
const DOTS = /\/(\.|%2e)/i
