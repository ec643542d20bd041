import type { Job, JobState } from '../jobs/records.ts'
import type { TestInput, TestResult } from './records.ts'

/** The kind of the jobs of runs. */
export const RUN_KIND = 'rate-limit-test'

/** A rate-limit test of an account: waiting, under way, or ended. */
export interface TestRun {
  /** Number of the run, which no other run has. */
  readonly id: number
  /** Short id of the endpoint. */
  readonly endpoint: string
  /** `done` has a result; `aborted` has one when anything was sent. */
  readonly state: JobState
  readonly input: TestInput
  /** Name and port: `api.example.com:443`. */
  readonly host: string
  /** Requests so far, in all attempts; those that were lost with a process count. */
  readonly sent: number
  /** How often a worker took it up. */
  readonly attempts: number
  /** Somebody has stopped it, and its worker may not have heard of it yet. */
  readonly isStopped: boolean
  readonly result: TestResult | undefined
  /** Why it failed or was aborted, for people; else empty. */
  readonly failure: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  readonly startedAt: number | undefined
  readonly endedAt: number | undefined
}

/** The run that a job is. */
export function toRun(job: Job, sent: number): TestRun {
  // Written by this feature.
  const input = JSON.parse(job.input) as TestInput
  const result = job.result === '' ? undefined : (JSON.parse(job.result) as TestResult)
  return {
    id: job.id,
    endpoint: job.subject,
    state: job.state,
    input,
    host: job.lock,
    sent: result?.evidence.sent ?? sent,
    attempts: job.attempts,
    isStopped: job.isCancelled,
    result,
    failure: job.failure,
    createdAt: job.createdAt,
    startedAt: job.startedAt,
    endedAt: job.endedAt,
  }
}

/** It will send, or may still be sending. */
export function isOpen({ state }: Pick<Job, 'state'>): boolean {
  return state === 'queued' || state === 'running'
}
