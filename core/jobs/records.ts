import type { Account } from '../shared/account.ts'
import type { Page, PageRequest } from '../shared/pages.ts'

/** What becomes of a job: from `queued` to `running`, and to one of the other three for good. */
export const JOB_STATES = ['queued', 'running', 'done', 'failed', 'aborted'] as const

export type JobState = (typeof JOB_STATES)[number]

/** Work that outlives a request: kept by the storage, done by whichever process claims it. */
export interface Job {
  /** Counted up by the storage, never reused. Of all accounts: for operators. */
  readonly id: number
  /** Counted up from 1 for each account and kind, never reused: what accounts know it by. */
  readonly number: number
  /** Which handler does it: `rate-limit-test`. */
  readonly kind: string
  readonly accountId: string
  /** What it is about, for finding it again: the short id of an endpoint. */
  readonly subject: string
  /** Of the open jobs (queued or running) of all accounts one at most has it; empty for none. */
  readonly lock: string
  /**
   * What a worker must have to do it, in words: `permission to test api.example.com:443`; empty for
   * nothing.
   */
  readonly needs: string
  /** JSON. */
  readonly input: string
  /** JSON of what lists show of it, or empty. */
  readonly summary: string
  readonly state: JobState
  /** How often it was claimed. */
  readonly attempts: number
  readonly maxAttempts: number
  /** Somebody wants it to end: its worker ends it as `aborted`. */
  readonly isCancelled: boolean
  /** JSON that a worker left for itself or the next one, or empty, as it is once the job has ended. */
  readonly checkpoint: string
  /** JSON of a job that is done, or aborted with something to tell; else empty. */
  readonly result: string
  /** Why it failed or was aborted, for people; else empty. */
  readonly failure: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  /** Not to be claimed before. */
  readonly dueAt: number
  /** Of the first claim. */
  readonly startedAt: number | undefined
  readonly endedAt: number | undefined
}

/** A job as lists have it: without what may be large. */
export type ListedJob = Omit<Job, 'input' | 'checkpoint' | 'result'>

/** A job to be done. */
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

/** The right to do a job: whoever claims it later has a higher number, and the former one none. */
export interface JobClaim {
  readonly id: number
  readonly fence: number
}

/** A job with the right to do it. */
export interface ClaimedJob extends Job, JobClaim {}

/** How a job ended. */
export type JobEnd = Pick<Job, 'result' | 'failure'> & {
  readonly state: 'done' | 'failed' | 'aborted'
  /** Of the end; the former one stays where it is absent. */
  readonly summary?: string
}

/**
 * Does the jobs of a kind, and says how each ended. When it throws, the attempt has failed: the job
 * is tried again after a while, until its attempts are used up. It may be cut off anywhere, by a
 * process that dies, and then another attempt begins, from the start or from the checkpoint: what it
 * does must bear that.
 */
export type JobHandler = (job: ClaimedJob, context: JobContext) => Promise<JobEnd>

/** What a handler is given with a job. */
export interface JobContext {
  /** Aborted when the handler must stop, which it has a few seconds for. */
  readonly signal: AbortSignal
  /** Which attempt it is, from 1. */
  readonly attempt: number
  /** Why the signal was aborted; undefined as long as it was not. */
  stopReason(): JobStopReason | undefined
  /** Stores the checkpoint. Throws when the job is no longer this handler's. */
  save(checkpoint: string): Promise<void>
}

/**
 * Why a handler must stop. `cancelled`: somebody wants the job to end; an end may still tell what
 * came of it, and is `aborted` when the handler throws. `closed`: the process ends; the job is given
 * back when the handler throws or its end is `aborted`. `lost`: another worker may have the job;
 * nothing is stored any more.
 */
export type JobStopReason = 'cancelled' | 'closed' | 'lost'

/** A job to be queued. */
export type JobRequest = Pick<Job, 'kind' | 'subject' | 'input'> & {
  /** Of the open jobs of all accounts one at most has it; none when absent. */
  readonly lock?: string
  /** What a worker must have to do it; nothing when absent. */
  readonly needs?: string
  /** JSON of what lists show of it; nothing when absent. */
  readonly summary?: string
  /** 5 when absent. */
  readonly maxAttempts?: number
  /** Milliseconds since the epoch; at once when absent. */
  readonly dueAt?: number
  /** Stores the job together with something else; `JobStore.addJob` when absent. */
  readonly save?: (job: NewJob) => Promise<Job>
}

/** Which jobs are listed. */
export interface JobFilter extends PageRequest {
  readonly kind?: string | undefined
  readonly state?: JobState | undefined
}

/** Queues jobs and tells what became of them. Without an account, of all accounts: for operators. */
export interface JobQueue {
  /**
   * Queues a job. Throws a `ServiceError` with code `conflict` where another open job has the lock,
   * with the member `job_id` when it is one of the same account.
   */
  add(account: Account, request: JobRequest): Promise<Job>
  find(account: Account | undefined, id: number): Promise<Job | undefined>
  /** By its number among the account's jobs of the kind. */
  findNumbered(
    account: Account,
    which: { readonly kind: string; readonly number: number },
  ): Promise<Job | undefined>
  /** The newest of a kind about a subject. */
  findNewest(
    account: Account,
    about: { readonly kind: string; readonly subject: string },
  ): Promise<Job | undefined>
  /** Newest first. */
  list(account: Account | undefined, filter: JobFilter): Promise<Page<ListedJob>>
  /**
   * Cancels a job: one that is queued ends at once, one that is running within about a second. The
   * job as it is then; one that had ended stays as it was. Throws `not_found`.
   */
  cancel(account: Account | undefined, id: number): Promise<Job>
  /** Likewise every open job of a kind, of all accounts; how many there were. */
  cancelAll(kind: string): Promise<number>
}
