import {
  type Agent,
  type ClientRequest,
  type IncomingMessage,
  request as requestHttp,
} from 'node:http'
import type { PooledConnection } from './connection-pool.ts'

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

/**
 * Creates an agent for one request over one established connection. Implements the part of an agent
 * that the client of node:http uses. The client releases the connection with the `free` event of
 * its socket.
 */
function createSingleSocketAgent(connection: PooledConnection): Agent {
  return new SingleSocketAgent(connection) as unknown as Agent
}

class SingleSocketAgent {
  readonly keepAlive = true
  readonly defaultPort = 80
  readonly protocol = 'http:'
  readonly options = {}
  #connection: PooledConnection | undefined

  constructor(connection: PooledConnection) {
    this.#connection = connection
  }

  addRequest(request: ClientRequest): void {
    const connection = this.#connection
    this.#connection = undefined
    // Deno requests a second socket if a reused connection breaks; retries are decided elsewhere.
    if (connection) request.onSocket(connection.socket)
    else request.destroy(new Error('the connection broke'))
  }
}
