import type { Job, JobState, ListedJob } from '../jobs/records.ts'
import type { TestBudget, TestInput, TestResult, Verdict } from './records.ts'

/** The kind of the jobs of runs. */
export const RUN_KIND = 'rate-limit-test'

/** A rate-limit test of an account: waiting, under way, or ended. Lists have so much of it. */
export interface ListedRun {
  /** Number of the run among those of its account, which no other run of the account has. */
  readonly id: number
  /** Of the job that does it, among those of all accounts: for operators. */
  readonly jobId: number
  /** Short id of the endpoint. */
  readonly endpoint: string
  /** `done` has a result; `aborted` has one when anything was sent. */
  readonly state: JobState
  readonly budget: TestBudget
  /** Name and port: `api.example.com:443`. */
  readonly host: string
  /** Undefined where there is no result. */
  readonly verdict: Verdict['verdict'] | undefined
  /** The limit that was found, in a few words: `10 calls in 4.0 s`. */
  readonly limit: string | undefined
  /** Requests so far, in all attempts; those that were lost with a process count. */
  readonly sent: number
  /** Somebody has stopped it, and its worker may not have heard of it yet. */
  readonly isStopped: boolean
  /** Why it failed or was aborted, for people; else empty. */
  readonly failure: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  readonly startedAt: number | undefined
  readonly endedAt: number | undefined
}

/** A run with all that is kept of it. */
export interface TestRun extends ListedRun {
  readonly input: TestInput
  /** How often a worker took it up. */
  readonly attempts: number
  /**
   * What a worker must have that takes it up, in words: `permission to test api.example.com:443`;
   * empty where any may.
   */
  readonly needs: string
  readonly result: TestResult | undefined
}

/** What the summary of a job says of its run, as JSON. */
export interface RunSummary {
  readonly budget: TestBudget
  /** Of a run that has a result, like the next. */
  readonly verdict?: Verdict['verdict']
  readonly sent?: number
  readonly limit?: string | undefined
}

/** What a worker must have that does runs to a host which an operator has named. */
export function toNeeds(host: string): string {
  return `permission to test ${host}`
}

/** The run that a job is; `taken` counts for as long as there is no result. */
export function toListedRun(job: ListedJob, taken: number): ListedRun {
  // Written by this feature.
  const { budget, verdict, sent, limit } = JSON.parse(job.summary) as RunSummary
  return {
    id: job.number,
    jobId: job.id,
    endpoint: job.subject,
    state: job.state,
    budget,
    host: job.lock,
    verdict,
    limit,
    sent: sent ?? taken,
    isStopped: job.isCancelled,
    failure: job.failure,
    createdAt: job.createdAt,
    startedAt: job.startedAt,
    endedAt: job.endedAt,
  }
}

/** Likewise, with all that is kept of it. */
export function toRun(job: Job, taken: number): TestRun {
  return {
    ...toListedRun(job, taken),
    // Written by this feature.
    input: JSON.parse(job.input) as TestInput,
    attempts: job.attempts,
    needs: job.needs,
    result: job.result === '' ? undefined : (JSON.parse(job.result) as TestResult),
  }
}

/** It will send, or may still be sending. */
export function isOpen({ state }: Pick<Job, 'state'>): boolean {
  return state === 'queued' || state === 'running'
}
