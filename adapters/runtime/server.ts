import type { Logger } from '../../core/ports/logger.ts'

/** Options of every runtime adapter. */
export interface ServerOptions {
  /** Address to listen on; default `127.0.0.1`. */
  readonly host?: string | undefined
  /** Default 8080; 0 picks a free port. */
  readonly port?: number | undefined
  /** Addresses and CIDR ranges of proxies whose `X-Forwarded-*` headers are trusted. */
  readonly trustedProxies?: readonly string[] | undefined
  /** Receives the errors of handlers. */
  readonly logger?: Logger | undefined
}

/** A listening server. */
export interface RunningServer {
  /** `http://127.0.0.1:8080`, without a final slash. */
  readonly url: string
  readonly port: number
  /** Number of open connections; absent if the listener cannot count them. */
  countConnections?(): number
  /**
   * Stops accepting connections, closes idle ones, and waits for running requests. After
   * `deadlineMs` (default 10,000) it aborts the remaining ones. Repeated calls shorten the
   * deadline.
   */
  close(deadlineMs?: number): Promise<void>
}

/** Time that running requests get to finish when the server closes. */
export const CLOSE_DEADLINE_MS = 10_000

/** Builds a server's URL; IPv6 addresses in brackets. */
export function toServerUrl(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Waits at most `timeoutMs`. Resolves to true if `done` resolves first. */
export async function waitWithTimeout(done: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), timeoutMs)
  })
  const isDone = await Promise.race([done.then(() => true), late])
  clearTimeout(timer)
  return isDone
}
