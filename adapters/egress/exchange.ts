import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import type { PooledConnection } from './connection-pool.ts'
import { createSingleSocketAgent } from './single-socket-agent.ts'

export interface Exchange {
  readonly connection: PooledConnection
  readonly method: string
  readonly path: string
  /** Names and values, alternating. */
  readonly headers: readonly string[]
  readonly body: Uint8Array | undefined
  readonly maxHeaderBytes: number
  onResponse(incoming: IncomingMessage): void
  /** The data received is not a valid response; `reason` reads `it …`. */
  onMalformed(reason: string): void
  /** May also be called after the response was received. */
  onBroken(error: Error): void
}

/** Sends a request over an established connection. */
export function sendOverConnection(exchange: Exchange): ClientRequest {
  const { body } = exchange
  const outgoing = requestHttp({
    agent: createSingleSocketAgent(exchange.connection),
    method: exchange.method,
    path: exchange.path,
    headers: exchange.headers,
    maxHeaderSize: exchange.maxHeaderBytes,
  })
  let interims = 0
  outgoing.on('information', () => {
    interims += 1
    if (interims === MAX_INTERIMS) exchange.onMalformed('it sends too many interim responses')
  })
  outgoing.on('response', (incoming) => exchange.onResponse(incoming))
  outgoing.on('upgrade', () => exchange.onMalformed('it switches the protocol'))
  // The listener stays: a connection that breaks later reports the error here and to the body's
  // reader.
  outgoing.on('error', (error) => exchange.onBroken(error))
  if (body === undefined) outgoing.end()
  else outgoing.end(body)
  return outgoing
}

const MAX_INTERIMS = 32
