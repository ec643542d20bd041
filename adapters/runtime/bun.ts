import { type FetchInfo, toFetchHandler } from '../../core/http/fetch.ts'
import type { HttpHandler } from '../../core/http/message.ts'
import {
  CLOSE_DEADLINE_MS,
  type RunningServer,
  type ServerOptions,
  toServerUrl,
  waitWithTimeout,
} from './server.ts'

export interface BunServerOptions extends ServerOptions {
  /**
   * Idle time after which a connection is closed, even while a request runs: it must exceed the
   * slowest response. At most 255,000; default 120,000.
   */
  readonly idleTimeoutMs?: number | undefined
  /** Maximum body size. The runtime itself rejects larger bodies with 413. Default 64 MiB. */
  readonly maxBodyBytes?: number | undefined
}

/**
 * Serves a handler with `Bun.serve`, on Bun only. It is faster than node:http, but drops the body
 * of a GET, and one idle timeout replaces header, body and keep-alive timeouts. Bun resolves dot
 * segments before the handler sees a path: a proxy with rules for paths must do the same.
 *
 * @example
 * ```ts
 * import { serveBun } from 'api-discovery/bun'
 *
 * const server = await serveBun(app.handle, { port: 8080 })
 * console.log(server.url)
 * ```
 */
export async function serveBun(
  handler: HttpHandler,
  options: BunServerOptions = {},
): Promise<RunningServer> {
  const { host = '127.0.0.1', port = 8080 } = options
  const { Bun } = globalThis as { readonly Bun?: BunRuntime }
  if (!Bun) throw new Error('Cannot listen with Bun.serve: the runtime is not Bun')
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
      const isDone = await waitWithTimeout(server.stop(false), deadlineMs)
      if (!isDone) await waitWithTimeout(server.stop(true), 1_000)
    },
  }
}

/** Reads the address lazily. */
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

/** The part of Bun's API that this file uses. */
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
