import type { Account } from '../shared/account.ts'
import type { Page, PageRequest } from '../shared/pages.ts'

/** Job states: `queued`, then `running`, then one of the other three, which are final. */
export const JOB_STATES = ['queued', 'running', 'done', 'failed', 'aborted'] as const

export type JobState = (typeof JOB_STATES)[number]

/** Work that outlives a request. The storage persists it; any process can claim it. */
export interface Job {
  /** Ascending, never reused and unique across accounts: for operators. */
  readonly id: number
  /** Ascending from 1 per account and kind, never reused: for account users. */
  readonly number: number
  /** Selects the handler, for example `rate-limit-test`. */
  readonly kind: string
  readonly accountId: string
  /** Lookup key within the kind, for example the short ID of an endpoint. */
  readonly subject: string
  /** Held by at most one open (queued or running) job across all accounts; empty for no lock. */
  readonly lock: string
  /**
   * Capability that a worker must have, such as `permission to test api.example.com:443`; empty for
   * none.
   */
  readonly needs: string
  /** JSON. */
  readonly input: string
  /** JSON for lists, or empty. */
  readonly summary: string
  readonly state: JobState
  /** Number of times that a worker has claimed the job. */
  readonly attempts: number
  readonly maxAttempts: number
  /** Cancellation was requested: the worker ends the job as `aborted`. */
  readonly isCancelled: boolean
  /** JSON progress for this worker or the next one. Empty at first and after the job has ended. */
  readonly checkpoint: string
  /** JSON of a `done` job, or of an `aborted` job that has a result; empty otherwise. */
  readonly result: string
  /** Why the job failed or was aborted, as a readable message; empty otherwise. */
  readonly failure: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  /** Earliest time at which the job may be claimed. */
  readonly dueAt: number
  /** Time of the first claim. */
  readonly startedAt: number | undefined
  readonly endedAt: number | undefined
}

/** A job in a list: without fields that may be large. */
export type ListedJob = Omit<Job, 'input' | 'checkpoint' | 'result'>

/** A job to store. */
export type NewJob = Pick<
  Job,
  | 'kind'
  | 'accountId'
  | 'subject'
  | 'lock'
  | 'needs'
  | 'input'
  | 'summary'
  | 'maxAttempts'
  | 'createdAt'
  | 'dueAt'
>

/** A claim on a job. A later claim has a higher fence and invalidates earlier claims. */
export interface JobClaim {
  readonly id: number
  readonly fence: number
}

/** A job together with its claim. */
export interface ClaimedJob extends Job, JobClaim {}

/** How a job ended. */
export type JobEnd = Pick<Job, 'result' | 'failure'> & {
  readonly state: 'done' | 'failed' | 'aborted'
  /** Summary after the end; if absent, the previous one stays. */
  readonly summary?: string
}

/**
 * Runs the jobs of a kind and returns how each ended. If it throws, the attempt has failed and the
 * job is retried after a delay, until its attempts are used up. A process can die at any point. The
 * next attempt then starts again, from the beginning or from the checkpoint, so handlers must be
 * idempotent.
 */
export type JobHandler = (job: ClaimedJob, context: JobContext) => Promise<JobEnd>

/** Passed to the handler with each job. */
export interface JobContext {
  /** Aborted when the handler must stop; it then has a few seconds. */
  readonly signal: AbortSignal
  /** Number of the attempt, from 1. */
  readonly attempt: number
  /** Why the signal was aborted; undefined while it is not aborted. */
  stopReason(): JobStopReason | undefined
  /** Stores the checkpoint. Throws if the claim is no longer valid. */
  save(checkpoint: string): Promise<void>
}

/**
 * Why a handler must stop.
 * - `cancelled`: cancellation was requested. The handler may still return an end with a result. If
 *   it throws, the job ends as `aborted`.
 * - `closed`: the process is shutting down. The job is released if the handler throws or returns
 *   `aborted`.
 * - `lost`: another worker may have the job. Nothing more is stored.
 */
export type JobStopReason = 'cancelled' | 'closed' | 'lost'

/** A job to queue. */
export type JobRequest = Pick<Job, 'kind' | 'subject' | 'input'> & {
  /** Held by at most one open job across all accounts; default: no lock. */
  readonly lock?: string
  /** Capability that a worker must have; default: none. */
  readonly needs?: string
  /** JSON for lists; default: empty. */
  readonly summary?: string
  /** Default: 5. */
  readonly maxAttempts?: number
  /** Milliseconds since the epoch; default: now. */
  readonly dueAt?: number
  /** Stores the job, together with other records if needed; default: `JobStore.addJob`. */
  readonly save?: (job: NewJob) => Promise<Job>
}

/** Filter of a job list. */
export interface JobFilter extends PageRequest {
  readonly kind?: string | undefined
  readonly state?: JobState | undefined
}

/**
 * Queues jobs and reads their state. Without an account, methods cover all accounts: for operators.
 */
export interface JobQueue {
  /**
   * Queues a job. Throws a `ServiceError` with code `conflict` if another open job has the lock.
   * The member `job_id` is present if that job belongs to the same account.
   */
  add(account: Account, request: JobRequest): Promise<Job>
  find(account: Account | undefined, id: number): Promise<Job | undefined>
  /** Finds a job by its number within the account and kind. */
  findByNumber(
    account: Account,
    which: { readonly kind: string; readonly number: number },
  ): Promise<Job | undefined>
  /** Finds the newest job of a kind for a subject. */
  findNewest(
    account: Account,
    about: { readonly kind: string; readonly subject: string },
  ): Promise<Job | undefined>
  /** Newest first. */
  list(account: Account | undefined, filter: JobFilter): Promise<Page<ListedJob>>
  /**
   * Cancels a job and returns its state afterwards. A queued job ends at once, a running one within
   * about a second. A job that had ended is returned unchanged. Throws `not_found`.
   */
  cancel(account: Account | undefined, id: number): Promise<Job>
  /** Cancels every open job of a kind across all accounts; returns their number. */
  cancelAll(kind: string): Promise<number>
}
