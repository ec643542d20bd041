import type { EgressFailure, HeaderLine } from '../egress/egress.ts'

/** What a run may do at most; a run gets no more, whatever it asks for. (security.md, row 22) */
export const MAX_BUDGET = { requests: 1000, rate: 50, payloadBytes: 1024 * 1024 } as const

/** What a run may do that asks for nothing else: twelve seconds. */
export const DEFAULT_BUDGET = { requests: 60, rate: 5, payloadBytes: 64 * 1024 } as const

export interface TestBudget {
  /** In all, those of all stages and of every attempt. */
  readonly requests: number
  /** A second, at most. */
  readonly rate: number
  /** Of the largest body. */
  readonly payloadBytes: number
}

/** What the job of a run is given, as JSON. */
export interface TestInput {
  /** Short id. */
  readonly endpoint: string
  /** `https://api.example.com`. */
  readonly origin: string
  readonly budget: TestBudget
  /** Values of the endpoint's parameters. */
  readonly values: Readonly<Record<string, unknown>>
  readonly server: string
  /** Credentials of the account go along. */
  readonly usesCredentials: boolean
  /** The key that started it, whose policy holds; absent when the host authenticates on its own. */
  readonly keyId?: string
  /** By whom the host is open to tests: the operator named it, or it has the account's token. */
  readonly consent: 'operator' | 'token'
}

/** A limit as it is declared or observed: so many calls in so long a time. */
export interface RateLimit {
  readonly calls: number
  /** Undefined where nobody says. */
  readonly windowMs: number | undefined
}

/** What is known without a request. */
export interface DeclaredLimits {
  /** The description has an answer 429 for the endpoint. */
  readonly has429: boolean
  /** Header names of limits that the description gives to answers, lower case. */
  readonly headers: readonly string[]
  /** The nearest to the endpoint first. */
  readonly limits: readonly (RateLimit & {
    /** Where it stands: `x-ratelimit of the operation`, `words of the description`. */
    readonly source: string
  })[]
  /** What the account's earlier calls through the gateway met. */
  readonly seen: { readonly calls: number; readonly limited: number }
}

/** What one request of a test is. */
export interface Probe {
  readonly stage: 'ramp' | 'recovery' | 'payload' | 'page'
  /** Bytes of the body to send (`payload`). */
  readonly bytes?: number
  /** The page size to ask for (`page`). */
  readonly pageSize?: number
}

/** What came of one request. */
export type ProbeAnswer =
  | {
      readonly status: number
      readonly headers: readonly HeaderLine[]
      /** The body's beginning as text, 4 KiB at most. */
      readonly text: string
      /** Of the body as transferred, to the cap of what is read. */
      readonly bytes: number
      /** Of a `page`: its items, where the body is JSON and was read to its end. */
      readonly items?: number | undefined
      /** Of a `page`: whether the answer says that there are more; undefined where it says nothing. */
      readonly hasMore?: boolean | undefined
      /** Of a `page`: each list of it, of which the largest gives the two above. */
      readonly lists?: readonly PageList[] | undefined
    }
  | { readonly failure: EgressFailure | 'aborted' }

/**
 * How a request fared. `refused` is a connection that did not come about, `rejected` other 4xx, or a
 * redirect.
 */
export type Outcome = 'ok' | 'limited' | 'failed' | 'timed_out' | 'refused' | 'rejected'

/** One request of a run, as the evidence keeps it. Times are milliseconds since the run began. */
export interface ProbeRecord {
  readonly stage: Probe['stage']
  /** When it was to be sent; latencies count from here. */
  readonly at: number
  /** How late it was really sent. */
  readonly lateMs: number
  readonly ms: number
  readonly outcome: Outcome
  /** 0 for none. */
  readonly status: number
  /** Requests under way when it was sent, itself not counted. */
  readonly inFlight: number
  /** `status`, `body`, `dropped` or `refused`: what said that it was limited. */
  readonly signal?: LimitSignal
  /** What the answer said how long to wait, from `Retry-After` or a reset. */
  readonly waitMs?: number
  /** What the answer's headers said is left and allowed. */
  readonly remaining?: number
  readonly limit?: number
  /** The window of that limit, where a header names it. */
  readonly windowMs?: number
  /** Of a body that was sent, or the page size asked for. */
  readonly size?: number
  /** Of the answer's body (`page`), to the cap of what is read. */
  readonly bytes?: number
  /** Of a `page`: its items, and whether the answer says that there are more. */
  readonly items?: number
  readonly hasMore?: boolean
  readonly lists?: readonly PageList[]
}

