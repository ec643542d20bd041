import type { Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { parseAddress } from '../../core/egress/addresses.ts'
import { EgressError } from '../../core/egress/egress.ts'
import { connectReading } from './direct-body.ts'
import type { Target } from './targets.ts'
import type { Watch } from './watch.ts'

/** Opens a connection to an address. It may return before the connection is established. */
export type Connect = (to: ConnectOptions) => Connecting

/** The part of a node:net `Socket` that types need; the object must be a real one. */
export interface Connecting {
  readonly remoteAddress?: string | undefined
}

export interface ConnectOptions {
  /** In plain notation. */
  readonly address: string
  readonly port: number
  /** The name or address that the certificate must match; undefined without TLS. */
  readonly tlsName: string | undefined
  /** CA certificates in PEM; the runtime's own if absent. */
  readonly ca: string | readonly string[] | undefined
}

/** A connection that is reused for several requests. */
export interface KeptConnection {
  readonly socket: Socket
  readonly target: Target
  /** The address that it was opened to. */
  readonly address: string
  /** Time of the watch since when it is idle; undefined while it is in use. */
  restsSince: number | undefined
  /** Maximum idle time. */
  restMs: number
  /** Bytes received when its last response ended. */
  bytesAtRest: number
  /** Number of requests it was used for. */
  uses: number
}

/** A bounded connection pool. Each connection belongs to one address, name and port. */
export interface Connections {
  /**
   * Acquires a connection that was idle for at most `maxRestMs` and has received nothing since;
   * with `address`, one to this address.
   */
  take(
    target: Target,
    wanted?: { readonly maxRestMs?: number | undefined; readonly address?: string | undefined },
  ): KeptConnection | undefined
  /**
   * Opens a connection. Calls back once, unless the returned function cancels it. A connection
   * whose peer has another address is refused.
   */
  open(
    to: { readonly target: Target; readonly address: string },
    done: (result: KeptConnection | Error) => void,
  ): () => void
  /** Closes the idle connections of a target. */
  closeResting(target: Target): void
  /** Closes all connections; no more are opened. */
  close(): void
}

export interface ConnectionsOptions {
  readonly watch: Watch
  readonly connect: Connect
  readonly ca: ConnectOptions['ca']
  /** Maximum idle time of a connection. */
  readonly restMs: number
}

export function createConnections(options: ConnectionsOptions): Connections {
  const { watch } = options
  /** Includes connections that are being opened. */
  const all = new Set<Socket>()
  const kept = new Set<KeptConnection>()
  /**
   * A counter: a set that changes with every request would leave garbage that V8 retains for long.
   */
  let resting = 0
  let isClosed = false

  function leave(connection: KeptConnection): void {
    if (connection.restsSince === undefined) return
    connection.restsSince = undefined
    resting -= 1
    if (resting === 0) watch.remove(sweep)
  }

  function drop(connection: KeptConnection): void {
    const { atRest } = connection.target
    const at = atRest.indexOf(connection)
    if (at >= 0) atRest.splice(at, 1)
    leave(connection)
    connection.socket.destroy()
  }

  const sweep = {
    slot: -1,
    check(now: number) {
      for (const connection of kept) {
        if (now - (connection.restsSince ?? now) >= connection.restMs) drop(connection)
      }
    },
  }

  function rest(connection: KeptConnection): void {
    const { socket, target } = connection
    if (socket.destroyed || connection.restsSince !== undefined) return
    const isFull = target.atRest.length >= MAX_RESTING_EACH || resting >= MAX_RESTING
    if (isClosed || isFull || !target.addresses.includes(connection.address)) {
      socket.destroy()
      return
    }
    connection.restsSince = watch.now()
    connection.bytesAtRest = socket.bytesRead
    target.atRest.push(connection)
    resting += 1
    if (resting === 1) watch.add(sweep)
    // The client may have stopped reading: unexpected data, or the end, must be noticed.
    socket.resume()
    // Idle connections must not keep the process alive.
    socket.unref()
  }

  function keep(socket: Socket, { target, address }: { target: Target; address: string }) {
    const connection: KeptConnection = {
      socket,
      target,
      address,
      restsSince: undefined,
      restMs: options.restMs,
      bytesAtRest: 0,
      uses: 0,
    }
    kept.add(connection)
    // Emitted by the client of node:http when the response has ended.
    socket.on('free', () => rest(connection))
    // Unsolicited bytes would be taken for the next response.
    socket.on('data', () => {
      if (connection.restsSince !== undefined) drop(connection)
    })
    const onGone = () => {
      if (connection.restsSince !== undefined) drop(connection)
    }
    socket.on('end', onGone)
    socket.on('close', () => {
      kept.delete(connection)
      onGone()
    })
    return connection
  }

  return {
    take(target, { maxRestMs = Number.POSITIVE_INFINITY, address } = {}) {
      const { atRest } = target
      const now = watch.now()
      for (let at = atRest.length - 1; at >= 0; at -= 1) {
        const last = atRest[at]
        if (!last) return undefined
        const restedMs = now - (last.restsSince ?? now)
        if (restedMs > maxRestMs) return undefined
        if (address !== undefined && address !== last.address) continue
        atRest.splice(at, 1)
        leave(last)
        const { socket } = last
        const isSilent = socket.bytesRead === last.bytesAtRest
        const isOpen = socket.readable && socket.writable && restedMs < last.restMs
        const isVetted = target.addresses.includes(last.address)
        if (isSilent && isOpen && isVetted) {
          socket.ref()
          return last
        }
        socket.destroy()
      }
      return undefined
    },

    open(to, done) {
      const { target, address } = to
      if (isClosed) {
        done(new Error('the egress is closed'))
        return () => {}
      }
      const { isSecure, isLiteral, host, port } = target
      const tlsName = isSecure ? (isLiteral ? address : host) : undefined
      // The public types name no runtime; the object is a socket of node:net or node:tls.
      const socket = options.connect({ address, port, tlsName, ca: options.ca }) as Socket
      all.add(socket)
      socket.once('close', () => all.delete(socket))
      const settle = () => {
        socket.off('close', onClose)
        socket.off(isSecure ? 'secureConnect' : 'connect', onConnect)
      }
      let failure: Error | undefined
      const onError = (error: Error) => {
        failure ??= error
      }
      const onClose = () => {
        settle()
        done(failure ?? new Error('the connection was closed'))
      }
      const onConnect = () => {
        settle()
        if (!isSameAddress(socket.remoteAddress, address)) {
          socket.destroy()
          done(new EgressError('refused_address', OTHER_PEER, { isUnsent: true }))
        } else {
          done(keep(socket, to))
        }
      }
      // The listener stays: `close` reports the failure of an idle connection.
      socket.on('error', onError)
      socket.on('close', onClose)
      socket.on(isSecure ? 'secureConnect' : 'connect', onConnect)
      return () => {
        settle()
        socket.destroy()
      }
    },

    closeResting(target) {
      for (const connection of target.atRest.splice(0)) drop(connection)
    },

    close() {
      isClosed = true
      for (const socket of all) socket.destroy()
    },
  }
}

/**
 * Connects with `node:net` and `node:tls`. It connects by address, so that the name isn't resolved
 * again.
 */
export function connectTo({ address, port, tlsName, ca }: ConnectOptions): Socket {
  const to = { host: address, port, noDelay: true, keepAlive: true }
  if (tlsName === undefined) return connectReading(to)
  const isName = parseAddress(tlsName) === undefined
  return connectTls({
    ...to,
    // No server name is sent for an address (RFC 6066 3); the certificate must match it
    // nevertheless.
    servername: isName ? tlsName : '',
    ALPNProtocols: ['http/1.1'],
    // Set explicitly, so that the environment can't disable it.
    rejectUnauthorized: true,
    ...(ca === undefined ? {} : { ca: typeof ca === 'string' ? ca : [...ca] }),
  })
}

const MAX_RESTING_EACH = 32
const MAX_RESTING = 512
const OTHER_PEER = 'Cannot call this URL: the connection reached another address'

function isSameAddress(peer: string | undefined, address: string): boolean {
  return peer === address || (peer !== undefined && parseAddress(peer)?.toString() === address)
}
