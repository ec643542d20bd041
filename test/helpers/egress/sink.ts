import { connect as connectTcp, type Socket } from 'node:net'
import type { ConnectOptions } from '../../../adapters/egress/pinned.ts'

export interface SinkConnect {
  readonly connect: (to: ConnectOptions) => Socket
  /** The addresses and ports that connections were opened to, as the egress believes. */
  readonly opened: string[]
}

/**
 * A connector that leads everything to one port of this machine: no packet leaves it, and each
 * address that something would have been sent to is written down.
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
