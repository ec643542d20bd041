import type { CallMaker, MakerCaller } from '../calls/call-maker.ts'
import { createNotFoundError, getErrorCode, ServiceError } from '../errors.ts'
import type { Job, JobQueue, JobRequest, NewJob } from '../jobs/records.ts'
import type { Clock } from '../ports/clock.ts'
import type { Egress } from '../ports/egress.ts'
import type { Logger } from '../ports/logger.ts'
import type { Account } from '../shared/account.ts'
import { type Consent, createConsentMissingError, toHostConsent } from './consent.ts'
import {
  createBudgetExhaustedError,
  type DailyBudgets,
  readLeftToday,
  toUtcDay,
} from './daily-budgets.ts'
import {
  isOpen,
  RUN_KIND,
  type RunSummary,
  requireSameOptions,
  type TestRun,
  toListedRun,
  toRun,
  toTestPermission,
} from './runs.ts'
import type { RateLimitTests, StartedTest, TestRequest } from './service.ts'
import type { RateLimitStore } from './store.ts'
import type { ValidatedTest } from './validate-request.ts'

export interface RateLimitTestDeps {
  readonly store: Pick<RateLimitStore, 'addRun' | 'countRuns' | 'readDay'>
  readonly jobs: JobQueue
  readonly maker: CallMaker
  /** Undefined without an egress: then no test can run. */
  readonly outside: { readonly egress: Egress; readonly consent: Consent } | undefined
  readonly daily: DailyBudgets
  readonly clock: Clock
  readonly logger: Logger
}

/** Maximum number of queued runs per account. Concurrent starts may exceed it slightly. */
const MAX_QUEUED_RUNS = 100

/**
 * Errors that another run may cause: it uses the host, or has reserved the rest of the daily
 * budget.
 */
const CONTENTION_CODES: ReadonlySet<string> = new Set(['conflict', 'budget_exhausted'])

type QueuedRun = JobRequest & { readonly lock: string }

const NOT_CALLABLE_CODES: ReadonlySet<string> = new Set(['not_found', 'no_server'])

/** Creates the rate-limit tests. `createTestHandler` runs the queued jobs. */
export function createRateLimitTests(deps: RateLimitTestDeps): RateLimitTests {
  const { store, jobs, maker } = deps

  async function findRun(account: Account, number: number): Promise<Job> {
    const job = await jobs.findByNumber(account, { kind: RUN_KIND, number })
    if (job) return job
    throw createNotFoundError('Rate-limit test run', number)
  }

  /** Returns the ID unchanged for an endpoint that was removed or cannot be called. */
  async function toShortId(account: Account, endpointId: string): Promise<string> {
    try {
      return (await maker.find(endpointId, { account })).endpoint.shortId
    } catch (error) {
      if (error instanceof ServiceError && NOT_CALLABLE_CODES.has(error.code)) return endpointId
      throw error
    }
  }

  return {
    start: createTestStarter(deps),

    async result(account, { endpointId, run }) {
      const subject = await toShortId(account, endpointId)
      const job =
        run === undefined
          ? await jobs.findNewest(account, { kind: RUN_KIND, subject })
          : await findRun(account, run)
      if (job?.subject === subject) return toTestRun(store, job)
      const what = run === undefined ? 'Rate-limit test' : `Rate-limit test run ${run}`
      throw createNotFoundError(`${what} of endpoint`, endpointId)
    },

    find: async (account, run) => toTestRun(store, await findRun(account, run)),

    async list(account, request) {
      const { items, total } = await jobs.list(account, { ...request, kind: RUN_KIND })
      const counts = await store.countRuns(items.map(({ id }) => id))
      return { items: items.map((job) => toListedRun(job, counts.get(job.id) ?? 0)), total }
    },

    async stop(account, run) {
      const { id } = await findRun(account, run)
      return toTestRun(store, await jobs.cancel(account, id))
    },

    stopAll: () => jobs.cancelAll(RUN_KIND),

    async consent(account, { endpointId, values = {}, server }) {
      const { consent } = requireEgress(deps)
      const calls = await maker.find(endpointId, { account })
      const origin = calls.originOf(values, { server })
      const state = await consent.checkRateLimited(account, origin)
      return toHostConsent({ account, origin, state, token: await consent.getToken(account) })
    },

    async leftToday(caller, { endpointId, values = {}, server }) {
      const calls = await maker.find(endpointId, caller)
      const origin = calls.originOf(values, { server })
      const now = deps.clock()
      return readLeftToday({ ...deps, now }, { account: caller.account, calls, origin })
    },
  }
}

