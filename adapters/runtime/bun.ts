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

export interface BunServerOptions extends ServerOptions {
  /**
   * A connection on which no byte moves is closed, even while a request runs: it must be longer
   * than the slowest answer. At most 255,000; 120,000 when absent.
   */
  readonly idleTimeoutMs?: number | undefined
  /** Larger bodies are refused with 413 by the runtime itself; 64 MiB when absent. */
  readonly maxBodyBytes?: number | undefined
}

/**
 * Serves a handler over `Bun.serve`: faster than node:http, but the body of a GET is lost and one
 * idle timeout takes the place of header, body and keep-alive timeouts. Bun resolves dot segments
 * before the handler sees a path: a proxy that has rules for paths must do so too. Only on Bun.
 */
export async function serveBun(
  handler: HttpHandler,
  options: BunServerOptions = {},
): Promise<RunningServer> {
  const { host = '127.0.0.1', port = 8080 } = options
  const { Bun } = globalThis as { readonly Bun?: BunRuntime }
  if (!Bun) throw new Error('Cannot listen with Bun.serve: the runtime must be Bun')
  const handle = toFetchHandler(handler, { ...options, requiresHost: true })
  const server = Bun.serve({
    hostname: host,
    port,
    idleTimeout: Math.min(255, Math.ceil((options.idleTimeoutMs ?? 120_000) / 1_000)),
    maxRequestBodySize: options.maxBodyBytes ?? 64 * 1_048_576,
    fetch: (request, running) => handle(request, new BunPeer(request, running)),
  })
  return {
    url: toServerUrl(host, server.port),
    port: server.port,
    async close(deadlineMs = CLOSE_DEADLINE_MS) {
      const isDone = await waitAtMost(server.stop(false), deadlineMs)
      if (!isDone) await waitAtMost(server.stop(true), 1_000)
    },
  }
}

/** Asks for the address only when it is wanted. */
class BunPeer implements FetchInfo {
  readonly #request: Request
  readonly #server: BunServer

  constructor(request: Request, server: BunServer) {
    this.#request = request
    this.#server = server
  }

  get clientAddress(): string | undefined {
    return this.#server.requestIP(this.#request)?.address
  }
}

/** The part of Bun that is used. */
interface BunRuntime {
  serve(options: {
    readonly hostname: string
    readonly port: number
    readonly idleTimeout: number
    readonly maxRequestBodySize: number
    readonly fetch: (request: Request, server: BunServer) => Response | Promise<Response>
  }): BunServer
}

interface BunServer {
  readonly port: number
  requestIP(request: Request): { readonly address: string } | null
  stop(closesRunning: boolean): Promise<void>
}
