import type { Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { parseAddress } from '../../core/egress/addresses.ts'
import { EgressError } from '../../core/ports/egress.ts'
import { connectWithBuffer } from './direct-body.ts'
import type { EgressTarget } from './targets.ts'
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
export interface PooledConnection {
  readonly socket: Socket
  readonly target: EgressTarget
  /** The address that it was opened to. */
  readonly address: string
  /** Time of the watch since when it is idle; undefined while it is in use. */
  idleSince: number | undefined
  /** Maximum idle time. */
  maxIdleMs: number
  /** Bytes received when its last response ended. */
  bytesWhenIdle: number
  /** Number of requests it was used for. */
  requestCount: number
}

/** A bounded connection pool. Each connection belongs to one address, name and port. */
export interface ConnectionPool {
  /**
   * Acquires a connection that was idle for at most `maxRestMs` and has received nothing since;
   * with `address`, one to this address.
   */
  acquire(
    target: EgressTarget,
    wanted?: { readonly maxRestMs?: number | undefined; readonly address?: string | undefined },
  ): PooledConnection | undefined
  /**
   * Opens a connection. Calls back once, unless the returned function cancels it. A connection
   * whose peer has another address is refused.
   */
  open(
    to: { readonly target: EgressTarget; readonly address: string },
    done: (result: PooledConnection | Error) => void,
  ): () => void
  /** Closes the idle connections of a target. */
  closeIdle(target: EgressTarget): void
  /** Closes all connections; no more are opened. */
  close(): void
}

export interface ConnectionPoolOptions {
  readonly watch: Watch
  readonly connect: Connect
  readonly ca: ConnectOptions['ca']
  /** Maximum idle time of a connection. */
  readonly maxIdleMs: number
}

export function createConnectionPool(options: ConnectionPoolOptions): ConnectionPool {
  const { watch } = options
  /** Includes connections that are being opened. */
  const all = new Set<Socket>()
  const idle = createIdleConnections(watch)
  let isClosed = false

  return {
    acquire(target, { maxRestMs = Number.POSITIVE_INFINITY, address } = {}) {
      const { idleConnections } = target
      const now = watch.now()
      for (let at = idleConnections.length - 1; at >= 0; at -= 1) {
        const last = idleConnections[at]
        if (!last) return undefined
        const restedMs = now - (last.idleSince ?? now)
        if (restedMs > maxRestMs) return undefined
        if (address !== undefined && address !== last.address) continue
        idleConnections.splice(at, 1)
        idle.markBusy(last)
        const { socket } = last
        const isSilent = socket.bytesRead === last.bytesWhenIdle
        const isOpen = socket.readable && socket.writable && restedMs < last.maxIdleMs
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
          done(new EgressError('refused_address', OTHER_PEER_MESSAGE, { isUnsent: true }))
        } else {
          done(idle.track({ socket, ...to, ...NEW_CONNECTION, maxIdleMs: options.maxIdleMs }))
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

    closeIdle(target) {
      for (const connection of target.idleConnections.splice(0)) idle.destroy(connection)
    },

    close() {
      isClosed = true
      for (const socket of all) socket.destroy()
    },
  }
}

/** Creates the part of a pool that counts idle connections and closes them in time. */
function createIdleConnections(watch: Watch) {
  const pooled = new Set<PooledConnection>()
  /**
   * A counter: a set that changes with every request would leave garbage that V8 retains for long.
   */
  let idleCount = 0

  function markBusy(connection: PooledConnection): void {
    if (connection.idleSince === undefined) return
    connection.idleSince = undefined
    idleCount -= 1
    if (idleCount === 0) watch.remove(sweep)
  }

  function destroy(connection: PooledConnection): void {
    const { idleConnections } = connection.target
    const at = idleConnections.indexOf(connection)
    if (at >= 0) idleConnections.splice(at, 1)
    markBusy(connection)
    connection.socket.destroy()
  }

  const sweep = {
    slot: -1,
    check(now: number) {
      for (const connection of pooled) {
        if (now - (connection.idleSince ?? now) >= connection.maxIdleMs) destroy(connection)
      }
    },
  }

  function markIdle(connection: PooledConnection): void {
    const { socket, target } = connection
    if (socket.destroyed || connection.idleSince !== undefined) return
    const isFull = target.idleConnections.length >= MAX_IDLE_PER_TARGET || idleCount >= MAX_IDLE
    if (isFull || !target.addresses.includes(connection.address)) {
      socket.destroy()
      return
    }
    connection.idleSince = watch.now()
    connection.bytesWhenIdle = socket.bytesRead
    target.idleConnections.push(connection)
    idleCount += 1
    if (idleCount === 1) watch.add(sweep)
    // The client may have stopped reading: unexpected data, or the end, must be noticed.
    socket.resume()
    // Idle connections must not keep the process alive.
    socket.unref()
  }

  return {
    markBusy,
    destroy,
    /** Adds an open connection, which is idle after each response. */
    track(connection: PooledConnection): PooledConnection {
      const { socket } = connection
      const destroyIfIdle = () => {
        if (connection.idleSince !== undefined) destroy(connection)
      }
      pooled.add(connection)
      // Emitted by the client of node:http when the response has ended.
      socket.on('free', () => markIdle(connection))
      // Unsolicited bytes would be taken for the next response.
      socket.on('data', destroyIfIdle)
      socket.on('end', destroyIfIdle)
      socket.on('close', () => {
        pooled.delete(connection)
        destroyIfIdle()
      })
      return connection
    },
  }
}

/**
 * Connects with `node:net` and `node:tls`. It connects by address, so that the name isn't resolved
 * again.
 */
export function connectTo({ address, port, tlsName, ca }: ConnectOptions): Socket {
  const to = { host: address, port, noDelay: true, keepAlive: true }
  if (tlsName === undefined) return connectWithBuffer(to)
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

const NEW_CONNECTION = { idleSince: undefined, bytesWhenIdle: 0, requestCount: 0 }
const MAX_IDLE_PER_TARGET = 32
const MAX_IDLE = 512
const OTHER_PEER_MESSAGE = 'Cannot call this URL: the connection reached another address'

function isSameAddress(peer: string | undefined, address: string): boolean {
  return peer === address || (peer !== undefined && parseAddress(peer)?.toString() === address)
}
