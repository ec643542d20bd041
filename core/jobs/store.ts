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
 * Upper bound of a lease. A lease that ends later was written before a clock was set back and
 * counts as expired. A queued job created after the current time counts as due.
 */
export const MAX_LEASE_MS = 600_000

/** How long a due job waits for a worker with the required capability: one hour. */
export const NEEDED_WITHIN_MS = 3_600_000

/**
 * Storage of jobs. Any number of processes may claim from it concurrently: each due job goes to one
 * of them, until its lease expires. The clocks of the processes must agree to within one lease.
 */
export interface JobStore {
  /**
   * Queues a job. Throws a `ServiceError` with code `conflict` if another open job has the lock.
   * The member `job_id` is present if that job belongs to the same account.
   */
  addJob(job: NewJob): Promise<Job>
  /**
   * Claims the job of these kinds that has been due longest and needs only what the worker `has`: a
   * queued job, or a running one whose lease has expired. The claim sets the state to running and
   * increments the attempts and the fence. Returns undefined if there is none. With an ID, only
   * that job is considered.
   * Ends jobs that cannot be claimed and reports them to `onEnded`. A cancelled job ends as
   * `aborted`. A job without attempts left ends as `failed`. So does a job due for
   * `NEEDED_WITHIN_MS` that needs a capability this worker lacks, even if a busy worker has it.
   */
  claimJob(request: {
    readonly kinds: readonly string[]
    /** Capabilities; default: none. */
    readonly has?: readonly string[] | undefined
    readonly id?: number | undefined
    readonly now: number
    readonly leaseMs: number
    readonly onEnded?: ((job: Job) => void) | undefined
  }): Promise<ClaimedJob | undefined>
  /** Extends the lease. `lost` means the claim is no longer valid and nothing changed. */
  renewJob(
    claim: JobClaim,
    request: { readonly now: number; readonly leaseMs: number },
  ): Promise<'held' | 'cancelled' | 'lost'>
  /**
   * Returns false, without changes, if the claim is no longer valid; so do `endJob` and
   * `releaseJob`.
   */
  saveCheckpoint(claim: JobClaim, checkpoint: string): Promise<boolean>
  /** Ends a job for good and deletes its checkpoint. */
  endJob(claim: JobClaim, end: JobEnd & { readonly now: number }): Promise<boolean>
  /**
   * Releases an unfinished job, to be claimed again from `dueAt`. The attempt still counts. A
   * cancelled job ends as `aborted`.
   */
  releaseJob(
    claim: JobClaim,
    request: { readonly now: number; readonly dueAt: number },
  ): Promise<boolean>
  /**
   * Cancels a job and returns its state afterwards; undefined if the account has no such job. A
   * queued job ends at once, a running one when its worker next renews the lease. Without an
   * account, the job of any account.
   */
  cancelJob(
    account: Account | undefined,
    request: { readonly id: number; readonly now: number },
  ): Promise<Job | undefined>
  /** Cancels every open job of a kind across all accounts; returns their number. */
  cancelJobs(request: { readonly kind: string; readonly now: number }): Promise<number>
  /**
   * Finds the newest job with all these properties. `number` is unique within an account and a
   * kind. Without an account, finds the job of any account.
   */
  findJob(
    account: Account | undefined,
    which: Partial<Pick<Job, 'id' | 'kind' | 'number' | 'subject'>>,
  ): Promise<Job | undefined>
  /** Newest first. Without an account, jobs of all accounts. Skips columns that may be large. */
  listJobs(account: Account | undefined, request: JobFilter): Promise<Page<ListedJob>>
  /** Sorted by kind and state. For the metrics. */
  countJobs(): Promise<readonly { kind: string; state: JobState; count: number }[]>
  /** Deletes at most `limit` jobs that ended before `before`; returns their number. */
  sweepJobs(request: { readonly before: number; readonly limit: number }): Promise<number>
}
