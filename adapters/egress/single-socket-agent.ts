import type { Agent, ClientRequest } from 'node:http'
import type { PooledConnection } from './connection-pool.ts'

/**
 * Creates an agent for one request over one established connection. Implements the part of an agent
 * that the client of node:http uses. The client releases the connection with the `free` event of
 * its socket.
 */
export function createSingleSocketAgent(connection: PooledConnection): Agent {
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
