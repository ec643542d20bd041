import process from 'node:process'
import type { HttpHandler } from '../../core/http/message.ts'
import { type BunServerOptions, serveBun } from './bun.ts'
import { serveDeno } from './deno.ts'
import { type NodeServerOptions, serveNode } from './node.ts'
import { CLOSE_DEADLINE_MS, type RunningServer } from './server.ts'

/**
 * Options of all listeners. Each ignores the limits that it does not support: see its own options.
 */
export interface ServeOptions extends NodeServerOptions, BunServerOptions {
  /**
   * `node` (default): node:http on every runtime, with all features. `native`: the runtime's own
   * server, which is faster but drops bodies of GET requests and has fewer limits. Node has only
   * `node`.
   */
  readonly listener?: 'node' | 'native' | undefined
}

export type { RunningServer, ServerOptions } from './server.ts'

/**
 * Serves a handler on the current runtime. Rejects if it cannot listen.
 *
 * @example
 * ```ts
 * import { serve } from 'api-discovery/serve'
 *
 * const server = await serve(app.handle, { port: 8080 })
 * console.log(server.url)
 * ```
 */
export function serve(handler: HttpHandler, options: ServeOptions = {}): Promise<RunningServer> {
  if (options.listener === 'native') {
    if ('Bun' in globalThis) return serveBun(handler, options)
    if ('Deno' in globalThis) return serveDeno(handler, options)
  }
  return serveNode(handler, options)
}

/**
 * Waits for SIGTERM or SIGINT, then closes the server gracefully. Resolves with the signal when the
 * server is closed. A second signal aborts running requests.
 *
 * @example
 * ```ts
 * import { closeOnSignals, serve } from 'api-discovery/serve'
 *
 * const server = await serve(app.handle)
 * await closeOnSignals(server)
 * await app.close()
 * ```
 */
export function closeOnSignals(
  server: RunningServer,
  deadlineMs: number = CLOSE_DEADLINE_MS,
): Promise<'SIGTERM' | 'SIGINT'> {
  return new Promise((resolve, reject) => {
    let isClosing = false
    const close = (signal: 'SIGTERM' | 'SIGINT') => {
      const closed = server.close(isClosing ? 0 : deadlineMs)
      isClosing = true
      closed.then(() => {
        process.off('SIGTERM', onTerm)
        process.off('SIGINT', onInt)
        resolve(signal)
      }, reject)
    }
    const onTerm = () => close('SIGTERM')
    const onInt = () => close('SIGINT')
    process.on('SIGTERM', onTerm)
    process.on('SIGINT', onInt)
  })
}
