import type { JobClaim } from '../jobs/records.ts'
import type { Account } from '../shared/account.ts'

/** What is kept of rate-limit tests beside their jobs. */
export interface RateLimitStore {
  /**
   * The token by which a host shows that this account may test it: the account's present one, else
   * `fresh`, which is then kept.
   */
  getConsentToken(account: Account, fresh: string): Promise<string>
  /**
   * Takes at most `wanted` requests out of what the run, its account and its host have left, in one
   * step, before they are sent: whatever dies or runs at the same time, none is sent that was not
   * taken, and what was taken counts as sent.
   */
  takeRequests(request: TakeRequest): Promise<TakenRequests>
  /** What was taken on a day. */
  countDay(
    account: Account,
    about: { readonly host: string; readonly day: string },
  ): Promise<{ readonly account: number; readonly host: number }>
  /** What a run has taken in all its attempts. */
  countRun(runId: number): Promise<number>
}

export interface TakeRequest {
  /** The run's job: it must be running under this claim. */
  readonly claim: JobClaim
  readonly account: Account
  /** Name and port, of all accounts together. */
  readonly host: string
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string
  /** 0 only asks whether the run may go on. */
  readonly wanted: number
  /** Of the run in all its attempts. */
  readonly runBudget: number
  readonly accountBudget: number
  readonly hostBudget: number
}

export interface TakenRequests {
  /** From 0 to `wanted`. */
  readonly count: number
  /** Why there were none: what ran out, or that the run is to end. */
  readonly reason?: 'run' | 'account' | 'host' | 'cancelled' | 'lost'
}
