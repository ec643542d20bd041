import type { CallValues } from '../calls/call.ts'
import type { MakerCaller } from '../calls/call-maker.ts'
import type { Account } from '../shared/account.ts'
import type { Page, PageRequest } from '../shared/pages.ts'
import type { ConsentRefusal } from './consent.ts'
import type { TestBudget } from './records.ts'
import type { ListedRun, TestRun } from './runs.ts'

/** A request for a test. */
export interface TestRequest extends Partial<TestBudget> {
  /** Short or numeric ID. */
  readonly endpointId: string
  /**
   * Values of the endpoint's parameters, as JSON. Must not contain secrets: store those as
   * credentials.
   */
  readonly values?: CallValues | undefined
  /** A declared server: its name, its URL template, or its number from 1. */
  readonly server?: string | undefined
  /** Send the account's stored credentials. */
  readonly usesCredentials?: boolean | undefined
  /** Required for methods other than GET, HEAD and OPTIONS: each request may change data. */
  readonly confirmsUnsafe?: boolean | undefined
}

/** The run of a start request, new or already open. */
export interface StartedTest {
  readonly run: TestRun
  /** False if the account already had an open run of this endpoint, so that nothing was started. */
  readonly isNew: boolean
}

/** Whether an account may test the host of an endpoint, and how to obtain consent. */
export interface HostConsent {
  /** Name and port: `api.example.com:443`. */
  readonly host: string
  readonly origin: string
  readonly isGiven: boolean
  /** Who consented; undefined without consent. */
  readonly by: 'operator' | 'token' | undefined
  /** The account's secret, to be published at `tokenUrl` as a single line. */
  readonly token: string
  readonly tokenUrl: string
  /**
   * Why the response of `tokenUrl` is not consent; undefined if it was not requested or was the
   * token.
   */
  readonly reason: ConsentRefusal | undefined
  /** Explains how to obtain consent; empty if there is consent. */
  readonly missing: string
}

/** Remaining budgets of the current UTC day. */
export interface LeftToday {
  /** Name and port: `api.example.com:443`. */
  readonly host: string
  /**
   * Requests that tests of the account may still send, without the reservations of its open runs.
   */
  readonly ofAccount: BudgetLeft
  readonly reserved: number
  /** Requests that any account's tests may still send to the host. */
  readonly ofHost: BudgetLeft
  /**
   * Calls that the caller's key may still make; undefined without a key or without a budget for it.
   */
  readonly ofKey: BudgetLeft | undefined
  /** When the budgets reset (midnight UTC), in milliseconds since the epoch. */
  readonly until: number
}

/** Remaining requests of a budget. */
export interface BudgetLeft {
  readonly left: number
  readonly budget: number
}

/** The endpoint to test and its server. */
export type TestTarget = Pick<TestRequest, 'endpointId' | 'values' | 'server'>

/** Rate-limit tests of catalogued endpoints (Specification 4.13, 4.14). */
export interface RateLimitTests {
  /**
   * Queues a test of an endpoint. Sends nothing to the host except a consent check. Rejects with
   * - the errors of a gateway call: `not_found`, `no_server`, `call_not_permitted`, `invalid_input`
   *   with the endpoint's parameter list, `origin_changed`, `address_refused`, `not_implemented`;
   * - `invalid_input` for a budget above the maximum, an unsafe method without confirmation, and
   *   values that contain secrets;
   * - `consent_missing`, with the members `host`, `operator`, `token_url`, `token` and `reason`;
   * - `budget_exhausted`, with the members `budget` (`account` or `host`), `left`, `reserved` (by
   *   the account's open runs) and `until`;
   * - `options_differ`, with the members `run`, `state` and `options`, if the account's open run of
   *   the endpoint has other options;
   * - `conflict` if another run uses the host;
   * - `too_many_requests` if the host's consent was checked too often, or 100 runs of the account
   *   are queued.
   */
  start(request: TestRequest, caller: MakerCaller): Promise<StartedTest>
  /** Returns a run of the account, by default the newest of the endpoint. Throws `not_found`. */
  result(
    account: Account,
    request: { readonly endpointId: string; readonly run?: number | undefined },
  ): Promise<TestRun>
  /**
   * Returns a run of the account by number, even if its endpoint was removed. Throws `not_found`.
   */
  find(account: Account, run: number): Promise<TestRun>
  /** Newest first. */
  list(account: Account, request: PageRequest): Promise<Page<ListedRun>>
  /**
   * Stops a run of the account within a second. A run that has ended is unchanged. Throws
   * `not_found`.
   */
  stop(account: Account, run: number): Promise<TestRun>
  /** Stops every run of every account; returns their number. */
  stopAll(): Promise<number>
  /**
   * Checks the consent of the host, with a request to it if necessary. Throws like `start` for the
   * endpoint.
   */
  consent(account: Account, request: TestTarget): Promise<HostConsent>
  /**
   * Returns the remaining budgets of today without sending a request. Throws like `start` for the
   * endpoint.
   */
  leftToday(caller: MakerCaller, request: TestTarget): Promise<LeftToday>
}
