import { networkInterfaces } from 'node:os'
import { isLoopback, parseAddress } from '../../core/egress/addresses.ts'
import type { Egress, EgressLimits } from '../../core/egress/egress.ts'
import { EGRESS_LIMITS } from '../../core/egress/limits.ts'
import { createEgressPolicy, findRefusal } from '../../core/egress/policy.ts'
import { Call, type CallDeps } from './call.ts'
import {
  type Connect,
  type Connecting,
  type ConnectOptions,
  connectTo,
  createConnections,
} from './connections.ts'
import { createTargets, lookUp, type Resolve } from './targets.ts'
import { createWatch } from './watch.ts'

/** An egress over connections of its own. */
export interface PinnedEgress extends Egress {
  /** Breaks every connection, in use or not; calls fail from now on. */
  close(): void
}

export interface PinnedEgressOptions {
  /**
   * Addresses, ranges and names that may be called although they are not of the public internet:
   * `127.0.0.1:9001`, `10.1.0.0/16`, `api.internal:8443`.
   */
  readonly allow?: readonly string[] | undefined
  /** Where this service listens itself; never called, allowed or not. */
  readonly ownAddresses?: (() => readonly OwnAddress[]) | undefined
  /** See `EGRESS_LIMITS`. */
  readonly limits?: Partial<EgressLimits> | undefined
  /**
   * How long vetted addresses of a name are good; 5,000 when absent. While a new look-up takes long
   * they are used for up to five minutes more.
   */
  readonly addressMs?: number | undefined
  /** How long an unused connection is kept; 4,000 when absent. */
  readonly restMs?: number | undefined
  /** Authorities of certificates, PEM, instead of the runtime's own. */
  readonly ca?: string | readonly string[] | undefined
  /** All addresses of a name; the system's look-up when absent. */
  readonly resolve?: Resolve | undefined
  /** Opens a connection to a vetted address; by `node:net` and `node:tls` when absent. */
  readonly connect?: Connect | undefined
}

/**
 * What something listens on. `0.0.0.0`, `::` and what is no address in plain notation, such as a
 * name, are every address of this machine.
 */
export interface OwnAddress {
  readonly address: string
  readonly port: number
}

/**
 * Creates an `Egress` over `node:http`, which behaves alike on Node, Bun and Deno where `fetch` does
 * not. Each name is looked up here, all of its addresses are vetted, and the connection goes to one
 * of them: nobody looks it up again. Certificates are checked for the name.
 *
 * The body of an answer is a `Readable` of node:stream, for who can pipe it. Limits of time and size
 * hold to within 25 ms; what is read ahead of the reader stays within one buffer.
 *
 * A request that found its kept connection closed, without a byte of an answer, is sent once more
 * when its method is idempotent; any other fails with `connect_failed` and `isUnsent` false.
 */
export function createPinnedEgress(options: PinnedEgressOptions = {}): PinnedEgress {
  const { ownAddresses } = options
  const policy = createEgressPolicy({
    allow: options.allow,
    isOwn: ownAddresses && ((address, port) => isOwn(address, { port, own: ownAddresses() })),
  })
  const watch = createWatch({ tickMs: TICK_MS })
  const connections = createConnections({
    watch,
    connect: options.connect ?? connectTo,
    ca: options.ca,
    restMs: options.restMs ?? 4_000,
  })
  const targets = createTargets({
    policy,
    resolve: options.resolve ?? lookUp,
    addressMs: options.addressMs ?? 5_000,
    now: watch.now,
    onStale: connections.closeResting,
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
