import type { HttpHandler } from '../../core/http/message.ts'

/** A server under test. */
export interface StartedRuntime {
  readonly url: string
  close(deadlineMs?: number): Promise<void>
  /** The body of a GET reaches the handler; else `hasLostBody` tells that one was sent. */
  readonly deliversGetBody: boolean
  /** Slow heads and bodies are cut off after the times asked for. */
  readonly hasTimeouts: boolean
  /** Streams are sent with the length that their headers give, else in chunks. */
  readonly keepsLength: boolean
  /** What still runs when the server's closing meets its deadline is destroyed. */
  readonly destroysAtDeadline: boolean
  /**
   * Answers to raw requests that the runtime itself gives, or makes otherwise, by the title of the
   * request in `runtime-vectors.ts`.
   */
  readonly differences: Readonly<Record<string, string>>
}

/** Times that a case asks for. */
export interface RuntimeTimes {
  readonly headersTimeoutMs: number
  readonly requestTimeoutMs: number
}

/** Starts a server on a free port of 127.0.0.1. */
export type StartRuntime = (handler: HttpHandler, times?: RuntimeTimes) => Promise<StartedRuntime>
