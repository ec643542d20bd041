import type { CallValues } from '../calls/call.ts'
import type { MakerCaller } from '../calls/call-maker.ts'
import type { Account } from '../shared/account.ts'
import type { Page, PageRequest } from '../shared/pages.ts'
import type { ConsentAnswer } from './consent.ts'
import type { TestBudget } from './records.ts'
import type { ListedRun, TestRun } from './runs.ts'

/** What a test is wanted of. */
export interface TestRequest extends Partial<TestBudget> {
  /** Short or numeric id. */
  readonly endpointId: string
  /** Of the endpoint's parameters; JSON. None of them may be a secret: credentials are stored. */
  readonly values?: CallValues | undefined
  /** Which of the declared servers: its name, its URL template, or its number from 1. */
  readonly server?: string | undefined
  /** Credentials that the account has stored go along. */
  readonly usesCredentials?: boolean | undefined
  /** Needed for methods other than GET, HEAD and OPTIONS: each request may change something. */
  readonly confirmsUnsafe?: boolean | undefined
}

/** A run that is queued now, or that was queued or under way already. */
export interface StartedTest {
  readonly run: TestRun
  /** False where the account had this endpoint waiting or under way: then nothing was started. */
  readonly isNew: boolean
}

/** Whether the host of an endpoint may be tested by an account, and what would change it. */
export interface HostConsent {
  /** Name and port: `api.example.com:443`. */
  readonly host: string
  readonly origin: string
  readonly isGiven: boolean
  /** By whom, where it is given. */
  readonly by: 'operator' | 'token' | undefined
  /** What the host would answer at `tokenUrl`, as one line: the account's secret. */
  readonly token: string
  readonly tokenUrl: string
  /** What `tokenUrl` answered instead. Undefined where it was not asked or answered right. */
  readonly reason: ConsentAnswer | undefined
  /** What is missing, in words; empty where consent is given. */
  readonly missing: string
}

/** What budgets of today (UTC) have left for a test. */
export interface LeftToday {
  /** Name and port: `api.example.com:443`. */
  readonly host: string
  /** Of all tests of the account: what its open runs have reserved is not left. */
  readonly ofAccount: BudgetLeft
  readonly reserved: number
  /** Of all tests to the host, whoever runs them. */
  readonly ofHost: BudgetLeft
  /** Of the calls of the caller's key; undefined without a key, or a budget of it. */
  readonly ofKey: BudgetLeft | undefined
  /** Midnight UTC, when they begin anew, in milliseconds since the epoch. */
  readonly until: number
}

/** Of so many requests, how many are left. */
export interface BudgetLeft {
  readonly left: number
  readonly budget: number
}

/** Which endpoint would be tested, and where. */
export type TestTarget = Pick<TestRequest, 'endpointId' | 'values' | 'server'>

/** Rate-limit tests of catalogued endpoints (Specification 4.13, 4.14). */
export interface RateLimitTests {
  /**
   * Queues a test of an endpoint. Rejects, before anything is sent but for the question for consent,
   * - as the gateway's calls do: `not_found`, `no_server`, `call_not_permitted`, `invalid_input` with
   *   the endpoint's parameter list, `origin_changed`, `address_refused`, `not_implemented`;
   * - with `invalid_input` for more than the ceilings, an unsafe method that is not confirmed, and
   *   values that are secrets;
   * - with `consent_missing`, whose members say what is missing: `host`, `operator`, `token_url`,
   *   `token`, `reason`;
   * - with `budget_exhausted`, whose members are `budget` (`account` or `host`), `left`, `reserved`
   *   (for the account's runs that have not ended) and `until`;
   * - with `options_differ`, whose members are `run`, `state` and `options`, where the account's run of
   *   the endpoint that has not ended is not what is asked for;
   * - with `conflict` where another run has the host;
   * - with `too_many_requests` where a host was asked for its consent too often, and where 100 runs
   *   of the account wait already.
   */
  start(request: TestRequest, caller: MakerCaller): Promise<StartedTest>
  /** A run of the account, its newest of the endpoint where none is named; throws `not_found`. */
  result(
    account: Account,
    request: { readonly endpointId: string; readonly run?: number | undefined },
  ): Promise<TestRun>
  /** A run of the account by its number, whatever became of its endpoint; throws `not_found`. */
  find(account: Account, run: number): Promise<TestRun>
  /** Newest first. */
  list(account: Account, request: PageRequest): Promise<Page<ListedRun>>
  /** Stops a run of the account within a second; one that has ended stays so. Throws `not_found`. */
  stop(account: Account, run: number): Promise<TestRun>
  /** Stops every run of every account; how many there were. */
  stopAll(): Promise<number>
  /** Asks the host, if it has to be asked. Throws as `start` does for the endpoint. */
  consent(account: Account, request: TestTarget): Promise<HostConsent>
  /** What a test may send today, in numbers; it asks nobody. Throws as `start` does for the endpoint. */
  leftToday(caller: MakerCaller, request: TestTarget): Promise<LeftToday>
}
