import { connect as connectTcp, type Socket } from 'node:net'
import type { ConnectOptions } from '../../../adapters/egress/pinned-egress.ts'

export interface SinkConnect {
  readonly connect: (to: ConnectOptions) => Socket
  /** Addresses and ports that the egress connected to. */
  readonly opened: string[]
}

/**
 * Creates a connector that redirects all connections to one local port and records the requested
 * addresses. No packet leaves this machine.
 */
export function createSinkConnect(sinkPort: number): SinkConnect {
  const opened: string[] = []
  return {
    opened,
    connect({ address, port }) {
      opened.push(`${address}:${port}`)
      const socket = connectTcp({ host: '127.0.0.1', port: sinkPort })
      Object.defineProperty(socket, 'remoteAddress', { get: () => address })
      return socket
    },
  }
}
