import type { ErrorCode } from '../../core/errors.ts'

/** Request to a worker. */
export interface TaskRequest {
  readonly task: string
  readonly input: unknown
}

/** Requests the next part of a result from a worker. */
export const NEXT = 'next'

/**
 * Reply of a worker: `ready` once, then for each request the long lists and maps of its result as
 * parts, and the rest as `done`. Each part is sent on request. Copying a result in one message
 * would block the receiver.
 */
export type TaskReply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'part'; readonly member: string; readonly items: readonly unknown[] }
  | { readonly kind: 'done'; readonly value: unknown }
  | {
      readonly kind: 'failed'
      readonly code: ErrorCode
      readonly message: string
      readonly extra?: Readonly<Record<string, unknown>>
    }
