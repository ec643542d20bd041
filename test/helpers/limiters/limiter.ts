import type { Clock } from '../../../core/ports/clock.ts'
import type { HeaderLine } from '../../../core/ports/egress.ts'
import type {
  LimitSignal,
  RateLimit,
  TestBudget,
  Verdict,
} from '../../../core/rate-limits/records.ts'

/** A request as received by a model. */
export interface LimiterRequest {
  /** `/things`. */
  readonly path: string
  /** API key of the caller. */
  readonly key: string
  /** Size of the body. */
  readonly bytes: number
  readonly pageSize: number | undefined
}

/** Response of a model and its delay. */
export type LimiterAnswer =
  | {
      readonly status: number
      readonly headers: readonly HeaderLine[]
      readonly body: string
      readonly delayMs: number
    }
  /** No response. */
  | 'silent'
  /** Closed connection. */
  | 'closed'

/** A simulated target, with the expected results of a test. */
export interface Limiter {
  /** Called once per request on arrival. Keeps its own state. */
  readonly answer: (request: LimiterRequest, clock: Clock) => LimiterAnswer
  readonly verdict: Verdict['verdict']
  /** How it refuses calls; undefined if it does not. */
  readonly signal: LimitSignal | undefined
  /** The limit, if it is a number of calls per window. */
  readonly limit: RateLimit | undefined
  /** Whether its headers announce the limit and the window. */
  readonly isTold: boolean
  /** Maximum number of calls that it serves within `ms` milliseconds of its start. */
  readonly allows?: (ms: number) => number
  /** For the messages of failing tests. */
  readonly about: Readonly<Record<string, unknown>>
}

/** Creates a limiter from a seed, for a test with this budget. */
export type LimiterModel = (made: { readonly seed: number; readonly budget: TestBudget }) => Limiter

/** Creates a response with status 200. */
export function toServed(
  delayMs: number,
  more: { readonly headers?: readonly HeaderLine[]; readonly body?: string } = {},
): LimiterAnswer {
  return {
    status: 200,
    headers: [['content-type', 'application/json'], ...(more.headers ?? [])],
    body: more.body ?? '{"things":[{"id":1,"name":"chair"},{"id":2,"name":"table"}]}',
    delayMs,
  }
}
