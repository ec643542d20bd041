import type { HeaderLine } from '../../../core/egress/egress.ts'
import type { Clock } from '../../../core/ports.ts'
import type {
  LimitSignal,
  RateLimit,
  TestBudget,
  Verdict,
} from '../../../core/rate-limits/records.ts'

/** What a model sees of a request. */
export interface LimiterRequest {
  /** `/things`. */
  readonly path: string
  /** Of the caller. */
  readonly key: string
  /** Of its body. */
  readonly bytes: number
  readonly pageSize: number | undefined
}

/** What a model answers, and after how long. */
export type LimiterAnswer =
  | {
      readonly status: number
      readonly headers: readonly HeaderLine[]
      readonly body: string
      readonly delayMs: number
    }
  /** Nothing ever comes. */
  | 'silent'
  /** The connection is closed. */
  | 'closed'

/** A model of a target, with what a test should find out of it. */
export interface Limiter {
  /** Asked once for each request, when it arrives; its state is its own. */
  readonly answer: (request: LimiterRequest, clock: Clock) => LimiterAnswer
  readonly verdict: Verdict['verdict']
  /** How it refuses; undefined for one that does not. */
  readonly signal: LimitSignal | undefined
  /** What it allows, where that is a number of calls in a window. */
  readonly limit: RateLimit | undefined
  /** Its headers tell of its limit and the window. */
  readonly isTold: boolean
  /** How many calls it lets through at most in so long a time, from its start on. */
  readonly allows?: (ms: number) => number
  /** For the messages of failing tests. */
  readonly about: Readonly<Record<string, unknown>>
}

/** Makes a limiter of a seed, for a test of this budget. */
export type LimiterModel = (made: { readonly seed: number; readonly budget: TestBudget }) => Limiter

/** Answers 200. */
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
