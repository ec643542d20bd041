import type { CallMaker, EndpointCalls } from '../calls/call-maker.ts'
import type { Endpoint } from '../catalogue/records.ts'
import { ServiceError } from '../errors.ts'
import { PROBLEM_TYPES } from '../http/problems.ts'
import type { ClaimedJob, Job, JobContext, JobEnd, JobHandler } from '../jobs/records.ts'
import type { Clock } from '../ports/clock.ts'
import type { Egress } from '../ports/egress.ts'
import type { Logger } from '../ports/logger.ts'
import type { Account } from '../shared/account.ts'
import type { Timers } from '../shared/timers.ts'
import type { Consent } from './consent.ts'
import type { DailyBudgets } from './daily-budgets.ts'
import { toHostAndPort } from './hosts.ts'
import { runTest } from './probe/run-test.ts'
import { judgeEvidence } from './probe/verdict.ts'
import { planProbes } from './probes.ts'
import type {
  DeclaredLimits,
  Evidence,
  ProbeRecord,
  StopReason,
  TestInput,
  TestResult,
} from './records.ts'
import { createRequestTaker } from './request-taker.ts'
import type { RunSummary } from './runs.ts'
import { createOriginChangedError, createSender } from './sender.ts'
import type { RateLimitStore } from './store.ts'
import { watchConsent } from './watch-consent.ts'

export interface RunDeps {
  readonly store: Pick<RateLimitStore, 'takeRequests' | 'countRuns'>
  readonly maker: CallMaker
  readonly egress: Egress
  readonly consent: Consent
  readonly daily: DailyBudgets
  readonly readDeclared: (account: Account, endpoint: Endpoint) => Promise<DeclaredLimits>
  readonly clock: Clock
  readonly timers: Timers
  readonly logger: Logger
  readonly userAgent: string
}

/**
 * Creates the job handler of rate-limit tests. A run that was interrupted resumes with its
 * remaining budget. Requests that it had taken but not sent are lost.
 */
export function createTestHandler(deps: RunDeps): JobHandler {
  const { logger } = deps
  return async (job, context) => {
    // Trusted JSON: written by `createRateLimitTests`.
    const input = JSON.parse(job.input) as TestInput
    const account: Account = { id: job.accountId, name: '' }
    const { id, number: run, lock: host } = job
    const about = { account: account.id, run, job: id, host, endpoint: input.endpoint }
    logger.log('info', 'rate_limit_test_began', { ...about, attempt: job.attempts })
    try {
      const { end, logFields } = await runTestJob(deps, { job, context, input, account })
      logger.log('info', 'rate_limit_test_ended', { ...about, ...logFields })
      return end
    } catch (error) {
      if (!isPermanentError(error)) throw error
      logger.log('warn', 'rate_limit_test_ended', { ...about, state: 'failed', reason: error.code })
      return { state: 'failed', result: '', failure: error.message }
    }
  }
}

/** Whether another attempt would fail in the same way. */
function isPermanentError(error: unknown): error is ServiceError {
  if (!(error instanceof ServiceError) || error.code === 'conflict') return false
  return PROBLEM_TYPES[error.code].status < 500
}

interface RunContext {
  readonly job: ClaimedJob
  readonly context: JobContext
  readonly input: TestInput
  readonly account: Account
}

interface RunEnd {
  readonly end: JobEnd
  /** Fields for the log. */
  readonly logFields: Readonly<Record<string, string | number>>
}

async function runTestJob(deps: RunDeps, run: RunContext): Promise<RunEnd> {
  const { job, context, input, account } = run
  const { maker, timers, clock, logger } = deps
  // Waits so that requests sent by an earlier attempt do not exceed the rate of the current second.
  if (job.attempts > 1) await timers.sleep(1000, context.signal)
  const { origin } = input
  const server = input.server === '' ? undefined : input.server
  const calls = await maker.find(input.endpoint, { account, keyId: input.keyId })
  if (calls.originOf(input.values, { server }) !== origin) throw createOriginChangedError(origin)
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  const withdraw = () => stopping.abort('consent_withdrawn' satisfies StopReason)
  context.signal.addEventListener('abort', stop)
  if (context.signal.aborted) stop()
  const faults: unknown[] = []
  const onFault = (error: unknown) => {
    faults.push(error)
    stop()
  }
  const consent = await watchConsent(
    { consent: deps.consent, timers, logger },
    { account, origin, job: job.id, onWithdrawn: withdraw },
  )
  if (!consent.isGiven()) withdraw()
  const seen = checkpointRecords({ job, save: context.save, timers, onFault })
  try {
    const watched = { calls, consent, seen, server, onFault, signal: stopping.signal }
    const evidence = await runProbes(deps, { ...run, ...watched })
    if (faults.length > 0) throw faults[0]
    // The next attempt continues the run.
    if (context.stopReason() === 'closed' || context.stopReason() === 'lost') {
      throw context.signal.reason
    }
    return toRunEnd(evidence, { beganAt: job.startedAt ?? clock(), endedAt: clock() })
  } finally {
    context.signal.removeEventListener('abort', stop)
    consent.end()
    await seen.end()
  }
}

