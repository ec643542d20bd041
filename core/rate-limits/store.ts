import type { Job, JobClaim, NewJob } from '../jobs/records.ts'
import type { Account } from '../shared/account.ts'

/** Storage of rate-limit tests, in addition to their jobs. */
export interface RateLimitStore {
  /**
   * The token that a host publishes to consent to tests by this account. Returns the stored token;
   * without one, stores and returns `fresh`.
   */
  getConsentToken(account: Account, fresh: string): Promise<string>
  /**
   * Queues the job of a run, whose lock is its host, and reserves its requests in the same
   * transaction. The account's budget is reserved while the run is open. The host's budget needs no
   * reservation, because a host has at most one open run.
   * On queueing, reserved and taken requests of the day together stay within each budget. A run can
   * still run out of budget later: the operator lowers a budget, the clocks of two processes
   * disagree on the day, or the budget of the key, which is not reserved, is used up. Throws like
   * `JobStore.addJob`.
   */
  addRun(job: NewJob, reserved: RunReservation): Promise<AddedRun>
  /**
   * Takes at most `wanted` requests from the remaining budgets of the run, its account and its
   * host, in one transaction. Requests must be taken before they are sent: a crash can waste taken
   * requests but never send uncounted ones. Taken requests count as sent.
   */
  takeRequests(request: TakeRequest): Promise<TakenRequests>
  /**
   * Requests taken on a UTC day (`YYYY-MM-DD`), and requests reserved by the account's open runs.
   */
  readDay(of: {
    readonly account: Account
    readonly host: string
    readonly day: string
  }): Promise<{ readonly ofAccount: number; readonly reserved: number; readonly ofHost: number }>
  /** Requests taken by each run in all its attempts, by job ID. */
  countRuns(jobIds: readonly number[]): Promise<ReadonlyMap<number, number>>
}

export interface RunReservation {
  /** Requests of the run in all its attempts. */
  readonly requests: number
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string
  /** Requests allowed per day. */
  readonly accountBudget: number
  readonly hostBudget: number
}

/** The queued job, or the budget that is too small. In that case nothing is queued or reserved. */
export type AddedRun =
  | { readonly job: Job }
  | {
      readonly short: 'account' | 'host'
      readonly left: number
      /** Reserved by other open runs. */
      readonly reserved: number
    }

export interface TakeRequest {
  /** Valid claim of the run's job. The run's own budget is the one passed to `addRun`. */
  readonly claim: JobClaim
  readonly account: Account
  /** Name and port. The budget of a host covers all accounts. */
  readonly host: string
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string
  /** 0 only checks whether the run may continue. */
  readonly wanted: number
  readonly accountBudget: number
  readonly hostBudget: number
}

export interface TakenRequests {
  /** From 0 to `wanted`. */
  readonly count: number
  /** Why `count` is 0: the exhausted budget, or the reason to end the run. */
  readonly reason?: 'run' | 'account' | 'host' | 'cancelled' | 'lost'
}
