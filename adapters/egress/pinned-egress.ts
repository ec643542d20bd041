import { networkInterfaces } from 'node:os'
import { isLoopback, parseAddress } from '../../core/egress/addresses.ts'
import { EGRESS_LIMITS } from '../../core/egress/limits.ts'
import { createEgressPolicy, findRefusal } from '../../core/egress/policy.ts'
import type { Egress, EgressLimits } from '../../core/ports/egress.ts'
import { Call, type CallDeps } from './call.ts'
import {
  type Connect,
  type Connecting,
  type ConnectOptions,
  connectTo,
  createConnectionPool,
} from './connection-pool.ts'
import { createTargets, type Resolve, resolveName } from './targets.ts'
import { createWatch } from './watch.ts'

/** An egress with its own connections. */
export interface PinnedEgress extends Egress {
  /** Closes all connections, also those in use; further calls fail. */
  close(): void
}

export interface PinnedEgressOptions {
  /**
   * Addresses, ranges and names outside the public internet that may be called: `127.0.0.1:9001`,
   * `10.1.0.0/16`, `api.internal:8443`.
   */
  readonly allow?: readonly string[] | undefined
  /** Where this service itself listens; never called, even if allowed. */
  readonly ownAddresses?: (() => readonly OwnAddress[]) | undefined
  /** See `EGRESS_LIMITS`. */
  readonly limits?: Partial<EgressLimits> | undefined
  /**
   * How long resolved addresses of a name are fresh, in milliseconds; default 5,000. If resolving
   * takes long, stale addresses are used for up to five more minutes.
   */
  readonly addressTtlMs?: number | undefined
  /** Maximum idle time of a connection in milliseconds; default 4,000. */
  readonly connectionIdleMs?: number | undefined
  /** CA certificates in PEM, instead of the runtime's own. */
  readonly ca?: string | readonly string[] | undefined
  /** Returns all addresses of a name; default: the system resolver. */
  readonly resolve?: Resolve | undefined
  /** Opens a connection to a checked address; default: `node:net` and `node:tls`. */
  readonly connect?: Connect | undefined
}

/**
 * A listening address. `0.0.0.0`, `::` and everything that is not an address in plain notation,
 * such as a name, mean all addresses of this machine.
 */
export interface OwnAddress {
  readonly address: string
  readonly port: number
}

/**
 * Creates an `Egress` with `node:http`, which behaves the same on Node, Bun and Deno, unlike
 * `fetch`. Resolves each name once, checks all addresses, and connects to one of them without
 * resolving again. Certificates are verified for the name.
 *
 * The response body is a `Readable` of node:stream, so it can be piped. Time and size limits are
 * exact to 25 ms. At most one buffer is read ahead of the reader.
 *
 * If a reused connection was closed without a byte of a response, an idempotent request is retried
 * once. Any other request fails with `connect_failed` and `isUnsent` false.
 *
 * @example
 * ```ts
 * import { createApiDiscovery } from 'api-discovery'
 * import { createPinnedEgress } from 'api-discovery/egress'
 *
 * const egress = createPinnedEgress({ allow: ['10.1.0.0/16', 'api.internal:8443'] })
 * const app = createApiDiscovery({ storage, egress })
 * // At the end:
 * await app.close()
 * egress.close()
 * ```
 */
export function createPinnedEgress(options: PinnedEgressOptions = {}): PinnedEgress {
  const { ownAddresses } = options
  const policy = createEgressPolicy({
    allow: options.allow,
    isOwn: ownAddresses && ((address, port) => isOwn(address, { port, own: ownAddresses() })),
  })
  const watch = createWatch({ tickMs: TICK_MS })
  const connections = createConnectionPool({
    watch,
    connect: options.connect ?? connectTo,
    ca: options.ca,
    maxIdleMs: options.connectionIdleMs ?? 4_000,
  })
  const targets = createTargets({
    policy,
    resolve: options.resolve ?? resolveName,
    addressTtlMs: options.addressTtlMs ?? 5_000,
    now: watch.now,
    onStale: connections.closeIdle,
  })
  const limits = { ...EGRESS_LIMITS, ...options.limits }
  const deps: CallDeps = { watch, targets, connections, limits }
  return {
    send(request) {
      const call = new Call(request, deps)
      call.start()
      return call.promise
    },
    check: (url) => findRefusal(policy, url),
    limits,
    close: connections.close,
  }
}

export type { Connect, Connecting, ConnectOptions, Resolve }

const TICK_MS = 25

function isOwn(
  address: string,
  at: { readonly port: number; readonly own: readonly OwnAddress[] },
): boolean {
  const listeners = at.own.filter(({ port }) => port === at.port)
  return listeners.some((own) => {
    const listened = parseAddress(own.address)
    if (listened && listened.range() !== 'unspecified') return listened.toString() === address
    const asked = parseAddress(address)
    return asked !== undefined && (isLoopback(asked) || isOfThisMachine(address))
  })
}

function isOfThisMachine(address: string): boolean {
  const interfaces = Object.values(networkInterfaces()).flat()
  return interfaces.some((own) => own && parseAddress(own.address)?.toString() === address)
}