/** Creates the function that starts tests: from validating the request to queueing the run. */
function createTestStarter(deps: RateLimitTestDeps): RateLimitTests['start'] {
  const { store, jobs, maker, logger } = deps

  /** Returns the open run if it matches the request. */
  async function returnOpenRun(job: Job, request: TestRequest): Promise<StartedTest> {
    const run = await toTestRun(store, job)
    requireSameOptions(run, request)
    return { run, isNew: false }
  }

  /**
   * Queues a run. If several requests start the same test concurrently, one queues it and the
   * others return its run.
   */
  async function queueRun(
    account: Account,
    { job, request }: { readonly job: QueuedRun; readonly request: TestRequest },
  ): Promise<StartedTest> {
    try {
      return { run: toRun(await jobs.add(account, job), 0), isNew: true }
    } catch (error) {
      if (!(error instanceof ServiceError) || !CONTENTION_CODES.has(error.code)) throw error
      const newest = await jobs.findNewest(account, job)
      if (newest && isOpen(newest)) return returnOpenRun(newest, request)
      if (error.code !== 'conflict') throw error
      const own = Number(error.extra.job_id ?? 0)
      const found = own > 0 ? await jobs.find(account, own) : undefined
      const whose = found ? `run ${found.number} of the account` : 'a test of another account'
      throw new ServiceError(
        'conflict',
        `Cannot start the test: ${job.lock} is in use by ${whose}. Try again when that test has ended`,
        found ? { extra: { run: found.number } } : {},
      )
    }
  }

  /** Queues the job and reserves its budget in one transaction. */
  async function addRunWithBudget(
    job: NewJob,
    { host, budget: { requests } }: Pick<ValidatedTest, 'host' | 'budget'>,
  ): Promise<Job> {
    const now = deps.clock()
    const { account: accountBudget, host: hostBudget } = deps.daily
    const reservation = { requests, day: toUtcDay(now), accountBudget, hostBudget }
    const added = await store.addRun(job, reservation)
    if ('job' in added) return added.job
    throw createBudgetExhaustedError(added, { host, requests, now })
  }

  async function checkConsentAndQueue(
    { account, keyId }: MakerCaller,
    { test, request }: { readonly test: ValidatedTest; readonly request: TestRequest },
  ): Promise<StartedTest> {
    const { consent } = requireEgress(deps)
    const { origin, host, budget, values, usesCredentials } = test
    const state = await consent.checkRateLimited(account, origin)
    if (state.by === undefined) {
      const token = await consent.getToken(account)
      throw createConsentMissingError({ account, origin, state, token })
    }
    await requireQueueCapacity(jobs, account)
    const endpoint = test.calls.endpoint.shortId
    const key = keyId === undefined ? {} : { keyId }
    const more = { server: test.server ?? '', consent: state.by, ...key }
    const input = { endpoint, origin, budget, values, usesCredentials, ...more }
    const job: QueuedRun = {
      kind: RUN_KIND,
      subject: endpoint,
      lock: host,
      // Any worker can check consent by token. Consent of the operator requires a worker that is
      // configured to allow the host.
      needs: state.by === 'operator' ? toTestPermission(host) : '',
      input: JSON.stringify(input),
      summary: JSON.stringify({ budget } satisfies RunSummary),
      save: (made) => addRunWithBudget(made, test),
    }
    return queueRun(account, { job, request })
  }

  return async (input, caller) => {
    const { egress } = requireEgress(deps)
    const { account } = caller
    // Loaded on first use: most processes start no tests.
    const { validateTestRequest, normalizeValues } = await import('./validate-request.ts')
    const request = { ...input, values: normalizeValues(input.values) }
    const calls = await maker.find(request.endpointId, caller)
    const endpoint = calls.endpoint.shortId
    const newest = await jobs.findNewest(account, { kind: RUN_KIND, subject: endpoint })
    if (newest && isOpen(newest)) return returnOpenRun(newest, request)
    const test = await validateTestRequest(request, { calls, egress })
    const about = { account: account.id, host: test.host, endpoint }
    try {
      const started = await checkConsentAndQueue(caller, { test, request })
      if (started.isNew) {
        const { id, jobId } = started.run
        logger.log('info', 'rate_limit_test_queued', { ...about, run: id, job: jobId })
      }
      return started
    } catch (error) {
      logger.log('warn', 'rate_limit_test_refused', { ...about, reason: getErrorCode(error) })
      throw error
    }
  }
}

function requireEgress({ outside }: RateLimitTestDeps) {
  if (outside) return outside
  throw new ServiceError(
    'not_implemented',
    'Cannot test endpoints: outgoing calls are disabled. Pass the "egress" option',
  )
}

/** Limits the queue per account, so that one account cannot delay the runs of others for hours. */
async function requireQueueCapacity(jobs: JobQueue, account: Account): Promise<void> {
  const waiting = { kind: RUN_KIND, state: 'queued', page: 1, size: 1 } as const
  if ((await jobs.list(account, waiting)).total < MAX_QUEUED_RUNS) return
  throw new ServiceError(
    'too_many_requests',
    `Cannot queue the test: ${MAX_QUEUED_RUNS} tests of the account are already queued. Try again later`,
    { retryAfter: 60 },
  )
}

async function toTestRun(store: RateLimitTestDeps['store'], job: Job): Promise<TestRun> {
  const counts = await store.countRuns([job.id])
  return toRun(job, counts.get(job.id) ?? 0)
}