/** A list of a page. */
export interface PageList {
  /** Stands for the names of the members that lead to it, which are not kept. */
  readonly place: number
  readonly items: number
  readonly hasMore?: boolean
}

export type LimitSignal = 'status' | 'unavailable' | 'body' | 'dropped' | 'refused' | 'slowed'

/** Why a run sent no more. */
export type StopReason =
  | 'limit_found'
  | 'budget_used'
  /** What was left could not be sent in the time that a run may take. */
  | 'time_used'
  | 'timeouts'
  | 'server_errors'
  | 'slow'
  | 'rejected'
  | 'cancelled'
  | 'consent_withdrawn'
  | 'daily_budget_used'
  | 'unreachable'

/** The stops that are somebody's will, or want of budget: none is due to the target. */
export const FINAL_STOPS = ['cancelled', 'consent_withdrawn', 'daily_budget_used'] as const

/** Everything that a run saw. */
export interface Evidence {
  readonly budget: TestBudget
  readonly declared: DeclaredLimits
  readonly records: readonly ProbeRecord[]
  readonly stop: StopReason
  /** Why its ramp ended, where that is known apart: what comes later takes no limit back. */
  readonly rampStop?: StopReason | undefined
  /** How often a worker took it up; the requests of the former ones may be missing. */
  readonly attempts: number
  /** Sent in all attempts, by the storage's count. */
  readonly sent: number
  /** What the `page` requests asked with: the parameter, and its usual value. */
  readonly page?: PageParameter | undefined
}

/** The parameter that asks for a page size, and what it is asked for usually. */
export interface PageParameter {
  readonly parameter: string
  readonly size: number
  /** What the description allows at most; undefined where it says nothing. */
  readonly maximum?: number | undefined
}

export const VERDICTS = ['protected', 'partly', 'unprotected', 'inconclusive'] as const

/** An honest answer to whether an API resists too many calls or too large payloads. */
export interface Verdict {
  readonly verdict: (typeof VERDICTS)[number]
  /** One or more sentences for people: what was found, and what was not. */
  readonly text: string
  /** Of an inconclusive one: what stands against any other; a word such as `declared`. */
  readonly reason?: string | undefined
  readonly rate: {
    readonly found: boolean
    /** What is known of the limit in a few words, no more than `text` says. */
    readonly summary?: string | undefined
    readonly signal: LimitSignal | undefined
    /** What was served before the first refusal, over the window that was seen or announced. */
    readonly observed: RateLimit | undefined
    /** Requests a second at which it was met. */
    readonly atRate: number | undefined
    /** What else than `observed` would look the same: least and most, both included. */
    readonly bounds?: LimitBounds | undefined
    /** Where calls at the same time seem to be limited: so many were under way and served. */
    readonly atOnce?: number | undefined
    /** The strictest declared limit that was tried; where none was, the strictest of all. */
    readonly declared: RateLimit | undefined
    /** How what was seen compares with `declared`; undefined where nothing is declared. */
    readonly comparison?: Comparison | undefined
    /** From the first refusal to the first served request; undefined where it was not seen. */
    readonly recoveryMs: number | undefined
  }
  readonly payload: {
    /** `taken` is all that was sent, none refused; `untested` where none was taken or refused. */
    readonly state: 'bounded' | 'taken' | 'untested'
    /** The largest that was taken, the smallest that was refused; bytes. */
    readonly largestTaken: number | undefined
    readonly smallestRefused: number | undefined
  }
  readonly page: {
    /** `unknown` where a larger page was asked for, and what came shows neither. */
    readonly state: 'bounded' | 'followed' | 'unknown' | 'untested'
    readonly parameter: string | undefined
    /** The larger page size that was asked for, the items that came, and those of the usual page. */
    readonly asked?: number | undefined
    readonly items?: number | undefined
    readonly usualItems?: number | undefined
  }
}

/**
 * `untried`: a target that keeps what is declared may have served all that was sent, bursts included;
 * where a limit was met, no more was sent than is declared. `exceeded`: no such target can have served
 * all that was served; where a limit was met, it was more than twice as much besides. Else `kept`.
 */
export type Comparison = 'untried' | 'kept' | 'exceeded'

/**
 * Limits that explain what was seen, if their window did not begin before the test; without a window
 * where nothing shows it.
 */
export interface LimitBounds {
  readonly calls: readonly [least: number, most: number]
  readonly windowMs: readonly [least: number, most: number] | undefined
}

/** What is stored of a run that has ended. */
export interface TestResult {
  readonly verdict: Verdict
  readonly evidence: Evidence
  /** Milliseconds since the epoch. */
  readonly beganAt: number
  readonly endedAt: number
}
