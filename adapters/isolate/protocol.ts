import type { ProblemCode } from '../../core/http/problems.ts'

/** What a worker is asked. */
export interface TaskRequest {
  readonly task: string
  readonly input: unknown
}

/** What a worker answers: once `ready`, then one reply for each request. */
export type TaskReply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly value: unknown }
  | {
      readonly kind: 'failed'
      readonly code: ProblemCode
      readonly message: string
      readonly extra?: Readonly<Record<string, unknown>>
    }
