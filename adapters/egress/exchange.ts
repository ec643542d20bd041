import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import type { KeptConnection } from './connections.ts'
import { createOneSocket } from './one-socket.ts'

export interface Exchange {
  readonly connection: KeptConnection
  readonly method: string
  readonly path: string
  /** Names and values, one after another. */
  readonly headers: readonly string[]
  readonly body: Uint8Array | undefined
  readonly maxHeaderBytes: number
  onAnswer(incoming: IncomingMessage): void
  /** What comes is no answer; the reason reads `it …`. */
  onWrong(reason: string): void
  /** May still be called when the answer is there. */
  onBroken(error: Error): void
}

/** Sends a request over a connection that stands. */
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
    if (interims === MAX_INTERIMS) exchange.onWrong('it sends interim answers without end')
  })
  outgoing.on('response', (incoming) => exchange.onAnswer(incoming))
  outgoing.on('upgrade', () => exchange.onWrong('it changes the protocol'))
  // It stays: a connection that breaks later says so here as well as to the body's reader.
  outgoing.on('error', (error) => exchange.onBroken(error))
  if (body === undefined) outgoing.end()
  else outgoing.end(body)
  return outgoing
}

const MAX_INTERIMS = 32
