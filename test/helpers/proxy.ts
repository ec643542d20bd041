import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type RunningServer, serve } from '../../adapters/runtime/serve.ts'
import type { HttpHandler } from '../../core/index.ts'
import { SCOPES } from '../../core/shared/account.ts'
import { openPremisesWith, type Premises } from './console-visit.ts'

/** A reverse proxy on loopback in front of a server. */
interface RunningProxy {
  /** Address of the proxy, without a path. */
  readonly origin: string
  close(): Promise<void>
}

/**
 * Starts a reverse proxy that forwards everything below `prefix` to `port`, with or without the
 * prefix, and answers 404 `elsewhere` itself for any other path. It names itself in `Host`, as
 * nginx does by default.
 */
async function startProxy(options: {
  readonly port: number
  readonly prefix: string
  readonly isStripping: boolean
}): Promise<RunningProxy> {
  const { port, prefix, isStripping } = options
  const server = createServer((incoming, outgoing) => {
    const target = incoming.url ?? '/'
    if (target !== prefix && !target.startsWith(`${prefix}/`)) {
      outgoing.writeHead(404).end('elsewhere')
      return
    }
    const path = isStripping ? target.slice(prefix.length) || '/' : target
    const headers = { ...incoming.headers, host: `127.0.0.1:${port}` }
    const { method } = incoming
    const forwarded = send({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    forwarded.on('error', () => outgoing.destroy())
    incoming.pipe(forwarded)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections?.()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A service with its console, reached through a proxy below a path. */
export interface ProxiedPremises {
  readonly premises: Premises
  readonly server: RunningServer
  readonly proxy: RunningProxy
  close(): Promise<void>
}

/** Opens a service with examples and the user `Root` behind a proxy, with its full public URL. */
export async function openBehindProxy(options: {
  readonly prefix: string
  readonly isStripping: boolean
}): Promise<ProxiedPremises> {
  // The public URL contains the port of the proxy, which is known last.
  let handle: HttpHandler = () => ({ status: 503, headers: {}, body: undefined })
  const server = await serve((request) => handle(request), { host: '127.0.0.1', port: 0 })
  const proxy = await startProxy({ ...options, port: server.port })
  const publicUrl = `${proxy.origin}${options.prefix}/`
  const premises = await openPremisesWith({ publicUrl }, { hasExamples: true })
  handle = premises.handle
  await premises.addUser('Root', SCOPES)
  return {
    premises,
    server,
    proxy,
    async close() {
      await proxy.close()
      await server.close(0)
      await premises.close()
    },
  }
}
