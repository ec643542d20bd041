import type { Account } from '../shared/account.ts'
import type { Page } from '../shared/pages.ts'
import type {
  ClaimedJob,
  Job,
  JobClaim,
  JobEnd,
  JobFilter,
  JobState,
  ListedJob,
  NewJob,
} from './records.ts'

/**
 * No lease is longer. One that runs out later is of a clock that has been set back since, and has
 * run out; a queued job that was made later is due.
 */
export const MAX_LEASE_MS = 600_000

/** How long a job that is due waits to be taken up by a worker that has what it needs: an hour. */
export const NEEDED_WITHIN_MS = 3_600_000

/**
 * What is kept of jobs. Any number of processes claim from it at the same time: each job that is due
 * goes to one of them, until its lease has run out. The clocks of the processes must agree to within
 * a lease.
 */
export interface JobStore {
  /**
   * Queues a job. Throws a `ServiceError` with code `conflict`, and the member `job_id` when it is
   * one of the same account, where another open job has the lock.
   */
  addJob(job: NewJob): Promise<Job>
  /**
   * Claims the job of these kinds that has been due longest and needs nothing but what the worker
   * `has`: one that is queued, or one that is running whose lease has run out. It is running then,
   * its attempts and its fence are counted up. One that has no attempts left ends as `failed` instead,
   * so does one that has been due for `NEEDED_WITHIN_MS` and needs what this worker has not, whoever
   * has it and was busy; one that was cancelled ends as `aborted`: `onEnded` is told of these.
   * Undefined when there is none. With an id no other job than that is claimed.
   */
  claimJob(request: {
    readonly kinds: readonly string[]
    /** Nothing when absent. */
    readonly has?: readonly string[] | undefined
    readonly id?: number | undefined
    readonly now: number
    readonly leaseMs: number
    readonly onEnded?: ((job: Job) => void) | undefined
  }): Promise<ClaimedJob | undefined>
  /** Prolongs the lease. `lost` when the claim holds no more: then nothing has changed. */
  renewJob(
    claim: JobClaim,
    request: { readonly now: number; readonly leaseMs: number },
  ): Promise<'held' | 'cancelled' | 'lost'>
  /** False when the claim holds no more: then nothing has changed. So with `endJob`. */
  saveCheckpoint(claim: JobClaim, checkpoint: string): Promise<boolean>
  /** Ends a job once and for all; its checkpoint goes. */
  endJob(claim: JobClaim, end: JobEnd & { readonly now: number }): Promise<boolean>
  /**
   * Gives a job back before its end, to be claimed again from `dueAt` on; the attempt counts. One
   * that was cancelled ends as `aborted`.
   */
  releaseJob(
    claim: JobClaim,
    request: { readonly now: number; readonly dueAt: number },
  ): Promise<boolean>
  /**
   * Cancels a job of the account: one that is queued ends at once, one that is running when its
   * worker hears of it. The job as it is then; undefined when the account has none of that id.
   * Without an account, one of any.
   */
  cancelJob(
    account: Account | undefined,
    request: { readonly id: number; readonly now: number },
  ): Promise<Job | undefined>
  /** Likewise every open job of a kind, of all accounts; how many there were. */
  cancelJobs(request: { readonly kind: string; readonly now: number }): Promise<number>
  /** Without an account, one of any. */
  findJob(account: Account | undefined, id: number): Promise<Job | undefined>
  /** By its number among the account's jobs of the kind. */
  findNumberedJob(
    account: Account,
    which: { readonly kind: string; readonly number: number },
  ): Promise<Job | undefined>
  /** The newest of a kind about a subject. */
  findNewestJob(
    account: Account,
    about: { readonly kind: string; readonly subject: string },
  ): Promise<Job | undefined>
  /** Newest first. Without an account, those of all. What may be large is not read. */
  listJobs(account: Account | undefined, request: JobFilter): Promise<Page<ListedJob>>
  /** By kind and state, in the order of their names. For the metrics. */
  countJobs(): Promise<readonly { kind: string; state: JobState; count: number }[]>
  /** Removes jobs that ended before, at most `limit`; how many. */
  sweepJobs(request: { readonly before: number; readonly limit: number }): Promise<number>
}
