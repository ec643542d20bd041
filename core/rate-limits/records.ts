import type { EgressFailure, HeaderLine } from '../ports/egress.ts'

/** Maximum budget of a run, regardless of the request. (security.md, row 22) */
export const MAX_BUDGET = { requests: 1000, rate: 50, payloadBytes: 1024 * 1024 } as const

/** Default budget of a run: 12 seconds. */
export const DEFAULT_BUDGET = { requests: 60, rate: 5, payloadBytes: 64 * 1024 } as const

export interface TestBudget {
  /** Total of all stages and attempts. */
  readonly requests: number
  /** Maximum per second. */
  readonly rate: number
  /** Size of the largest request body. */
  readonly payloadBytes: number
}

/** JSON input of a run's job. */
export interface TestInput {
  /** Short ID. */
  readonly endpoint: string
  /** `https://api.example.com`. */
  readonly origin: string
  readonly budget: TestBudget
  /** Values of the endpoint's parameters. */
  readonly values: Readonly<Record<string, unknown>>
  readonly server: string
  /** Send the account's stored credentials. */
  readonly usesCredentials: boolean
  /**
   * The key that started the test, whose policy applies; absent if the host application
   * authenticates callers.
   */
  readonly keyId?: string
  /** Who consented: the operator, or the host by publishing the account's token. */
  readonly consent: 'operator' | 'token'
}

/** A declared or observed limit: a number of calls per window. */
export interface RateLimit {
  readonly calls: number
  /** Undefined if unknown. */
  readonly windowMs: number | undefined
}

/** Limits known without sending a request. */
export interface DeclaredLimits {
  /** The description declares a 429 response for the endpoint. */
  readonly has429: boolean
  /** Rate-limit headers that the description declares for responses, in lower case. */
  readonly headers: readonly string[]
  /** Nearest to the endpoint first. */
  readonly limits: readonly (RateLimit & {
    /** Where it is declared: `x-ratelimit of the operation`, `words of the description`. */
    readonly source: string
  })[]
  /** Counts of the account's earlier calls through the gateway. */
  readonly seen: { readonly calls: number; readonly limited: number }
}

/** The parameters of a test request. */
export interface Probe {
  readonly stage: 'ramp' | 'recovery' | 'payload' | 'page'
  /** Size of the request body in bytes (`payload`). */
  readonly bytes?: number
  /** Page size to request (`page`). */
  readonly pageSize?: number
}

/** The response to a request, or its failure. */
export type ProbeResponse =
  | {
      readonly status: number
      readonly headers: readonly HeaderLine[]
      /** Beginning of the body as text, at most 4 KiB. */
      readonly text: string
      /** Bytes of the body as transferred, up to the read limit. */
      readonly bytes: number
      /** `page` only: number of items, if the body is JSON and was read completely. */
      readonly items?: number | undefined
      /** `page` only: whether the response indicates more items; undefined if it does not say. */
      readonly hasMore?: boolean | undefined
      /** `page` only: every list of the page. The largest one determines the two members above. */
      readonly lists?: readonly PageList[] | undefined
    }
  | { readonly failure: EgressFailure | 'aborted' }

/**
 * The outcome of a request. `refused`: the connection failed. `rejected`: a redirect, or a 4xx
 * status other than a limit.
 */
export type Outcome = 'ok' | 'limited' | 'failed' | 'timed_out' | 'refused' | 'rejected'

/** Evidence of one request. Times are in milliseconds since the run began. */
export interface ProbeRecord {
  readonly stage: Probe['stage']
  /** Scheduled send time. `ms` counts from here. */
  readonly at: number
  /** Delay between scheduled and actual send time. */
  readonly lateMs: number
  readonly ms: number
  readonly outcome: Outcome
  /** 0 without a response. */
  readonly status: number
  /** Concurrent requests when it was sent, excluding itself. */
  readonly inFlight: number
  /** How the limit showed. */
  readonly signal?: LimitSignal
  /** Announced wait, from `Retry-After` or a reset header. */
  readonly waitMs?: number
  /** Remaining calls and limit, from response headers. */
  readonly remaining?: number
  readonly limit?: number
  /** Window of that limit, if a header names it. */
  readonly windowMs?: number
  /** Size of the request body, or requested page size. */
  readonly size?: number
  /** `page` only: bytes of the response body, up to the read limit. */
  readonly bytes?: number
  /** `page` only: number of items, and whether the response indicates more. */
  readonly items?: number
  readonly hasMore?: boolean
  readonly lists?: readonly PageList[]
}

/** A list in a page. */
export interface PageList {
  /** Hash of the member names that lead to the list; the names are not stored. */
  readonly place: number
  readonly items: number
  readonly hasMore?: boolean
}

