import type { Job, JobClaim, NewJob } from '../jobs/records.ts'
import type { Account } from '../shared/account.ts'

/** What is kept of rate-limit tests beside their jobs. */
export interface RateLimitStore {
  /**
   * The token by which a host shows that this account may test it: the account's present one, else
   * `fresh`, which is then kept.
   */
  getConsentToken(account: Account, fresh: string): Promise<string>
  /**
   * Queues the job of a run, whose lock is its host, and reserves what it may send in the same step:
   * of its account as long as the run is open, of the host as no other run can be open there. When it
   * is queued, what is reserved and what was taken on the day do not exceed a budget together. Later
   * a run may still be short of it: where the operator has lowered it, on a day that another process's
   * clock calls otherwise, or by the budget of its key, of which nothing is reserved. Throws as
   * `JobStore.addJob` does.
   */
  addRun(job: NewJob, reserved: RunReservation): Promise<AddedRun>
  /**
   * Takes at most `wanted` requests out of what the run, its account and its host have left, in one
   * step, before they are sent: whatever dies or runs at the same time, none is sent that was not
   * taken, and what was taken counts as sent.
   */
  takeRequests(request: TakeRequest): Promise<TakenRequests>
  /** What was taken on a day (`YYYY-MM-DD`, UTC), and what the account's open runs have reserved. */
  readDay(of: {
    readonly account: Account
    readonly host: string
    readonly day: string
  }): Promise<{ readonly ofAccount: number; readonly reserved: number; readonly ofHost: number }>
  /** What each of these runs has taken in all its attempts, by the ids of their jobs. */
  countRuns(jobIds: readonly number[]): Promise<ReadonlyMap<number, number>>
}

export interface RunReservation {
  /** Requests of the run in all its attempts. */
  readonly requests: number
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string
  /** What the day allows. */
  readonly accountBudget: number
  readonly hostBudget: number
}

/** A run that is queued, or whose budget has less left than is to be reserved: then nothing is. */
export type AddedRun =
  | { readonly job: Job }
  | {
      readonly short: 'account' | 'host'
      readonly left: number
      /** For other runs, which are open. */
      readonly reserved: number
    }

export interface TakeRequest {
  /** The run's job: it must be running under this claim. What it may take, `addRun` was told. */
  readonly claim: JobClaim
  readonly account: Account
  /** Name and port, of all accounts together. */
  readonly host: string
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string
  /** 0 only asks whether the run may go on. */
  readonly wanted: number
  readonly accountBudget: number
  readonly hostBudget: number
}

export interface TakenRequests {
  /** From 0 to `wanted`. */
  readonly count: number
  /** Why there were none: what ran out, or that the run is to end. */
  readonly reason?: 'run' | 'account' | 'host' | 'cancelled' | 'lost'
}
