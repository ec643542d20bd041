import { type FetchInfo, toFetchHandler } from '../../core/http/fetch.ts'
import type { HttpHandler } from '../../core/http/message.ts'
import {
  CLOSE_DEADLINE_MS,
  type RunningServer,
  type ServerOptions,
  toServerUrl,
  waitWithTimeout,
} from './server.ts'

/**
 * Serves a handler with `Deno.serve`, on Deno only. It is faster than node:http, but drops the body
 * of a GET and has no timeouts. Use it only behind a proxy that has timeouts, speaks HTTP/1.1 to
 * this server, and forwards no lines ending with a bare LF, which Deno accepts. HTTP/2 requests
 * have no `Host` and fail with 400. At its deadline `close` stops waiting, but running requests
 * continue until the process ends.
 *
 * @example
 * ```ts
 * import { serveDeno } from 'api-discovery/deno'
 *
 * const server = await serveDeno(app.handle, { port: 8080 })
 * console.log(server.url)
 * ```
 */
export async function serveDeno(
  handler: HttpHandler,
  options: ServerOptions = {},
): Promise<RunningServer> {
  const { host = '127.0.0.1', port = 8080 } = options
  const { Deno } = globalThis as { readonly Deno?: DenoRuntime }
  if (!Deno) throw new Error('Cannot listen with Deno.serve: the runtime is not Deno')
  const handle = toFetchHandler(handler, { ...options, requiresHost: true })
  const server = Deno.serve({ hostname: host, port, onListen: () => undefined }, (request, info) =>
    handle(request, new DenoPeer(info)),
  )
  return {
    url: toServerUrl(host, server.addr.port),
    port: server.addr.port,
    async close(deadlineMs = CLOSE_DEADLINE_MS) {
      await waitWithTimeout(server.shutdown(), deadlineMs)
    },
  }
}

/** Reads the address lazily. */
class DenoPeer implements FetchInfo {
  readonly #info: DenoInfo

  constructor(info: DenoInfo) {
    this.#info = info
  }

  get clientAddress(): string {
    return this.#info.remoteAddr.hostname
  }
}

/** The part of Deno's API that this file uses. */
interface DenoRuntime {
  serve(
    options: {
      readonly hostname: string
      readonly port: number
      readonly onListen: () => void
    },
    handler: (request: Request, info: DenoInfo) => Response | Promise<Response>,
  ): DenoServer
}

interface DenoInfo {
  readonly remoteAddr: { readonly hostname: string }
}

interface DenoServer {
  readonly addr: { readonly port: number }
  shutdown(): Promise<void>
}