export type LimitSignal = 'status' | 'unavailable' | 'body' | 'dropped' | 'refused' | 'slowed'

/** Why a run stopped sending. */
export type StopReason =
  | 'limit_found'
  | 'budget_used'
  /** The remaining requests would exceed the maximum duration of a run. */
  | 'time_used'
  | 'timeouts'
  | 'server_errors'
  | 'slow'
  | 'rejected'
  | 'cancelled'
  | 'consent_withdrawn'
  | 'daily_budget_used'
  | 'unreachable'

/** Stops by a decision or an exhausted budget, not by the target. */
export const FINAL_STOPS = ['cancelled', 'consent_withdrawn', 'daily_budget_used'] as const

/** All observations of a run. */
export interface Evidence {
  readonly budget: TestBudget
  readonly declared: DeclaredLimits
  readonly records: readonly ProbeRecord[]
  readonly stop: StopReason
  /** Why the ramp ended, if different from `stop`: later stages do not invalidate a limit. */
  readonly rampStop?: StopReason | undefined
  /** Number of attempts. Requests of earlier attempts may be missing. */
  readonly attempts: number
  /** Requests sent in all attempts, as counted by the storage. */
  readonly sent: number
  /** The page-size parameter of the `page` requests. */
  readonly page?: PageParameter | undefined
}

/** A page-size parameter and its usual value. */
export interface PageParameter {
  readonly parameter: string
  readonly size: number
  /** Maximum that the description allows; undefined if it declares none. */
  readonly maximum?: number | undefined
}

export const VERDICTS = ['protected', 'partly', 'unprotected', 'inconclusive'] as const

/** Whether an API limits the rate of calls, the size of bodies and the size of pages. */
export interface Verdict {
  readonly verdict: (typeof VERDICTS)[number]
  /** One or more sentences that explain what was found and what was not tested. */
  readonly text: string
  /** Why the verdict is inconclusive: a code such as `declared`. */
  readonly reason?: string | undefined
  readonly rate: {
    readonly found: boolean
    /** Short description of the limit, without details beyond `text`. */
    readonly summary?: string | undefined
    readonly signal: LimitSignal | undefined
    /** Requests served before the first refusal, over the observed or announced window. */
    readonly observed: RateLimit | undefined
    /** Requests per second when the limit was reached. */
    readonly atRate: number | undefined
    /** Ranges of limits that would look the same as `observed`; both ends included. */
    readonly bounds?: LimitBounds | undefined
    /** Concurrent calls that were served, if the limit is probably on concurrency. */
    readonly atOnce?: number | undefined
    /** The strictest declared limit that was tested; if none was, the strictest of all. */
    readonly declared: RateLimit | undefined
    /** Compares the observations with `declared`; undefined if nothing is declared. */
    readonly comparison?: Comparison | undefined
    /** Time from the first refusal to the next served request; undefined if not observed. */
    readonly recoveryMs: number | undefined
  }
  readonly payload: {
    /** `taken`: all sizes were accepted. `untested`: no size was accepted or refused. */
    readonly state: 'bounded' | 'taken' | 'untested'
    /** Largest accepted and smallest refused size, in bytes. */
    readonly largestTaken: number | undefined
    readonly smallestRefused: number | undefined
  }
  readonly page: {
    /** `unknown`: a larger page was requested, and the response is ambiguous. */
    readonly state: 'bounded' | 'followed' | 'unknown' | 'untested'
    readonly parameter: string | undefined
    /**
     * The larger page size requested, the number of items returned, and the number for the usual
     * page size.
     */
    readonly asked?: number | undefined
    readonly items?: number | undefined
    readonly usualItems?: number | undefined
  }
}

/**
 * - `untried`: a target that enforces the declared limit could have served every request, bursts
 *   included. If a limit was reached: the requests stayed within the declared limit.
 * - `exceeded`: no target that enforces the declared limit could have served the requests it
 *   served. If a limit was reached: it also served more than twice as many.
 * - `kept`: otherwise.
 */
export type Comparison = 'untried' | 'kept' | 'exceeded'

/**
 * Limits that explain the observations, if their window began during the test. `windowMs` is
 * undefined if nothing indicates it.
 */
export interface LimitBounds {
  readonly calls: readonly [least: number, most: number]
  readonly windowMs: readonly [least: number, most: number] | undefined
}

/** Stored result of a run that has ended. */
export interface TestResult {
  readonly verdict: Verdict
  readonly evidence: Evidence
  /** Milliseconds since the epoch. */
  readonly beganAt: number
  readonly endedAt: number
}
