import type { Logger } from '../../core/ports.ts'

/** What every runtime adapter understands. */
export interface ServerOptions {
  /** Address to listen on; `127.0.0.1` when absent. */
  readonly host?: string | undefined
  /** 8080 when absent; 0 picks a free one. */
  readonly port?: number | undefined
  /** Addresses and CIDR ranges of proxies whose `X-Forwarded-*` headers are believed. */
  readonly trustedProxies?: readonly string[] | undefined
  /** Is told of handlers that threw. */
  readonly logger?: Logger | undefined
}

/** A server that listens. */
export interface RunningServer {
  /** `http://127.0.0.1:8080`, without a final slash. */
  readonly url: string
  readonly port: number
  /** Connections that are open; absent when the listener cannot count them. */
  countConnections?(): number
  /**
   * Stops accepting, closes idle connections, lets running requests finish, and destroys what still
   * runs after `deadlineMs` (10,000 when absent). Calling it again shortens the deadline.
   */
  close(deadlineMs?: number): Promise<void>
}

/** How long running requests may take to finish when the server closes. */
export const CLOSE_DEADLINE_MS = 10_000

/** The address of a server as a URL; IPv6 addresses in brackets. */
export function toServerUrl(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Waits, at most so long, without keeping the process alive. True when `done` came first. */
export async function waitAtMost(done: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), timeoutMs)
  })
  const isDone = await Promise.race([done.then(() => true), late])
  clearTimeout(timer)
  return isDone
}
