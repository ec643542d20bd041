import type { Agent, ClientRequest } from 'node:http'
import type { KeptConnection } from './connections.ts'

/**
 * An agent for one request over one connection, which stands already: the part of an agent that
 * node:http's client uses. The client frees the connection by the event `free` of its socket.
 */
export function createOneSocket(connection: KeptConnection): Agent {
  return new OneSocket(connection) as unknown as Agent
}

class OneSocket {
  readonly keepAlive = true
  readonly defaultPort = 80
  readonly protocol = 'http:'
  readonly options = {}
  #connection: KeptConnection | undefined

  constructor(connection: KeptConnection) {
    this.#connection = connection
  }

  addRequest(request: ClientRequest): void {
    const connection = this.#connection
    this.#connection = undefined
    // Deno asks a second time when a kept connection breaks; whether to is not for it to decide.
    if (connection) request.onSocket(connection.socket)
    else request.destroy(new Error('the connection broke'))
  }
}
