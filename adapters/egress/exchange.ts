import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import type { KeptConnection } from './connections.ts'
import { createOneSocket } from './one-socket.ts'

export interface Exchange {
  readonly connection: KeptConnection
  readonly method: string
  readonly path: string
  /** Names and values, alternating. */
  readonly headers: readonly string[]
  readonly body: Uint8Array | undefined
  readonly maxHeaderBytes: number
  onAnswer(incoming: IncomingMessage): void
  /** The data received is not a valid response; `reason` reads `it …`. */
  onWrong(reason: string): void
  /** May also be called after the response was received. */
  onBroken(error: Error): void
}

/** Sends a request over an established connection. */
export function sendOver(exchange: Exchange): ClientRequest {
  const { body } = exchange
  const outgoing = requestHttp({
    agent: createOneSocket(exchange.connection),
    method: exchange.method,
    path: exchange.path,
    headers: exchange.headers,
    maxHeaderSize: exchange.maxHeaderBytes,
  })
  let interims = 0
  outgoing.on('information', () => {
    interims += 1
    if (interims === MAX_INTERIMS) exchange.onWrong('it sends too many interim responses')
  })
  outgoing.on('response', (incoming) => exchange.onAnswer(incoming))
  outgoing.on('upgrade', () => exchange.onWrong('it switches the protocol'))
  // The listener stays: a connection that breaks later reports the error here and to the body's
  // reader.
  outgoing.on('error', (error) => exchange.onBroken(error))
  if (body === undefined) outgoing.end()
  else outgoing.end(body)
  return outgoing
}

const MAX_INTERIMS = 32
