import type { HttpHandler } from '../../core/http/message.ts'

/** A server under test. */
export interface StartedRuntime {
  readonly url: string
  close(deadlineMs?: number): Promise<void>
  /** The body of a GET reaches the handler; otherwise `hasLostBody` reports that one was sent. */
  readonly deliversGetBody: boolean
  /** Slow heads and bodies are disconnected after the requested times. */
  readonly hasTimeouts: boolean
  /** Streams are sent with the length in their headers; otherwise in chunks. */
  readonly keepsLength: boolean
  /** Requests that still run at the deadline of closing are destroyed. */
  readonly destroysAtDeadline: boolean
  /**
   * Responses to raw requests that the runtime creates itself or changes, by the title of the
   * request in `runtime-vectors.ts`.
   */
  readonly differences: Readonly<Record<string, string>>
}

/** Times that a case requests. */
export interface RuntimeTimes {
  readonly headersTimeoutMs: number
  readonly requestTimeoutMs: number
}

/** Starts a server on a free port of 127.0.0.1. */
export type StartRuntime = (handler: HttpHandler, times?: RuntimeTimes) => Promise<StartedRuntime>
