import { type FetchInfo, toFetchHandler } from '../../core/http/fetch.ts'
import type { HttpHandler } from '../../core/http/message.ts'
import {
  CLOSE_DEADLINE_MS,
  type RunningServer,
  type ServerOptions,
  toServerUrl,
  waitAtMost,
} from './server.ts'

export type { RunningServer, ServerOptions } from './server.ts'

/**
 * Serves a handler over `Deno.serve`: faster than node:http, but the body of a GET is lost and there
 * are no timeouts at all. Only for use behind a proxy that has them, speaks HTTP/1.1 to this server
 * (HTTP/2 has no `Host`, so it is answered 400) and forwards no lines that end by LF alone, which
 * Deno accepts. `close` gives up waiting at its deadline, but what still runs then ends only with the
 * process. Only on Deno.
 */
export async function serveDeno(
  handler: HttpHandler,
  options: ServerOptions = {},
): Promise<RunningServer> {
  const { host = '127.0.0.1', port = 8080 } = options
  const { Deno } = globalThis as { readonly Deno?: DenoRuntime }
  if (!Deno) throw new Error('Cannot listen with Deno.serve: the runtime must be Deno')
  const handle = toFetchHandler(handler, { ...options, requiresHost: true })
  const server = Deno.serve({ hostname: host, port, onListen: () => undefined }, (request, info) =>
    handle(request, new DenoPeer(info)),
  )
  return {
    url: toServerUrl(host, server.addr.port),
    port: server.addr.port,
    async close(deadlineMs = CLOSE_DEADLINE_MS) {
      await waitAtMost(server.shutdown(), deadlineMs)
    },
  }
}

/** Asks for the address only when it is wanted. */
class DenoPeer implements FetchInfo {
  readonly #info: DenoInfo

  constructor(info: DenoInfo) {
    this.#info = info
  }

  get clientAddress(): string {
    return this.#info.remoteAddr.hostname
  }
}

/** The part of Deno that is used. */
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
