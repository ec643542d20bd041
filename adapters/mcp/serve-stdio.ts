import { once } from 'node:events'
import process from 'node:process'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { createServer, type ServedTools } from './create-server.ts'

/** Serves the tools over standard input and output, until the client closes the input. */
export async function serveOverStdio(
  served: Omit<ServedTools, 'canAskEarlier'>,
  create = createServer,
): Promise<void> {
  const ended = Promise.race([once(process.stdin, 'end'), once(process.stdin, 'close')])
  const server = serveStdio(() => create({ ...served, canAskEarlier: true }), {
    onerror: served.onError,
    maxSubscriptions: 1,
  })
  await ended
  await server.close()
}
