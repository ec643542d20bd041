import { spawn } from 'node:child_process'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'

interface Message {
  readonly id?: string | number
  readonly method?: string
  readonly error?: { readonly code: number }
}

/** A process that serves agents over standard input, reached over HTTP. */
export interface Bridge {
  readonly url: string
  close(): Promise<void>
}

/**
 * Starts a process and forwards each message that is posted to its standard input. The official
 * runner speaks HTTP only. One request is served at a time. `first` is a message to begin with: a
 * connection keeps the protocol version of its first request.
 */
export async function openBridge(
  command: string,
  words: readonly string[],
  first?: object,
): Promise<Bridge> {
  const child = spawn(command, words, { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = new Promise((resolve) => child.once('close', resolve))
  const waiting = new Map<number, { readonly id: string | number; readonly to: ServerResponse }>()
  let lastId = 0

  createInterface({ input: child.stdout }).on('line', (line) => {
    const message: Message = JSON.parse(line)
    const isResponse = message.method === undefined
    // Notifications and questions of the server belong to the request that it serves.
    const request = waiting.get(isResponse ? Number(message.id) : lastId)
    if (!request) return
    const sent = isResponse ? { ...message, id: request.id } : message
    request.to.write(`event: message\ndata: ${JSON.stringify(sent)}\n\n`)
    if (isResponse) {
      waiting.delete(Number(message.id))
      request.to.end()
    }
  })

  if (first) child.stdin.write(`${JSON.stringify(first)}\n`)
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') return response.writeHead(405).end()
    const message: Message = JSON.parse(await text(request))
    const isRequest = message.method !== undefined && message.id !== undefined
    if (isRequest) {
      lastId += 1
      waiting.set(lastId, { id: message.id ?? 0, to: response })
      response.writeHead(200, { 'content-type': 'text/event-stream' })
    } else response.writeHead(202).end()
    const sent = isRequest ? { ...message, id: lastId } : message
    child.stdin.write(`${JSON.stringify(sent)}\n`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      child.stdin.end()
      await ended
    },
  }
}