type WatchedRun = RunContext & {
  readonly calls: EndpointCalls
  readonly consent: Awaited<ReturnType<typeof watchConsent>>
  readonly seen: ReturnType<typeof checkpointRecords>
  readonly server: string | undefined
  readonly onFault: (error: unknown) => void
  readonly signal: AbortSignal
}

async function runProbes(deps: RunDeps, run: WatchedRun): Promise<Evidence> {
  const { job, input, account, calls, consent, seen, server, onFault, signal } = run
  const { store, egress, clock, timers, userAgent } = deps
  const { budget, origin, values, usesCredentials } = input
  const declared = await deps.readDeclared(account, calls.endpoint)
  const countTaken = async () => (await store.countRuns([job.id])).get(job.id) ?? 0
  const sentBefore = await countTaken()
  const { payloadBytes } = budget
  const plan = await planProbes(calls, { values, server, usesCredentials, payloadBytes })
  const taker = createRequestTaker({
    ...{ store, calls, account, budget, clock, timers },
    claim: job,
    host: toHostAndPort(origin),
    daily: deps.daily,
  })
  const evidence = await runTest({
    ...{ budget, declared, timers, clock, signal },
    supports: plan.takes,
    send: createSender({
      ...{ calls, plan, egress, userAgent, onFault },
      input: { origin, server, usesCredentials },
      address: consent.address,
    }),
    take: async () => (consent.isGiven() ? taker.take() : 'consent_withdrawn'),
    prepare: taker.prepare,
    onRecord: seen.add,
    earlier:
      job.attempts > 1
        ? { records: seen.earlier, attempts: job.attempts - 1, sent: sentBefore }
        : undefined,
  })
  await taker.settle()
  return { ...evidence, sent: (await countTaken()) - taker.unused }
}

/** Stops by a decision of the account or the host, which leave the test incomplete. */
const ABORT_MESSAGES: Partial<Record<StopReason, string>> = {
  cancelled: 'The run was stopped',
  consent_withdrawn: 'The host withdrew its consent',
}

function toRunEnd(
  evidence: Evidence,
  { beganAt, endedAt }: Pick<TestResult, 'beganAt' | 'endedAt'>,
): RunEnd {
  const { stop, sent } = evidence
  const verdict = judgeEvidence(evidence)
  const result: TestResult = { verdict, evidence, beganAt, endedAt }
  const failure = ABORT_MESSAGES[stop] ?? ''
  const state = failure === '' ? 'done' : 'aborted'
  const { summary: limit } = verdict.rate
  const summary: RunSummary = { budget: evidence.budget, verdict: verdict.verdict, sent, limit }
  return {
    end: { state, result: JSON.stringify(result), failure, summary: JSON.stringify(summary) },
    logFields: { state, sent, stop, verdict: verdict.verdict, ms: endedAt - beganAt },
  }
}

/** Request records of a run, checkpointed for later attempts. */
interface CheckpointedRecords {
  /** Records from the last checkpoint of earlier attempts. */
  readonly earlier: readonly ProbeRecord[]
  add(record: ProbeRecord): void
  /** Stops saving checkpoints. Never rejects. */
  end(): Promise<void>
}

const EVERY_MS = 1_000
/** The maximum number of requests per run. */
const MAX_RECORDS = 1_000

/**
 * Saves the records of a run once a second if there are new ones. Calls `onFault` and stops if
 * saving fails.
 */
function checkpointRecords(deps: {
  readonly job: Pick<Job, 'checkpoint'>
  readonly save: (checkpoint: string) => Promise<void>
  readonly timers: Timers
  readonly onFault: (error: unknown) => void
}): CheckpointedRecords {
  const { job, save, timers, onFault } = deps
  // Trusted JSON: written by `save` below.
  const former = job.checkpoint === '' ? [] : (JSON.parse(job.checkpoint) as ProbeRecord[])
  const records = [...former]
  const over = new AbortController()
  let kept = records.length
  const saving = saveRegularly()

  async function saveRegularly(): Promise<void> {
    while (!over.signal.aborted) {
      await timers.sleep(EVERY_MS, over.signal)
      if (over.signal.aborted || kept === records.length) continue
      const count = records.length
      try {
        await save(JSON.stringify(records))
        kept = count
      } catch (error) {
        onFault(error)
        return
      }
    }
  }

  return {
    earlier: former,
    add(record) {
      if (records.length < MAX_RECORDS) records.push(record)
    },
    async end() {
      over.abort()
      await saving
    },
  }
}
