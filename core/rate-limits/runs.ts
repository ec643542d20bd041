import { ServiceError } from '../errors.ts'
import type { Job, JobState, ListedJob } from '../jobs/records.ts'
import type { TestBudget, TestInput, TestResult, Verdict } from './records.ts'
import type { TestRequest } from './service.ts'

/** Job kind of rate-limit tests. */
export const RUN_KIND = 'rate-limit-test'

/** A run as shown in lists: queued, running or ended. */
export interface ListedRun {
  /** Number of the run, unique within the account. */
  readonly id: number
  /** ID of its job, unique across accounts: for operators. */
  readonly jobId: number
  /** Short ID of the endpoint. */
  readonly endpoint: string
  /** A `done` run has a result. An `aborted` run has one if it sent any request. */
  readonly state: JobState
  readonly budget: TestBudget
  /** Name and port: `api.example.com:443`. */
  readonly host: string
  /** Undefined without a result. */
  readonly verdict: Verdict['verdict'] | undefined
  /** Short description of the limit that was found: `10 calls in 4.0 s`. */
  readonly limit: string | undefined
  /** Requests so far, in all attempts. Includes requests that were lost when a process died. */
  readonly sent: number
  /** A stop was requested; the worker may not have noticed it yet. */
  readonly isStopped: boolean
  /** Why the run failed or was aborted, as a readable message; empty otherwise. */
  readonly failure: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  readonly startedAt: number | undefined
  readonly endedAt: number | undefined
}

/** A run with all stored details. */
export interface TestRun extends ListedRun {
  readonly input: TestInput
  /** Number of attempts so far. */
  readonly attempts: number
  /**
   * Capability that a worker must have, such as `permission to test api.example.com:443`; empty if
   * any worker can run it.
   */
  readonly needs: string
  readonly result: TestResult | undefined
}

/** JSON in the summary of a run's job. */
export interface RunSummary {
  readonly budget: TestBudget
  /** These three members are present once the run has a result. */
  readonly verdict?: Verdict['verdict']
  readonly sent?: number
  readonly limit?: string | undefined
}

/** Returns the capability to test a host that the operator allows. */
export function toTestPermission(host: string): string {
  return `permission to test ${host}`
}

/** Converts a job to its run. `taken` is the number of requests while there is no result. */
export function toListedRun(job: ListedJob, taken: number): ListedRun {
  // Trusted JSON: written by the rate-limit tests.
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

/** Converts a run like `toListedRun`, with all stored details. */
export function toRun(job: Job, taken: number): TestRun {
  return {
    ...toListedRun(job, taken),
    // Trusted JSON: written by the rate-limit tests.
    input: JSON.parse(job.input) as TestInput,
    attempts: job.attempts,
    needs: job.needs,
    result: job.result === '' ? undefined : (JSON.parse(job.result) as TestResult),
  }
}

/** Whether the run is queued or running. */
export function isOpen({ state }: Pick<Job, 'state'>): boolean {
  return state === 'queued' || state === 'running'
}

/**
 * Throws `options_differ` if a request differs from the endpoint's open run: the caller would
 * assume that the requested options apply. Omitted options match anything.
 */
export function requireSameOptions({ id, state, input }: TestRun, request: TestRequest): void {
  const differing = listDifferingOptions(input, request)
  if (differing.length === 0) return
  const names = differing.join(', ')
  const isOne = /^[^,]*[^s]$/.test(names)
  throw new ServiceError(
    'options_differ',
    `Cannot start the test: run ${id} of this endpoint is ${state}, and its ${names} ${isOne ? 'differs' : 'differ'} from the request. Stop the run or wait until it ends`,
    { extra: { run: id, state, options: differing } },
  )
}

/** Lists the options that differ, by their wire names. */
function listDifferingOptions(
  { budget, ...input }: TestInput,
  request: TestRequest,
): readonly string[] {
  const { requests, rate, payloadBytes, values = {}, server, usesCredentials = false } = request
  const isOther = (asked: unknown, present: unknown) => asked !== undefined && asked !== present
  return [
    ...(isOther(requests, budget.requests) ? ['requests'] : []),
    ...(isOther(rate, budget.rate) ? ['rate'] : []),
    ...(isOther(payloadBytes, budget.payloadBytes) ? ['payload_bytes'] : []),
    ...(Object.keys(values).length > 0 && toSortedJson(values) !== toSortedJson(input.values)
      ? ['values']
      : []),
    ...(isOther(server, input.server) ? ['server'] : []),
    ...(usesCredentials && !input.usesCredentials ? ['use_credentials'] : []),
  ]
}

/** Serialises independently of the order of keys. */
function toSortedJson(value: unknown): string {
  return JSON.stringify(value, (_, each) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([one], [two]) => (one < two ? -1 : 1)))
      : each,
  )
}
