import type { ProblemCode } from '../../core/http/problems.ts'

/** What a worker is asked. */
export interface TaskRequest {
  readonly task: string
  readonly input: unknown
}

/** Asks a worker for the next part of its result. */
export const NEXT = 'next'

/**
 * What a worker answers: once `ready`, then for each request the long lists and maps of its result
 * part by part, each when it is asked for, and the rest as `done`. A result in one message would
 * keep the receiver from everything else for as long as it takes to copy.
 */
export type TaskReply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'part'; readonly member: string; readonly items: readonly unknown[] }
  | { readonly kind: 'done'; readonly value: unknown }
  | {
      readonly kind: 'failed'
      readonly code: ProblemCode
      readonly message: string
      readonly extra?: Readonly<Record<string, unknown>>
    }
