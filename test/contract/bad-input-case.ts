import type { ErrorCode } from '../../core/errors.ts'
import type { WireRequest } from './ways.ts'

/** An invalid or unusual request, and its response. */
export interface BadInputCase {
  readonly name: string
  readonly request: WireRequest
  /** 200 for unusual but valid requests. */
  readonly status: number
  readonly code?: ErrorCode
  /** Names of all `errors` in order; default: none. */
  readonly errors?: readonly string[]
}
