import { lookup } from 'node:dns/promises'
import type { Place } from '../../core/egress/allow-list.ts'
import { EgressError } from '../../core/egress/egress.ts'
import { type EgressPolicy, parseTargetUrl, unresolved } from '../../core/egress/policy.ts'
import type { KeptConnection } from './connections.ts'

/** All addresses that a name stands for, IPv4 and IPv6, in plain notation. */
export type Resolve = (name: string) => Promise<readonly string[]>

/** An origin that has been vetted, and what is known of it. */
export interface Target extends Place {
  /** `https://api.example.com`, as URLs begin. */
  readonly origin: string
  readonly isSecure: boolean
  /** What the `host` header says. */
  readonly authority: string
  readonly isLiteral: boolean
  /** Vetted; good until then. */
  addresses: readonly string[]
  freshUntil: number
  /** The look-up that is under way, and since when. */
  pending: Promise<readonly string[]> | undefined
  pendingSince: number
  /** Connections at rest, the one used last at the end. */
  readonly atRest: KeptConnection[]
}

/** The origins that were called lately. */
export interface Targets {
  /** The origin of a URL. Throws an `EgressError` when the URL itself is refused. */
  find(url: string): { readonly target: Target; readonly path: string }
  /**
   * The addresses of a target, vetted anew when they are old, or the one that is to be called in their
   * place, vetted. Throws or rejects with an `EgressError`.
   */
  resolve(target: Target, address?: string): readonly string[] | Promise<readonly string[]>
}

export interface TargetsOptions {
  readonly policy: EgressPolicy
  readonly resolve: Resolve
  /** How long vetted addresses are good. */
  readonly addressMs: number
  readonly now: () => number
  /** Is told of targets whose connections must not be used any more. */
  readonly onStale: (target: Target) => void
}

/** Creates an empty list of at most a thousand origins; the one that came first goes first. */
export function createTargets(options: TargetsOptions): Targets {
  const { policy, now } = options
  const byOrigin = new Map<string, Target>()

  function add(url: URL): Target {
    const known = byOrigin.get(url.origin)
    if (known) return known
    const place = policy.vetUrl(url)
    const target: Target = {
      ...place,
      origin: url.origin,
      isSecure: url.protocol === 'https:',
      authority: url.host,
      isLiteral: /^[\d.]+$|:/.test(place.host),
      addresses: [],
      freshUntil: 0,
      pending: undefined,
      pendingSince: 0,
      atRest: [],
    }
    for (const oldest of byOrigin.values()) {
      if (byOrigin.size < MAX_TARGETS) break
      byOrigin.delete(oldest.origin)
      options.onStale(oldest)
    }
    byOrigin.set(url.origin, target)
    return target
  }

  function vet(target: Target, found: readonly string[]): readonly string[] {
    try {
      target.addresses = policy.vetAddresses(found, target)
    } catch (error) {
      target.addresses = []
      options.onStale(target)
      throw error
    }
    target.freshUntil = now() + options.addressMs
    return target.addresses
  }

  async function look(target: Target): Promise<readonly string[]> {
    try {
      return vet(target, await options.resolve(target.host))
    } catch (error) {
      throw error instanceof EgressError ? error : unresolved(target, error)
    } finally {
      target.pending = undefined
    }
  }

  /**
   * Other names' look-ups may stand in the way of one (Node has two at a time): what has been vetted
   * lately goes on meanwhile.
   */
  function orKnown(target: Target, pending: Promise<readonly string[]>) {
    if (target.addresses.length === 0 || now() - target.freshUntil > KNOWN_MS) return pending
    const patienceMs = target.pendingSince + PATIENCE_MS - now()
    if (patienceMs <= 0) return target.addresses
    return new Promise<readonly string[]>((resolve, reject) => {
      const timer = setTimeout(() => resolve(target.addresses), patienceMs)
      pending.then(resolve, reject).finally(() => clearTimeout(timer))
    })
  }

  return {
    find(text) {
      // Most URLs begin with an origin that is known, and need no parsing.
      const slash = text.indexOf('/', 8)
      const known = slash < 0 ? undefined : byOrigin.get(text.slice(0, slash))
      if (known) {
        const path = text.slice(slash)
        if (isPlainPath(path)) return { target: known, path }
      }
      const url = parseTargetUrl(text)
      // The port and the name are vetted once; a user or a password is not part of the origin.
      if (url.username !== '' || url.password !== '') policy.vetUrl(url)
      return { target: add(url), path: `${url.pathname}${url.search}` }
    },
    resolve(target, address) {
      if (address !== undefined) return policy.vetAddresses([address], target)
      if (target.freshUntil > now()) return target.addresses
      if (target.isLiteral) return vet(target, [target.host])
      if (!target.pending) {
        target.pendingSince = now()
        target.pending = look(target)
      }
      return orKnown(target, target.pending)
    },
  }
}

/** Asks the system, as every program of this machine would. */
export async function lookUp(name: string): Promise<readonly string[]> {
  const found = await lookup(name, { all: true, order: 'verbatim' })
  return found.map(({ address }) => address)
}

const MAX_TARGETS = 1_000
/** How long a look-up is waited for where vetted addresses are known, and how old these may be. */
const PATIENCE_MS = 250
const KNOWN_MS = 300_000

/** Whether the URL parser would leave a path and query as they are. */
function isPlainPath(path: string): boolean {
  return PLAIN_PATH.test(path) && !DOTS.test(path)
}

const PLAIN_PATH = /^\/[\w\-.~!$&()*+,;=:@/?%]*$/
const DOTS = /\/(\.|%2e)/i
