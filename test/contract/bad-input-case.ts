import type { ProblemCode } from '../../core/http/problems.ts'
import type { WireRequest } from './ways.ts'

/** A request that is wrong, or odd, and what is answered. */
export interface BadInputCase {
  readonly name: string
  readonly request: WireRequest
  /** 200 for what is odd but right. */
  readonly status: number
  readonly code?: ProblemCode
  /** Names of all `errors` in order; none expected when absent. */
  readonly errors?: readonly string[]
}
