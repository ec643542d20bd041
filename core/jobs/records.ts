/** What becomes of a job: from `queued` to `running`, and to one of the other three for good. */
export const JOB_STATES = ['queued', 'running', 'done', 'failed', 'aborted'] as const

export type JobState = (typeof JOB_STATES)[number]

/** Work that outlives a request: kept by the storage, done by whichever process claims it. */
export interface Job {
  /** Counted up by the storage, never reused. */
  readonly id: number
  /** Which handler does it: `rate-limit-test`. */
  readonly kind: string
  readonly accountId: string
  /** What it is about, for finding it again: the short id of an endpoint. */
  readonly subject: string
  /** Of the open jobs (queued or running) of all accounts one at most has it; empty for none. */
  readonly lock: string
  /** JSON. */
  readonly input: string
  readonly state: JobState
  /** How often it was claimed. */
  readonly attempts: number
  readonly maxAttempts: number
  /** Somebody wants it to end: its worker ends it as `aborted`. */
  readonly isCancelled: boolean
  /** JSON that a worker left for itself or the next one, or empty. */
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

/** A job to be done. */
export type NewJob = Pick<
  Job,
  'kind' | 'accountId' | 'subject' | 'lock' | 'input' | 'maxAttempts' | 'createdAt' | 'dueAt'
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
}
